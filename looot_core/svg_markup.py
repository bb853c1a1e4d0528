"""Elements, colours and geometry that all parts of the SVG picture share."""

from __future__ import annotations

from math import sqrt
from xml.sax.saxutils import escape, quoteattr

from looot_core.components import FjordCell
from looot_core.hexes import Hex, from_even_q

HEX = 34.0
"""From the centre of a hex to a corner."""
HALF_HEIGHT = HEX * sqrt(3) / 2
"""From the centre of a hex to an edge."""

_LABEL_Y = 25.5
_SHORT_LABEL = 5

TIMES = "\N{MULTIPLICATION SIGN}"
DOT = "\N{NO-BREAK SPACE} \N{MIDDLE DOT} \N{NO-BREAK SPACE}"

INK = "#2b2a28"
FAINT_INK = "#6d6a64"
LABEL = "#45423d"
PAPER = "#f6f1e6"
FILLED = "#14843f"
ACCENT = "#d4127e"
"""Of suggested actions; nothing else in the picture is of this colour."""

SEAT_COLOURS = ("#c62f3b", "#1f5fc4", "#f2b30c", "#3a3d45")
SEAT_INKS = ("#ffffff", "#ffffff", "#2b2a28", "#ffffff")
SEAT_TINTS = ("#f8e6e4", "#e4ecf8", "#fbf1d3", "#e9e9ea")

GROUNDS = {
    "wood": "#8fbf7f",
    "sheep": "#dfe39a",
    "gold": "#c3bfba",
    "axe": "#dfa98d",
    "house": "#f4e8cd",
    "watchtower": "#f4e8cd",
    "castle": "#f4e8cd",
    "ocean": "#9fcde4",
    "trophy": "#b9d3cf",
}


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Write an element; `_` in the name of an attribute stands for `-`.

    Children are markup; attribute values are escaped here.
    """
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(_value(value))}" for key, value in attributes.items()
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(x: float, y: float, content: str, size: float, **attributes: str | float) -> str:
    """Write a line of text, centred on x unless told otherwise; `y` is its base line."""
    given = {"text_anchor": "middle", "fill": INK} | attributes
    return element("text", escape(content), x=x, y=y, font_size=size, **given)


def label(content: str) -> str:
    """Write the label of a hex at its lower edge; long ones smaller."""
    return text(0, _LABEL_Y, content, 12.5 if len(content) <= _SHORT_LABEL else 10.5, fill=LABEL)


def number(value: int) -> str:
    """Write a number of points, which may be negative, for the reader's eye."""
    return f"{value}".replace("-", "\N{MINUS SIGN}")


def group(x: float, y: float, *children: str, scale: float = 1, **attributes: str | float) -> str:
    """Move markup to (x, y), larger or smaller by a factor."""
    transform = f"translate({_value(x)} {_value(y)})"
    if scale != 1:
        transform += f" scale({_value(scale)})"
    return element("g", *children, transform=transform, **attributes)


def title(content: str) -> str:
    """Name the group it is put in first; browsers show it as a tooltip."""
    return element("title", escape(content))


def hexagon(radius: float, **attributes: str | float) -> str:
    """Draw a flat-top hexagon about (0, 0)."""
    half, height = radius / 2, radius * sqrt(3) / 2
    corners = (
        (radius, 0.0),
        (half, height),
        (-half, height),
        (-radius, 0.0),
        (-half, -height),
        (half, -height),
    )
    points = " ".join(f"{_value(x)},{_value(y)}" for x, y in corners)
    return element("polygon", points=points, **attributes)


def centre(place: Hex) -> tuple[float, float]:
    """Give the centre of a hex in the picture."""
    q, r = place
    return 1.5 * HEX * q, HALF_HEIGHT * (2 * r + q)


def cell_centre(cell: FjordCell) -> tuple[float, float]:
    """Give the centre of a cell within the picture of its fjord, whose corner is (0, 0)."""
    x, y = centre(from_even_q(cell.column, cell.row))
    return x + HEX, y + 2 * HALF_HEIGHT


def _value(value: str | float) -> str:
    """Write a number with two decimals at most, so that the picture is the same everywhere."""
    if isinstance(value, str):
        return value
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written
