"""Positions: everything that everybody at the table sees, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from looot_core.hexes import Hex, format_hex
from looot_core.landscape import Landscape, Placement
from looot_core.setup import FORMAT

if TYPE_CHECKING:
    from looot_core.state import State


class Phase(StrEnum):
    """What the current player does next."""

    VIKING = "viking"
    """Use a shield or place the (first) viking (R6, R16-R18)."""
    SECOND_VIKING = "second_viking"
    """Place the second viking, or use a shield for it (R16)."""
    TILES = "tiles"
    """Lay a tile that was won (R11)."""
    END_OF_TURN = "end_of_turn"
    """Take a longship or a trophy, or end the turn (R13-R15)."""
    OVER = "over"
    """Nothing: the game has ended (R19)."""


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """What lies before one player.

    Attributes
    ----------
    vikings_in_hand : int
        From 0 to 13.
    shields : tuple of str
        Not yet used, of ``second``, ``occupied``, ``double``, in this order.
    tiles, longships : mapping of str to str
        From cell name to tile kind, and to longship.
    trophy : int
        Its number, 0 for none.
    """

    vikings_in_hand: int
    shields: tuple[str, ...]
    tiles: Mapping[str, str]
    longships: Mapping[str, str]
    trophy: int

    def __post_init__(self) -> None:
        """Close the mappings to writing."""
        _close(self, "tiles", "longships")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the mappings as dicts."""
        return SeatPosition, (
            self.vikings_in_hand,
            self.shields,
            dict(self.tiles),
            dict(self.longships),
            self.trophy,
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "vikings_in_hand": self.vikings_in_hand,
            "shields": list(self.shields),
            "tiles": dict(self.tiles),
            "longships": dict(self.longships),
            "trophy": self.trophy,
        }


@dataclass(frozen=True, slots=True)
class Owed:
    """Tiles won in this turn and not yet laid (R11).

    Attributes
    ----------
    resources : mapping of str to int
        Number of tiles of each kind owed.
    buildings : mapping of Hex to int
        Number of tiles that each building space owes.
    """

    resources: Mapping[str, int]
    buildings: Mapping[Hex, int]

    def __post_init__(self) -> None:
        """Close the mappings to writing."""
        _close(self, "resources", "buildings")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the mappings as dicts."""
        return Owed, (dict(self.resources), dict(self.buildings))


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """A position as everybody sees it: the *set* of unseen longships and no order.

    Made by `State.position` or `from_dict` only, so that every one can come from a game. What
    follows from it (what is filled, the watchtowers connected, castle levels) is not among its
    fields.

    Attributes
    ----------
    edition : str
    landscape : Landscape
    sites : tuple of tuple of str
        What fills the port, altar and jarl palace of each seat.
    seats : tuple of SeatPosition
    vikings : mapping of Hex to tuple of int
        For each occupied space the number of vikings of each seat.
    buildings : mapping of Hex to int
        Tiles left on each building space.
    ocean_longships : tuple of (str or None)
        By slot; None where it is empty.
    unseen : tuple of str
        Longships in the bag, in the order of the edition and not of the bag.
    current_player : int
        Whose turn it is; after the end the seat that moved last.
    turn_number : int
        Turns of all seats before this one; after the end, turns played.
    phase : Phase
    active_shields : tuple of str
        Used for the next viking.
    owed : Owed
    longship_taken : bool
        Whether the current player has taken a longship in this turn.
    """

    edition: str
    landscape: Landscape
    sites: tuple[tuple[str, str, str], ...]
    seats: tuple[SeatPosition, ...]
    vikings: Mapping[Hex, tuple[int, ...]]
    buildings: Mapping[Hex, int]
    ocean_longships: tuple[str | None, ...]
    unseen: tuple[str, ...]
    current_player: int
    turn_number: int
    phase: Phase
    active_shields: tuple[str, ...]
    owed: Owed
    longship_taken: bool
    _state: State = field(init=False, repr=False, compare=False)

    def __init__(self) -> None:
        raise TypeError("a Position is made by State.position() or Position.from_dict()")

    @classmethod
    def _make(cls, **fields: Any) -> Self:
        """Make a position of fields that are known to be right."""
        position = object.__new__(cls)
        for name, value in fields.items():
            object.__setattr__(position, name, value)
        _close(position, "vikings", "buildings")
        return position

    def _keeping(self, state: State) -> Position:
        """Keep the state that this position stands for, and that nobody else has."""
        object.__setattr__(self, "_state", state)
        return self

    @classmethod
    def from_dict(cls, data: Any) -> Position:
        """Read a position from its JSON form.

        Parameters
        ----------
        data : dict
            As `to_dict` gives it. Unknown keys are ignored.

        Returns
        -------
        Position

        Raises
        ------
        InvalidPositionError
            If it is malformed or cannot come from a game; the message names field and rule.
        """
        # Imported late: the state needs this module first.
        from looot_core.state import read_position

        return read_position(data)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form; the inverse of `from_dict`."""
        landscape = self.landscape
        return {
            "format": FORMAT,
            "edition": self.edition,
            "players": self.players,
            "landscape": [_placed(board) for board in landscape.boards],
            "ocean": _placed(landscape.ocean),
            "trophy_board": _placed(landscape.trophy_board),
            "sites": [list(tiles) for tiles in self.sites],
            "seats": [seat.to_dict() for seat in self.seats],
            "vikings": {format_hex(place): list(n) for place, n in self.vikings.items()},
            "buildings": {format_hex(place): n for place, n in self.buildings.items()},
            "ocean_longships": list(self.ocean_longships),
            "unseen": list(self.unseen),
            "current_player": self.current_player,
            "turn_number": self.turn_number,
            "phase": str(self.phase),
            "active_shields": list(self.active_shields),
            "owed": {
                "resources": dict(self.owed.resources),
                "buildings": {format_hex(place): n for place, n in self.owed.buildings.items()},
            },
            "longship_taken": self.longship_taken,
        }

    def __hash__(self) -> int:
        """Hash by what changes most from turn to turn."""
        return hash(
            (
                self.landscape,
                self.turn_number,
                self.phase,
                self.unseen,
                tuple(self.vikings.items()),
                tuple(tuple(seat.tiles.items()) for seat in self.seats),
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the JSON form."""
        return Position.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        """Name the position in a line."""
        return (
            f"<Position {self.edition}, {self.players} players, turn {self.turn_number}, "
            f"player {self.current_player}, {self.phase}>"
        )

    def __str__(self) -> str:
        """Draw it as a text board."""
        from looot_core.text import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        from looot_core.svg import svg

        return svg(self)


def _close(part: Position | SeatPosition | Owed, *names: str) -> None:
    """Close mappings to writing, so that what was checked stays so."""
    for name in names:
        # The classes are frozen, so that their own assignment is closed too.
        object.__setattr__(part, name, MappingProxyType(getattr(part, name)))


def _placed(placement: Placement) -> list[Any]:
    return [placement.board, placement.q, placement.r, placement.rotation]
