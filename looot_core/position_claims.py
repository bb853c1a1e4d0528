"""What the vikings of a position have won a right to (R8-R10)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from looot_core.hexes import Hex, neighbours
from looot_core.position import Position


class Claims:
    """How many tiles each building space was asked for, and each seat has asked for."""

    def __init__(self, position: Position) -> None:
        self._by_space: Counter[Hex] = Counter()
        self._by_seat: Counter[tuple[int, str]] = Counter()
        kinds = {(space.q, space.r): space.kind for space in position.landscape.building_spaces}
        for player in range(position.players):
            own = {place for place, counts in position.vikings.items() if counts[player]}
            self._claim_houses(position, player, own, kinds)
            connected: set[tuple[Hex, Hex]] = set()
            levels: Counter[Hex] = Counter()
            for group in _groups(own):
                touched = {near for place in group for near in neighbours(place) if near in kinds}
                towers = sorted(place for place in touched if kinds[place] == "watchtower")
                connected.update(combinations(towers, 2))
                for place in touched:
                    if kinds[place] == "castle":
                        levels[place] = max(levels[place], min(3, len(group) // 4))
            for pair in connected:
                for place in pair:
                    self._claim(player, place, "watchtower", 1)
            for place, level in levels.items():
                self._claim(player, place, "castle", level)

    def of_space(self, place: Hex) -> int:
        """Give how many tiles of a space all seats together had a right to."""
        return self._by_space[place]

    def of_seat(self, player: int, kind: str) -> int:
        """Give how many tiles of a kind a seat had a right to."""
        return self._by_seat[player, kind]

    def _claim(self, player: int, place: Hex, kind: str, number: int) -> None:
        self._by_space[place] += number
        self._by_seat[player, kind] += number

    def _claim_houses(
        self, position: Position, player: int, own: set[Hex], kinds: dict[Hex, str]
    ) -> None:
        for place in own:
            for near in neighbours(place):
                if kinds.get(near) == "house":
                    self._claim(player, near, "house", position.vikings[place][player])


def _groups(own: set[Hex]) -> list[set[Hex]]:
    """Split the spaces of a seat into its groups."""
    groups = []
    left = set(own)
    while left:
        edge = [left.pop()]
        group = set(edge)
        while edge:
            for near in neighbours(edge.pop()):
                if near in left:
                    left.remove(near)
                    group.add(near)
                    edge.append(near)
        groups.append(group)
    return groups
