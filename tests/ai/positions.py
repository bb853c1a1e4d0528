"""Positions of random games."""

import random

import looot_core as lc


def random_position(seed: int, players: int = 2, steps: int | None = None) -> lc.Position:
    """Give the position after some random steps, always one with a player to move."""
    chance = random.Random(seed)
    state = lc.State(lc.GameSetup.random(players=players, seed=seed))
    for _ in range(chance.randrange(120) if steps is None else steps):
        state.apply(chance.choice(state.legal_actions()))
        if state.is_over:
            state.undo()
            break
    return state.position()


def over_position() -> lc.Position:
    chance = random.Random(1)
    state = lc.State(lc.GameSetup.random(seed=1))
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
    return state.position()


def play(state: lc.State, turn: list[lc.Action]) -> None:
    """Play a whole turn; every step must be legal and only the last one is ``end``."""
    mover = state.current_player
    for action in turn:
        assert state.current_player == mover
        assert action in state.legal_actions()
        state.apply(action)
    assert [str(action) for action in turn].index("end") == len(turn) - 1
