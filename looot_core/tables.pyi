from typing import final

from looot_core.landscape import Landscape

CASTLE_LEVEL_SPACES: int
CASTLE_LEVELS: int

@final
class Layout:
    def __new__(cls, landscape: Landscape, edition: str) -> Layout: ...
