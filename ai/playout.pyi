import numpy as np
from numpy.typing import NDArray

from looot_core.actions import Action
from looot_core.state import State

def thumb_action(state: State, seed: int) -> Action: ...
def thumb_playouts(state: State, number: int, seed: int) -> NDArray[np.int32]: ...
