"""Random set-ups, found by trying out: every way in which R1 and R2 let boards lie."""

from functools import cache
from itertools import product
from random import Random
from typing import Any

from tests.reference.components import DATA, LONGSHIPS, SITES, Hex
from tests.reference.landscape import (
    Placed,
    boards_interlock,
    edge_board_lies_at,
    lay_board,
    lay_ocean,
    lay_trophy_board,
    rotate,
)

Way = tuple[int, int, int]
"""Where a board lies (q, r) and how often it is turned."""


def ways_around(space: Hex, reach: int) -> list[Way]:
    q, r = space
    steps = range(-reach, reach + 1)
    return [(q + dq, r + dr, turns) for dq, dr, turns in product(steps, steps, range(6))]


@cache
def interlocking_ways() -> list[Way]:
    """R1: how a board may lie against another one at (0, 0) that is not turned."""
    board = lay_board(["1A", 0, 0, 0])
    return [
        way for way in ways_around((0, 0), 13) if boards_interlock(lay_board(["2A", *way]), board)
    ]


@cache
def edge_ways() -> list[Way]:
    """R2: how an ocean or trophy board may lie against a board at (0, 0) that is not turned."""
    board = lay_board(["1A", 0, 0, 0])
    return [
        way for way in ways_around((0, 0), 13) if edge_board_lies_at(lay_ocean(["A", *way]), board)
    ]


def beside(placement: list[Any], way: Way) -> Way:
    """Turn a way against a board at (0, 0) into one against this board."""
    _, q, r, turns = placement
    way_q, way_r = rotate((way[0], way[1]), turns)
    return q + way_q, r + way_r, (turns + way[2]) % 6


def overlaps(placed: Placed, laid: list[Placed]) -> bool:
    return any(placed.keys() & other.keys() for other in laid)


def random_arrangement(random: Random, players: int) -> dict[str, Any]:
    """Lay board after board at random; start again where nothing fits any more."""
    while True:
        names = random.sample("1234", players)
        names = [name + random.choice("AB") for name in names]
        landscape: list[list[Any]] = [[names[0], 0, 0, random.randrange(6)]]
        for name in names[1:]:
            laid = [lay_board(placement) for placement in landscape]
            ways = {
                beside(placement, way) for placement in landscape for way in interlocking_ways()
            }
            fitting = [way for way in sorted(ways) if not overlaps(lay_board([name, *way]), laid)]
            if fitting:
                landscape.append([name, *random.choice(fitting)])
        laid = [lay_board(placement) for placement in landscape]
        edges = {beside(placement, way) for placement in landscape for way in edge_ways()}
        oceans = [way for way in sorted(edges) if not overlaps(lay_ocean(["A", *way]), laid)]
        if len(landscape) < players or not oceans:
            continue
        ocean = [random.choice("AB"), *random.choice(oceans)]
        laid.append(lay_ocean(ocean))
        rest = [way for way in sorted(edges) if not overlaps(lay_trophy_board(["A", *way]), laid)]
        if not rest:
            continue
        trophy_board = [random.choice("AB"), *random.choice(rest)]
        return {"landscape": landscape, "ocean": ocean, "trophy_board": trophy_board}


def random_setup(random: Random, players: int, edition: str) -> dict[str, Any]:
    """R1-R5: everything that chance decides before the game, bag order included."""
    arrangement = random_arrangement(random, players)
    longships = random.sample(LONGSHIPS[edition], 30)
    kinds = [random.sample(DATA["editions"][edition]["sites"][site], players) for site in SITES]
    return {
        "format": 1,
        "edition": edition,
        "players": players,
        **arrangement,
        "sites": [list(sites) for sites in zip(*kinds, strict=True)],
        "ocean_longships": longships[:5],
        "bag": longships[5:],
    }
