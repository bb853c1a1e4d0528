"""The tree search on whole turns: its limits, its numbers, and what it may know."""

import threading
from typing import Any

import pytest

import ai
import looot_core as lc
from ai.last_turn import is_last
from ai.playout import thumb_action
from ai.turn_search import TurnSearch
from ai.weights import hand_evaluation, learned_evaluation
from tests.ai.positions import play, random_position
from tests.positions import random_positions

MEMORY = 1 << 24
NODE_BYTES = 100  # at least; its turn has more
START = random_position(1, steps=0)


def search_of(position: lc.Position, seed: int = 1, memory: int = MEMORY) -> TurnSearch:
    return TurnSearch(lc.State.from_position(position, seed=0), learned_evaluation(), seed, memory)


def run(search: TurnSearch, simulations: int) -> TurnSearch:
    assert search.run(simulations, None, 600.0, None) == "simulations"
    return search


def found(search: TurnSearch) -> tuple[Any, ...]:
    return search.candidates(), search.expected_scores(), search.nodes, search.depth


@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_seed_gives_the_same_search(players: int) -> None:
    for seed in range(3):
        position = random_position(seed, players)
        first, again, other = (run(search_of(position, n), 150) for n in (1, 1, 2))
        assert found(first) == found(again)
        assert first.simulations == other.simulations
    assert found(run(search_of(START, 1), 150)) != found(run(search_of(START, 2), 150))


def test_slices_of_a_search_make_the_same_search() -> None:
    position = random_position(4, 3)
    whole, sliced = search_of(position), search_of(position)
    run(whole, 300)
    for simulations in (1, 2, 50, 299, 300):
        run(sliced, simulations)
    assert found(whole) == found(sliced)


