"""The landscape in the SVG picture."""

from __future__ import annotations

from dataclasses import dataclass

from looot_core.components import TROPHIES, Longship
from looot_core.drawing import View, trophy_owner
from looot_core.hexes import Hex, format_hex
from looot_core.landscape import Space
from looot_core.svg_icons import icon, viking
from looot_core.svg_markup import (
    FAINT_INK,
    GROUNDS,
    HALF_HEIGHT,
    HEX,
    INK,
    centre,
    element,
    group,
    hexagon,
    label,
    text,
    title,
)
from looot_core.svg_pieces import longship, trophy

_TERRAIN = {"wood": "forest", "sheep": "field", "gold": "mountain", "axe": "battlefield"}
_SEVERAL = {
    1: ((0.0, 3.0),),
    2: ((-13.0, 1.0), (13.0, 1.0)),
    3: ((-17.0, 4.0), (0.0, -10.0), (17.0, 4.0)),
    4: ((-11.0, -10.0), (11.0, -10.0), (-11.0, 8.0), (11.0, 8.0)),
}
_SCALES = {1: 1.0, 2: 0.85, 3: 0.7, 4: 0.65}


@dataclass(frozen=True, slots=True)
class LandscapePicture:
    """The drawn landscape: markup about axial (0, 0), and the box it fills."""

    markup: str
    left: float
    top: float
    width: float
    height: float


def draw_landscape(shown: View) -> LandscapePicture:
    """Draw all spaces with what lies and stands on them."""
    landscape = shown.position.landscape
    drawn = [_resource_space(shown, space) for space in landscape.resource_spaces]
    drawn += [_building_space(shown, space) for space in landscape.building_spaces]
    drawn += [_ocean_space(shown, slot, s) for slot, s in enumerate(landscape.ocean_spaces)]
    trophies = zip(TROPHIES, landscape.trophy_spaces, strict=True)
    drawn += [_trophy_space(shown, number, space) for number, space in trophies]
    spaces = (
        *landscape.resource_spaces,
        *landscape.building_spaces,
        *landscape.ocean_spaces,
        *landscape.trophy_spaces,
    )
    centres = [centre((space.q, space.r)) for space in spaces]
    left = min(x for x, _ in centres) - HEX
    top = min(y for _, y in centres) - HALF_HEIGHT
    return LandscapePicture(
        "".join(drawn),
        left,
        top,
        max(x for x, _ in centres) + HEX - left,
        max(y for _, y in centres) + HALF_HEIGHT - top,
    )


def _space(space: Space, description: str, *contents: str) -> str:
    x, y = centre((space.q, space.r))
    ground = hexagon(HEX, fill=GROUNDS[space.kind], stroke="#fffdf8", stroke_width=2.5)
    return group(x, y, title(description), ground, *contents)


def _resource_space(shown: View, space: Space) -> str:
    place = (space.q, space.r)
    counts = shown.position.vikings.get(place)
    description = f"{format_hex(place)}: {_TERRAIN[space.kind]} ({space.kind})"
    contents = [label(format_hex(place))]
    if place in shown.landings:
        description += ", free to land"
        contents.append(
            hexagon(HEX - 2, fill="none", stroke=INK, stroke_width=1.6, stroke_dasharray="4 3")
        )
    if counts is None:
        contents.append(icon(space.kind, 0, -3, 1.05))
    else:
        standing = [(player, count) for player, count in enumerate(counts) if count]
        description += "".join(f", {n} of player {player}" for player, n in standing)
        contents.append(icon(space.kind, 0, -21, 0.45))
        contents += vikings_on(standing)
    return _space(space, description, *contents)


def vikings_on(standing: list[tuple[int, int]]) -> list[str]:
    """Draw vikings about the centre of a space, of each seat with their number."""
    scale = _SCALES[len(standing)]
    return [
        viking(player, count, x, y, scale)
        for (player, count), (x, y) in zip(standing, _SEVERAL[len(standing)], strict=True)
    ]


def _building_space(shown: View, space: Space) -> str:
    place: Hex = (space.q, space.r)
    left = shown.position.buildings[place]
    badge = [
        element("circle", r=7.5, fill=INK if left else FAINT_INK),
        text(0, 3.8, str(left), 11, fill="#ffffff", font_weight="bold"),
    ]
    return _space(
        space,
        f"{format_hex(place)}: {space.kind}, {left} left",
        icon(space.kind, 0, -3, 1.45, opacity=1 if left else 0.25),
        group(16, -15, *badge),
        label(format_hex(place)),
    )


def _ocean_space(shown: View, slot: int, space: Space) -> str:
    taken = shown.position.ocean_longships[slot]
    contents = [label(f"slot {slot}")]
    if taken is not None:
        contents.append(longship(Longship.parse(taken)))
    return _space(space, f"ocean slot {slot}: {taken or 'empty'}", *contents)


def _trophy_space(shown: View, number: int, space: Space) -> str:
    owner = trophy_owner(shown.position, number)
    claimed = "" if owner is None else f", claimed by player {owner}"
    return _space(
        space,
        f"trophy {number}: {number} axes, {TROPHIES[number]} points{claimed}",
        trophy(number, owner),
        label("trophy"),
    )
