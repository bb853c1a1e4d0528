from collections.abc import Mapping
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from looot_core.state import State

SHAPES: dict[str, tuple[int, ...]]

@final
class Evaluation:
    hash: str
    def __init__(self, arrays: Mapping[str, NDArray[np.float32]]) -> None: ...
    @staticmethod
    def load(path: Path) -> Evaluation: ...
    def shortsighted(self, foresight: float) -> Evaluation: ...
    def evaluate(self, state: State) -> tuple[list[float], list[float]]: ...
    def seat_scores(self, state: State) -> list[float]: ...
    def spreads(self, state: State) -> list[float]: ...
