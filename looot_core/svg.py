"""The SVG picture of a position, good enough to play from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from looot_core.actions import Action
from looot_core.components import TILES
from looot_core.drawing import View, heading, owed, status, view
from looot_core.errors import IllegalActionError, LoootError, shorten
from looot_core.plain import is_sequence
from looot_core.position import Position
from looot_core.state import State
from looot_core.svg_fjord import MARGIN, PANEL_HEIGHT, PANEL_WIDTH, draw_panel
from looot_core.svg_highlight import mark_fjord, mark_landscape
from looot_core.svg_icons import DEFINITIONS, check_mark, icon, viking
from looot_core.svg_landscape import LandscapePicture, draw_landscape
from looot_core.svg_markup import (
    ACCENT,
    DOT,
    FILLED,
    INK,
    PAPER,
    element,
    group,
    hexagon,
    text,
    title,
)

_BORDER = 22.0
_FIRST_LINE = 66.0
_LINE = 24.0
_LETTER_WIDTH = 8.0
_FOOTER = 60.0
_LEGEND_LINE = 26.0
_ASPECT = 1.4
_FONTS = "Segoe UI, Helvetica Neue, Helvetica, Arial, DejaVu Sans, sans-serif"
_LEFT = {"text_anchor": "start"}


def svg(game: State | Position, highlight: Sequence[Action] = ()) -> str:
    """Draw a position as a complete SVG 1.1 document.

    Parameters
    ----------
    game : State or Position
    highlight : list or tuple of Action, optional
        Actions to show, numbered in their order: a suggested turn of the current player. They
        need not be legal now, for the later ones are legal only after the earlier ones.

    Returns
    -------
    str
        The document. It stands alone: no scripts, no fonts or images from elsewhere.

    Raises
    ------
    IllegalActionError
        If something in `highlight` is not an action on this landscape.
    LoootError
        If `game` is neither a state nor a position.
    """
    if type(game) is State:
        position = game.position()
    elif type(game) is Position:
        position = game
    else:
        raise LoootError(f"game: {shorten(game)} is neither a State nor a Position")
    if not is_sequence(highlight):
        raise IllegalActionError(f"highlight: {shorten(highlight)} is not a list of actions")
    actions = [_action_text(action, i, position) for i, action in enumerate(highlight)]
    shown = view(position)
    landscape = draw_landscape(shown)
    layout = _layout(landscape, position.players)
    width = layout.width + 2 * _BORDER
    lines = _header_lines(shown, actions, int(layout.width / _LETTER_WIDTH))
    header = _FIRST_LINE + _LINE * (len(lines) - 0.5)
    height = layout.height + header + _FOOTER + _BORDER
    landscape_x = layout.landscape_x - landscape.left
    landscape_y = layout.landscape_y - landscape.top
    board = group(landscape_x, landscape_y, landscape.markup, mark_landscape(position, actions))
    panels = [
        group(x, y, draw_panel(shown, player), _marks(shown, player, actions))
        for player, (x, y) in enumerate(layout.panels)
    ]
    return element(
        "svg",
        title(f"{heading(position)}. {status(shown)}."),
        DEFINITIONS,
        element("rect", width=width, height=height, fill=PAPER),
        group(_BORDER, 0, _header(shown, lines)),
        group(_BORDER, header, board, *panels),
        group(_BORDER, height - _FOOTER, _legend()),
        **{"xmlns:xlink": "http://www.w3.org/1999/xlink"},
        xmlns="http://www.w3.org/2000/svg",
        version="1.1",
        role="img",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        font_family=_FONTS,
    )


def _action_text(action: object, index: int, position: Position) -> str:
    if type(action) is not Action:
        raise IllegalActionError(f"highlight[{index}]: {shorten(action)} is not an Action")
    if action != Action.from_index(action.index, position):
        raise IllegalActionError(
            f"highlight[{index}]: '{action}' belongs to another landscape or edition"
        )
    return str(action)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the landscape and the panels lie, from the corner of the area for both."""

    width: float
    height: float
    landscape_x: float
    landscape_y: float
    panels: list[tuple[float, float]]

    @property
    def size(self) -> float:
        """How large the picture is when it is fitted into a frame of the wanted shape."""
        return max(self.width, self.height * _ASPECT)


