from typing import TypeAlias, final

from looot_core.landscape import Landscape
from looot_core.position import Position
from looot_core.setup import GameSetup
from looot_core.state import State
from looot_core.tables import Layout

_Game: TypeAlias = State | Position | GameSetup

ACTION_COUNT: int

@final
class Action:
    index: int
    def __new__(cls, index: int, layout: Layout) -> Action: ...
    @staticmethod
    def from_index(index: int, game: _Game) -> Action: ...
    @staticmethod
    def parse(text: str, game: _Game) -> Action: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def layout_of(landscape: Landscape, edition: str) -> Layout: ...
