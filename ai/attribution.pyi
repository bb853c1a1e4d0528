from ai.evaluation import Evaluation
from looot_core.state import State

FACTORS: tuple[str, ...]

def attribute(
    before: State, after: State, evaluation: Evaluation
) -> list[tuple[float, float, tuple[float, ...]]]: ...
