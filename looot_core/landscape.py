"""The landscape: boards laid on the hex grid, and whether the rules allow it (R1, R2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from looot_core import assembly
from looot_core.assembly import Spot
from looot_core.components import (
    BOARDS,
    BUILDINGS,
    OCEAN_BOARDS,
    PLAYER_COUNTS,
    RESOURCES,
    TROPHY_BOARDS,
    Board,
)
from looot_core.errors import InvalidSetupError, shorten
from looot_core.hexes import rotate
from looot_core.plain import is_sequence, text_of


class Placement(NamedTuple):
    """A board in its place.

    The board's own even-q (0, 0) is turned about itself by `rotation` steps of 60° clockwise and
    moved to (q, r).
    """

    board: str
    q: int
    r: int
    rotation: int

    @property
    def spot(self) -> Spot:
        """Where it lies, as the tables of `looot_core.assembly` name it."""
        return assembly.spot(self.q, self.r, self.rotation)


class Space(NamedTuple):
    """A space of the landscape.

    The kind is that of a tile (``"wood"`` … ``"castle"``), ``"ocean"`` or ``"trophy"``.
    """

    q: int
    r: int
    kind: str


@dataclass(frozen=True, slots=True, init=False)
class Landscape:
    """A legal landscape.

    Parameters
    ----------
    boards : sequence of Placement
        One landscape board a player, in any order (R1).
    ocean, trophy_board : Placement
        The two edge boards (R2). Here as in `boards` a list ``[board, q, r, rotation]`` does too.
        Coordinates are kept as given; q and r may be from -1000 to 1000.

    Attributes
    ----------
    resource_spaces : tuple of Space
        In ascending order of (q, r); the index is the action number of a viking placed there.
    building_spaces : tuple of Space
        In ascending order of (q, r).
    ocean_spaces : tuple of Space
        By slot, which is the column of the ocean board as drawn.
    trophy_spaces : tuple of Space
        By column of the trophy board as drawn.

    Raises
    ------
    InvalidSetupError
        If a value is malformed or the arrangement breaks R1 or R2; names the field and the rule.
    """

    boards: tuple[Placement, ...]
    ocean: Placement
    trophy_board: Placement
    resource_spaces: tuple[Space, ...] = field(repr=False, compare=False)
    building_spaces: tuple[Space, ...] = field(repr=False, compare=False)
    ocean_spaces: tuple[Space, ...] = field(repr=False, compare=False)
    trophy_spaces: tuple[Space, ...] = field(repr=False, compare=False)

    def __init__(
        self, boards: Sequence[Placement], ocean: Placement, trophy_board: Placement
    ) -> None:
        laid = _read_boards(boards)
        edges = {
            "ocean": _read_placement(ocean, "ocean", OCEAN_BOARDS, "R2"),
            "trophy_board": _read_placement(trophy_board, "trophy_board", TROPHY_BOARDS, "R2"),
        }
        _check_boards(laid)
        _check_edges(laid, edges)
        spaces = [space for placement in laid for space in _spaces(placement, _BOARD_SPACES)]
        ocean_board = _spaces(edges["ocean"], _OCEAN_SPACES)
        trophies = _spaces(edges["trophy_board"], _TROPHY_SPACES)
        spaces.extend(ocean_board)
        spaces.extend(trophies)
        spaces.sort()
        # The class is frozen, so that its own assignment is closed to it too.
        assign = object.__setattr__
        assign(self, "boards", laid)
        assign(self, "ocean", edges["ocean"])
        assign(self, "trophy_board", edges["trophy_board"])
        assign(self, "resource_spaces", tuple(s for s in spaces if s.kind in RESOURCES))
        assign(self, "building_spaces", tuple(s for s in spaces if s.kind in BUILDINGS))
        assign(self, "ocean_spaces", tuple(s for s in ocean_board if s.kind == "ocean"))
        assign(self, "trophy_spaces", tuple(s for s in trophies if s.kind == "trophy"))

    def __reduce__(self) -> tuple[type[Landscape], tuple[object, ...]]:
        """Pickle as the placements alone."""
        return Landscape, (self.boards, self.ocean, self.trophy_board)


_TurnedSpaces = Mapping[tuple[str, int], tuple[Space, ...]]


def _turned_spaces(boards: Mapping[str, Board]) -> _TurnedSpaces:
    return {
        (name, rotation): tuple(
            Space(*rotate((space.q, space.r), rotation), space.kind) for space in board.spaces
        )
        for name, board in boards.items()
        for rotation in assembly.ROTATIONS
    }


_BOARD_SPACES = _turned_spaces(BOARDS)
_OCEAN_SPACES = _turned_spaces(OCEAN_BOARDS)
_TROPHY_SPACES = _turned_spaces(TROPHY_BOARDS)


def _spaces(placement: Placement, turned: _TurnedSpaces) -> list[Space]:
    name, q, r, rotation = placement
    return [Space(q + dq, r + dr, kind) for dq, dr, kind in turned[name, rotation]]


def _read_boards(values: Any) -> tuple[Placement, ...]:
    if not is_sequence(values) or len(values) not in PLAYER_COUNTS:
        raise InvalidSetupError(
            f"landscape: {shorten(values)} is not a list of 2, 3 or 4 placed boards (R1)"
        )
    return tuple(
        _read_placement(value, f"landscape[{i}]", BOARDS, "R1") for i, value in enumerate(values)
    )


def _read_placement(value: Any, path: str, boards: Mapping[str, Board], rule: str) -> Placement:
    if not (is_sequence(value) or type(value) is Placement) or len(value) != 4:
        raise InvalidSetupError(f"{path}: {shorten(value)} is not [board, q, r, rotation] ({rule})")
    board, q, r, rotation = value
    name = text_of(board)
    if name is None or name not in boards:
        raise InvalidSetupError(
            f"{path}: board {shorten(board)} is not one of {', '.join(boards)} ({rule})"
        )
    farthest = assembly.FARTHEST
    for coordinate, number in (("q", q), ("r", r)):
        if type(number) is not int or not -farthest <= number <= farthest:
            raise InvalidSetupError(
                f"{path}: {coordinate} {shorten(number)} is not an integer"
                f" from {-farthest} to {farthest} ({rule})"
            )
    if type(rotation) is not int or rotation not in assembly.ROTATIONS:
        raise InvalidSetupError(
            f"{path}: rotation {shorten(rotation)} is not an integer from 0 to 5 ({rule})"
        )
    return Placement(name, q, r, rotation)


def _check_boards(boards: tuple[Placement, ...]) -> None:
    """Check R1, in whatever order the boards are given."""
    for i, board in enumerate(boards):
        for j, earlier in enumerate(boards[:i]):
            if board.board[0] == earlier.board[0]:
                same = "the same face as" if board.board == earlier.board else "the other face of"
                raise InvalidSetupError(
                    f"landscape[{i}]: board {board.board!r} is {same} the board"
                    f" {earlier.board!r} in landscape[{j}]; each is used once (R1)"
                )
            if assembly.overlap(assembly.BOARD_OVERLAPS, earlier.spot, board.spot):
                raise InvalidSetupError(
                    f"landscape[{i}]: {_described(board)} overlaps the board"
                    f" {earlier.board!r} in landscape[{j}] (R1)"
                )
    # An order of laying them exists when all can be reached from the first by slotting together.
    laid = [0]
    for i in laid:
        laid.extend(
            j
            for j in range(len(boards))
            if j not in laid and assembly.boards_interlock(boards[i].spot, boards[j].spot)
        )
    for i, board in enumerate(boards):
        if i not in laid:
            most = max(assembly.board_sides(boards[j].spot, board.spot) for j in laid)
            names = ", ".join(repr(boards[j].board) for j in laid)
            raise InvalidSetupError(
                f"landscape[{i}]: {_described(board)} does not slot together with {names}: it"
                f" shares at most {most} hex sides with one board, {assembly.BOARD_SIDES} are"
                " needed (R1)"
            )


def _check_edges(boards: tuple[Placement, ...], edges: Mapping[str, Placement]) -> None:
    """Check R2."""
    for path, edge in edges.items():
        for i, board in enumerate(boards):
            if assembly.overlap(assembly.EDGE_OVERLAPS, board.spot, edge.spot):
                raise InvalidSetupError(
                    f"{path}: {_described(edge)} overlaps the board {board.board!r} in"
                    f" landscape[{i}] (R2)"
                )
        if not any(assembly.edge_lies_along(board.spot, edge.spot) for board in boards):
            most = max(assembly.edge_sides(board.spot, edge.spot) for board in boards)
            raise InvalidSetupError(
                f"{path}: {_described(edge)} lies along no landscape board: it shares at most"
                f" {most[0]} hex sides with one, {most[1]} of them by its resource spaces;"
                f" {assembly.EDGE_SIDES} and {assembly.EDGE_RESOURCE_SIDES} are needed (R2)"
            )
    ocean, trophy_board = edges["ocean"], edges["trophy_board"]
    if assembly.overlap(assembly.EDGE_EDGE_OVERLAPS, ocean.spot, trophy_board.spot):
        raise InvalidSetupError(
            f"trophy_board: {_described(trophy_board)} overlaps the ocean board (R2)"
        )


def _described(placement: Placement) -> str:
    name, q, r, rotation = placement
    return f"board {name!r} at {q},{r} with rotation {rotation}"
