"""One call from Python, the cost of the loop around it included.

A call is measured over every state of random games, from the start to the last action, so that all
phases count as often as they are met.
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench.games import PLAYER_COUNTS, RandomGame, random_games
from bench.timing import NANOSECONDS, Report, median_seconds
from looot_core import State

pytestmark = pytest.mark.parametrize("players", PLAYER_COUNTS)

ROUNDS = 50

Playing = list[tuple[State, RandomGame]]


def games_at_the_start(players: int) -> Playing:
    return [(game.start.clone(), game) for game in random_games(players)]


def games_at_the_end(players: int) -> Playing:
    playing = games_at_the_start(players)
    apply_all(playing)
    return playing


def apply_all(playing: Playing) -> None:
    for state, game in playing:
        for action in game.actions:
            state.apply(action)


def undo_all(playing: Playing) -> None:
    for state, game in playing:
        for _ in game.actions:
            state.undo()


@pytest.mark.parametrize(
    ("method", "function", "playing"),
    [("apply", apply_all, games_at_the_start), ("undo", undo_all, games_at_the_end)],
)
def test_change(
    method: str,
    function: Callable[[Playing], None],
    playing: Callable[[int], Playing],
    players: int,
    benchmark: BenchmarkFixture,
    report: Report,
) -> None:
    actions = sum(len(game.actions) for game in random_games(players))
    seconds = median_seconds(benchmark, function, ROUNDS, lambda: (playing(players),))
    report(f"{method}, ns", players, seconds / actions * NANOSECONDS)


@pytest.mark.parametrize(
    "method", ["legal_actions", "legal_mask", "clone", "hash", "scores", "position"]
)
def test_query(method: str, players: int, benchmark: BenchmarkFixture, report: Report) -> None:
    states = [state for game in random_games(players) for state in game.states]
    if method == "position":  # much slower than the others
        states = states[::20]
    calls: list[Callable[[], object]] = [getattr(state, method) for state in states]

    def call_all() -> None:
        for call in calls:
            call()

    seconds = median_seconds(benchmark, call_all, ROUNDS)
    report(f"{method}, ns", players, seconds / len(calls) * NANOSECONDS)
