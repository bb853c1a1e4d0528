"""What a fjord is worth (R12, R20)."""

from typing import Any

from tests.reference.components import (
    CELL_NEIGHBOURS,
    KIND_OF_LETTER,
    PENALTY,
    SCORED,
    SITE_CELLS,
    SITE_VALUES,
    SITES,
    STARTING_VALUES,
    TROPHIES,
)


class Fjord:
    """A player's own board: three sites, tiles and longships by cell, a trophy (0: none)."""

    def __init__(self, sites: list[str]) -> None:
        self.sites = dict(zip(SITES, sites, strict=True))
        self.tiles: dict[str, str] = {}
        self.longships: dict[str, str] = {}
        self.trophy = 0

    def count(self, kind: str) -> int:
        return list(self.tiles.values()).count(kind)

    def is_filled(self, cell: str, letters: str) -> bool:
        """R12: whether all that is required there lies around a cell."""
        lying = [self.tiles.get(place) for place in CELL_NEIGHBOURS[cell]]
        needed = [KIND_OF_LETTER[letter] for letter in letters]
        return all(lying.count(kind) >= needed.count(kind) for kind in needed)


def split_longship(text: str) -> tuple[str, int, str]:
    """Read "castle+4 GGA": the kind whose value it raises, by how much, what it needs."""
    reward, needs = text.split(" ")
    kind, bonus = reward.split("+")
    return kind, int(bonus), needs


def breakdown(fjord: Fjord) -> dict[str, Any]:
    """R20: the score of a fjord, in the shape of a record's "final"."""
    values = {kind: STARTING_VALUES[kind] for kind in SCORED}
    penalty = 0
    for cell, text in fjord.longships.items():
        kind, bonus, needs = split_longship(text)
        if fjord.is_filled(cell, needs):
            values[kind] += bonus
        else:
            penalty += PENALTY
    sites = sum(
        SITE_VALUES[site]
        for site, letters in fjord.sites.items()
        if fjord.is_filled(SITE_CELLS[site], letters)
    )
    trophy = TROPHIES.get(fjord.trophy, 0)
    counts = {kind: fjord.count(kind) for kind in SCORED}
    total = sum(counts[kind] * values[kind] for kind in SCORED) + sites + trophy - penalty
    result: dict[str, Any] = {kind: [counts[kind], values[kind]] for kind in SCORED}
    result.update(sites=sites, trophy=trophy, penalty=penalty, total=total)
    return result
