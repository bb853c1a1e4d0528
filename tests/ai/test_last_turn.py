"""The solver of the last turn against every sequence of legal actions."""

from functools import cache
from random import Random

import pytest

import looot_core as lc
from ai.greedy import ranked_turns
from ai.last_turn import is_last, solved_turn
from ai.weights import hand_evaluation
from tests.ai.plain_last_turn import Result, best_result, result_of
from tests.ai.positions import play
from tests.positions import random_positions

EDITIONS = ("printed", "rulebook")
GAMES = 24
SMALL = 1_500  # states to look at


@cache
def last_turns(players: int, games: int) -> tuple[lc.Position, ...]:
    """Give positions in which last turns start, and some from the middle of them.

    Greedy players waste a share of their turns, another one each game, so that all sorts of fjords
    come up.
    """
    found = []
    for seed in range(games):
        chance = Random(seed)
        waste = seed % 4 / 4
        setup = lc.GameSetup.random(players=players, edition=EDITIONS[seed % 2], seed=seed)
        state = lc.State(setup)
        while not state.is_over and not is_last(state):
            turn = ranked_turns(state, hand_evaluation(), level=0)[0][0]
            if chance.random() < waste:
                state.apply(chance.choice(state.legal_actions()))
            else:
                for action in turn:
                    state.apply(action)
        for _ in range(3):
            if not state.is_over:
                found.append(state.position())
                state.apply(chance.choice(state.legal_actions()))
    return tuple(found)


def solved(position: lc.Position) -> Result:
    """Play the solver's turn, which must be legal and end the game, and give its result."""
    state = lc.State.from_position(position, seed=1)
    player = state.current_player
    play(state, solved_turn(state)[0])
    assert state.is_over
    return result_of(state, player)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_way_to_play_the_last_turn_is_better(players: int) -> None:
    phases: list[str] = []
    for position in last_turns(players, GAMES):
        best = best_result(lc.State.from_position(position, seed=2), SMALL)
        if best is not None:
            assert solved(position) == best
            phases.append(position.phase)
    assert len(phases) >= 40
    assert phases.count(lc.Phase.VIKING) >= 3


def test_no_way_to_play_a_wide_last_turn_is_better() -> None:
    """The turn that the solver has most to look at for."""
    states = [lc.State.from_position(position) for position in last_turns(2, 2 * GAMES)]
    state = max(states, key=lambda state: solved_turn(state)[1])
    assert solved(state.position()) == best_result(state, 1_000_000)


def test_work_is_limited_but_a_turn_is_always_found() -> None:
    for position in last_turns(2, 20):
        state = lc.State.from_position(position)
        complete, looked = solved_turn(state)
        for most in (0, 1, looked // 2, looked):
            turn, work = solved_turn(state, most)
            play(state.clone(), turn)
            assert work <= looked
            assert work > most or turn == complete


def test_only_a_turn_that_ends_the_game_is_solved() -> None:
    wrong = 0
    for position in random_positions(3, "printed", 4):
        state = lc.State.from_position(position)
        if not is_last(state):
            with pytest.raises(ValueError, match="does not end with this turn"):
                solved_turn(state)
            wrong += 1
            continue
        mover = state.current_player
        while not state.is_over:
            assert state.current_player == mover
            state.apply(state.legal_actions()[0])
    assert wrong > 100
