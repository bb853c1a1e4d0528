"""The icons of the SVG picture: drawn once in its definitions and used by name.

Each is drawn about (0, 0) and reaches to about 12 in all directions.
"""

from __future__ import annotations

from looot_core.svg_markup import FILLED, INK, SEAT_COLOURS, SEAT_INKS, TIMES, element, group, text

_DRAWINGS = {
    "wood": (
        '<g fill="#d9a066" stroke="#64401f" stroke-width="1.5">'
        '<circle cx="-5.6" cy="5" r="5.4"/><circle cx="5.6" cy="5" r="5.4"/>'
        '<circle cx="0" cy="-4.6" r="5.4"/></g>'
        '<g fill="none" stroke="#9a6a3a">'
        '<circle cx="-5.6" cy="5" r="2.5"/><circle cx="5.6" cy="5" r="2.5"/>'
        '<circle cx="0" cy="-4.6" r="2.5"/></g>'
    ),
    "sheep": (
        '<path d="M-5 4V10.5M-1.5 4V10.5M2.5 4V10.5M5.5 4V10.5" stroke="#3b3835"'
        ' stroke-width="2"/>'
        '<g fill="#fffefa" stroke="#5d5a55" stroke-width="2.4">'
        '<circle cx="-6" cy="0" r="4.6"/><circle cx="-2" cy="-4" r="4.6"/>'
        '<circle cx="3.5" cy="-3.4" r="4.6"/><circle cx="5" cy="1.6" r="4.6"/>'
        '<circle cx="-1" cy="3" r="4.6"/></g>'
        '<g fill="#fffefa"><circle cx="-6" cy="0" r="4.6"/><circle cx="-2" cy="-4" r="4.6"/>'
        '<circle cx="3.5" cy="-3.4" r="4.6"/><circle cx="5" cy="1.6" r="4.6"/>'
        '<circle cx="-1" cy="3" r="4.6"/></g>'
        '<ellipse cx="9" cy="-3" rx="3.3" ry="4.4" fill="#3b3835"/>'
        '<circle cx="9.8" cy="-4" r="0.9" fill="#fffefa"/>'
    ),
    "gold": (
        '<g fill="#f7c92f" stroke="#806008" stroke-width="1.4" stroke-linejoin="round">'
        '<path d="M-11.5 9L-9 1.5H-3L-0.5 9Z"/><path d="M0.5 9L3 1.5H9L11.5 9Z"/>'
        '<path d="M-5.5 0.5L-3 -7H3L5.5 0.5Z"/></g>'
        '<path d="M-2 -4.6H1.5M-8 4H-4.5M4 4H7.5" stroke="#fff3b8" stroke-width="1.6"/>'
    ),
    "axe": (
        '<g transform="rotate(24)"><path d="M0 -10V11.5" stroke="#64401f" stroke-width="2.8"'
        ' stroke-linecap="round"/>'
        '<path d="M-1.4 -7.5C-4.5 -8 -7 -9.2 -9 -11C-10.4 -6 -10.4 -2 -9 3'
        "C-7 0.6 -4.5 -0.8 -1.4 -1.2ZM1.4 -7.5C4.5 -8 7 -9.2 9 -11C10.4 -6 10.4 -2 9 3"
        'C7 0.6 4.5 -0.8 1.4 -1.2Z" fill="#d3dce4" stroke="#2f373f" stroke-width="1.4"'
        ' stroke-linejoin="round"/></g>'
    ),
    "house": (
        '<rect x="-8" y="-2" width="16" height="12" fill="#fff4d8" stroke="#5c2317"'
        ' stroke-width="1.4"/>'
        '<path d="M-11.5 -0.5L0 -10.5L11.5 -0.5Z" fill="#c04a32" stroke="#5c2317"'
        ' stroke-width="1.4" stroke-linejoin="round"/>'
        '<rect x="-2.4" y="3" width="4.8" height="7" fill="#64401f"/>'
    ),
    "watchtower": (
        '<path d="M-5.5 11L-4 -2H4L5.5 11Z" fill="#c79a63" stroke="#503317"'
        ' stroke-width="1.4" stroke-linejoin="round"/>'
        '<path d="M-4.8 7L4.4 1M4.8 7L-4.4 1" stroke="#503317" stroke-width="1.2"/>'
        '<rect x="-7" y="-5.5" width="14" height="4.5" fill="#e6c391" stroke="#503317"'
        ' stroke-width="1.4"/>'
        '<path d="M-8 -5.5L0 -12.5L8 -5.5Z" fill="#3f6f8f" stroke="#1f3d52"'
        ' stroke-width="1.4" stroke-linejoin="round"/>'
    ),
    "castle": (
        '<path d="M-11 10.5V-7.5H-8.7V-5.3H-6.5V-7.5H-4V-1.5H-2.2V-3.5H2.2V-1.5H4V-7.5H6.5'
        'V-5.3H8.7V-7.5H11V10.5Z" fill="#b4bac4" stroke="#3d424b" stroke-width="1.4"'
        ' stroke-linejoin="round"/>'
        '<path d="M-2.8 10.5V5A2.8 2.8 0 0 1 2.8 5V10.5Z" fill="#3d424b"/>'
        '<path d="M-7.5 -1V2M7.5 -1V2" stroke="#3d424b" stroke-width="1.8"/>'
        '<path d="M0 -3.5V-12.5" stroke="#3d424b" stroke-width="1.2"/>'
        '<path d="M0 -12.5L6.5 -10.2L0 -8Z" fill="#7d4aa8"/>'
    ),
    # Filled with what the use of it says.
    "viking": (
        '<path d="M-8 -7C-13 -8.5 -14.5 -12.5 -12.5 -16.5C-11.5 -13 -8.5 -11.5 -4 -10.6Z'
        'M8 -7C13 -8.5 14.5 -12.5 12.5 -16.5C11.5 -13 8.5 -11.5 4 -10.6Z" fill="#fff8e6"'
        ' stroke="#2b2a28" stroke-linejoin="round"/>'
        '<circle r="12.2" fill="#2b2a28"/><circle r="11.4" fill="#ffffff"/><circle r="9.8"/>'
    ),
    "shield": ('<circle r="12" fill="#2b2a28"/><circle r="11" fill="#e9d9b8"/><circle r="8.6"/>'),
    "trophy": (
        '<path d="M-13 -13Q0 -8 13 -13Q15 8 0 15Q-15 8 -13 -13Z" stroke="#2b2a28"'
        ' stroke-width="1.4" stroke-linejoin="round"/>'
    ),
}

