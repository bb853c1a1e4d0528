"""First actions to choose among, an early end, and the time of a turn from a game clock."""

from __future__ import annotations

from typing import Any

import pytest

import ai
import looot_core as lc
from ai.last_turn import is_last
from ai.limits import MOST_OF_CLOCK
from tests.ai.plain_last_turn import best_result
from tests.ai.positions import play, random_position
from tests.positions import position_in, random_positions

START = random_position(1, steps=0)
SEARCHES = ("flat_mc", "ismcts", "ismcts_plain")


def legal_in(position: lc.Position) -> list[lc.Action]:
    return lc.State.from_position(position).legal_actions()


@pytest.mark.parametrize("field", ["only", "without"])
@pytest.mark.parametrize(
    "value",
    [1, "end", ["end"], [None], object()],
    ids=["number", "text", "texts", "nothing", "object"],
)
def test_what_is_no_collection_of_actions_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ai.InvalidLimitsError, match=rf"^{field}: "):
        ai.Limits(**{field: value})


def test_nothing_to_choose_is_refused() -> None:
    with pytest.raises(ai.InvalidLimitsError, match=r"^only: there is no action to choose$"):
        ai.Limits(only=[])
    for limits in (
        ai.Limits(without=legal_in(START)),
        ai.Limits(only=legal_in(START)[:2], without=legal_in(START)[:3]),
    ):
        with pytest.raises(ai.InvalidLimitsError, match=r"^without: no first action is left"):
            ai.create_agent("random").analyze(START, limits)


@pytest.mark.parametrize("name", ai.agent_names())
@pytest.mark.parametrize("field", ["only", "without"])
def test_an_action_that_is_not_legal_is_refused_by_name(name: str, field: str) -> None:
    wrong = lc.Action.parse("tile wood d3", START)
    limits = ai.Limits(simulations=10, **{field: [legal_in(START)[0], wrong]})  # type: ignore[arg-type]
    with pytest.raises(ai.InvalidLimitsError, match=rf"^{field}: tile wood d3 is not legal"):
        ai.create_agent(name).analyze(START, limits)


@pytest.mark.parametrize("name", ["early_end", "processor_time"])
def test_switches_are_true_or_false(name: str) -> None:
    wrong: dict[str, Any] = {name: 1}
    with pytest.raises(ai.InvalidLimitsError, match=rf"^{name}: 1 is neither"):
        ai.Limits(**wrong)


