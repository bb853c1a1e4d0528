"""The judge of second-last turns against every turn there is, and the full player against it."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

import looot_core as lc
from bench.endings import games
from bench.last_turn_judge import best_worth
from bench.second_last_turn import Answers, judge, summary
from bench.second_last_turn_judge import (
    Expectation,
    best_expectation,
    expectation,
    is_second_last,
)

MOST = 60  # turns of a position in which all are valued


@cache
def second_last_turns(count: int) -> tuple[lc.Position, ...]:
    return tuple(game.turns()[-2] for game in games(count, seed=700, agent="greedy"))


def turns(state: lc.State, done: tuple[lc.Action, ...] = ()) -> Iterator[tuple[lc.Action, ...]]:
    """Give every sequence of legal actions up to the end of the turn."""
    for action in state.legal_actions():
        if str(action) == "end":
            yield (*done, action)
        else:
            state.apply(action)
            yield from turns(state, (*done, action))
            state.undo()


def test_the_judge_finds_what_all_turns_are_worth() -> None:
    judged = draws = 0
    for position in second_last_turns(12):
        landings = lc.State.from_position(position).legal_actions()[:3]
        for landing in landings if is_second_last(lc.State.from_position(position)) else ():
            state = lc.State.from_position(position)
            state.apply(landing)
            found = list(islice(turns(state.clone()), MOST))
            if state.phase == lc.Phase.TILES and len(found) < MOST:
                assert best_expectation(state) == max(expectation(state, turn) for turn in found)
                judged += 1
                draws += bool(position.unseen)
    assert judged >= 8
    assert draws >= 3


def test_a_turn_is_worth_the_mean_over_what_may_be_revealed() -> None:
    differing = 0
    for position in second_last_turns(12):
        if len(position.seats) != 2:
            continue
        state = lc.State.from_position(position)
        taking = (t for t in turns(state.clone()) if any("longship" in str(a) for a in t))
        turn = next(taking, None)
        if turn is None:  # no cell is left for one
            continue
        leads = []
        for longship in position.unseen:
            after = state.clone()
            for action in turn:
                after.apply(action, longship if after.reveals(action) else None)
            leads.append(-best_worth(after).lead)
        assert expectation(state, turn).lead == pytest.approx(sum(leads) / len(leads))
        differing += len(set(leads)) > 1
    assert differing >= 1


def test_second_last_is_the_turn_before_another_players_last() -> None:
    kinds = set()
    for game in games(3, seed=700, agent="greedy"):
        *earlier, before, _ = game.turns()
        kinds.add(is_second_last(lc.State.from_position(before)))
        assert not any(is_second_last(lc.State.from_position(p)) for p in earlier)
    assert True in kinds


def test_answers_are_summed_up() -> None:
    game = games(1, seed=0)[0]
    best = Expectation(1.0, 5.0)
    answers = [
        Answers(game, {"a": Expectation(1.0, 3.0)}, best),
        Answers(game, {"a": best}, best),
        Answers(game, {}, None),
    ]
    assert summary(answers) == {
        "positions": 2,
        "left_out": 1,
        "agents": [
            {
                "agent": "a",
                "optimal": 1,
                "mean_loss_of_share": 0.0,
                "largest_loss_of_share": 0.0,
                "mean_loss_of_lead": 1.0,
                "largest_loss_of_lead": 2.0,
            }
        ],
    }


def test_a_search_finds_second_last_turns_as_good_as_the_best() -> None:
    for game in games(2, seed=710, agent="greedy"):
        answer = judge(game, game.turns()[-2], times_s=(0.02,))
        if answer.best is not None:
            assert answer.worths["ismcts, 0.02 s"] <= answer.best
            assert answer.worths["greedy"] <= answer.best
