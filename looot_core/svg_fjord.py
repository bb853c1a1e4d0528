"""The fjord of a player in the SVG picture, with all else that belongs to the seat."""

from __future__ import annotations

from looot_core.components import (
    FJORD_CELLS,
    FJORD_SITES,
    SCORED_KINDS,
    SHIELDS,
    SITE_VALUES,
    TROPHIES,
    FjordCell,
)
from looot_core.drawing import Fjord, View
from looot_core.position import Phase
from looot_core.svg_icons import icon, viking
from looot_core.svg_markup import (
    DOT,
    FAINT_INK,
    FILLED,
    GROUNDS,
    HALF_HEIGHT,
    HEX,
    INK,
    SEAT_COLOURS,
    SEAT_INKS,
    SEAT_TINTS,
    TIMES,
    cell_centre,
    element,
    group,
    hexagon,
    label,
    number,
    text,
    title,
)
from looot_core.svg_pieces import construction_site, longship, trophy

MARGIN = 16.0
PANEL_WIDTH = 11 * HEX + 2 * MARGIN
_FJORD_HEIGHT = 14 * HALF_HEIGHT
_FOOTER = 52.0
PANEL_HEIGHT = _FJORD_HEIGHT + _FOOTER + 2 * MARGIN

_EMPTY = "#fdfcf8"
_SITE = "#cdbfae"
_SHIELD_SIGNS = {"second": "+1", "occupied": "on", "double": f"{TIMES}2"}
_SHIELD_TITLES = {
    "second": "second: place a second viking",
    "occupied": "occupied: place the viking where one stands",
    "double": "double: gain the resource twice",
}


def draw_panel(shown: View, player: int) -> str:
    """Draw the panel of a player; its upper left corner is (0, 0)."""
    to_move = player == shown.position.current_player and shown.position.phase is not Phase.OVER
    frame = element(
        "rect",
        width=PANEL_WIDTH,
        height=PANEL_HEIGHT,
        rx=14,
        fill=SEAT_TINTS[player],
        stroke=SEAT_COLOURS[player],
        stroke_width=4 if to_move else 1.2,
    )
    return "".join(
        [
            frame,
            group(MARGIN, MARGIN, *_belongings(shown, player, to_move), *_cells(shown, player)),
            group(MARGIN, MARGIN + _FJORD_HEIGHT, _score(shown.fjords[player])),
        ]
    )


def shield_centre(shield: str) -> tuple[float, float]:
    """Give the place of a shield, seen from the corner of the fjord."""
    return 13.0 + 34 * SHIELDS.index(shield), 70.0


def _belongings(shown: View, player: int, to_move: bool) -> list[str]:
    seat = shown.position.seats[player]
    left, right = {"text_anchor": "start"}, {"text_anchor": "end"}
    score = number(shown.fjords[player].breakdown["total"])
    points = "points" if shown.winners else "points so far"
    width = PANEL_WIDTH - 2 * MARGIN
    parts = [
        text(0, 14, f"Player {player}", 18, font_weight="bold", **left),
        viking(player, 1, 12, 38, 0.8),
        text(28, 43, f"{TIMES} {seat.vikings_in_hand} in hand", 13, **left),
        text(width, 26, score, 34, font_weight="bold", **right),
        text(width, 42, points, 12, fill=FAINT_INK, **right),
    ]
    if to_move:
        pill = element("rect", width=62, height=18, rx=9, fill=SEAT_COLOURS[player])
        words = text(31, 13, "to move", 12, fill=SEAT_INKS[player], font_weight="bold")
        parts.append(group(92, -1, pill, words))
    parts += [_shield(shown, player, shield) for shield in SHIELDS]
    if seat.trophy:
        points = f"trophy {seat.trophy}: {TROPHIES[seat.trophy]} points"
        parts.append(
            group(width - 36, _FJORD_HEIGHT - 40, title(points), trophy(seat.trophy, None))
        )
    return parts


def _shield(shown: View, player: int, shield: str) -> str:
    left = shield in shown.position.seats[player].shields
    active = player == shown.position.current_player and shield in shown.position.active_shields
    state = "" if left else ", in use" if active else ", used"
    colour = SEAT_COLOURS[player] if left or active else "#ffffff"
    sign = text(
        0,
        4.2,
        _SHIELD_SIGNS[shield],
        12,
        fill=SEAT_INKS[player] if left or active else INK,
        font_weight="bold",
    )
    parts = [icon("shield", 0, 0, 1.1, fill=colour), sign]
    if active:
        parts.append(element("circle", r=15.5, fill="none", stroke=FILLED, stroke_width=2.5))
    return group(
        *shield_centre(shield),
        title(f"shield {_SHIELD_TITLES[shield]}{state}"),
        *parts,
        opacity=1 if left or active else 0.3,
    )


def _cells(shown: View, player: int) -> list[str]:
    fjord = shown.fjords[player]
    tiles = shown.position.seats[player].tiles
    drawn = []
    for cell in FJORD_CELLS:
        if cell.name in tiles:
            kind = tiles[cell.name]
            drawn.append(_cell(cell, f"{cell.name}: {kind}", _tile(kind)))
        elif cell.name in fjord.longships:
            ship, requirement = fjord.longships[cell.name]
            state = "filled" if requirement.filled else "not filled"
            drawn.append(
                _cell(
                    cell,
                    f"{cell.name}: longship {ship}, {state}",
                    _ground(GROUNDS["ocean"], requirement.filled),
                    longship(ship, requirement.needs),
                )
            )
        else:
            drawn.append(_cell(cell, f"{cell.name}: empty"))
    for kind, cell in FJORD_SITES.items():
        requirement = fjord.sites[kind]
        needs = " ".join(need for need, _ in requirement.needs)
        state = "filled" if requirement.filled else "not filled"
        name = kind.replace("_", " ")
        drawn.append(
            _cell(
                cell,
                f"{name}: {SITE_VALUES[kind]} points for {needs}, {state}",
                _ground(_SITE, requirement.filled),
                construction_site(kind, requirement),
                name=name.removeprefix("jarl "),
            )
        )
    return drawn


def _cell(cell: FjordCell, description: str, *contents: str, name: str = "") -> str:
    return group(
        *cell_centre(cell),
        title(description),
        hexagon(HEX, fill=_EMPTY, stroke="#b9b2a4", stroke_width=1.2),
        *contents,
        label(name or cell.name),
    )


def _tile(kind: str) -> str:
    return _ground(GROUNDS[kind], False) + icon(kind, 0, -3, 1.35)


def _ground(colour: str, filled: bool) -> str:
    rim = FILLED if filled else "#8a8375"
    return hexagon(HEX - 2.6, fill=colour, stroke=rim, stroke_width=2.6 if filled else 1)


def _score(fjord: Fjord) -> str:
    parts = fjord.breakdown
    drawn = []
    for n, kind in enumerate(SCORED_KINDS):
        amount = parts[kind]
        drawn.append(
            group(
                n * 63,
                24,
                title(f"{kind}: {amount['count']} of {amount['value']} points each"),
                icon(kind, 10, 0, 0.8),
                text(
                    23, 4.5, f"{amount['count']}{TIMES}{amount['value']}", 12, text_anchor="start"
                ),
            )
        )
    words = [f"sites {parts['sites']}", f"trophy {parts['trophy']}"]
    if parts["penalty"]:
        words.append(f"unfilled longships {number(-parts['penalty'])}")
    drawn.append(text(0, 54, DOT.join(words), 13, text_anchor="start"))
    return "".join(drawn)
