"""Complete uniform random games: the core's own loop, and the pure-Python rules of the tests."""

from itertools import cycle
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench.games import PLAYER_COUNTS, setups
from bench.timing import Report, median_seconds
from looot_core import State
from tests.reference.game import ReferenceGame

pytestmark = pytest.mark.parametrize("players", PLAYER_COUNTS)

BATCH = 100


def test_core(players: int, benchmark: BenchmarkFixture, report: Report) -> None:
    """One round: a hundred games on each set-up."""
    states = [State(setup) for setup in setups(players)]

    def play() -> None:
        for seed, state in enumerate(states):
            state.random_playouts(BATCH, seed)

    seconds = median_seconds(benchmark, play, rounds=50)
    report("core, playouts/s", players, BATCH * len(states) / seconds)


def test_pure_python(players: int, benchmark: BenchmarkFixture, report: Report) -> None:
    """One round: one game, each on another set-up."""
    starts = cycle([setup.to_dict() | {"bag": None} for setup in setups(players)])
    random = Random(0)

    def play(game: ReferenceGame) -> None:
        while not game.is_over:
            action = random.choice(game.legal_actions())
            draw = None
            if action.startswith("longship ") and game.unseen:
                draw = random.choice(sorted(game.unseen))
            game.apply(action, draw)

    seconds = median_seconds(benchmark, play, 40, lambda: (ReferenceGame(next(starts)),))
    report("pure Python, playouts/s", players, 1 / seconds)
