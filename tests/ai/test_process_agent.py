"""Agents that are processes."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

import ai
import looot_core as lc
from ai.process_agent import ProcessAgent, ProcessAgentError
from tests.ai import json_lines_agent
from tests.ai.positions import over_position, play, random_position

LIMITS = ai.Limits(simulations=1)
LONG_S = 60.0


def started(behaviour: str, patience_s: float = LONG_S) -> ProcessAgent:
    return ProcessAgent(
        [sys.executable, json_lines_agent.__file__, behaviour], seed=7, patience_s=patience_s
    )


@pytest.fixture
def good() -> Iterator[ProcessAgent]:
    with closing(started("good")) as agent:
        yield agent


def test_process_plays_whole_turns(good: ProcessAgent) -> None:
    state = lc.State(lc.GameSetup.random(seed=3))
    same = lc.State(lc.GameSetup.random(seed=3))
    for _ in range(5):
        turn = good.analyze(state.position(), LIMITS).turn
        assert turn == ai.create_agent("random", seed=7).analyze(same.position(), LIMITS).turn
        play(state, turn)
        play(same, turn)


def test_processor_time_of_the_process_grows(good: ProcessAgent) -> None:
    good.analyze(random_position(1), LIMITS)
    before = good.cpu_time()
    good.analyze(random_position(2), LIMITS)
    assert 0 < before < good.cpu_time()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("die", "exit code 1: out of ideas"),
        ("garbage", "answer: not JSON"),
        ("list", "is not a JSON object"),
        ("old", "id: 0 is not 1"),
        ("no turn", "turn: None is not a list"),
        ("unknown", "'jump'"),
        ("flood", "more than 1048576 bytes"),
    ],
)
def test_bad_answer_is_refused_with_its_reason(behaviour: str, reason: str) -> None:
    with closing(started(behaviour)) as agent, pytest.raises(lc.LoootError) as refused:
        agent.analyze(random_position(1), LIMITS)
    assert reason in str(refused.value)


def test_process_that_hangs_is_given_up_and_killed() -> None:
    late = pytest.raises(ProcessAgentError, match=r"no answer 0.01 s after the time limit")
    with closing(started("hang", patience_s=0.01)) as agent, late:
        agent.analyze(random_position(1), LIMITS)
    assert agent.exit_code == -signal.SIGKILL


def test_process_that_died_stays_refused() -> None:
    with closing(started("die")) as agent:
        for _ in range(2):
            with pytest.raises(ProcessAgentError, match="exit code 1: out of ideas"):
                agent.analyze(random_position(1), LIMITS)
        with pytest.raises(ProcessAgentError, match="exit code 1: out of ideas"):
            agent.cpu_time()


def test_missing_program_is_refused() -> None:
    with pytest.raises(ProcessAgentError, match="cannot start '/no/such/program'"):
        ProcessAgent(["/no/such/program"])


def test_finished_game_and_stop_flag_are_refused(good: ProcessAgent) -> None:
    with pytest.raises(lc.LoootError, match="the game is over"):
        good.analyze(over_position(), LIMITS)
    with pytest.raises(ai.InvalidLimitsError, match="stop: "):
        good.analyze(random_position(1), ai.Limits(stop=ai.StopFlag()))
