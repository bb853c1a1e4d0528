"""Matches, seatings, deals, and single games."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

import ai
import looot_core as lc
from ai import arena
from ai.weights import learned_evaluation
from tests.ai import json_lines_agent
from tests.ai.arena_agents import BURNT_S
from tests.ai.arena_games import PAIR

A, B, C, D = (f"random:level={level}" for level in (1, 2, 3, 4))
AGENTS = "tests.ai.arena_agents"


def match_of(*agents: str, **options: Any) -> arena.Match:
    return arena.Match(agents, **{"simulations": 1, "seed": 5, **options})


def process(behaviour: str) -> str:
    return f"process:'{sys.executable}' '{json_lines_agent.__file__}' '{behaviour}'"


def result_of(match: arena.Match, deal: int = 0, seating: int = 0) -> arena.GameResult:
    return arena.GameResult.from_record(arena.play_game(match, deal, seating))


@pytest.mark.parametrize(
    ("agents", "seatings"),
    [
        ((A, B), [(A, B), (B, A)]),
        ((A, B, B), [(A, B, B), (B, A, B), (B, B, A)]),
        ((A, B, B, B), [(A, B, B, B), (B, A, B, B), (B, B, A, B), (B, B, B, A)]),
        ((A, A, B, B), [(A, A, B, B), (A, B, A, B), (A, B, B, A),
                        (B, A, A, B), (B, A, B, A), (B, B, A, A)]),
        ((A, B, C), [(A, B, C), (A, C, B), (B, A, C), (B, C, A), (C, A, B), (C, B, A)]),
    ],
)  # fmt: skip
def test_all_seatings_are_played(agents: tuple[str, ...], seatings: list[tuple[str, ...]]) -> None:
    assert match_of(*agents).seatings() == seatings
    assert result_of(match_of(*agents), seating=1).agents == seatings[1]


def test_four_different_agents_have_24_seatings() -> None:
    assert len(set(match_of(A, B, C, D).seatings())) == 24


@pytest.mark.parametrize("agents", [(A, B), (A, B, B), (A, B, C, D)])
@pytest.mark.parametrize("edition", ["printed", "rulebook"])
def test_deal_is_the_same_in_all_seatings_and_no_other(
    agents: tuple[str, ...], edition: str
) -> None:
    match = match_of(*agents, edition=edition)
    deals = []
    for deal in range(3):
        records = [arena.play_game(match, deal, n) for n in range(len(match.seatings()))]
        setups = [lc.GameSetup.from_dict(record) for record in records]
        assert all(setup == setups[0] for setup in setups)
        assert setups[0].bag is not None
        assert setups[0].edition == edition
        deals.append(setups[0])
    assert len({(setup.ocean_longships, setup.bag) for setup in deals}) == 3


def test_matches_of_one_seed_share_their_deals_and_others_do_not() -> None:
    assert match_of(A, C).deal_seed(2) == match_of(A, B, simulations=9).deal_seed(2)
    assert match_of(A, C, seed=6).deal_seed(2) != match_of(A, C).deal_seed(2)


def test_agents_of_a_game_have_different_seeds() -> None:
    keys = [(deal, seating, seat) for deal in range(12) for seating in (0, 1) for seat in (0, 1)]
    seeds = {PAIR.agent_seed(*key) for key in keys} | {PAIR.deal_seed(deal) for deal in range(12)}
    assert len(seeds) == len(keys) + 12


@pytest.mark.parametrize("agents", [(A, B), (A, B, B), (A, B, C, D)])
def test_record_replays_to_the_result(agents: tuple[str, ...]) -> None:
    for deal in range(5):
        data = arena.play_game(match_of(*agents), deal, 1)
        result = arena.GameResult.from_record(data)
        record = lc.GameRecord.from_dict(data)
        record.check()
        state = record.replay()
        assert state.is_over
        assert result.scores == tuple(state.scores())
        winners = state.winners()
        assert result.shares == tuple(
            1 / len(winners) if seat in winners else 0 for seat in range(len(agents))
        )
        assert sum(result.turns) == record.events.count("end")


def test_turns_and_simulations_are_counted() -> None:
    result = result_of(match_of("ismcts_plain", "random", simulations=7))
    searched, at_random = result.simulations
    assert 0 < searched <= 7 * result.turns[0]
    assert at_random == 0


def test_processor_time_is_measured() -> None:
    result = result_of(match_of(f"{AGENTS}.Burning", "random"))
    assert result.seconds[0] >= BURNT_S * result.turns[0]
    assert BURNT_S <= result.longest_turn_s[0] <= result.seconds[0]
    assert 0 < result.longest_turn_s[1] <= result.seconds[1]


def test_process_plays_like_the_agent_it_is() -> None:
    own, same = match_of("random", A), match_of(process("good"), A)
    assert arena.play_game(own, 3, 0)["actions"] == arena.play_game(same, 3, 0)["actions"]
    assert result_of(same, 3).seconds[0] > 0


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (f"{AGENTS}.Illegal", "IllegalActionError: .*end.*R"),
        (f"{AGENTS}.Endless", "has not its only end at its end"),
        (process("die"), r"exit code 1: out of ideas \?\[31m$"),
        (process("garbage"), "answer: not JSON"),
        (process("illegal"), "IllegalActionError: .*end.*R"),
    ],
)
def test_agent_that_fails_has_lost_and_it_is_said_why(agent: str, reason: str) -> None:
    match = match_of("random", agent, "random")
    result = result_of(match, seating=match.seatings().index(("random", agent, "random")))
    assert result.shares == (0.5, 0.0, 0.5)
    assert result.scores is None
    assert result.failed_seat == 1
    assert re.search(reason, result.failure or "")


def test_record_of_a_failed_game_can_be_replayed() -> None:
    record = lc.GameRecord.from_dict(arena.play_game(match_of("random", process("die")), 0, 0))
    assert record.replay().current_player == 1


@pytest.mark.parametrize(
    ("agents", "options", "words"),
    [
        (("random",), {}, "agents: 1 are not 2, 3 or 4"),
        ((A, B, C, D, A), {}, "agents: 5 are not"),
        ((A, A), {}, "agents: all are"),
        ((A, "nobody"), {}, "'nobody' is none of"),
        ((A, "random:level=11"), {}, "level: 11"),
        ((A, "random:level"), {}, "is not level=N"),
        ((A, "random:level=1,level=2"), {}, "is not level=N"),
        ((A, "random:depth=2"), {}, "'depth=2' is not level=N"),
        ((A, "random:budget=0"), {}, "'budget=0' is not level=N"),
        ((A, f"random:budget={'9' * 5000}"), {}, "is not level=N"),
        ((A, "no.such.Agent"), {}, "No module named 'no'"),
        ((A, "process:"), {}, "has no command"),
        ((A, "process:'"), {}, "No closing quotation"),
        ((A, "process:/no/such/program"), {}, "there is no program"),
        ((A, B), {"edition": "third"}, "edition: 'third'"),
        ((A, B), {"seed": -1}, "seed: -1"),
        ((A, B), {"time_s": 1.0}, "one of time_s and simulations"),
        ((A, B), {"simulations": None}, "one of time_s and simulations"),
        ((A, B), {"simulations": 0}, "simulations: 0"),
    ],
)
def test_senseless_match_is_refused(
    agents: tuple[str, ...], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(lc.LoootError) as refused:
        match_of(*agents, **options)
    assert words in str(refused.value)


def test_registered_agent_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.agent._factories", {"mine": ai.RandomAgent, "random": ai.RandomAgent})
    assert result_of(match_of("mine", "random")).scores is not None


def test_ladder_pairs_all_and_with_more_players_both_ways() -> None:
    pairs = [match.agents for match in arena.ladder([A, B, C], simulations=1)]
    assert pairs == [(A, B), (A, C), (B, C)]
    lines = [match.agents for match in arena.ladder([A, B], 3, simulations=1)]
    assert lines == [(A, B, B), (B, A, A)]
    with pytest.raises(arena.ArenaError, match="all different"):
        arena.ladder([A, A], simulations=1)


def test_a_match_names_the_weights_that_its_agents_may_play_by() -> None:
    assert match_of(A, B).description()["weights"] == learned_evaluation().hash


def test_a_ladder_may_pair_the_first_with_all_or_neighbours() -> None:
    def pairs(pairing: str, players: int = 2) -> list[tuple[str, ...]]:
        matches = arena.ladder([A, B, C], players, simulations=1, pairing=pairing)
        return [match.agents for match in matches]

    assert pairs("first") == [(A, B), (A, C)]
    assert pairs("neighbours") == [(A, B), (B, C)]
    assert pairs("first", 3) == [(A, B, B), (A, C, C)]
    assert pairs("neighbours", 4) == [(A, B, B, B), (B, C, C, C)]
    with pytest.raises(lc.LoootError, match="pairing: 'last' is not one of all, first, neighbours"):
        arena.ladder([A, B], simulations=1, pairing="last")


def test_line_up_needs_one_agent_for_each_seat() -> None:
    assert arena.line_up([A, B], 4) == (A, B, B, B)
    assert arena.line_up([A, B, C], 3) == (A, B, C)
    with pytest.raises(arena.ArenaError, match="3 are neither 2 nor one for each of 4"):
        arena.line_up([A, B, C], 4)


def test_a_budget_multiplies_the_limits_of_the_match() -> None:
    generous = "ismcts_plain:budget=5"
    result = result_of(match_of(generous, "ismcts_plain", simulations=10))
    per_turn = [
        simulations / turns
        for simulations, turns in zip(result.simulations, result.turns, strict=True)
    ]
    mine = result.agents.index(generous)
    assert per_turn[mine] > 4 * per_turn[1 - mine]