@pytest.mark.parametrize("name", ai.agent_names())
@pytest.mark.parametrize("level", [10, 3])
def test_turns_begin_with_the_first_actions_that_are_allowed(name: str, level: int) -> None:
    for seed in range(24):
        position = random_position(seed, 2 + seed % 3)
        legal = legal_in(position)
        agent = ai.create_agent(name, level=level, seed=seed)
        chosen = legal[:: max(1, len(legal) // 3)]
        cases = [(chosen, ai.Limits(simulations=80, only=chosen))]
        if len(legal) > 1:
            best = agent.analyze(position, ai.Limits(simulations=80)).turn[0]
            rest = [action for action in legal if action != best]
            cases.append((rest, ai.Limits(simulations=80, without={best})))
        for allowed, limits in cases:
            analysis = agent.analyze(position, limits)
            assert analysis.turn == analysis.candidates[0].turn
            for candidate in analysis.candidates:
                assert candidate.action in allowed
                play(lc.State.from_position(position), candidate.turn)
                play_variation(position, candidate.principal_variation)


def play_variation(position: lc.Position, line: list[lc.Action]) -> None:
    state = lc.State.from_position(position)
    for action in line:
        assert action in state.legal_actions()
        state.apply(action)


@pytest.mark.parametrize("name", ["greedy", "flat_mc", "ismcts_plain"])
def test_each_of_a_few_first_actions_becomes_a_candidate(name: str) -> None:
    for position in (START, position_in("tiles"), position_in("end_of_turn")):
        few = legal_in(position)[::4]
        analysis = ai.create_agent(name, seed=1).analyze(
            position, ai.Limits(simulations=2000, only=few)
        )
        assert {candidate.action for candidate in analysis.candidates} == set(few)


def test_to_allow_all_that_is_legal_misses_no_better_turn() -> None:
    for seed in range(10):
        position = random_position(seed, steps=0)
        agent = ai.create_agent("greedy")
        free, all_allowed = (
            agent.analyze(position, ai.Limits(only=only)).candidates[0].score_lead
            for only in (None, legal_in(position))
        )
        assert free is not None
        assert all_allowed is not None
        assert all_allowed >= free - 1.0


@pytest.mark.parametrize("players", [2, 3])
def test_the_last_turn_is_solved_among_the_first_actions(players: int) -> None:
    position = next(
        position
        for position in random_positions(players, "printed", 3)
        if position.phase != lc.Phase.OVER and is_last(lc.State.from_position(position))
    )
    mover = position.current_player
    solved = 0
    for action in legal_in(position)[::5]:
        analysis = ai.create_agent("ismcts").analyze(position, ai.Limits(time_s=1, only=[action]))
        assert analysis.stopped_by == "complete"
        state = lc.State.from_position(position)
        state.apply(action)
        play(lc.State.from_position(position), analysis.turn)
        assert analysis.turn[0] == action
        best = best_result(state, 50_000)
        if best is not None:
            assert analysis.expected_scores[mover] == best[0]
            solved += 1
    assert solved


@pytest.mark.parametrize("name", SEARCHES)
def test_an_early_end_repeats_and_keeps_the_choice(name: str) -> None:
    ended = 0
    for position in random_positions(2, "printed", 5)[: -1 : 12 if name == "ismcts" else 3]:
        if is_last(lc.State.from_position(position)):
            continue
        whole, early, again = (
            ai.create_agent(name, seed=1).analyze(
                position, ai.Limits(simulations=1500, early_end=early_end)
            )
            for early_end in (False, True, True)
        )
        assert early.candidates == again.candidates
        assert early.simulations == again.simulations
        if early.stopped_by == "early_end":
            ended += 1
            assert early.simulations < 1500
            if name == "ismcts":  # which judges by chances: an equal turn may come first in the end
                values = {tuple(c.turn): c.win_probability or 0.0 for c in whole.candidates}
                assert values[tuple(early.turn)] >= values[tuple(whole.turn)] - 0.02
            else:
                assert whole.turn == early.turn
        else:
            assert early.candidates == whole.candidates
    assert ended


def test_nothing_ends_early_unless_allowed_to() -> None:
    only = legal_in(START)[:1]
    limits = ai.Limits(simulations=500, only=only)
    assert ai.create_agent("ismcts", seed=1).analyze(START, limits).stopped_by == "simulations"


def test_an_early_end_leaves_time_unused() -> None:
    position = position_in("end_of_turn")
    end = [action for action in legal_in(position) if str(action) == "end"]
    limits = ai.Limits(time_s=3600, early_end=True, only=end)
    analysis = ai.create_agent("ismcts", seed=1).analyze(position, limits)
    assert analysis.stopped_by == "early_end"
    assert analysis.time_s < 3600


def test_a_clock_is_shared_out_over_the_turns_that_are_left() -> None:
    state = lc.State(lc.GameSetup.random(players=2, seed=2))
    clocks = [60.0, 60.0]
    shares = []
    while not state.is_over:
        position, seat = state.position(), state.current_player
        turns = position.seats[seat].vikings_in_hand
        limits = ai.Limits(clock_s=clocks[seat]).for_turn(position)
        assert limits.clock_s is None
        assert limits.time_s is not None
        assert limits.time_s == pytest.approx(clocks[seat] * min(1 / (turns + 1), MOST_OF_CLOCK))
        clocks[seat] -= limits.time_s
        shares.append(limits.time_s)
        for action in ai.create_agent("greedy").analyze(position, ai.Limits()).turn:
            state.apply(action)
            if state.current_player == seat and not state.is_over:  # the same turn, its tiles
                later = ai.Limits(clock_s=clocks[seat] + limits.time_s).for_turn(state.position())
                assert later.time_s is not None
                assert later.time_s <= limits.time_s * 1.6
    assert min(clocks) > 0
    assert max(shares) < 1.5 * shares[0]


def test_a_clock_ends_a_search_and_the_time_may_limit_it_further() -> None:
    agent = ai.create_agent("ismcts")
    analysis = agent.analyze(START, ai.Limits(clock_s=0.1))
    assert analysis.stopped_by == "time"
    assert ai.Limits(clock_s=600, time_s=0.01).for_turn(START).time_s == 0.01


def test_memory_is_told() -> None:
    limits = ai.Limits(simulations=500, memory_mb=4)
    for name in ("ismcts", "ismcts_plain", "flat_mc"):
        memory = ai.create_agent(name).analyze(START, limits).memory_bytes
        assert 1000 < memory <= 4 << 20
    assert ai.create_agent("greedy").analyze(START, limits).memory_bytes == 0
