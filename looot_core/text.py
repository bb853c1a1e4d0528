"""The text board: a position as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from looot_core.components import (
    FJORD_CELLS,
    FJORD_SITES,
    SCORED_KINDS,
    SITE_VALUES,
    TILE_LETTERS,
    TROPHIES,
)
from looot_core.drawing import Fjord, View, heading, owed, status, trophy_owner, view
from looot_core.hexes import Hex, format_hex, from_even_q
from looot_core.position import Position
from looot_core.requirements import Requirement

_LETTERS = {kind: letter for letter, kind in TILE_LETTERS.items()} | {"ocean": "~", "trophy": "*"}
_SHORT = {"watchtower": "tower", "jarl_palace": "palace"}
_FJORD_CELL_WIDTH = 7
_LEAST_SPACE_WIDTH = 5
_GAP = "    "
_LEGEND = """\
W wood, S sheep, G gold, A axe; + may land here, W01 vikings of players 0 and 1
H house, T watchtower, C castle, and tiles left; ~ ocean slot, * trophy
C+3:AAW longship: each castle +3, needs A, A, W; 5:HAG site: 5 points
for H, A, G; with = for the colon: filled"""


def draw_text(position: Position) -> str:
    """Draw a position as text, without colours.

    Parameters
    ----------
    position : Position

    Returns
    -------
    str
        Several lines, at most 80 characters wide for two players and 120 for more, unless the
        landscape or a list is wider; the last line has no line break.
    """
    shown = view(position)
    lines = [
        heading(position),
        *_situation(shown),
        "",
        *_landscape(shown),
        "",
        *_LEGEND.splitlines(),
        "",
        *_ocean(position),
        _trophies(position),
    ]
    panels = [_panel(shown, player) for player in range(position.players)]
    abreast = 1 if position.players == 2 else 2
    for first in range(0, len(panels), abreast):
        lines += ["", *_side_by_side(panels[first : first + abreast])]
    return "\n".join(line.rstrip() for line in lines)


def _situation(shown: View) -> list[str]:
    position = shown.position
    line = f"{status(shown)}."
    if position.active_shields:
        line += f" Shields in use: {', '.join(position.active_shields)}."
    still_owed = owed(position)
    return [line, f"Still to lay out: {', '.join(still_owed)}."] if still_owed else [line]


def _landscape(shown: View) -> list[str]:
    position = shown.position
    contents: dict[Hex, str] = {}
    for space in position.landscape.resource_spaces:
        place = (space.q, space.r)
        text = _LETTERS[space.kind]
        if place in position.vikings:
            counts = position.vikings[place]
            text += "".join(str(player) * n for player, n in enumerate(counts))
        if place in shown.landings:
            text += "+"
        contents[place] = text
    for space in position.landscape.building_spaces:
        place = (space.q, space.r)
        contents[place] = f"{_LETTERS[space.kind]} {position.buildings[place]}"
    for slot, space in enumerate(position.landscape.ocean_spaces):
        contents[space.q, space.r] = f"~ {slot}"
    for number, space in zip(TROPHIES, position.landscape.trophy_spaces, strict=True):
        contents[space.q, space.r] = f"* {number}"
    cells = {place: (text, format_hex(place)) for place, text in contents.items()}
    width = max(len(text) for pair in cells.values() for text in pair)
    return _hexes(cells, max(width, _LEAST_SPACE_WIDTH))


def _ocean(position: Position) -> list[str]:
    slots = [
        f"{slot}: {'empty' if longship is None else longship}"
        for slot, longship in enumerate(position.ocean_longships)
    ]
    return [
        f"Ocean   {'   '.join(slots[:3])}",
        f"        {'   '.join(slots[3:])}",
        f"Bag     {len(position.unseen)} unseen",
    ]


def _trophies(position: Position) -> str:
    trophies = []
    for number, points in TROPHIES.items():
        owner = trophy_owner(position, number)
        taken = "" if owner is None else f" (player {owner})"
        trophies.append(f"{number}: {points}{taken}")
    return f"Trophy  {'  '.join(trophies)}  (axes: points)"


def _panel(shown: View, player: int) -> list[str]:
    """Draw the fjord of a player with what else belongs to the seat."""
    position = shown.position
    seat = position.seats[player]
    fjord = shown.fjords[player]
    to_move = player == position.current_player and not shown.winners
    marker = "> " if to_move else "  "
    so_far = "" if shown.winners else " so far"
    return [
        f"{marker}Player {player}: {fjord.breakdown['total']} points{so_far}",
        f"  vikings in hand: {seat.vikings_in_hand}; shields: {', '.join(seat.shields) or 'none'}",
        *_hexes(_fjord_cells(shown, player), _FJORD_CELL_WIDTH),
        *_score(fjord),
    ]


def _fjord_cells(shown: View, player: int) -> dict[Hex, tuple[str, str]]:
    fjord = shown.fjords[player]
    tiles = shown.position.seats[player].tiles
    cells = {}
    for cell in FJORD_CELLS:
        content = ""
        if cell.name in tiles:
            content = _SHORT.get(tiles[cell.name], tiles[cell.name])
        elif cell.name in fjord.longships:
            longship, requirement = fjord.longships[cell.name]
            reward = f"{_LETTERS[longship.kind]}+{longship.bonus}"
            content = f"{reward}{_sign(requirement)}{longship.needs}"
        cells[from_even_q(cell.column, cell.row)] = (content, cell.name)
    for kind, cell in FJORD_SITES.items():
        requirement = fjord.sites[kind]
        needs = "".join(_LETTERS[need] for need, _ in requirement.needs)
        content = f"{SITE_VALUES[kind]}{_sign(requirement)}{needs}"
        cells[from_even_q(cell.column, cell.row)] = (content, _SHORT.get(kind, kind))
    return cells


def _sign(requirement: Requirement) -> str:
    return "=" if requirement.filled else ":"


def _score(fjord: Fjord) -> list[str]:
    parts = fjord.breakdown
    amounts = {
        kind: f"{kind} {parts[kind]['count']}x{parts[kind]['value']}" for kind in SCORED_KINDS
    }
    kinds = list(amounts.values())
    rest = f"sites {parts['sites']}   trophy {parts['trophy']}"
    if parts["penalty"]:
        rest += f"   unfilled longships -{parts['penalty']}"
    return [f"  {'   '.join(kinds[:3])}", f"  {'   '.join(kinds[3:])}", f"  {rest}"]


def _hexes(cells: Mapping[Hex, tuple[str, str]], width: int) -> list[str]:
    r"""Draw hexes, each with two lines of text of at most `width` characters.

    A hex is two lines high and shares its edges with its neighbours::

         _____
        / W(0)\
        \_3,-2/
    """
    left = min(q for q, _ in cells)
    top = min(2 * r + q for q, r in cells)
    columns = max(q for q, _ in cells) - left + 1
    height = max(2 * r + q for q, r in cells) - top + 2
    board = [[" "] * (columns * (width + 1) + 1) for _ in range(height + 1)]
    for (q, r), (upper, lower) in cells.items():
        x = (q - left) * (width + 1)
        y = 2 * r + q - top + 1
        if (q, r - 1) not in cells:
            board[y - 1][x + 1 : x + width + 1] = "_" * width
        board[y][x] = "/"
        board[y][x + 1 : x + width + 2] = f"{upper:^{width}}\\"
        board[y + 1][x] = "\\"
        board[y + 1][x + 1 : x + width + 2] = f"{lower:_^{width}}/"
    return ["".join(line) for line in board]


def _side_by_side(panels: Sequence[list[str]]) -> list[str]:
    width = max(len(line) for line in panels[0])
    return [
        _GAP.join(f"{line:{width}}" for line in lines)
        for lines in zip_longest(*panels, fillvalue="")
    ]
