import numpy as np
from numpy.typing import NDArray

from looot_core.state import State

FJORD_NAMES: tuple[str, ...]
MAP_NAMES: tuple[str, ...]
FEATURE_NAMES: tuple[str, ...]

def features_of(state: State, player: int) -> NDArray[np.float32]: ...
