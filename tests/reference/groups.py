"""Groups of vikings, and what they reach on the map (R9, R10)."""

from itertools import combinations

from tests.reference.components import Hex
from tests.reference.landscape import Landscape

Group = set[Hex]


def groups_of(spaces: set[Hex], landscape: Landscape) -> list[Group]:
    """Give the groups that a player's vikings on these spaces form."""
    groups: list[Group] = []
    left = set(spaces)
    while left:
        group = {left.pop()}
        border = list(group)
        while border:
            for place in landscape.neighbours[border.pop()]:
                if place in left:
                    left.remove(place)
                    group.add(place)
                    border.append(place)
        groups.append(group)
    return groups


def touches(group: Group, space: Hex, landscape: Landscape) -> bool:
    return any(place in group for place in landscape.neighbours[space])


def connected_pairs(groups: list[Group], landscape: Landscape) -> set[tuple[Hex, Hex]]:
    """R9: the pairs of watchtower spaces that one group touches both."""
    pairs: set[tuple[Hex, Hex]] = set()
    for group in groups:
        touched = [tower for tower in landscape.watchtowers if touches(group, tower, landscape)]
        pairs.update(combinations(touched, 2))
    return pairs


def castle_levels(groups: list[Group], landscape: Landscape) -> dict[Hex, int]:
    """R10: the level that the largest group touching it reaches at each castle space."""
    levels: dict[Hex, int] = {}
    for castle in landscape.castles:
        sizes = [len(group) for group in groups if touches(group, castle, landscape)]
        levels[castle] = min(3, max(sizes, default=0) // 4)
    return levels