def _layout(landscape: LandscapePicture, players: int) -> _Layout:
    """Lay the panels beside or below the landscape, as makes the best use of a screen."""
    layouts = [
        lay(landscape, players, columns)
        for columns in range(1, players + 1)
        for lay in (_beside, _below)
    ]
    return min(layouts, key=lambda layout: layout.size)


def _panel_grid(players: int, columns: int) -> tuple[float, float, list[tuple[float, float]]]:
    rows = -(-players // columns)
    places = [
        (seat % columns * (PANEL_WIDTH + _BORDER), seat // columns * (PANEL_HEIGHT + _BORDER))
        for seat in range(players)
    ]
    width = columns * (PANEL_WIDTH + _BORDER) - _BORDER
    return width, rows * (PANEL_HEIGHT + _BORDER) - _BORDER, places


def _beside(landscape: LandscapePicture, players: int, columns: int) -> _Layout:
    width, height, places = _panel_grid(players, columns)
    total = max(landscape.height, height)
    x, y = landscape.width + _BORDER, (total - height) / 2
    panels = [(x + px, y + py) for px, py in places]
    return _Layout(x + width, total, 0, (total - landscape.height) / 2, panels)


def _below(landscape: LandscapePicture, players: int, columns: int) -> _Layout:
    width, height, places = _panel_grid(players, columns)
    total = max(landscape.width, width)
    x, y = (total - width) / 2, landscape.height + _BORDER
    panels = [(x + px, y + py) for px, py in places]
    return _Layout(total, y + height, (total - landscape.width) / 2, 0, panels)


def _marks(shown: View, player: int, actions: list[str]) -> str:
    if player != shown.position.current_player:
        return ""
    return group(MARGIN, MARGIN, mark_fjord(shown.position, actions))


def _header_lines(shown: View, actions: list[str], width: int) -> list[tuple[str, str]]:
    """Give the lines under the headline, at most `width` letters long, and their colours."""
    position = shown.position
    facts = [heading(position), f"longships in the bag: {len(position.unseen)}"]
    if position.active_shields:
        facts.append(f"shields in use: {', '.join(position.active_shields)}")
    lines = [(line, INK) for line in _broken(facts, width)]
    still_owed = owed(position)
    if still_owed:
        lines += [(line, INK) for line in _broken(["Still to lay out:", *still_owed], width)]
    if actions:
        steps = [f"{number}. {action}" for number, action in enumerate(actions, 1)]
        lines += [(line, ACCENT) for line in _broken(["Suggestion:", *steps], width)]
    return lines


def _broken(parts: Sequence[str], width: int) -> list[str]:
    """Join parts to lines; only between parts is a line broken."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(DOT) + len(part) <= width:
            lines[-1] += (" " if lines[-1].endswith(":") else DOT) + part
        else:
            lines.append(part)
    return lines


def _header(shown: View, lines: list[tuple[str, str]]) -> str:
    drawn = [text(0, 38, status(shown), 24, font_weight="bold", **_LEFT)]
    for n, (line, colour) in enumerate(lines):
        weight = "bold" if colour == ACCENT else "normal"
        y = _FIRST_LINE + _LINE * n
        drawn.append(text(0, y, line, 14, fill=colour, font_weight=weight, **_LEFT))
    return "".join(drawn)


def _legend() -> str:
    """Say what the icons and marks mean: the tiles in one line, the marks in the next."""
    landing = hexagon(9, fill="none", stroke=INK, stroke_width=1.4, stroke_dasharray="3 3")
    left = element("circle", r=7.5, fill=INK) + text(0, 3.8, "2", 11, fill="#ffffff")
    need = element("circle", r=7, fill="#ffffff", stroke=INK)
    beside = element("circle", r=7, fill="#ffffff", stroke=FILLED, stroke_width=2.4)
    marks = [
        (landing, "may land"),
        (viking(0, 1, 0, 1, 0.55), "viking of a player"),
        (left, "tiles left"),
        (need, "needed"),
        (beside, "lies beside it"),
        (check_mark(0, 0), "filled"),
    ]
    tiles = [(icon(kind, 0, 0, 0.7), kind) for kind in TILES]
    return _legend_line(tiles) + group(0, _LEGEND_LINE, _legend_line(marks))


def _legend_line(entries: Sequence[tuple[str, str]]) -> str:
    parts = []
    x = 0.0
    for sign, words in entries:
        parts += [group(x + 9, 0, sign), text(x + 23, 4.5, words, 13, **_LEFT)]
        x += 46 + 6.6 * len(words)
    return "".join(parts)
