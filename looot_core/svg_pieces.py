"""Pieces of the SVG picture that hold requirements: longships, construction sites, trophies."""

from __future__ import annotations

from collections.abc import Sequence

from looot_core.components import SITE_VALUES, TILE_LETTERS, TROPHIES, Longship
from looot_core.requirements import Requirement
from looot_core.svg_icons import check_mark, icon, viking
from looot_core.svg_markup import FAINT_INK, FILLED, element, group, text

_HULL = (
    "M-29 -7C-28 2 -22 16.5 -12 16.5H12C22 16.5 28 2 29 -7C25 -1 22 1 18 1H-18C-22 1 -25 -1 -29 -7Z"
)
_SAIL = "M-17 -25H17Q21 -14.5 17 -4H-17Q-21 -14.5 -17 -25Z"
_NEED_RADIUS = 7.8


def longship(ship: Longship, needs: Sequence[tuple[str, bool]] | None = None) -> str:
    """Draw a longship: on the sail what it gives, as shields on the hull what it needs.

    Where `needs` says that the resource lies beside the longship, its shield has a green rim.
    """
    if needs is None:
        needs = [(TILE_LETTERS[letter], False) for letter in ship.needs]
    shields = [_need(kind, there, 16.5 * n - 16.5, 6.5) for n, (kind, there) in enumerate(needs)]
    filled = [check_mark(20, 8)] if all(there for _, there in needs) else []
    return "".join(
        [
            element("path", d=_HULL, fill="#8a5630", stroke="#47290f", stroke_width=1.3),
            element("path", d="M0 -28V1", stroke="#47290f", stroke_width=2),
            element("path", d=_SAIL, fill="#fff6e0", stroke="#8a6a48", stroke_width=1.2),
            icon(ship.kind, -9, -14, 0.62),
            text(8.5, -9.9, f"+{ship.bonus}", 12, font_weight="bold"),
            *shields,
            *filled,
        ]
    )


def construction_site(kind: str, requirement: Requirement) -> str:
    """Draw what a construction site needs and, above it, the points it brings."""
    needs = requirement.needs
    upper = len(needs) if len(needs) < 4 else (len(needs) + 1) // 2
    rows = [(needs[:upper], -1 if upper == len(needs) else -8.5), (needs[upper:], 7.5)]
    discs = [
        _need(need, there, 17 * n - 8.5 * (len(row) - 1), y)
        for row, y in rows
        for n, (need, there) in enumerate(row)
    ]
    filled = [check_mark(16, -16)] if requirement.filled else []
    value = text(0, -17, str(SITE_VALUES[kind]), 13, font_weight="bold")
    return "".join([value, *discs, *filled])


def trophy(number: int, owner: int | None) -> str:
    """Draw a trophy: its points and the axes it needs, and who has claimed it."""
    parts = [
        icon("trophy", 0, -4, 1.35, fill="#f4c542" if owner is None else "#e4ddcf"),
        text(0, -4, str(TROPHIES[number]), 15, font_weight="bold"),
        text(-5, 9, str(number), 10),
        icon("axe", 4, 5.5, 0.5),
    ]
    if owner is not None:
        parts.append(viking(owner, 1, 17, -13, 0.75))
    return "".join(parts)


def _need(kind: str, there: bool, x: float, y: float) -> str:
    rim = FILLED if there else FAINT_INK
    width = 2.4 if there else 1
    disc = element("circle", r=_NEED_RADIUS, fill="#fffdf6", stroke=rim, stroke_width=width)
    return group(x, y, disc, icon(kind, 0, 0, 0.52))
