"""What the longships and construction sites of a fjord require, and what of it is there (R12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from looot_core.components import (
    CELLS_BY_NAME,
    FJORD_SITES,
    SITE_KINDS,
    TILE_LETTERS,
    FjordCell,
    Longship,
    fjord_neighbours,
)
from looot_core.position import SeatPosition


@dataclass(frozen=True, slots=True)
class Requirement:
    """A longship or construction site on a fjord.

    Attributes
    ----------
    cell : FjordCell
        Where it lies.
    needs : tuple of (str, bool)
        The kind of each required tile, and whether one lies beside the cell for it.
    """

    cell: FjordCell
    needs: tuple[tuple[str, bool], ...]

    @property
    def filled(self) -> bool:
        """Whether all that is required is there (R12); tiles never move, so it stays so."""
        return all(there for _, there in self.needs)


def longship_requirements(seat: SeatPosition) -> dict[str, tuple[Longship, Requirement]]:
    """Give the longships of a seat and what they require, by cell name."""
    longships = {name: Longship.parse(text) for name, text in seat.longships.items()}
    return {
        name: (longship, _requirement(seat, CELLS_BY_NAME[name], longship.needs))
        for name, longship in longships.items()
    }


def site_requirements(seat: SeatPosition, sites: tuple[str, ...]) -> dict[str, Requirement]:
    """Give what the construction sites of a seat require, by kind of site."""
    return {
        kind: _requirement(seat, FJORD_SITES[kind], letters)
        for kind, letters in zip(SITE_KINDS, sites, strict=True)
    }


def _requirement(seat: SeatPosition, cell: FjordCell, letters: str) -> Requirement:
    lying = Counter(seat.tiles.get(place.name) for place in fjord_neighbours(cell))
    needs = []
    for letter in letters:
        kind = TILE_LETTERS[letter]
        needs.append((kind, lying[kind] > 0))
        lying[kind] -= 1
    return Requirement(cell, tuple(needs))
