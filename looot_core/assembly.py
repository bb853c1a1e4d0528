"""How boards fit together: every relative placement of two pieces, worked out once.

All eight landscape boards have one outline, and so have the faces of the ocean and the trophy board
("edge boards"), with their two resource spaces in the same places. So whether pieces overlap or
slot together (R1, R2) depends on their places alone, and for two pieces on the difference of their
places and on their rotations. The tables of this module hold the answer for each such difference.

A *spot* is where a piece lies, as the pair ``(code, rotation)``. The code puts a place into one
integer, ``q * 8192 + r``: codes are ordered as places ``(q, r)`` are, and the code of a difference
is the difference of the codes, for all coordinates up to `FARTHEST`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from looot_core.components import BOARDS, OCEAN_BOARDS, RESOURCES
from looot_core.hexes import DIRECTIONS, Hex, rotate

FARTHEST = 1000
"""The largest absolute value of the q and the r of a placement."""

BOARD_SIDES = 11
"""The hex sides that a landscape board shares with one already laid (R1)."""

EDGE_SIDES = 6
"""The hex sides that an edge board shares with one single landscape board (R2)."""

EDGE_RESOURCE_SIDES = 4
"""How many of those are sides of its two resource spaces (R2)."""

ROTATIONS = range(6)

Spot = tuple[int, int]
_Sides = dict[int, int]
_ByRotations = tuple[tuple[_Sides, ...], ...]

_STRIDE = 8192

BOARD_OUTLINE: tuple[Hex, ...] = tuple((s.q, s.r) for s in BOARDS["1A"].spaces)
EDGE_OUTLINE: tuple[Hex, ...] = tuple((s.q, s.r) for s in OCEAN_BOARDS["A"].spaces)
EDGE_RESOURCES: tuple[Hex, ...] = tuple(
    (s.q, s.r) for s in OCEAN_BOARDS["A"].spaces if s.kind in RESOURCES
)


def spot(q: int, r: int, rotation: int) -> Spot:
    """Give the spot of a piece placed at (q, r)."""
    return q * _STRIDE + r, rotation


def place(code: int) -> Hex:
    """Give the (q, r) of a code."""
    q = (code + _STRIDE // 2) // _STRIDE
    return q, code - q * _STRIDE


def _by_rotations(
    first: Sequence[Hex], second: Sequence[Hex], steps: Sequence[Hex]
) -> _ByRotations:
    """Count, for each difference of places, the pairs of spaces that are one of the steps apart.

    The result is indexed by the rotation of the first piece, that of the second, and the code of
    the difference.
    """
    table: list[list[_Sides]] = [[{} for _ in ROTATIONS] for _ in ROTATIONS]
    for turns in ROTATIONS:
        counts = Counter(
            (a[0] + step[0] - b[0], a[1] + step[1] - b[1])
            for b in (rotate(space, turns) for space in second)
            for a in first
            for step in steps
        )
        for rotation in ROTATIONS:
            table[rotation][(rotation + turns) % 6] = {
                spot(*rotate(difference, rotation), 0)[0]: count
                for difference, count in counts.items()
            }
    return tuple(tuple(row) for row in table)


_HERE: tuple[Hex, ...] = ((0, 0),)

BOARD_OVERLAPS = _by_rotations(BOARD_OUTLINE, BOARD_OUTLINE, _HERE)
EDGE_OVERLAPS = _by_rotations(BOARD_OUTLINE, EDGE_OUTLINE, _HERE)
"""A landscape board first, an edge board second."""

EDGE_EDGE_OVERLAPS = _by_rotations(EDGE_OUTLINE, EDGE_OUTLINE, _HERE)

_BOARD_SIDES = _by_rotations(BOARD_OUTLINE, BOARD_OUTLINE, DIRECTIONS)
_EDGE_SIDES = _by_rotations(BOARD_OUTLINE, EDGE_OUTLINE, DIRECTIONS)
_EDGE_RESOURCE_SIDES = _by_rotations(BOARD_OUTLINE, EDGE_RESOURCES, DIRECTIONS)


def overlap(overlaps: _ByRotations, first: Spot, second: Spot) -> bool:
    """Say whether two pieces have a space in common."""
    return second[0] - first[0] in overlaps[first[1]][second[1]]


def board_sides(first: Spot, second: Spot) -> int:
    """Count the hex sides that two landscape boards share."""
    return _BOARD_SIDES[first[1]][second[1]].get(second[0] - first[0], 0)


def edge_sides(board: Spot, edge: Spot) -> tuple[int, int]:
    """Count the hex sides that an edge board shares with a board, in all and by its resources."""
    difference = edge[0] - board[0]
    return (
        _EDGE_SIDES[board[1]][edge[1]].get(difference, 0),
        _EDGE_RESOURCE_SIDES[board[1]][edge[1]].get(difference, 0),
    )


def boards_interlock(first: Spot, second: Spot) -> bool:
    """Say whether two landscape boards slot together (R1)."""
    return board_sides(first, second) >= BOARD_SIDES and not overlap(BOARD_OVERLAPS, first, second)


def edge_lies_along(board: Spot, edge: Spot) -> bool:
    """Say whether an edge board lies along an edge of a landscape board (R2)."""
    sides, by_resources = edge_sides(board, edge)
    return (
        sides >= EDGE_SIDES
        and by_resources >= EDGE_RESOURCE_SIDES
        and not overlap(EDGE_OVERLAPS, board, edge)
    )


# The fitting differences by the rotation of the laid board, each with the other piece's rotation.
_BOARD_FITS: tuple[tuple[Spot, ...], ...] = tuple(
    tuple(
        (code, rotation)
        for rotation in ROTATIONS
        for code in _BOARD_SIDES[laid][rotation]
        if boards_interlock((0, laid), (code, rotation))
    )
    for laid in ROTATIONS
)
_EDGE_FITS: tuple[tuple[Spot, ...], ...] = tuple(
    tuple(
        (code, rotation)
        for rotation in ROTATIONS
        for code in _EDGE_SIDES[laid][rotation]
        if edge_lies_along((0, laid), (code, rotation))
    )
    for laid in ROTATIONS
)


def _free(
    fits: tuple[tuple[Spot, ...], ...],
    boards: Sequence[Spot],
    lying: Iterable[tuple[Spot, _ByRotations]],
) -> list[Spot]:
    spots = {(code + shift, rotation) for code, laid in boards for shift, rotation in fits[laid]}
    for (code, laid), overlaps in lying:
        taken = overlaps[laid]
        spots = {spot for spot in spots if spot[0] - code not in taken[spot[1]]}
    return sorted(spots)


def next_board_spots(boards: Sequence[Spot]) -> list[Spot]:
    """Give every legal spot for one more landscape board (R1), ascending.

    Parameters
    ----------
    boards : sequence of Spot
        The landscape boards laid, at least one.
    """
    return _free(_BOARD_FITS, boards, [(board, BOARD_OVERLAPS) for board in boards])


def next_edge_spots(boards: Sequence[Spot], edges: Sequence[Spot] = ()) -> list[Spot]:
    """Give every legal spot for one more edge board (R2), ascending.

    Parameters
    ----------
    boards : sequence of Spot
        The landscape boards, all of them laid.
    edges : sequence of Spot
        The edge boards laid.
    """
    return _free(
        _EDGE_FITS,
        boards,
        [(board, EDGE_OVERLAPS) for board in boards]
        + [(edge, EDGE_EDGE_OVERLAPS) for edge in edges],
    )