@pytest.mark.parametrize("simulations", [1, 2, 77, 500])
def test_simulations_are_exact_and_visits_sum_to_them(simulations: int) -> None:
    for players in (2, 3, 4):
        search = run(search_of(random_position(3, players, steps=0)), simulations)
        assert search.simulations == simulations
        visits = [values[2] for values in search.candidates()]
        assert min(visits) >= 1
        assert simulations - 1 <= sum(visits) <= simulations
        assert search.turn() == search.candidates()[0][1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_lie_in_their_ranges(players: int) -> None:
    for position in random_positions(players, "printed", players)[:-1:15]:
        search = run(search_of(position), 60)
        scores = search.expected_scores()
        assert len(scores) == players
        priors = []
        for _, _, visits, chance, lead, prior, error, _ in search.candidates():
            assert 1 <= visits <= 60
            assert 0 <= chance <= 1
            assert -300 < lead < 300
            assert 0 < prior <= 1
            assert 0 <= error <= 0.5
            priors.append(prior)
        assert sum(priors) <= 1 + 1e-6


def test_expected_scores_are_the_mean_over_the_candidates() -> None:
    search = run(search_of(START), 200)
    candidates = search.candidates()
    lead = sum(values[2] * values[4] for values in candidates) / search.simulations
    own, other = search.expected_scores()
    sign = 1 if START.current_player == 0 else -1
    assert lead == pytest.approx(sign * (own - other), abs=0.01)


def with_playouts(position: lc.Position, weight: float, seed: int = 1) -> TurnSearch:
    state = lc.State.from_position(position, seed=0)
    return TurnSearch(state, learned_evaluation(), seed, MEMORY, playout=weight)


def test_what_is_told_of_a_turn_is_the_forecast_of_its_end_alone() -> None:
    looked_at = 0
    for position in random_positions(2, "printed", 2)[:-1:5]:
        for weight in (0.0, 0.5, 1.0):
            search = run(with_playouts(position, weight), 1)
            ((_, turn, visits, chance, lead, *_),) = search.candidates()
            after = lc.State.from_position(position)
            mover = after.current_player
            play(after, turn)
            if (
                after.is_over
                or is_last(after)
                or any(str(action).startswith("longship") for action in turn)
            ):
                continue  # exact, or what is revealed has a part in the value
            scores, shares = learned_evaluation().evaluate(after)
            assert visits == 1
            assert search.expected_scores() == pytest.approx(scores)
            assert chance == pytest.approx(shares[mover])
            assert lead == pytest.approx(scores[mover] - scores[1 - mover])
            looked_at += 1
    assert looked_at > 30


def test_playouts_are_in_what_the_search_goes_by() -> None:
    searches = [run(with_playouts(START, weight), 300) for weight in (0.0, 0.5, 1.0)]
    visits = [[values[2] for values in search.candidates()] for search in searches]
    assert visits[0] != visits[1] != visits[2]
    assert found(run(search_of(START), 300)) == found(searches[1])


def test_without_playouts_only_what_is_revealed_is_left_to_chance() -> None:
    state = lc.State(lc.GameSetup.random(players=4, seed=1))
    while state.position().unseen or state.phase != lc.Phase.VIKING:
        state.apply(thumb_action(state, 1))
    same = {}
    for weight in (0.0, 0.5):
        searches = [run(with_playouts(state.position(), weight, seed), 300) for seed in (1, 2)]
        same[weight] = found(searches[0]) == found(searches[1])
    assert same == {0.0: True, 0.5: False}


def bags_of(setup: lc.GameSetup) -> tuple[lc.State, lc.State]:
    """Give the same game with the bag in two orders, some longships taken."""
    data = setup.to_dict()
    same = data["bag"][:3]
    states = []
    for rest in (data["bag"][3:], data["bag"][:2:-1]):
        state = lc.State(lc.GameSetup.from_dict({**data, "bag": [*same, *rest]}))
        for _ in range(3):
            for action in ai.create_agent("greedy").analyze(state.position(), ai.Limits()).turn:
                state.apply(action)
        states.append(state)
    return states[0], states[1]


@pytest.mark.parametrize("name", ["greedy", "greedy_hand", "ismcts"])
def test_the_order_of_the_bag_changes_nothing(name: str) -> None:
    for seed in range(3):
        states = bags_of(lc.GameSetup.random(players=2, seed=seed))
        assert states[0].position() == states[1].position()
        positions = [state.position() for state in states]
        limits = ai.Limits(simulations=100)
        first, other = (
            ai.create_agent(name, seed=5).analyze(position, limits) for position in positions
        )
        assert first.candidates == other.candidates
        searches = [run(TurnSearch(state, hand_evaluation(), 7, MEMORY), 100) for state in states]
        assert found(searches[0]) == found(searches[1])


def test_the_searched_state_is_left_as_it_is() -> None:
    state = lc.State.from_position(START, seed=3)
    before = state.hash()
    search = run(TurnSearch(state, learned_evaluation(), 1, MEMORY), 50)
    assert state.hash() == before
    expected = found(search)
    play(state, search.turn())
    assert found(search) == expected


@pytest.mark.parametrize("threads", [1, 3])
def test_a_full_tree_is_pruned_and_searched_on(threads: int) -> None:
    memory = 1 << 20
    state = lc.State.from_position(START, seed=0)
    search = TurnSearch(state, learned_evaluation(), 1, memory, threads)
    larger = run(search_of(START, memory=8 * memory), 6000)
    depths, room = [], memory // NODE_BYTES
    for simulations in range(1000, 6001, 250):
        run(search, simulations)
        assert search.nodes <= room
        assert search.memory_bytes <= memory
        assert search.simulations == search.visits == simulations
        assert sum(values[2] for values in search.candidates()) >= simulations - 1
        depths.append(search.depth)
    assert larger.nodes > 2 * room
    assert larger.memory_bytes <= 8 * memory
    assert depths[-1] >= depths[0]
    shares = {tuple(values[1]): values[3] for values in larger.candidates()}
    others = [
        run(TurnSearch(state, learned_evaluation(), seed, 8 * memory), 6000) for seed in (2, 3, 4)
    ]
    chosen = [shares[tuple(other.turn())] for other in (larger, *others)]
    assert shares[tuple(search.turn())] > min(chosen) - 0.03  # as good as those with all memory


def test_a_pruned_search_repeats() -> None:
    first, again = (run(search_of(START, memory=0), 2500) for _ in range(2))
    assert found(first) == found(again)


def test_the_least_memory_is_enough_for_a_turn() -> None:
    for players in (2, 4):
        position = random_position(2, players, steps=0)
        search = run(search_of(position, memory=0), 50)
        play(lc.State.from_position(position), search.turn())


def test_a_stop_from_another_thread_gives_the_best_so_far() -> None:
    search, flag = search_of(START), ai.StopFlag()
    run(search, 1)
    reasons: list[str] = []
    thread = threading.Thread(target=lambda: reasons.append(search.run(None, None, 600.0, flag)))
    thread.start()
    flag.stop()
    thread.join(60)
    assert reasons == ["stop"]
    play(lc.State.from_position(START), search.turn())


def test_an_abort_and_a_stop_before_the_search() -> None:
    stopped, aborted = ai.StopFlag(), ai.StopFlag()
    stopped.stop()
    aborted.abort()
    agent = ai.create_agent("ismcts", seed=1)
    assert agent.analyze(START, ai.Limits(stop=stopped)).simulations == 1
    with pytest.raises(ai.SearchAborted):
        agent.analyze(START, ai.Limits(stop=aborted))


@pytest.mark.parametrize("processor_time", [False, True])
def test_time_ends_the_search(processor_time: bool) -> None:
    limits = ai.Limits(time_s=0.05, processor_time=processor_time)
    analysis = ai.create_agent("ismcts").analyze(START, limits)
    assert analysis.stopped_by == "time"
    assert analysis.time_s >= 0.05


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_search_one_tree(threads: int) -> None:
    for players in (2, 4):
        position = random_position(6, players, steps=20)
        agent = ai.create_agent("ismcts", threads=threads, seed=1)
        analysis = agent.analyze(position, ai.Limits(simulations=400))
        assert analysis.simulations == 400
        visits = sum(candidate.visits for candidate in analysis.candidates)
        assert 399 <= visits <= 400
        for candidate in analysis.candidates:
            play(lc.State.from_position(position), candidate.turn)
            assert candidate.win_probability is not None
            assert 0 <= candidate.win_probability <= 1


def test_a_wide_look_for_turns_is_given_up_at_a_stop_with_a_turn_found() -> None:
    position = random_position(2, steps=0)
    stopped = ai.StopFlag()
    stopped.stop()
    nodes = {}
    for name, flag in (("whole", None), ("given up", stopped)):
        state = lc.State.from_position(position, seed=0)
        search = TurnSearch(state, learned_evaluation(), 1, MEMORY, root_level=6)
        search.run(1, None, 60.0, flag)
        play(lc.State.from_position(position, seed=0), search.turn())
        nodes[name] = search.nodes
    assert 1 < nodes["given up"] < nodes["whole"]


def test_an_unknown_parameter_is_refused() -> None:
    state = lc.State.from_position(START)
    with pytest.raises(TypeError, match="no parameters: width"):
        TurnSearch(state, learned_evaluation(), 1, MEMORY, width=3)


def test_a_finished_game_is_refused() -> None:
    over = lc.State.from_position(random_positions(2, "printed", 1)[-1])
    with pytest.raises(ValueError, match="the game is over"):
        TurnSearch(over, learned_evaluation(), 1, MEMORY)


def test_search_beats_the_evaluation_written_by_hand() -> None:
    """Twelve games, half of them at each seat."""
    won = 0.0
    for game in range(12):
        state = lc.State(lc.GameSetup.random(players=2, seed=game))
        agents = [ai.create_agent("greedy_hand"), ai.create_agent("greedy_hand")]
        agents[game % 2] = ai.create_agent("ismcts", seed=game)
        limits = ai.Limits(simulations=100)
        while not state.is_over:
            play(state, agents[state.current_player].analyze(state.position(), limits).turn)
        won += (game % 2 in state.winners()) / len(state.winners())
    assert won >= 8
