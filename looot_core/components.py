"""What is in the box: every board, tile and number of the game, typed and frozen.

All of it is read from ``data/components.json`` when the module is imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from looot_core.errors import LoootError, shorten
from looot_core.hexes import from_even_q, neighbours
from looot_core.plain import text_of

_DATA: dict[str, Any] = json.loads(
    files("looot_core").joinpath("data/components.json").read_text(encoding="utf-8")
)

RESOURCES = ("wood", "sheep", "gold", "axe")
BUILDINGS = ("house", "watchtower", "castle")
TILES = RESOURCES + BUILDINGS
"""All tile kinds; the index is the number of the kind in the action space."""

TILE_LETTERS: Mapping[str, str] = MappingProxyType(_DATA["terms"]["tile_letters"])
"""From the letter of a tile in boards and requirements to its kind, ``"W"`` to ``"wood"``."""

SCORED_KINDS = ("castle", "watchtower", "house", "gold", "sheep", "wood")
"""The tile kinds that count at the end, as scores list them (R20)."""

SITE_KINDS = ("port", "altar", "jarl_palace")
SHIELDS = ("second", "occupied", "double")
"""The shields as actions name them; the index is the bit in a set of shields."""

VIKINGS_PER_PLAYER: int = _DATA["per_player"]["vikings"]
PLAYER_COUNTS = (2, 3, 4)
OCEAN_SLOTS = 5
UNFILLED_LONGSHIP_PENALTY: int = _DATA["unfilled_longship_penalty"]

TROPHIES: Mapping[int, int] = MappingProxyType({int(n): p for n, p in _DATA["trophies"].items()})
"""From the number of a trophy, which is how many axes it needs, to its points."""

STARTING_VALUES: Mapping[str, int] = MappingProxyType(_DATA["starting_values"])
SITE_VALUES: Mapping[str, int] = MappingProxyType(_DATA["site_values"])
BUILDING_TILES: Mapping[str, int] = MappingProxyType(_DATA["building_tiles_per_space"])
"""How many tiles a building space of each kind starts with (R3)."""

_LONGSHIP_TEXT = re.compile(rf"({'|'.join(STARTING_VALUES)})\+([1-9]) ([WSGA]{{3}})")


@dataclass(frozen=True, slots=True)
class Longship:
    """A longship tile.

    Attributes
    ----------
    kind : str
        The tile kind whose value it raises.
    bonus : int
        By how much, once it is filled.
    needs : str
        The letters of the three resources that fill it, in the order of the data file.

    Raises
    ------
    LoootError
        If there is no such kind, bonus or resource. Whether an edition has such a tile is not
        looked at.
    """

    kind: str
    bonus: int
    needs: str

    def __post_init__(self) -> None:
        """Check the fields, and that they are plain, so that a draw of outside runs no code."""
        plain = type(self.kind) is str and type(self.bonus) is int and type(self.needs) is str
        if not (plain and self.bonus in range(10) and _LONGSHIP_TEXT.fullmatch(str(self))):
            parts = shorten((self.kind, self.bonus, self.needs))
            raise LoootError(f"{parts} is not a longship, as ['castle', 4, 'GGA'] is")

    def __str__(self) -> str:
        """Write it as the notation does, ``castle+4 GGA``."""
        return f"{self.kind}+{self.bonus} {self.needs}"

    @classmethod
    def parse(cls, text: str) -> Longship:
        """Read a longship written as ``castle+4 GGA``.

        Raises
        ------
        LoootError
            If the text is anything else. Whether an edition has such a tile is not looked at.
        """
        match = _LONGSHIP_TEXT.fullmatch(text_of(text) or "")
        if match is None:
            raise LoootError(f"{shorten(text)} is not a longship, as 'castle+4 GGA' is")
        return cls(match[1], int(match[2]), match[3])


@dataclass(frozen=True, slots=True)
class BoardSpace:
    """A space of a board, in axial coordinates about the board's own even-q (0, 0).

    The letter is that of a tile kind, ``~`` for an ocean space or ``*`` for a trophy space.
    """

    q: int
    r: int
    letter: str

    @property
    def kind(self) -> str:
        """The tile kind found here, ``"ocean"`` or ``"trophy"``."""
        return _SPACE_KINDS[self.letter]


_SPACE_KINDS: Mapping[str, str] = MappingProxyType({**TILE_LETTERS, "~": "ocean", "*": "trophy"})


@dataclass(frozen=True, slots=True)
class Board:
    """One face of a board; its spaces row by row as drawn, each row from the left."""

    name: str
    spaces: tuple[BoardSpace, ...]


@dataclass(frozen=True, slots=True)
class Edition:
    """The tiles that differ between the editions.

    Attributes
    ----------
    name : str
        ``"rulebook"`` or ``"printed"``.
    longships : tuple of Longship
        All 30; the index is the number of the longship.
    sites : mapping of str to tuple of str
        From each site kind to its five tiles, each written as the letters of what fills it.
    """

    name: str
    longships: tuple[Longship, ...]
    sites: Mapping[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True, slots=True)
class FjordCell:
    """A cell of a fjord, in the columns and rows of the drawn board, both counted from 0."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Its name in the notation: column letter and row counted from 1, ``d3``."""
        return f"{'abcdefg'[self.column]}{self.row + 1}"


