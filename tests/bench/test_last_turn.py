"""The judge of last turns against every sequence of actions, and the full player against it."""

from functools import cache

import pytest

import looot_core as lc
from ai.last_turn import is_last
from bench.endings import Game, games
from bench.last_turn import judge
from bench.last_turn_judge import Worth, best_worth, worth_of
from tests.ai.crowded import crowded_positions, empty_cells, owed

MOST = 20_000  # sequences of a position that are small enough to look at all


@cache
def last_turns(count: int) -> tuple[lc.Position, ...]:
    """Give positions from the last turns of greedy games, and of games that fill the last fjord."""
    found = []
    for game in games(count, seed=300, agent="greedy"):
        state = lc.State.from_position(game.turns()[-1])
        while not state.is_over:
            found.append(state.position())
            state.apply(state.legal_actions()[0])
    for seed in range(count):
        found += [
            position
            for position in crowded_positions(2, "printed", seed, seat=1)
            if is_last(lc.State.from_position(position))
        ]
    return tuple(found)


def best_of_all(state: lc.State) -> Worth | None:
    """Try every sequence of legal actions, nothing left out; None if there are too many."""
    player, best, tried = state.current_player, Worth(-1.0, 0), 0

    def play() -> None:
        nonlocal best, tried
        if state.is_over:
            best = max(best, worth_of(state, player))
            tried += 1
            return
        for action in state.legal_actions():
            if tried < MOST:
                state.apply(action)
                play()
                state.undo()

    play()
    return best if tried < MOST else None


def test_the_judge_finds_what_all_sequences_of_actions_find() -> None:
    phases = set()
    full = judged = 0
    for position in last_turns(30):
        best = best_of_all(lc.State.from_position(position))
        if best is not None:
            assert best_worth(lc.State.from_position(position)) == best
            judged += 1
            phases.add(position.phase)
            full += owed(position) > empty_cells(position)
    assert judged >= 100
    assert phases == {lc.Phase.VIKING, lc.Phase.TILES, lc.Phase.END_OF_TURN}
    assert full >= 1  # not all that was won finds a cell (R11)


def test_victory_counts_before_the_lead_and_the_trophy_breaks_a_tie() -> None:
    assert Worth(1.0, 0) > Worth(0.5, 0) > Worth(0.0, 0) > Worth(0.0, -1)
    shares = set()
    for game in games(30, seed=300, agent="greedy"):
        state = lc.State.from_position(game.turns()[-1])
        player = state.current_player
        while not state.is_over:
            state.apply(state.legal_actions()[-1])
        worth = worth_of(state, player)
        scores = state.scores()
        assert worth.lead == scores[player] - max(scores[:player] + scores[player + 1 :])
        assert worth.share == (1 / len(state.winners()) if player in state.winners() else 0)
        shares.add(worth.share)
    assert shares >= {0.0, 1.0}


@pytest.mark.parametrize("game", games(12, seed=500, simulations=20), ids=str)
def test_the_full_player_plays_the_best_last_turn(game: Game) -> None:
    answer = judge(game, game.turns()[-1])
    assert answer.worth == answer.best


def test_a_player_without_sight_misses_some_of_them() -> None:
    answers = [
        judge(game, game.turns()[-1], "random") for game in games(6, seed=500, agent="greedy")
    ]
    assert any(answer.worth < answer.best for answer in answers)
