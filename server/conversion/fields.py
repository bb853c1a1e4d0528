"""Errors that name a field, and the small messages that stand in many fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from looot.v1 import game_pb2
from looot_core.components import EDITIONS, FJORD_CELLS, FjordCell, Longship
from server.conversion.vocabulary import (
    RESOURCE_KINDS,
    TILE_KINDS,
    kinds_of,
    longship_text,
    spell,
    tile_kind,
)

_CELLS = {cell.name: cell for cell in FJORD_CELLS}
_LAST_COLUMN = max(cell.column for cell in FJORD_CELLS)
_LAST_ROW = max(cell.row for cell in FJORD_CELLS)
_LONGSHIPS = [longship for edition in EDITIONS.values() for longship in edition.longships]
_LARGEST_BONUS = max(longship.bonus for longship in _LONGSHIPS)
_NEEDS = len(_LONGSHIPS[0].needs)
_FARTHEST = 1000


class FieldError(ValueError):
    """A field of a message that is refused.

    Parameters
    ----------
    field : str
        Its path, ``position.seats[0].tiles[3].cell``.
    description : str
        The value and the rule that it breaks.
    """

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


def require(message: Message, name: str, path: str) -> str:
    """Refuse a message without its field `name`; give the path of the field."""
    field = f"{path}.{name}"
    if not message.HasField(name):
        raise FieldError(field, "missing: it is required")
    return field


def known(names: Mapping[int, str], number: int, field: str) -> str:
    """Give the name that an enum number stands for."""
    if number not in names:
        known_names = ", ".join(f"{name} ({value})" for value, name in names.items())
        raise FieldError(field, f"{number} is none of {known_names}")
    return names[number]


def known_each(names: Mapping[int, str], numbers: Iterable[int], field: str) -> list[str]:
    """Give the names that enum numbers stand for."""
    return [known(names, number, f"{field}[{at}]") for at, number in enumerate(numbers)]


def within(number: int, lowest: int, highest: int, field: str) -> int:
    """Refuse a number outside of its range."""
    if not lowest <= number <= highest:
        raise FieldError(field, f"{number} is not from {lowest} to {highest}")
    return number


def read_space(space: game_pb2.Space, field: str) -> str:
    """Give a space of the landscape as ``q,r``."""
    q = within(space.q, -_FARTHEST, _FARTHEST, f"{field}.q")
    r = within(space.r, -_FARTHEST, _FARTHEST, f"{field}.r")
    return f"{q},{r}"


def write_space(text: str) -> game_pb2.Space:
    """Give the message of a space written as ``q,r``."""
    q, r = map(int, text.split(","))
    return game_pb2.Space(q=q, r=r)


def read_cell(cell: game_pb2.FjordCell, field: str) -> str:
    """Give a cell of a fjord as ``d3``."""
    column = within(cell.column, 0, _LAST_COLUMN, f"{field}.column")
    row = within(cell.row, 0, _LAST_ROW, f"{field}.row")
    name = FjordCell(column, row).name
    if name not in _CELLS:
        raise FieldError(
            field, f"column {column}, row {row} is no cell that takes a tile or a longship (R11)"
        )
    return name


def write_cell(text: str) -> game_pb2.FjordCell:
    """Give the message of a cell written as ``d3``."""
    cell = _CELLS[text]
    return game_pb2.FjordCell(column=cell.column, row=cell.row)


def read_longship(longship: game_pb2.Longship, field: str) -> str:
    """Give a longship as ``castle+4 GGA``; whether the edition has it is not looked at."""
    kind = known(TILE_KINDS, longship.bonus_kind, f"{field}.bonus_kind")
    bonus = within(longship.bonus_value, 1, _LARGEST_BONUS, f"{field}.bonus_value")
    if len(longship.needs) != _NEEDS:
        raise FieldError(
            f"{field}.needs", f"{len(longship.needs)} resources where there are {_NEEDS}"
        )
    return longship_text(
        kind, bonus, spell(known_each(RESOURCE_KINDS, longship.needs, f"{field}.needs"))
    )


def write_longship(text: str) -> game_pb2.Longship:
    """Give the message of a longship written as ``castle+4 GGA``."""
    longship = Longship.parse(text)
    return game_pb2.Longship(
        bonus_kind=tile_kind(longship.kind),
        bonus_value=longship.bonus,
        needs=kinds_of(longship.needs),
    )


def duration_to_message(seconds: float) -> Duration:
    """Give the message of a time in seconds."""
    message = Duration()
    message.FromNanoseconds(round(seconds * 1e9))
    return message
