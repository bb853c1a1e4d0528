import numpy as np
from numpy.typing import NDArray

from ai.evaluation import Evaluation
from looot_core.state import State

def play_game(
    evaluations: list[Evaluation], state: State, seed: int, noise: float
) -> tuple[NDArray[np.float32], NDArray[np.int32], list[int]]: ...
