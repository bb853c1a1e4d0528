"""Suggested actions in the SVG picture: what they would put where, numbered in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from looot_core.components import CELLS_BY_NAME, TROPHIES, Longship
from looot_core.hexes import parse_hex
from looot_core.position import Position
from looot_core.svg_fjord import shield_centre
from looot_core.svg_icons import icon
from looot_core.svg_landscape import vikings_on
from looot_core.svg_markup import (
    ACCENT,
    HEX,
    cell_centre,
    centre,
    element,
    group,
    hexagon,
    text,
)
from looot_core.svg_pieces import longship


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marked place: the number of the action, and the markup of what it would put there.

    The number is shown beside the centre of the place, by so much.
    """

    x: float
    y: float
    number: int
    piece: str
    number_at: tuple[float, float] = (-22.0, -18.0)


def mark_landscape(position: Position, actions: Sequence[str]) -> str:
    """Mark vikings, longships and trophies; coordinates as in `draw_landscape`."""
    landscape = position.landscape
    trophies = dict(zip(TROPHIES, landscape.trophy_spaces, strict=True))
    marks = []
    for number, action in enumerate(actions, 1):
        verb, *words = action.split(" ")
        piece = ""  # of a longship or trophy, what it marks is there already
        if verb == "viking":
            place = parse_hex(words[0])
            if place not in position.vikings:
                piece = "".join(vikings_on([(position.current_player, 1)]))
        elif verb == "longship":
            space = landscape.ocean_spaces[int(words[0])]
            place = (space.q, space.r)
        elif verb == "trophy":
            space = trophies[int(words[0])]
            place = (space.q, space.r)
        else:
            continue
        marks.append(_Mark(*centre(place), number, _ring(0) + piece))
    return _drawn(marks)


def mark_fjord(position: Position, actions: Sequence[str]) -> str:
    """Mark shields, tiles and longships; coordinates from the corner of the fjord."""
    marks = []
    for number, action in enumerate(actions, 1):
        verb, *words = action.split(" ")
        if verb == "shield":
            x, y = shield_centre(words[0])
            ring = element("circle", r=15.5, fill="none", stroke=ACCENT, stroke_width=3)
            marks.append(_Mark(x, y, number, ring, number_at=(12.0, -12.0)))
        elif verb == "tile":
            piece = icon(words[0], 0, -2, 1.2)
            marks.append(_Mark(*cell_centre(CELLS_BY_NAME[words[1]]), number, _ring(0.16) + piece))
        elif verb == "longship":
            taken = position.ocean_longships[int(words[0])]
            piece = longship(Longship.parse(taken)) if taken is not None else ""
            marks.append(_Mark(*cell_centre(CELLS_BY_NAME[words[1]]), number, _ring(0.16) + piece))
    return _drawn(marks)


def _drawn(marks: list[_Mark]) -> str:
    """Draw the numbers after all else, so that no neighbour hides them."""
    pieces = [group(mark.x, mark.y, mark.piece) for mark in marks]
    badges = [
        _badge(mark.x + mark.number_at[0], mark.y + mark.number_at[1], mark.number)
        for mark in marks
    ]
    return "".join(pieces + badges)


def _ring(tint: float) -> str:
    return hexagon(HEX - 1.5, fill=ACCENT, fill_opacity=tint, stroke=ACCENT, stroke_width=3.5)


def _badge(x: float, y: float, number: int) -> str:
    disc = element("circle", r=9.5, fill=ACCENT, stroke="#ffffff", stroke_width=1.6)
    return group(x, y, disc, text(0, 4.3, str(number), 12, fill="#ffffff", font_weight="bold"))