def _boards(drawn: Mapping[str, Any]) -> Mapping[str, Board]:
    return MappingProxyType(
        {
            name: Board(
                name,
                tuple(
                    BoardSpace(*from_even_q(column, row), letter)
                    for row, line in enumerate(lines)
                    for column, letter in enumerate(line)
                    if letter != "."
                ),
            )
            for name, lines in drawn.items()
            if name != "letters"
        }
    )


BOARDS: Mapping[str, Board] = _boards(_DATA["landscape_boards"])
OCEAN_BOARDS: Mapping[str, Board] = _boards(_DATA["ocean_board"])
TROPHY_BOARDS: Mapping[str, Board] = _boards(_DATA["trophy_board"])

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        name: Edition(
            name,
            tuple(Longship.parse(text) for text in tiles["longships"]),
            MappingProxyType({kind: tuple(tiles["sites"][kind]) for kind in SITE_KINDS}),
        )
        for name, tiles in _DATA["editions"].items()
    }
)

# By column first, as cells are numbered in the action space.
_FJORD_LETTERS: dict[FjordCell, str] = {
    FjordCell(column, row): line[column]
    for column in range(_DATA["fjord"]["columns"])
    for row, line in enumerate(_DATA["fjord"]["cells"])
    if line[column] != "."
}

FJORD_CELLS: tuple[FjordCell, ...] = tuple(
    cell for cell, letter in _FJORD_LETTERS.items() if letter == "#"
)
"""The 34 cells that take a tile or a longship; the index is the cell number."""

CELLS_BY_NAME: Mapping[str, FjordCell] = MappingProxyType({c.name: c for c in FJORD_CELLS})
CELL_NAMES = tuple(CELLS_BY_NAME)
"""The names of those cells, by number."""

FJORD_SITES: Mapping[str, FjordCell] = MappingProxyType(
    {
        kind: cell
        for kind in SITE_KINDS
        for cell, letter in _FJORD_LETTERS.items()
        if letter == kind[0].upper()
    }
)
"""The cell of each construction site."""

_FJORD_AT = {from_even_q(cell.column, cell.row): cell for cell in _FJORD_LETTERS}
_FJORD_NEIGHBOURS = {
    cell: tuple(_FJORD_AT[place] for place in neighbours(at) if place in _FJORD_AT)
    for at, cell in _FJORD_AT.items()
}


def fjord_neighbours(cell: FjordCell) -> tuple[FjordCell, ...]:
    """Give the cells and sites that lie adjacent to a cell or site of the fjord.

    Raises
    ------
    LoootError
        If the fjord has no such cell.
    """
    plain = type(cell) is FjordCell and type(cell.column) is int and type(cell.row) is int
    if not plain or cell not in _FJORD_NEIGHBOURS:
        raise LoootError(f"{shorten(cell)} is not a cell of the fjord")
    return _FJORD_NEIGHBOURS[cell]
