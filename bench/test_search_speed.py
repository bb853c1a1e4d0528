"""Searches side by side, OpenSpiel's among them, and what they are made of.

All search the starts of turns of games that the greedy agent with the hand-written evaluation
played, in one thread. What a simulation is differs: `ismcts` plays whole turns and asks its
evaluation, the others play to the end at random.
"""

from collections.abc import Callable
from functools import cache

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import ai
from ai.greedy import ranked_turns
from ai.last_turn import is_last
from ai.turn_search import TurnSearch
from ai.weights import hand_evaluation, learned_evaluation
from bench.games import PLAYER_COUNTS, setups
from bench.search_loops import evaluate_states, find_turns_of
from bench.timing import NANOSECONDS, Report, median_seconds
from looot_core import State

pytestmark = pytest.mark.parametrize("players", PLAYER_COUNTS)

GAMES = 4
TURNS_APART = 7
MEMORY = 1 << 28
REPEATED = 100


@cache
def turn_starts(players: int) -> tuple[State, ...]:
    """Give some states in which turns start."""
    found = []
    for setup in setups(players)[:GAMES]:
        state = State(setup)
        turn = 0
        while not state.is_over and not is_last(state):  # last turns are solved
            if turn % TURNS_APART == 0:
                found.append(State.from_position(state.position(), seed=0))
            for action in ranked_turns(state, hand_evaluation(), 0)[0][0]:
                state.apply(action)
            turn += 1
    return tuple(found)


@pytest.mark.parametrize(
    ("name", "simulations", "rounds"),
    [("ismcts", 200, 7), ("ismcts_plain", 500, 7), ("flat_mc", 500, 7), ("OpenSpiel", 20, 3)],
)
def test_simulations(
    name: str,
    simulations: int,
    rounds: int,
    players: int,
    benchmark: BenchmarkFixture,
    report: Report,
) -> None:
    """One round: the same number of simulations in every position, the answer included."""
    states = turn_starts(players)
    states = states[:: 6 if name == "OpenSpiel" else 1]
    positions = [state.position() for state in states]
    make = openspiel_agent() if name == "OpenSpiel" else lambda: ai.create_agent(name, seed=1)
    limits = ai.Limits(simulations=simulations)
    done = sum(make().analyze(position, limits).simulations for position in positions)

    def search() -> None:
        agent = make()
        for position in positions:
            agent.analyze(position, limits)

    seconds = median_seconds(benchmark, search, rounds)
    report(f"{name}, simulations/s", players, done / seconds)


def openspiel_agent() -> Callable[[], ai.Agent]:
    reason = "the extra 'openspiel' is not installed"
    module = pytest.importorskip("ai.open_spiel_agent", reason=reason)
    return lambda: module.OpenSpielIsmctsAgent(seed=1)


def test_evaluation(players: int, benchmark: BenchmarkFixture, report: Report) -> None:
    """One round: a hundred forecasts of all seats in every position."""
    states = list(turn_starts(players))

    def evaluate() -> None:
        evaluate_states(states, learned_evaluation(), REPEATED)

    seconds = median_seconds(benchmark, evaluate, rounds=20)
    report("evaluation of all seats, ns", players, seconds / REPEATED / len(states) * NANOSECONDS)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_finding_turns(
    level: int, players: int, benchmark: BenchmarkFixture, report: Report
) -> None:
    states = list(turn_starts(players))

    def find() -> None:
        find_turns_of(states, learned_evaluation(), level)

    seconds = median_seconds(benchmark, find, rounds=20)
    report(f"turns found at level {level}, us", players, seconds / len(states) * 1e6)


def test_memory(players: int, benchmark: BenchmarkFixture, report: Report) -> None:
    """All bytes of a tree by its nodes, and how many nodes a simulation adds."""
    searches: list[TurnSearch] = []

    def run() -> None:
        searches.append(TurnSearch(turn_starts(players)[0], learned_evaluation(), 1, MEMORY))
        searches[-1].run(2000, None, 600.0, None)

    median_seconds(benchmark, run, rounds=1)
    search = searches[-1]
    report("ismcts, bytes a node", players, search.memory_bytes / search.nodes)
    report("ismcts, nodes a simulation", players, search.nodes / search.simulations)
    position = turn_starts(players)[0].position()
    plain = ai.create_agent("ismcts_plain", seed=1).analyze(position, ai.Limits(simulations=20_000))
    report("ismcts_plain, bytes a node", players, plain.memory_bytes / plain.nodes)
