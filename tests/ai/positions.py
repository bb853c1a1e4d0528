"""Positions to search, and turns played."""

import random

import looot_core as lc
from tests.positions import position_in, random_positions


def random_position(
    seed: int, players: int = 2, steps: int | None = None, edition: str = "rulebook"
) -> lc.Position:
    """Give the position after some random steps, always one with a player to move."""
    positions = random_positions(players, edition, seed)[:-1]
    steps = random.Random(seed).randrange(120) if steps is None else steps
    return positions[min(steps, len(positions) - 1)]


def over_position() -> lc.Position:
    return position_in("over")


def play(state: lc.State, turn: list[lc.Action]) -> None:
    """Play a whole turn; every step must be legal and only the last one is ``end``."""
    mover = state.current_player
    for action in turn:
        assert state.current_player == mover
        assert action in state.legal_actions()
        state.apply(action)
    assert [str(action) for action in turn].index("end") == len(turn) - 1
