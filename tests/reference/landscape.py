"""The shared map, put together from the boards of a set-up; what R1 and R2 ask of it."""

from collections.abc import Sequence
from typing import Any

from tests.reference.components import DATA, KIND_OF_LETTER, Hex, around, axial, drawn_spaces

Placed = dict[Hex, str]
"""The spaces a placed board covers, with their letters, in the order of its columns as drawn."""


def rotate(place: Hex, turns: int) -> Hex:
    """Turn a hex clockwise about (0, 0) by so many times 60 degrees."""
    q, r = place
    for _ in range(turns):
        q, r = -r, q + r
    return q, r


def lay(rows: list[str], q: int, r: int, turns: int) -> Placed:
    """Turn a drawn board about its own (0, 0) and move it to (q, r)."""
    placed: Placed = {}
    for column, row, letter in drawn_spaces(rows):
        turned_q, turned_r = rotate(axial(column, row), turns)
        placed[q + turned_q, r + turned_r] = letter
    return placed


def lay_board(placement: Sequence[Any]) -> Placed:
    name, q, r, turns = placement
    return lay(DATA["landscape_boards"][name], q, r, turns)


def lay_ocean(placement: Sequence[Any]) -> Placed:
    face, q, r, turns = placement
    return lay(DATA["ocean_board"][face], q, r, turns)


def lay_trophy_board(placement: Sequence[Any]) -> Placed:
    face, q, r, turns = placement
    return lay(DATA["trophy_board"][face], q, r, turns)


def shared_sides(one: Placed, other: Placed) -> int:
    """Count the hex sides at which two placed boards touch."""
    return sum(place in other for space in one for place in around(space))


def boards_interlock(one: Placed, other: Placed) -> bool:
    """R1: two boards slot together."""
    return not one.keys() & other.keys() and shared_sides(one, other) >= 11


def edge_board_lies_at(edge: Placed, board: Placed) -> bool:
    """R2: an ocean or trophy board lies along one edge of this board."""
    resources = {space: letter for space, letter in edge.items() if letter in "WSGA"}
    return (
        not edge.keys() & board.keys()
        and shared_sides(edge, board) >= 6
        and shared_sides(resources, board) >= 4
    )


def arrangement_is_legal(setup: dict[str, Any]) -> bool:
    """R1, R2: whether the boards of a set-up may lie as they do."""
    names = [placement[0] for placement in setup["landscape"]]
    if len(names) != setup["players"] or len({name[0] for name in names}) != len(names):
        return False
    boards = [lay_board(placement) for placement in setup["landscape"]]
    edges = [lay_ocean(setup["ocean"]), lay_trophy_board(setup["trophy_board"])]
    everything = boards + edges
    if len(set().union(*everything)) != sum(len(placed) for placed in everything):
        return False
    laid, waiting = boards[:1], boards[1:]
    while waiting:
        fitting = [b for b in waiting if any(boards_interlock(b, other) for other in laid)]
        if not fitting:
            return False
        laid.append(fitting[0])
        waiting.remove(fitting[0])
    return all(any(edge_board_lies_at(edge, board) for board in boards) for edge in edges)


class Landscape:
    """All spaces of a set-up's map: what each is, which lie side by side."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.kind: dict[Hex, str] = {}
        for placement in setup["landscape"]:
            for space, letter in lay_board(placement).items():
                self.kind[space] = KIND_OF_LETTER[letter]
        self.ocean: list[Hex] = []
        for space, letter in lay_ocean(setup["ocean"]).items():
            self.kind[space] = "ocean" if letter == "~" else KIND_OF_LETTER[letter]
            if letter == "~":
                self.ocean.append(space)
        for space, letter in lay_trophy_board(setup["trophy_board"]).items():
            self.kind[space] = "trophy" if letter == "*" else KIND_OF_LETTER[letter]

        self.neighbours = {
            space: [place for place in around(space) if place in self.kind] for space in self.kind
        }
        self.resources = self.all_of("wood", "sheep", "gold", "axe")
        self.houses = self.all_of("house")
        self.watchtowers = self.all_of("watchtower")
        self.castles = self.all_of("castle")
        self.buildings = self.all_of("house", "watchtower", "castle")

    def all_of(self, *kinds: str) -> list[Hex]:
        """Give the spaces of these kinds in the order of their numbers."""
        return sorted(space for space, kind in self.kind.items() if kind in kinds)

    def shore(self) -> set[Hex]:
        """Give the resource spaces beside an ocean space."""
        return {
            space
            for space in self.resources
            if any(place in self.ocean for place in self.neighbours[space])
        }
