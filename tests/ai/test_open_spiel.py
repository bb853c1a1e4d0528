"""The game under OpenSpiel, and OpenSpiel's search as an agent."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import ai
import looot_core as lc
from ai.arena.match import AgentSpec
from tests.ai.positions import play, random_position
from tests.positions import random_positions

pytest.importorskip("pyspiel", reason="the extra 'openspiel' is not installed")

import pyspiel

from ai.open_spiel_agent import OpenSpielIsmctsAgent
from ai.open_spiel_game import LoootGame, LoootState

AGENT = "ai.open_spiel_agent.OpenSpielIsmctsAgent"


def load(players: int, seed: int = 1, edition: str = "printed") -> Any:
    return pyspiel.load_game("looot", {"players": players, "seed": seed, "edition": edition})


def walk(game: LoootGame, seed: int) -> Iterator[LoootState]:
    """Give every state of a game played at random."""
    chance = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(chance.choice(state.legal_actions()))
    yield state


def test_the_game_passes_open_spiels_own_test() -> None:
    pyspiel.random_sim_test(load(2), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_are_those_of_the_core(players: int) -> None:
    game = load(players)
    assert game.num_players() == players
    assert game.num_distinct_actions() == lc.ACTION_COUNT
    core = lc.State(lc.GameSetup.random(players=players, seed=1, edition="printed"))
    taken, draws = None, 0
    for state in walk(game, 3):
        if state.move_number():
            move = state.history()[-1]
            if taken is not None:
                core.apply(taken, draw=game.longships[move])
                taken = None
            else:
                action = lc.Action.from_index(move, core)
                if str(action).startswith("longship") and core.unseen:
                    taken, draws = action, draws + 1
                else:
                    core.apply(action)
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert {game.longships[number] for number, _ in outcomes} == set(core.unseen)
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            assert state.action_to_string(outcomes[0][0]).startswith("draw ")
        elif not state.is_terminal():
            assert state.current_player() == core.current_player
            assert state.legal_actions() == [action.index for action in core.legal_actions()]
            first = core.legal_actions()[0]
            assert state.action_to_string(first.index) == str(first)
            assert state.returns() == [0.0] * players
    assert core.is_over
    assert draws > 10
    assert draws <= game.max_chance_nodes_in_history()
    assert state.move_number() - draws <= game.max_game_length()
    winners = core.winners()
    assert state.returns() == [(seat in winners) / len(winners) for seat in range(players)]
    assert sum(state.returns()) == pytest.approx(1)


def test_states_copy_and_are_stored_with_a_draw_to_come() -> None:
    game = load(2)
    seen_chance = False
    for n, state in enumerate(walk(game, 5)):
        if not state.is_chance_node() and n % 40:
            continue
        seen_chance |= state.is_chance_node()
        stored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        copies = [state.clone(), copy.deepcopy(state), stored[1]]
        for each in copies:
            assert str(each) == str(state)
            assert each.history() == state.history()
            assert each.legal_actions() == state.legal_actions()
        before = str(state)
        if not state.is_terminal():
            copies[0].apply_action(copies[0].legal_actions()[0])
        assert str(state) == before
    assert seen_chance


def test_nothing_is_hidden_but_what_comes_next() -> None:
    game = load(3)
    strings: set[str] = set()
    for n, state in enumerate(walk(game, 2)):
        if state.is_terminal():
            break
        information = [state.information_state_string(player) for player in range(3)]
        assert len(set(information)) == 1
        assert information[0] not in strings
        strings.add(information[0])
        if n % 20 == 0:
            seen = json.loads(state.observation_string(0))
            taken = seen.pop("taken", None)
            assert lc.Position.from_dict(seen) == state.table.state.position()
            assert (taken is not None) == state.is_chance_node()
            player = max(0, state.current_player())
            other = state.resample_from_infostate(player, lambda: 0.5)
            assert other.information_state_string(player) == information[0]
            assert other.legal_actions() == state.legal_actions()


def test_a_game_begins_in_any_position() -> None:
    for position in random_positions(3, "rulebook", 4)[:-1:25]:
        state = LoootGame(position=position).new_initial_state()
        assert state.table.state.position() == position
        assert state.current_player() == position.current_player
        chance = random.Random(1)
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        assert sum(state.returns()) == pytest.approx(1)


def test_a_wrong_parameter_is_refused() -> None:
    with pytest.raises(lc.InvalidSetupError, match="players"):
        LoootGame({"players": 5})


@pytest.mark.parametrize("players", [2, 4])
def test_the_agent_plays_legal_turns_within_its_simulations(players: int) -> None:
    for seed in range(4):
        position = random_position(seed, players)
        agent = OpenSpielIsmctsAgent(seed=1)
        analysis = agent.analyze(position, ai.Limits(simulations=24))
        play(lc.State.from_position(position, seed=seed), analysis.turn)
        assert analysis.simulations <= max(24, 2 * len(analysis.turn))
        (candidate,) = analysis.candidates
        assert candidate.turn == analysis.turn
        if candidate.visits:
            assert candidate.win_probability is not None
            assert 0 <= candidate.win_probability <= 1
            assert analysis.depth >= 1
        again = OpenSpielIsmctsAgent(seed=1).analyze(position, ai.Limits(simulations=24))
        assert again.candidates == analysis.candidates


def test_the_agent_keeps_to_the_other_limits() -> None:
    position = random_position(1, steps=0)
    agent: ai.Agent = AgentSpec.parse(AGENT).create(seed=1)
    analysis = agent.analyze(position, ai.Limits(time_s=0.2, processor_time=True))
    assert analysis.stopped_by == "time"
    assert analysis.simulations > 4
    flag = ai.StopFlag()
    flag.stop()
    assert agent.analyze(position, ai.Limits(stop=flag)).stopped_by == "stop"
    flag.abort()
    with pytest.raises(ai.SearchAborted):
        agent.analyze(position, ai.Limits(stop=flag))
    with pytest.raises(ai.InvalidLimitsError, match="would never end"):
        agent.analyze(position, ai.Limits())
