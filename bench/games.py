"""The set-ups and recorded random games that everything here is measured on."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import looot_core.state
from looot_core import Action, GameSetup, State

EDITION = "printed"
PLAYER_COUNTS = (2, 3, 4)
SETUPS = 20
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class RandomGame:
    """A game played at random: its start, its actions, and the state before each of them."""

    start: State
    actions: tuple[Action, ...]
    states: tuple[State, ...]


def setups(players: int) -> list[GameSetup]:
    return [GameSetup.random(players=players, edition=EDITION, seed=seed) for seed in range(SETUPS)]


@cache
def random_games(players: int) -> tuple[RandomGame, ...]:
    """Play one game on each set-up; the bag's order is fixed, so that it can be played again."""
    return tuple(_play(State(setup), Random(i)) for i, setup in enumerate(setups(players)))


def _play(start: State, random: Random) -> RandomGame:
    state = start.clone()
    actions, states = [], []
    while not state.is_over:
        states.append(state.clone())
        actions.append(random.choice(state.legal_actions()))
        state.apply(actions[-1])
    return RandomGame(start, tuple(actions), tuple(states))


def build_kind() -> str:
    """Tell which build of the core is loaded: "native", "portable", "sanitize" or "unknown".

    Every build leaves its modules in a folder of its own kind, so the loaded module is looked for
    there, byte for byte; a variable of the environment might not be that of the build.
    """
    loaded = Path(looot_core.state.__file__)
    for kind in ("native", "portable", "sanitize"):
        for built in (ROOT / "build" / kind).glob(f"lib*/looot_core/{loaded.name}"):
            if built.read_bytes() == loaded.read_bytes():
                return kind
    return "unknown"
