"""The course of the game (R3-R19, R21), one plain step after the other.

Nothing is remembered that can be found out from what lies on the table: groups, connected pairs,
castle levels, filled requirements and scores are worked out anew whenever they are asked for.
"""

from typing import Any, TypeVar

from tests.reference.components import (
    CELLS,
    KINDS,
    LONGSHIPS,
    RESOURCES,
    SHIELDS,
    STACKS,
    TROPHIES,
    VIKINGS,
    Hex,
)
from tests.reference.groups import castle_levels, connected_pairs, groups_of
from tests.reference.landscape import Landscape
from tests.reference.score import Fjord, breakdown

Setup = dict[str, Any]
Key = TypeVar("Key", str, Hex)


def hex_text(space: Hex) -> str:
    return f"{space[0]},{space[1]}"


def parse_hex(text: str) -> Hex:
    q, r = text.split(",")
    return int(q), int(r)


class ReferenceGame:
    """A game in progress, made from a set-up in the record format."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.players: int = setup["players"]
        self.landscape = Landscape(setup)
        # R3
        self.stacks = {
            space: STACKS[self.landscape.kind[space]] for space in self.landscape.buildings
        }
        # R4: `bag` is the order, where there is one; what everybody knows is the set `unseen`.
        self.ocean: list[str | None] = list(setup["ocean_longships"])
        self.unseen = set(LONGSHIPS[setup["edition"]]) - set(self.ocean)
        self.bag: list[str] | None = list(setup["bag"]) if setup.get("bag") is not None else None
        # R5
        self.hands = [VIKINGS] * self.players
        self.shields = [set(SHIELDS) for _ in range(self.players)]
        self.fjords = [Fjord(sites) for sites in setup["sites"]]
        self.open_trophies = set(TROPHIES)
        self.vikings: dict[Hex, list[int]] = {}
        # The turn
        self.current_player = 0
        self.turn_number = 0
        self.phase = "viking"
        self.active_shields: set[str] = set()
        self.owed_resources: dict[str, int] = {}
        self.owed_buildings: dict[Hex, int] = {}
        self.longship_taken = False

    # What can be done

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    def landing_spaces(self) -> list[Hex]:
        """R6: where a viking may be placed without a shield."""
        harbours = {
            space
            for space, longship in zip(self.landscape.ocean, self.ocean, strict=True)
            if longship is not None
        }
        return [
            space
            for space in self.landscape.resources
            if space not in self.vikings
            and any(
                place in self.vikings or place in harbours
                for place in self.landscape.neighbours[space]
            )
        ]

    def empty_cells(self, player: int) -> list[str]:
        fjord = self.fjords[player]
        return [cell for cell in CELLS if cell not in fjord.tiles and cell not in fjord.longships]

    def legal_actions(self) -> list[str]:
        """Everything the player to move may do, in the order of the action numbers."""
        if self.phase in ("viking", "second_viking"):
            return self._legal_vikings() + self._legal_shields()
        if self.phase == "tiles":
            return self._legal_tiles()
        if self.phase == "end_of_turn":
            # R15: the end is always there.
            return [*self._legal_longships(), *self._legal_trophies(), "end"]
        return []

    def _legal_vikings(self) -> list[str]:
        if "occupied" in self.active_shields:
            spaces = sorted(self.vikings)  # R17
        else:
            spaces = self.landing_spaces()  # R6
        return [f"viking {hex_text(space)}" for space in spaces]

    def _legal_shields(self) -> list[str]:
        usable = []
        for shield in SHIELDS:
            if shield not in self.shields[self.current_player]:
                continue
            if shield == "second" and self.hands[self.current_player] < 2:
                continue  # R16
            if shield == "occupied" and not self.vikings:
                continue  # R17
            usable.append(f"shield {shield}")
        return usable

    def _legal_tiles(self) -> list[str]:
        """R11: any kind that is owed, on any empty cell."""
        owed = set(self.owed_resources) | {
            self.landscape.kind[space] for space in self.owed_buildings
        }
        cells = self.empty_cells(self.current_player)
        return [f"tile {kind} {cell}" for kind in KINDS if kind in owed for cell in cells]

    def _legal_longships(self) -> list[str]:
        """R13: one a turn, from an ocean space to an empty cell."""
        if self.longship_taken:
            return []
        cells = self.empty_cells(self.current_player)
        return [
            f"longship {slot} {cell}"
            for slot, longship in enumerate(self.ocean)
            if longship is not None
            for cell in cells
        ]

    def _legal_trophies(self) -> list[str]:
        """R14: one a game, among those for which the axes suffice."""
        fjord = self.fjords[self.current_player]
        if fjord.trophy:
            return []
        axes = fjord.count("axe")
        return [f"trophy {number}" for number in sorted(self.open_trophies) if number <= axes]

    # Doing it

    def apply(self, action: str, draw: str | None = None) -> None:
        """Carry out a legal action; `draw` is the longship revealed if it takes one."""
        if action not in self.legal_actions():
            raise ValueError(f"{action!r} is not legal now")
        verb, *words = action.split(" ")
        if verb == "shield":
            self._use_shield(words[0])
        elif verb == "viking":
            self._place_viking(parse_hex(words[0]))
        elif verb == "tile":
            self._place_tile(words[0], words[1])
        elif verb == "longship":
            self._take_longship(int(words[0]), words[1], draw)
        elif verb == "trophy":
            self._take_trophy(int(words[0]))
        else:
            self._end_turn()

    def _use_shield(self, shield: str) -> None:
        self.shields[self.current_player].remove(shield)
        self.active_shields.add(shield)

    def _place_viking(self, space: Hex) -> None:
        """R6-R10, and R16 where the shield asks for a second one."""
        player = self.current_player
        groups = self._groups()
        pairs_before = connected_pairs(groups, self.landscape)
        levels_before = castle_levels(groups, self.landscape)
        self.hands[player] -= 1
        self.vikings.setdefault(space, [0] * self.players)[player] += 1
        groups = self._groups()
        pairs_after = connected_pairs(groups, self.landscape)
        levels_after = castle_levels(groups, self.landscape)

        # R7, R18
        kind = self.landscape.kind[space]
        gained = 2 if "double" in self.active_shields else 1
        self.owed_resources[kind] = self.owed_resources.get(kind, 0) + gained
        # R8
        for place in self.landscape.neighbours[space]:
            if self.landscape.kind[place] == "house":
                self._win(place, 1)
        # R9
        for pair in sorted(pairs_after - pairs_before):
            for tower in pair:
                self._win(tower, 1)
        # R10
        for castle in self.landscape.castles:
            self._win(castle, levels_after[castle] - levels_before[castle])

        second = "second" in self.active_shields
        self.active_shields = set()
        if second and self._can_place_viking(player):
            self.phase = "second_viking"
        else:
            self.phase = "tiles"
            self._go_on_placing_tiles()

    def _groups(self) -> list[set[Hex]]:
        player = self.current_player
        own = {space for space, numbers in self.vikings.items() if numbers[player]}
        return groups_of(own, self.landscape)

    def _win(self, space: Hex, number: int) -> None:
        """Take so many tiles from a building space, as far as there are any."""
        number = min(number, self.stacks[space])
        if number:
            self.stacks[space] -= number
            self.owed_buildings[space] = self.owed_buildings.get(space, 0) + number

    def _place_tile(self, kind: str, cell: str) -> None:
        """R11."""
        self.fjords[self.current_player].tiles[cell] = kind
        if kind in RESOURCES:
            _take_one(self.owed_resources, kind)
        else:
            first = min(s for s in self.owed_buildings if self.landscape.kind[s] == kind)
            _take_one(self.owed_buildings, first)
        self._go_on_placing_tiles()

    def _go_on_placing_tiles(self) -> None:
        """R11: without an empty cell, what is owed goes back; with nothing owed, placing ends."""
        if not self.empty_cells(self.current_player):
            for space, number in self.owed_buildings.items():
                self.stacks[space] += number
            self.owed_resources = {}
            self.owed_buildings = {}
        if not self.owed_resources and not self.owed_buildings:
            self.phase = "end_of_turn"

    def _take_longship(self, slot: int, cell: str, draw: str | None) -> None:
        """R13, and R4 for what is revealed."""
        if draw is None and self.bag:
            draw = self.bag[0]
        if (draw is None) != (not self.unseen) or (draw is not None and draw not in self.unseen):
            raise ValueError(f"{draw!r} cannot be what is revealed now")
        longship = self.ocean[slot]
        assert longship is not None
        self.fjords[self.current_player].longships[cell] = longship
        self.longship_taken = True
        self.ocean[slot] = draw
        if draw is not None:
            self.unseen.remove(draw)
            if self.bag is not None:
                self.bag.remove(draw)

    def _take_trophy(self, number: int) -> None:
        """R14."""
        self.open_trophies.remove(number)
        self.fjords[self.current_player].trophy = number

    def _end_turn(self) -> None:
        """R15, R19: on to the next player who can place a viking, if there is one."""
        self.turn_number += 1
        self.longship_taken = False
        for step in range(1, self.players + 1):
            player = (self.current_player + step) % self.players
            if self._can_place_viking(player):
                self.current_player = player
                self.phase = "viking"
                return
        self.phase = "over"

    def _can_place_viking(self, player: int) -> bool:
        """R19: a viking in hand and a space for it, be it through the shield of R17."""
        occupied = "occupied" in self.shields[player] and bool(self.vikings)
        return self.hands[player] > 0 and (occupied or bool(self.landing_spaces()))

    # What there is to see

    def score_breakdown(self, player: int) -> dict[str, Any]:
        return breakdown(self.fjords[player])

    def scores(self) -> list[int]:
        return [breakdown(fjord)["total"] for fjord in self.fjords]

    def winners(self) -> list[int]:
        """R21: the highest score, then the higher trophy, then several."""
        results = [
            (score, fjord.trophy) for score, fjord in zip(self.scores(), self.fjords, strict=True)
        ]
        return [player for player, result in enumerate(results) if result == max(results)]

    def buildings(self) -> dict[Hex, int]:
        """Give the tiles left on every building space."""
        return dict(self.stacks)

    def position_dict(self) -> dict[str, Any]:
        """Everything public, in the shape of a position's JSON."""
        public = ("format", "edition", "players", "landscape", "ocean", "trophy_board", "sites")
        return {
            **{key: self.setup[key] for key in public},
            "seats": [
                {
                    "vikings_in_hand": self.hands[player],
                    "shields": [name for name in SHIELDS if name in self.shields[player]],
                    "tiles": dict(fjord.tiles),
                    "longships": dict(fjord.longships),
                    "trophy": fjord.trophy,
                }
                for player, fjord in enumerate(self.fjords)
            ],
            "vikings": {hex_text(space): list(n) for space, n in self.vikings.items()},
            "buildings": {hex_text(space): number for space, number in self.stacks.items()},
            "ocean_longships": list(self.ocean),
            "unseen": [text for text in LONGSHIPS[self.setup["edition"]] if text in self.unseen],
            "current_player": self.current_player,
            "turn_number": self.turn_number,
            "phase": self.phase,
            "active_shields": [name for name in SHIELDS if name in self.active_shields],
            "owed": {
                "resources": dict(self.owed_resources),
                "buildings": {hex_text(s): number for s, number in self.owed_buildings.items()},
            },
            "longship_taken": self.longship_taken,
        }

    def action_index(self, action: str) -> int:
        """Give the number of an action in the space of 501 shared by all set-ups."""
        verb, *words = action.split(" ")
        if verb == "viking":
            return self.landscape.resources.index(parse_hex(words[0]))
        if verb == "shield":
            return 84 + SHIELDS.index(words[0])
        if verb == "tile":
            return 87 + KINDS.index(words[0]) * 34 + CELLS.index(words[1])
        if verb == "longship":
            return 325 + int(words[0]) * 34 + CELLS.index(words[1])
        if verb == "trophy":
            return 493 + int(words[0])
        return 500


def _take_one(owed: dict[Key, int], key: Key) -> None:
    owed[key] -= 1
    if not owed[key]:
        del owed[key]
