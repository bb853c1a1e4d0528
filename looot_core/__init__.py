"""The game Looot: components, landscape, state, positions, records and drawing."""

from importlib.metadata import version

from looot_core.actions import ACTION_COUNT, Action
from looot_core.components import EDITIONS, Longship
from looot_core.errors import (
    IllegalActionError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidSetupError,
    LoootError,
    RecordMismatchError,
)
from looot_core.landscape import Landscape, Placement
from looot_core.position import Phase, Position
from looot_core.record import GameRecord, parse_json
from looot_core.setup import GameSetup
from looot_core.state import State
from looot_core.svg import svg

__version__ = version("looot")

__all__ = [
    "ACTION_COUNT",
    "EDITIONS",
    "Action",
    "GameRecord",
    "GameSetup",
    "IllegalActionError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidSetupError",
    "Landscape",
    "Longship",
    "LoootError",
    "Phase",
    "Placement",
    "Position",
    "RecordMismatchError",
    "State",
    "__version__",
    "parse_json",
    "svg",
]
