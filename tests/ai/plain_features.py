"""The main features a second time, in plain Python from what a position shows.

Each is a number without the scale that the evaluation gives it.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import looot_core as lc
from tests.reference.components import (
    BUILDINGS,
    CELL_NEIGHBOURS,
    CELLS,
    KIND_OF_LETTER,
    PENALTY,
    RESOURCES,
    SITE_CELLS,
    SITES,
    TROPHIES,
    Hex,
)
from tests.reference.game import parse_hex
from tests.reference.groups import castle_levels, connected_pairs, groups_of, touches
from tests.reference.landscape import Landscape
from tests.reference.score import Fjord, breakdown, split_longship

VALUED = tuple(kind for kind in (*RESOURCES, *BUILDINGS) if kind != "axe")


def fjord_of(seat: dict[str, Any], sites: list[str]) -> Fjord:
    fjord = Fjord(sites)
    fjord.tiles, fjord.longships, fjord.trophy = seat["tiles"], seat["longships"], seat["trophy"]
    return fjord


class PlainFeatures:
    """The numbers of one seat, by the names of the features."""

    def __init__(self, state: lc.State, player: int) -> None:
        self.data = state.position().to_dict()
        self.player = player
        self.seat = self.data["seats"][player]
        self.left: int = self.seat["vikings_in_hand"]
        self.fjord = fjord_of(self.seat, self.data["sites"][player])
        result = breakdown(self.fjord)
        self.counts = {kind: self.fjord.count(kind) for kind in (*RESOURCES, *BUILDINGS)}
        self.values = {kind: result[kind][1] for kind in VALUED}
        self.empty = [
            cell
            for cell in CELLS
            if cell not in self.fjord.tiles and cell not in self.fjord.longships
        ]
        self.numbers: dict[str, float] = {}
        self.add_tiles()
        self.add_trophies()
        self.add_own_longships()
        self.add_sites()
        self.add_longships_to_take()
        self.add_cells()
        self.map = Landscape(self.data)
        self.vikings = {parse_hex(text): n for text, n in self.data["vikings"].items()}
        self.stacks = {parse_hex(text): n for text, n in self.data["buildings"].items()}
        self.own = {space for space, counts in self.vikings.items() if counts[player]}
        self.groups = groups_of(self.own, self.map)
        self.add_groups()
        self.add_castles_and_towers()
        self.add_landings(state.landing_spaces())

    # The fjord

    def add_tiles(self) -> None:
        for kind in VALUED:
            tiles, value = self.counts[kind], self.values[kind]
            self.numbers[f"{kind}_tiles"] = tiles
            self.numbers[f"{kind}_value"] = value
            self.numbers[f"{kind}_points"] = tiles * value
            self.numbers[f"{kind}_value_by_vikings"] = value * self.left
            self.numbers[f"{kind}_tiles_by_vikings"] = tiles * self.left
        self.numbers["empty"] = len(self.empty)
        self.numbers["empty_by_vikings"] = len(self.empty) * self.left

    def add_trophies(self) -> None:
        axes = self.counts["axe"]
        taken = {seat["trophy"] for seat in self.data["seats"]}
        open_trophies = [number for number in TROPHIES if number not in taken]
        self.numbers["axes"] = axes
        self.numbers["axes_by_vikings"] = axes * self.left
        self.numbers["trophy_taken"] = float(self.fjord.trophy > 0)
        for more, name in enumerate(("now", "with_1_more", "with_2_more", "with_3_more")):
            points = [TROPHIES[number] for number in open_trophies if number <= axes + more]
            self.numbers[f"trophy_{name}"] = 0 if self.fjord.trophy else max(points, default=0)
        best = max((TROPHIES[number] for number in open_trophies), default=0)
        self.numbers["best_trophy_left"] = 0 if self.fjord.trophy else best

    def lacking(self, cell: str, letters: str) -> dict[str, int]:
        """R12: how many tiles of each kind still have to come beside a cell."""
        lying = [self.fjord.tiles.get(place) for place in CELL_NEIGHBOURS[cell]]
        needed = [KIND_OF_LETTER[letter] for letter in letters]
        return {
            kind: max(0, needed.count(kind) - lying.count(kind))
            for kind in (*RESOURCES, *BUILDINGS)
        }

    def room(self, cell: str) -> int:
        return sum(place in self.empty for place in CELL_NEIGHBOURS[cell])

    def add_own_longships(self) -> None:
        for n in (1, 2, 3):
            for what in ("", "_gain", "_bonus_by_vikings"):
                self.numbers[f"longships_lacking_{n}{what}"] = 0
        self.numbers["longships_blocked"] = self.numbers["longships_tight"] = 0
        for cell, text in self.fjord.longships.items():
            kind, bonus, letters = split_longship(text)
            missing = sum(self.lacking(cell, letters).values())
            if not missing:
                continue
            if missing > self.room(cell):
                self.numbers["longships_blocked"] += 1
                continue
            name = f"longships_lacking_{missing}"
            self.numbers[name] += 1
            self.numbers[f"{name}_gain"] += PENALTY + bonus * self.counts[kind]
            self.numbers[f"{name}_bonus_by_vikings"] += bonus * self.left
            self.numbers["longships_tight"] += missing == self.room(cell)

    def add_sites(self) -> None:
        for site in SITES:
            cell = SITE_CELLS[site]
            lacking = self.lacking(cell, self.fjord.sites[site])
            missing = sum(lacking.values())
            blocked = missing > self.room(cell)
            is_open = bool(missing) and not blocked
            self.numbers[f"{site}_blocked"] = float(blocked)
            self.numbers[f"{site}_open"] = float(is_open)
            resources = sum(lacking[kind] for kind in RESOURCES)
            self.numbers[f"{site}_resources"] = is_open * resources
            for kind in BUILDINGS:
                self.numbers[f"{site}_{kind}s"] = is_open * lacking[kind]
            self.numbers[f"{site}_slack"] = is_open * min(self.room(cell) - missing, 3)

    def add_longships_to_take(self) -> None:
        """What the longships on the ocean, and those in the bag, would do on some empty cell."""
        empty = self.empty if self.left else []
        least = {  # tiles that a longship lacks on its best cell
            text: min(
                (sum(self.lacking(cell, split_longship(text)[2]).values()) for cell in empty),
                default=9,
            )
            for text in (*filter(None, self.data["ocean_longships"]), *self.data["unseen"])
        }

        def gains(texts: list[str], lacking: int) -> list[int]:
            """Points, highest first, that filled longships lacking so much would bring."""
            found = [split_longship(text) for text in texts if least[text] == lacking]
            return sorted((bonus * self.counts[kind] for kind, bonus, _ in found), reverse=True)

        def best_bonus(texts: list[str], lacking: int) -> int:
            found = [split_longship(text)[1] for text in texts if least[text] == lacking]
            return max(found, default=0)

        ocean = [text for text in self.data["ocean_longships"] if text is not None]
        unseen = self.data["unseen"]
        filling = gains(ocean, 0)
        self.numbers["ocean_best"], self.numbers["ocean_second"] = [*filling, 0, 0][:2]
        self.numbers["ocean_filling"] = len(filling)
        self.numbers["ocean_best_bonus_by_vikings"] = best_bonus(ocean, 0) * self.left
        self.numbers["ocean_lacking_1_best"] = max(gains(ocean, 1), default=0)
        self.numbers["ocean_lacking_1"] = len(gains(ocean, 1))
        self.numbers["ocean_lacking_1_bonus_by_vikings"] = best_bonus(ocean, 1) * self.left
        count = max(1, len(unseen))
        self.numbers["unseen_filling"] = len(gains(unseen, 0)) / count
        self.numbers["unseen_gain"] = sum(gains(unseen, 0)) / count
        self.numbers["unseen_lacking_1"] = len(gains(unseen, 1)) / count

    def add_cells(self) -> None:
        beside = [
            sum(self.fjord.tiles.get(place) in RESOURCES for place in CELL_NEIGHBOURS[cell])
            for cell in self.empty
        ]
        for n, name in ((1, "1_resource"), (2, "2_resources"), (3, "3_resources")):
            self.numbers[f"cells_by_{name}"] = sum(count >= n for count in beside)

    # The landscape

    def add_groups(self) -> None:
        sizes = sorted((len(group) for group in self.groups), reverse=True)
        self.numbers["largest_group"], self.numbers["second_group"] = [*sizes, 0, 0][:2]
        self.numbers["groups"] = len(sizes)

    def add_castles_and_towers(self) -> None:
        levels = castle_levels(self.groups, self.map)
        standing = [castle for castle in self.map.castles if self.stacks[castle]]
        in_reach = [0] * 5
        potential = untouched = 0
        for castle in standing:
            sizes = [len(group) for group in self.groups if touches(group, castle, self.map)]
            if not sizes:
                untouched += 1
            elif levels[castle] < 3:
                vikings = 4 * (levels[castle] + 1) - max(sizes)
                if vikings <= self.left:
                    in_reach[vikings] += 1
                    reached = min(3, (max(sizes) + self.left) // 4)
                    potential += min(reached - levels[castle], self.stacks[castle])
        for n in range(1, 5):
            self.numbers[f"castle_in_{n}"] = in_reach[n]
        self.numbers["castle_potential"] = potential
        self.numbers["castle_potential_by_value"] = potential * self.values["castle"]
        self.numbers["castles_untouched"] = untouched
        touched = {
            tower
            for tower in self.map.watchtowers
            if any(touches(group, tower, self.map) for group in self.groups)
        }
        joined = connected_pairs(self.groups, self.map)
        joinable = sum(
            (self.stacks[one] > 0) + (self.stacks[other] > 0)
            for one, other in combinations(sorted(touched), 2)
            if (one, other) not in joined
        )
        left = [tower for tower in self.map.watchtowers if self.stacks[tower]]
        self.numbers["towers_touched"] = len(touched)
        self.numbers["towers_joinable"] = joinable
        self.numbers["towers_joinable_by_value"] = joinable * self.values["watchtower"]
        self.numbers["towers_untouched"] = sum(tower not in touched for tower in left)
        self.numbers["watchtowers_left"] = sum(self.stacks[tower] for tower in left)
        self.numbers["castles_left"] = sum(self.stacks[castle] for castle in standing)

    def landing_gain(self, space: Hex) -> int:
        """Points that the tiles of a viking are worth now (R7-R10), an axe counting 1.

        Each new pair of watchtowers counts the tiles on both, however many pairs share them.
        """
        kind = self.map.kind[space]
        points = 1 if kind == "axe" else self.values[kind]
        beside = self.map.neighbours[space]
        houses = [place for place in beside if self.map.kind[place] == "house"]
        points += self.values["house"] * sum(self.stacks[place] > 0 for place in houses)
        groups = groups_of(self.own | {space}, self.map)
        before = castle_levels(self.groups, self.map)
        for castle, level in castle_levels(groups, self.map).items():
            points += self.values["castle"] * min(level - before[castle], self.stacks[castle])
        pairs = connected_pairs(groups, self.map) - connected_pairs(self.groups, self.map)
        towers = sum((self.stacks[one] > 0) + (self.stacks[other] > 0) for one, other in pairs)
        points += self.values["watchtower"] * towers
        result: int = points
        return result

    def add_landings(self, spaces: list[Hex]) -> None:
        self.numbers["landings"] = len(spaces)
        spaces = spaces if self.left else []
        for kind in RESOURCES:
            self.numbers[f"landings_{kind}"] = sum(self.map.kind[at] == kind for at in spaces)
        gains = sorted((self.landing_gain(space) for space in spaces), reverse=True)
        ranks = ("best_landing", "second_landing", "third_landing")
        self.numbers.update(zip(ranks, [*gains, 0, 0, 0], strict=False))
        self.numbers["best_landing_by_vikings"] = self.numbers["best_landing"] * self.left
        self.numbers["gain_of_landings"] = sum(gains)
        houses = [
            sum(
                self.map.kind[place] == "house" and self.stacks[place] > 0
                for place in self.map.neighbours[space]
            )
            for space in spaces
        ]
        for n, name in ((1, "1_house"), (2, "2_houses"), (3, "3_houses")):
            self.numbers[f"landings_by_{name}"] = sum(count >= n for count in houses)
        others = [at for at in self.vikings if at not in self.own]
        useful = self.left and "occupied" in self.seat["shields"]
        best = max(map(self.landing_gain, others), default=0)
        self.numbers["best_occupied_landing"] = best if useful else 0
