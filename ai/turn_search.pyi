from typing import Self, final

from ai.evaluation import Evaluation
from ai.turn_answers import TurnAnswers
from looot_core.state import State

@final
class TurnSearch(TurnAnswers):
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
    def follow(self, state: State) -> int: ...
