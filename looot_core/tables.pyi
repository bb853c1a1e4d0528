from typing import final

from looot_core.actions import Action
from looot_core.components import Edition
from looot_core.hexes import Hex
from looot_core.landscape import Landscape

@final
class Layout:
    landscape: Landscape
    edition: Edition
    actions: list[Action | None]
    space_numbers: dict[Hex, int]
    longship_numbers: dict[str, int]
    def __new__(cls, landscape: Landscape, edition: str) -> Layout: ...

def site_tiles(edition: Edition) -> list[tuple[str, str]]: ...
