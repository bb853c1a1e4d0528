"""Random playouts against what their distribution must be, worked out action by action."""

from collections import Counter, defaultdict
from functools import cache
from random import Random

import pytest

import looot_core as lc
from tests.core.games import choose

PLAYOUTS = 20_000
Chances = dict[tuple[int, ...], float]


def chances(state: lc.State) -> Chances:
    """Give the probability of each final result when every legal action is equally likely."""
    found: dict[int, Chances] = {}

    def of(node: lc.State) -> Chances:
        if node.is_over:
            return {tuple(node.scores()): 1.0}
        if node.hash() not in found:
            total: defaultdict[tuple[int, ...], float] = defaultdict(float)
            legal = node.legal_actions()
            for action in legal:
                node.apply(action)
                for result, chance in of(node).items():
                    total[result] += chance / len(legal)
                node.undo()
            found[node.hash()] = dict(total)
        return found[node.hash()]

    return of(state.clone())


@cache
def last_turn(players: int, phase: lc.Phase) -> lc.State:
    """Give a game at its last turn, with something to lay out and few cells left."""
    for seed in range(10_000):
        state, random = lc.State(lc.GameSetup.random(players, "printed", seed)), Random(seed)
        while not state.is_over:
            position = state.position()
            hands = [seat.vikings_in_hand for seat in position.seats]
            seat = position.seats[state.current_player]
            empty = 34 - len(seat.tiles) - len(seat.longships)
            if state.phase is phase and not any(hands) and 3 <= empty <= 7:
                return state
            state.apply(choose(state, random))
    raise AssertionError("no such game is found")


@pytest.mark.parametrize("phase", [lc.Phase.TILES, lc.Phase.END_OF_TURN])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_results_are_as_likely_as_uniform_actions_make_them(players: int, phase: lc.Phase) -> None:
    state = last_turn(players, phase)
    expected = chances(state)
    assert len(expected) > 1
    counts = Counter(map(tuple, state.random_playouts(PLAYOUTS, 7).tolist()))
    assert counts.keys() <= expected.keys()
    for result, chance in expected.items():
        mean = PLAYOUTS * chance
        # Five standard deviations; the seeds are fixed.
        assert abs(counts[result] - mean) <= 5 * (mean * (1 - chance)) ** 0.5 + 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_scores_are_on_average_those_of_games_played_action_by_action(players: int) -> None:
    state, random = lc.State(lc.GameSetup.random(players, "printed", 5)), Random(5)
    played = []
    for _ in range(400):
        twin = state.clone()
        while not twin.is_over:
            twin.apply(random.choice(twin.legal_actions()))
        played.append(sum(twin.scores()))
    scores = state.random_playouts(4000, 5).sum(axis=1)
    mean = sum(played) / len(played)
    error = scores.std() * (1 / len(played) + 1 / len(scores)) ** 0.5
    assert abs(scores.mean() - mean) < 4 * error
