from typing import Self, final

from ai.evaluation import Evaluation
from ai.searching import CandidateValues
from ai.stop_flag import StopFlag
from looot_core.actions import Action
from looot_core.state import State

@final
class TurnSearch:
    def __new__(
        cls,
        state: State,
        evaluation: Evaluation,
        seed: int,
        memory: int,
        threads: int = 1,
        first_actions: list[int] | None = None,
        **given: float,
    ) -> Self: ...
    def run(
        self,
        simulations: int | None,
        seconds: float | None,
        slice_seconds: float,
        stop: StopFlag | None,
        processor_time: bool = False,
    ) -> str: ...
    def turn(self) -> list[Action]: ...
    def candidates(self) -> list[CandidateValues]: ...
    def expected_scores(self) -> list[float]: ...
    def score_spreads(self) -> list[float]: ...
    @property
    def simulations(self) -> int: ...
    def is_settled(self, left: float) -> bool: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
