from ai.evaluation import Evaluation
from looot_core.actions import Action
from looot_core.state import State

def ranked_turns(
    state: State,
    evaluation: Evaluation,
    level: int = 1,
    most: int = 12,
    first_actions: list[int] | None = None,
) -> list[tuple[list[Action], float, float, list[float]]]: ...
