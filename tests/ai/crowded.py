"""Games in which fjords fill up, for what random ones hardly show."""

from __future__ import annotations

from functools import cache

import looot_core as lc
from ai.evaluation import Evaluation
from ai.features import FEATURE_NAMES
from ai.greedy import ranked_turns
from ai.hand_weights import hand_weights
from tests.reference.components import CELLS


def empty_cells(position: lc.Position) -> int:
    seat = position.seats[position.current_player]
    return len(CELLS) - len(seat.tiles) - len(seat.longships)


def owed(position: lc.Position) -> int:
    return sum(position.owed.resources.values()) + sum(position.owed.buildings.values())


@cache
def filling_evaluation() -> Evaluation:
    """Give an evaluation that likes nothing but full fjords, and long groups to fill them by."""
    weights = hand_weights()
    weights["linear"][:] = 0
    for name, value in (("empty", -50), ("castle_potential", 1), ("towers_joinable", 1)):
        weights["linear"][FEATURE_NAMES.index(name)] = value
    return Evaluation(weights)


@cache
def crowded_positions(
    players: int, edition: str, seed: int, seat: int = 0
) -> tuple[lc.Position, ...]:
    """Give every position but the last of a game in which a seat gets all that it can take."""
    state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=seed))
    positions = []
    while not state.is_over:
        ranked = ranked_turns(state, filling_evaluation(), level=1)
        for action in ranked[0 if state.current_player == seat else -1][0]:
            positions.append(state.position())
            state.apply(action)
    return tuple(positions)
