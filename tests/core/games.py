"""Random games on the core and the recorded games, for the property tests."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

import looot_core as lc

DATA = Path(__file__).parents[1] / "data"
EDITIONS = ("rulebook", "printed")

seeds = st.integers(0, 2**64 - 1)
setups = st.builds(lc.GameSetup.random, st.integers(2, 4), st.sampled_from(EDITIONS), seeds)


@cache
def recorded(edition: str) -> tuple[lc.GameRecord, ...]:
    return tuple(lc.GameRecord.load(DATA / f"{edition}.jsonl"))


def choose(state: lc.State, random: Random) -> lc.Action:
    """Choose what to do first, then how, so that the rare actions come up too."""
    legal = state.legal_actions()
    verb = random.choice(sorted({str(action).split()[0] for action in legal}))
    return random.choice([action for action in legal if str(action).split()[0] == verb])


def play(state: lc.State, random: Random, steps: int = 1000) -> list[lc.Action]:
    """Play at random, to the end if the steps suffice, and give the actions played."""
    played: list[lc.Action] = []
    while not state.is_over and len(played) < steps:
        played.append(choose(state, random))
        state.apply(played[-1])
    return played


def seen(state: lc.State) -> dict[str, Any]:
    """Give everything public of a state but its drawings, in values that can be compared."""
    return {
        "position": state.position().to_dict(),
        "hash": state.hash(),
        "mask": state.legal_mask().tobytes(),
        "legal": [str(action) for action in state.legal_actions()],
        "landing": state.landing_spaces(),
        "scores": state.scores(),
        "breakdown": [state.score_breakdown(player) for player in range(state.players)],
        "winners": state.winners(),
        "unseen": state.unseen,
        "repr": repr(state),
        "facts": (state.edition, state.players, state.current_player, state.phase, state.is_over),
        "turn": (state.turn_number, state.sites, state.landscape),
    }


def shown(state: lc.State) -> list[str]:
    """Give the drawings of a state and its position, and their short names."""
    position = state.position()
    return [str(state), repr(state), str(position), repr(position), lc.svg(state), lc.svg(position)]
