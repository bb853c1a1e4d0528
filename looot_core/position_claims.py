"""What follows from a position: shields used up, fjords full, buildings its vikings claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from looot_core.components import FJORD_CELLS
from looot_core.hexes import Hex, neighbours
from looot_core.landscape import Landscape
from looot_core.position import Phase, Position, SeatPosition
from looot_core.tables import CASTLE_LEVEL_SPACES, CASTLE_LEVELS


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies beside what on a landscape.

    Attributes
    ----------
    kinds : mapping of Hex to str
        The tile kind of each resource and building space.
    beside : mapping of Hex to tuple of Hex
        For each resource space the resource spaces adjacent to it.
    buildings_beside : mapping of Hex to tuple of Hex
        For each resource space the building spaces adjacent to it.
    shore : frozenset of Hex
        Resource spaces beside an ocean space.
    """

    kinds: Mapping[Hex, str]
    beside: Mapping[Hex, tuple[Hex, ...]]
    buildings_beside: Mapping[Hex, tuple[Hex, ...]]
    shore: frozenset[Hex]


@lru_cache(maxsize=128)
def ground_of(landscape: Landscape) -> Ground:
    """Give what lies beside what on a landscape."""
    resources = {(space.q, space.r): space.kind for space in landscape.resource_spaces}
    buildings = {(space.q, space.r): space.kind for space in landscape.building_spaces}
    ocean = [(space.q, space.r) for space in landscape.ocean_spaces]
    return Ground(
        kinds=resources | buildings,
        beside={
            place: tuple(near for near in neighbours(place) if near in resources)
            for place in resources
        },
        buildings_beside={
            place: tuple(near for near in neighbours(place) if near in buildings)
            for place in resources
        },
        shore=frozenset(near for place in ocean for near in neighbours(place)) & resources.keys(),
    )


def is_used(position: Position, player: int, shield: str) -> bool:
    """Say whether a shield has served its viking, so that it is neither left nor active.

    The shield second has served when the second viking stands.
    """
    if player == position.current_player:
        if shield in position.active_shields:
            return False
        if shield == "second" and position.phase is Phase.SECOND_VIKING:
            return False
    return shield not in position.seats[player].shields


def is_full(seat: SeatPosition) -> bool:
    """Say whether no cell of the fjord is empty."""
    return len(seat.tiles) + len(seat.longships) == len(FJORD_CELLS)


def vikings_of(position: Position, player: int) -> dict[Hex, int]:
    """Give the number of vikings of a seat by space, where it has any."""
    return {place: counts[player] for place, counts in position.vikings.items() if counts[player]}


def claims(vikings: Mapping[Hex, int], ground: Ground) -> Counter[Hex]:
    """Count how often a seat with these vikings has claimed a tile of each building space.

    That depends neither on the order of the vikings nor on what was left to take: a house for each
    viking beside it (R8), a tile for each pair of watchtowers that is connected (R9: groups only
    grow), one for each castle level (R10).
    """
    claimed: Counter[Hex] = Counter()
    for place, number in vikings.items():
        for building in ground.buildings_beside[place]:
            if ground.kinds[building] == "house":
                claimed[building] += number
    pairs: set[tuple[Hex, Hex]] = set()
    levels: dict[Hex, int] = {}
    for group in _groups(vikings, ground):
        touched = {near for place in group for near in ground.buildings_beside[place]}
        towers = sorted(place for place in touched if ground.kinds[place] == "watchtower")
        pairs.update(combinations(towers, 2))
        level = min(CASTLE_LEVELS, len(group) // CASTLE_LEVEL_SPACES)
        for place in touched:
            if ground.kinds[place] == "castle":
                levels[place] = max(level, levels.get(place, 0))
    for pair in pairs:
        claimed.update(pair)
    claimed.update(levels)
    return claimed


def _groups(own: Collection[Hex], ground: Ground) -> list[list[Hex]]:
    """Split the spaces of a seat into its groups."""
    groups = []
    left = set(own)
    while left:
        group = [left.pop()]
        for place in group:
            for near in ground.beside[place]:
                if near in left:
                    left.remove(near)
                    group.append(near)
        groups.append(group)
    return groups
