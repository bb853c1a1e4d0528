"""Positions to test with, from games played at random."""

from __future__ import annotations

import random
from functools import cache

import looot_core as lc


@cache
def random_positions(players: int, edition: str, seed: int) -> tuple[lc.Position, ...]:
    """Give every position of a game, up to and including its end."""
    chance = random.Random(seed)
    state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=seed))
    positions = [state.position()]
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
        positions.append(state.position())
    return tuple(positions)


def position_in(phase: str, players: int = 2, edition: str = "printed") -> lc.Position:
    """Give a position of a phase, from the middle of a game if there is one."""
    found = [
        position
        for seed in range(10)
        for position in random_positions(players, edition, seed)
        if position.phase == phase
    ]
    return found[len(found) // 2]


def position_to_take_a_longship_in() -> tuple[lc.Position, lc.Action]:
    """Give a position whose bag is not empty, and a legal action that takes a longship."""
    for position in random_positions(2, "printed", 0):
        for action in lc.State.from_position(position).legal_actions():
            if str(action).startswith("longship") and position.unseen:
                return position, action
    raise AssertionError("nobody could take a longship in the whole game")
