"""What the agents answer."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import ai
import looot_core as lc
from ai.ismcts import Search
from tests.ai.positions import over_position, play, random_position

START = random_position(1, steps=0)


@pytest.mark.parametrize("name", ai.agent_names())
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", lc.EDITIONS)
def test_turns_are_legal_and_whole(name: str, players: int, edition: str) -> None:
    for seed in range(30):
        position = random_position(seed, players, edition=edition)
        analysis = ai.create_agent(name, seed=seed).analyze(position, ai.Limits(simulations=60))
        play(lc.State.from_position(position, seed=seed), analysis.turn)
        for candidate in analysis.candidates:
            assert candidate.turn[0] == candidate.action
            play(lc.State.from_position(position, seed=seed), candidate.turn)
            assert candidate.prior is None or 0 < candidate.prior <= 1
            assert candidate.principal_variation[0] == candidate.action
        assert analysis.turn == analysis.candidates[0].turn


@pytest.mark.parametrize("simulations", [1, 2, 77, 500])
def test_simulations_are_exact(simulations: int) -> None:
    position = random_position(3, steps=0)
    agent = ai.create_agent("ismcts_plain", seed=1)
    analysis = agent.analyze(position, ai.Limits(simulations=simulations))
    assert analysis.simulations == simulations
    assert analysis.stopped_by == "simulations"
    visits = [candidate.visits for candidate in analysis.candidates]
    assert visits == sorted(visits, reverse=True)
    assert 1 <= sum(visits) <= simulations
    assert 1 <= analysis.depth < analysis.nodes <= simulations + 1
    assert len(analysis.expected_scores) == 2


def test_same_seed_gives_the_same_analysis() -> None:
    position = random_position(5, 3, steps=40)

    def found(seed: int) -> tuple[list[ai.Candidate], list[float], int]:
        agent = ai.create_agent("ismcts_plain", seed=seed)
        analysis = agent.analyze(position, ai.Limits(simulations=400))
        return analysis.candidates, analysis.expected_scores, analysis.nodes

    assert found(1) == found(1)
    assert found(1) != found(2)


def test_random_agent_is_decided_by_seed_and_position() -> None:
    position = random_position(5, steps=0)
    turns = [
        ai.create_agent("random", seed=seed).analyze(position, ai.Limits()).turn
        for seed in (1, 1, 2)
    ]
    assert turns[0] == turns[1] != turns[2]


def test_values_are_those_of_the_mover() -> None:
    for candidate in _analysis("ismcts_plain").candidates:
        assert candidate.win_probability is not None
        assert candidate.score_lead is not None
        assert candidate.standard_error is not None
        assert 0 <= candidate.win_probability <= 1
        assert -200 < candidate.score_lead < 200
        assert 0 <= candidate.standard_error <= 0.5


def test_random_agent_estimates_nothing() -> None:
    analysis = _analysis("random")
    (candidate,) = analysis.candidates
    assert candidate.visits == analysis.simulations == 0
    assert candidate.win_probability is candidate.score_lead is candidate.standard_error is None
    assert candidate.prior == 1 / len(lc.State.from_position(START).legal_actions())
    assert analysis.expected_scores == []


def _analysis(name: str) -> ai.Analysis:
    return ai.create_agent(name, seed=1).analyze(START, ai.Limits(simulations=300))


def test_updates_come_while_searching_and_a_stop_gives_the_best_so_far() -> None:
    flag = ai.StopFlag()
    updates: list[ai.Analysis] = []

    def update(analysis: ai.Analysis) -> None:
        updates.append(analysis)
        if len(updates) == 3:
            flag.stop()

    agent = ai.create_agent("ismcts_plain", seed=1)
    analysis = agent.analyze(START, ai.Limits(stop=flag), update)
    assert analysis.stopped_by == "stop"
    assert [update.stopped_by for update in updates] == ["", "", ""]
    counts = [update.simulations for update in [*updates, analysis]]
    assert counts == sorted(set(counts))
    play(lc.State.from_position(START), updates[0].turn)
    assert agent.analyze(START, ai.Limits(stop=flag)).simulations == 1


def test_an_abort_while_searching_gives_nothing() -> None:
    flag = ai.StopFlag()
    with pytest.raises(ai.SearchAborted):
        ai.create_agent("ismcts_plain").analyze(
            START, ai.Limits(stop=flag), lambda analysis: flag.abort()
        )


def test_time_ends_the_search() -> None:
    analysis = ai.create_agent("ismcts_plain").analyze(START, ai.Limits(time_s=0.05))
    assert analysis.stopped_by == "time"
    assert analysis.time_s >= 0.05


def test_an_error_in_the_update_ends_the_search() -> None:
    def fail(analysis: ai.Analysis) -> None:
        raise KeyError(analysis.simulations)

    with pytest.raises(KeyError):
        ai.create_agent("ismcts_plain").analyze(START, ai.Limits(stop=ai.StopFlag()), fail)


def test_search_without_an_end_is_refused() -> None:
    with pytest.raises(ai.InvalidLimitsError, match="would never end"):
        ai.create_agent("ismcts_plain").analyze(START, ai.Limits(memory_mb=1))


def test_full_tree_stops_growing_and_the_search_goes_on() -> None:
    limits = ai.Limits(simulations=30_000, memory_mb=1)
    position = random_position(2, 2, steps=0)
    analysis = ai.create_agent("ismcts_plain", seed=1).analyze(position, limits)
    assert analysis.simulations == 30_000
    assert analysis.nodes * 80 <= 1 << 20
    play(lc.State.from_position(position), analysis.turn)


def test_only_move_is_not_searched_for_long() -> None:
    state = lc.State(lc.GameSetup.random(seed=1))
    while state.phase != lc.Phase.END_OF_TURN:
        state.apply(state.legal_actions()[0])
    state.apply(state.legal_actions()[0])
    assert [str(action) for action in state.legal_actions()] == ["end"]
    agent = ai.create_agent("ismcts_plain", seed=1)
    analysis = agent.analyze(state.position(), ai.Limits(time_s=60))
    assert analysis.stopped_by == "only_move"
    assert list(map(str, analysis.turn)) == ["end"]
    assert agent.analyze(state.position(), ai.Limits(simulations=5)).simulations == 5


def test_a_game_that_is_over_is_not_searched() -> None:
    state = lc.State.from_position(over_position())
    with pytest.raises(lc.LoootError, match=r"^state: the game is over"):
        Search(state, 1, 1 << 20)


def test_one_search_in_two_threads_is_refused() -> None:
    search = Search(lc.State.from_position(START), 1, 1 << 20)
    flag = ai.StopFlag()
    flag.stop()
    search.run(None, None, 60.0, flag)  # one simulation, so that there is something to ask for
    assert search.simulations == 1
    flag = ai.StopFlag()
    calls: list[Callable[[], object]] = [
        lambda: search.run(1, None, 60.0, None),
        search.turn,
        search.candidates,
        search.expected_scores,
    ]
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(search.run, None, None, 60.0, flag)
        while search.simulations < 10 and not running.done():
            pass  # the other thread searches without the GIL
        for call in calls:
            with pytest.raises(lc.LoootError, match="another thread is searching"):
                call()
        flag.stop()
        assert running.result() == "stop"
    for call in calls:
        call()


@pytest.mark.parametrize("seed", [3, 21, 38, 47, 58, 59])
def test_no_candidate_is_better_than_the_first(seed: int) -> None:
    position = random_position(seed)
    assert position.phase == lc.Phase.END_OF_TURN
    agent = ai.create_agent("ismcts_plain", seed=1)
    first, *others = agent.analyze(position, ai.Limits(simulations=20_000)).candidates
    assert first.win_probability is not None
    assert first.standard_error is not None
    well_known = [candidate for candidate in others if candidate.visits >= 100]
    assert well_known
    for candidate in well_known:
        assert candidate.win_probability is not None
        assert candidate.standard_error is not None
        error = math.hypot(first.standard_error, candidate.standard_error)
        assert candidate.win_probability <= first.win_probability + 4 * error


@pytest.mark.parametrize("players", [2, 4])
def test_search_beats_random_play(players: int) -> None:
    limits = ai.Limits(simulations=200)
    won = 0.0
    for game in range(10):
        state = lc.State(lc.GameSetup.random(players=players, seed=game))
        seat = game % players
        agents = [
            ai.create_agent("ismcts_plain" if player == seat else "random", seed=game)
            for player in range(players)
        ]
        while not state.is_over:
            play(state, agents[state.current_player].analyze(state.position(), limits).turn)
        won += (seat in state.winners()) / len(state.winners())
    assert won >= 9