DEFINITIONS = element(
    "defs", *(element("g", drawing, id=f"looot-{name}") for name, drawing in _DRAWINGS.items())
)
"""To be put once into the picture. The names are alike in all pictures, and so are the drawings:
several pictures in one page do not disturb each other."""


def icon(name: str, x: float, y: float, scale: float, **attributes: str | float) -> str:
    """Draw an icon: a tile kind, ``viking``, ``shield`` or ``trophy``."""
    use = element("use", **{"xlink:href": f"#looot-{name}"})
    return group(x, y, use, scale=scale, **attributes)


def viking(player: int, count: int, x: float, y: float, scale: float) -> str:
    """Draw the vikings of a seat on one space, with their number if there are several."""
    parts = [
        icon("viking", 0, 0, 1, fill=SEAT_COLOURS[player]),
        text(0, 4.6, str(player), 13, fill=SEAT_INKS[player], font_weight="bold"),
    ]
    if count > 1:
        parts += [
            element("rect", x=3, y=3, width=17, height=12, rx=6, fill="#ffffff", stroke=INK),
            text(11.5, 12.4, f"{TIMES}{count}", 10, font_weight="bold"),
        ]
    return group(x, y, *parts, scale=scale)


def check_mark(x: float, y: float) -> str:
    """Draw the mark of what is filled."""
    return group(
        x,
        y,
        element("circle", r=7.5, fill=FILLED, stroke="#ffffff", stroke_width=1.5),
        element("path", d="M-3.6 0.2L-1 3L3.8 -2.8", fill="none", stroke="#ffffff", stroke_width=2),
    )
