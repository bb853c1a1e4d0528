"""Hexes of the grid in axial coordinates.

All boards are drawn in columns of flat-top hexes, even columns half a hex lower ("even-q"). The
engine counts in axial coordinates ``(q, r)``: q is the column, r grows down along it.
"""

from __future__ import annotations

import re

from looot_core.errors import LoootError, shorten
from looot_core.plain import text_of

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The steps to the six neighbours, clockwise; a turn by 60° maps each to the next."""

_HEX_TEXT = re.compile(r"(0|-?[1-9][0-9]{0,3}),(0|-?[1-9][0-9]{0,3})")


def neighbours(place: Hex) -> tuple[Hex, ...]:
    """Give the six neighbours of a hex, clockwise from (q + 1, r)."""
    q, r = place
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def rotate(place: Hex, turns: int) -> Hex:
    """Turn a hex about (0, 0) by a number of 60° steps, clockwise.

    Examples
    --------
    >>> rotate((1, 0), 1)
    (0, 1)
    """
    q, r = place
    for _ in range(turns % 6):
        q, r = -r, q + r
    return q, r


def from_even_q(column: int, row: int) -> Hex:
    """Give the axial coordinates of a column and row of a drawn board."""
    return column, row - (column + (column & 1)) // 2


def format_hex(place: Hex) -> str:
    """Write a hex as the notation does, ``3,-2``."""
    return f"{place[0]},{place[1]}"


def parse_hex(text: str) -> Hex:
    """Read a hex written as ``3,-2``; the inverse of `format_hex`.

    Raises
    ------
    LoootError
        If the text is anything else, coordinates beyond four digits included.
    """
    match = _HEX_TEXT.fullmatch(text_of(text) or "")
    if match is None:
        raise LoootError(f"{shorten(text)} is not a space: two numbers are expected, as in '3,-2'")
    return int(match[1]), int(match[2])
