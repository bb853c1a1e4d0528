from typing import Self, final

from ai.stop_flag import StopFlag
from looot_core.actions import Action
from looot_core.state import State

REASONS: dict[int, str]

@final
class Search:
    def __new__(cls, state: State, seed: int, memory: int) -> Self: ...
    def run(
        self,
        simulations: int | None,
        seconds: float | None,
        slice_seconds: float,
        stop: StopFlag | None,
        processor_time: bool = False,
    ) -> str: ...
    def turn(self) -> list[Action]: ...
    def candidates(
        self,
    ) -> list[tuple[Action, list[Action], int, float, float, float, float, list[Action]]]: ...
    def expected_scores(self) -> list[float]: ...
    def score_spreads(self) -> list[float]: ...
    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
