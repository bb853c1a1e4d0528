"""Limits, the stop flag and the registry."""

import math
from typing import Any

import pytest

import ai
import looot_core as lc
from tests.ai.positions import over_position, random_position

HOSTILE = [0, -1, math.nan, math.inf, -math.inf, 10**400, -(10**400), "1", True, [], object()]


@pytest.mark.parametrize("field", ["time_s", "clock_s", "simulations", "memory_mb"])
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: str(type(value)))
def test_hostile_limits_are_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(ai.InvalidLimitsError, match=rf"^{field}: "):
        ai.Limits(**{field: value})


@pytest.mark.parametrize("value", [1.0, 10**15 + 1])
def test_simulations_are_a_bounded_integer(value: Any) -> None:
    with pytest.raises(ai.InvalidLimitsError, match=r"^simulations: "):
        ai.Limits(simulations=value)


def test_stop_must_be_a_flag() -> None:
    wrong: Any = True
    with pytest.raises(ai.InvalidLimitsError, match=r"^stop: True is not a StopFlag"):
        ai.Limits(stop=wrong)


def test_abort_outweighs_stop() -> None:
    flag = ai.StopFlag()
    assert not flag.stopped
    flag.stop()
    assert flag.stopped
    assert not flag.aborted
    flag.abort()
    flag.stop()
    assert flag.stopped
    assert flag.aborted


def test_unknown_agent_is_refused_with_the_known_ones() -> None:
    known = ", ".join(ai.agent_names())
    with pytest.raises(ai.UnknownAgentError, match=f"^name: 'no' is none of {known}$"):
        ai.create_agent("no")


@pytest.mark.parametrize("name", ai.agent_names())
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level", 0),
        ("level", 11),
        ("level", "3"),
        ("threads", 0),
        ("threads", 257),
        ("threads", 1.0),
    ],
)
def test_hostile_options_are_refused_by_name(name: str, field: str, value: Any) -> None:
    with pytest.raises(ai.InvalidLimitsError, match=rf"^{field}: "):
        ai.create_agent(name, **{field: value})


@pytest.mark.parametrize("name", ai.agent_names())
def test_more_threads_than_an_agent_can_use_are_refused(name: str) -> None:
    most = ai.agent_info(name).max_threads
    ai.create_agent(name, threads=most)
    with pytest.raises(ai.InvalidLimitsError, match=rf"^threads: {most + 1} are more than {most}"):
        ai.create_agent(name, threads=most + 1)


def test_agents_that_declare_nothing_play_at_one_strength_in_one_thread() -> None:
    for name in ("random", "ismcts_plain"):
        info = ai.agent_info(name)
        assert (info.name, info.levels, info.max_threads) == (name, range(10, 11), 1)
        assert info.description.endswith(".")
    with pytest.raises(ai.UnknownAgentError, match=r"^name: 'no' is none of "):
        ai.agent_info("no")


def test_declared_levels_and_threads_are_told_and_reach_the_agent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Mine(ai.RandomAgent):
        description = "Plays as I do."
        levels = range(3, 8)
        max_threads = 4

        def __init__(self, *, level: int, threads: int, seed: int | None) -> None:
            super().__init__(seed=seed)
            self.given = (level, threads, seed)

    monkeypatch.setattr("ai.agent._factories", {})
    ai.register("mine", Mine)
    assert ai.agent_info("mine") == ai.AgentInfo("mine", "Plays as I do.", range(3, 8), 4)
    agent = ai.create_agent("mine", level=4, threads=4, seed=6)
    assert isinstance(agent, Mine)
    assert agent.given == (4, 4, 6)
    with pytest.raises(ai.InvalidLimitsError, match=r"^threads: 5 are more than 4, the most"):
        ai.create_agent("mine", threads=5)


@pytest.mark.parametrize("seed", [-1, 1 << 64, "1", 1.0])
def test_hostile_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(lc.LoootError, match=r"^seed: "):
        ai.create_agent("random", seed=seed)
    with pytest.raises(lc.LoootError, match=r"^seed: "):
        ai.RandomAgent(seed=seed)


def test_registered_agent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.agent._factories", {})
    ai.register("mine", ai.RandomAgent)
    assert ai.agent_names() == ("mine",)
    assert isinstance(ai.create_agent("mine"), ai.RandomAgent)


@pytest.mark.parametrize("name", ai.agent_names())
def test_finished_game_and_wrong_arguments_are_refused(name: str) -> None:
    agent = ai.create_agent(name)
    limits = ai.Limits(simulations=1)
    wrong: Any = None
    with pytest.raises(lc.LoootError, match="the game is over"):
        agent.analyze(over_position(), limits)
    with pytest.raises(lc.InvalidPositionError, match=r"^position: "):
        agent.analyze(wrong, limits)
    with pytest.raises(ai.InvalidLimitsError, match=r"^limits: "):
        agent.analyze(random_position(1), wrong)
    state: Any = lc.State.from_position(random_position(1))
    with pytest.raises(lc.InvalidPositionError, match=r"use state\.position\(\)$"):
        agent.analyze(state, limits)


def test_updates_to_what_cannot_be_called_are_refused() -> None:
    wrong: Any = 5
    with pytest.raises(lc.LoootError, match=r"^on_update: 5 cannot be called"):
        ai.RandomAgent().analyze(random_position(1), ai.Limits(), wrong)


@pytest.mark.parametrize("name", ai.agent_names())
def test_aborted_search_gives_nothing(name: str) -> None:
    flag = ai.StopFlag()
    flag.abort()
    with pytest.raises(ai.SearchAborted):
        ai.create_agent(name).analyze(random_position(1), ai.Limits(stop=flag))
