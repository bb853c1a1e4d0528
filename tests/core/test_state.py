"""What holds of every state: undo, copies, masks, scores, hashes, and what stays hidden."""

import json
import pickle
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from tests.core.games import EDITIONS, choose, play, seeds, seen, setups, shown

ALL_TABLES = [(edition, players) for edition in EDITIONS for players in (2, 3, 4)]


@pytest.mark.parametrize(("edition", "players"), ALL_TABLES)
@settings(max_examples=3)
@given(seed=seeds, with_bag=st.booleans())
def test_undo_to_the_root_restores_every_step(
    edition: str, players: int, seed: int, with_bag: bool
) -> None:
    setup = lc.GameSetup.random(players, edition, seed)
    state = lc.State(setup if with_bag else replace(setup, bag=None))
    random = Random(seed)
    steps = [seen(state)]
    while not state.is_over:
        state.apply(choose(state, random))
        steps.append(seen(state))
    for before in reversed(steps[:-1]):
        state.undo()
        assert seen(state) == before
    with pytest.raises(lc.IllegalActionError, match="nothing has been played"):
        state.undo()
    assert seen(state) == steps[0]


@settings(max_examples=20)
@given(setups, seeds, st.booleans())
def test_what_was_undone_is_played_again_with_the_same_draws(
    setup: lc.GameSetup, seed: int, with_bag: bool
) -> None:
    state = lc.State(setup if with_bag else replace(setup, bag=None))
    played = play(state, Random(seed))
    end = seen(state)
    for _ in played:
        state.undo()
    for action in played:
        state.apply(action)
    assert seen(state) == end


@settings(max_examples=20)
@given(setups, seeds, st.integers(0, 60), st.booleans())
def test_a_clone_is_independent_and_keeps_the_source_of_draws(
    setup: lc.GameSetup, seed: int, steps: int, with_bag: bool
) -> None:
    state = lc.State(setup if with_bag else replace(setup, bag=None))
    play(state, Random(seed), steps)
    before = seen(state)
    twin, other = state.clone(), state.clone()
    with pytest.raises(lc.IllegalActionError, match="nothing has been played"):
        twin.undo()
    played = play(twin, Random(seed))
    assert seen(state) == before
    assert seen(other) == before
    for action in played:
        other.apply(action)
    assert seen(other) == seen(twin)
    play(state, Random(seed))
    assert seen(state) == seen(twin)


@settings(max_examples=15)
@given(setups, seeds, st.integers(0, 60), st.booleans())
def test_a_pickle_goes_on_with_the_same_draws(
    setup: lc.GameSetup, seed: int, steps: int, with_bag: bool
) -> None:
    state = lc.State(setup if with_bag else replace(setup, bag=None))
    play(state, Random(seed), steps)
    twin = pickle.loads(pickle.dumps(state))
    assert seen(twin) == seen(state)
    play(state, Random(seed))
    play(twin, Random(seed))
    assert seen(twin) == seen(state)


@settings(max_examples=15)
@given(setups, seeds)
def test_equal_seeds_give_equal_games(setup: lc.GameSetup, seed: int) -> None:
    for start in (setup, replace(setup, bag=None)):
        first, second = lc.State(start), lc.State(start)
        assert play(first, Random(seed)) == play(second, Random(seed))
        assert seen(first) == seen(second)


@settings(max_examples=20)
@given(setups, seeds)
def test_hashes_are_equal_exactly_for_equal_positions(setup: lc.GameSetup, seed: int) -> None:
    positions: dict[int, lc.Position] = {}
    state = lc.State(setup)
    for branch in range(3):
        twin, random = state.clone(), Random(seed + branch)
        while not twin.is_over:
            position = twin.position()
            assert positions.setdefault(twin.hash(), position) == position
            read = lc.Position.from_dict(position.to_dict())
            assert lc.State.from_position(read).hash() == twin.hash()
            twin.apply(choose(twin, random))
    texts = {json.dumps(position.to_dict()) for position in positions.values()}
    assert len(texts) == len(positions)


def test_actions_are_those_of_the_state_however_many_games_are_played() -> None:
    """Else a server of many games makes all the actions of a landscape anew for each it reads."""
    states = [lc.State(lc.GameSetup.random(2, "printed", seed)) for seed in range(300)]
    for state in states:
        action = state.legal_actions()[0]
        assert lc.Action.parse(str(action), state) is action
        assert lc.Action.from_index(action.index, state) is action


def test_tiles_laid_in_another_order_give_an_equal_hash() -> None:
    random = Random(5)
    state = lc.State(lc.GameSetup.random(seed=5))
    for _ in range(200):
        legal = state.legal_actions()
        tiles = [action for action in legal if str(action).startswith("tile")]
        kinds = {str(action).split()[1]: action for action in tiles}
        if len(kinds) > 1:
            break
        state.apply(random.choice(legal))
    first = kinds.popitem()[1]
    second = next(
        action
        for action in tiles
        if str(action).split()[1] != str(first).split()[1]
        and str(action).split()[2] != str(first).split()[2]
    )
    other = state.clone()
    for action in (first, second):
        state.apply(action)
    for action in (second, first):
        other.apply(action)
    assert state.position() == other.position()
    assert hash(state.position()) == hash(other.position())
    assert state.hash() == other.hash()


# What is hidden


def reordered(setup: lc.GameSetup) -> lc.GameSetup:
    assert setup.bag is not None
    return replace(setup, bag=setup.bag[::-1])


@settings(max_examples=12)
@given(setups, seeds)
def test_the_order_of_the_bag_is_in_nothing_public(setup: lc.GameSetup, seed: int) -> None:
    state, other = lc.State(setup), lc.State(reordered(setup))
    generated = lc.State(replace(setup, bag=None, seed=seed))
    random = Random(seed)
    while not state.is_over:
        assert seen(state) == seen(other) == seen(generated)
        legal = [action for action in state.legal_actions() if "longship" not in str(action)]
        action = random.choice(legal)
        for game in (state, other, generated):
            game.apply(action)
    assert shown(state) == shown(other) == shown(generated)
    assert state.position() == other.position()


@settings(max_examples=8)
@given(setups, seeds, st.integers(0, 30))
def test_drawings_do_not_tell_the_order_of_the_bag(
    setup: lc.GameSetup, seed: int, steps: int
) -> None:
    """Longships are taken too, the same ones being revealed by hand."""
    state, other = lc.State(setup), lc.State(reordered(setup))
    random = Random(seed)
    for _ in range(steps):
        action = choose(state, random)
        draw = random.choice(state.unseen) if str(action).startswith("longship") else None
        state.apply(action, draw=draw)
        other.apply(action, draw=draw)
    assert seen(state) == seen(other)
    assert shown(state) == shown(other)
    assert setup.public() == reordered(setup).public()


# Draws


def take(state: lc.State, random: Random) -> tuple[lc.Action, int]:
    """Play up to a turn that can take a longship; give that action and its slot."""
    while True:
        for action in state.legal_actions():
            if str(action).startswith("longship"):
                return action, int(str(action).split()[1])
        state.apply(choose(state, random))


@settings(max_examples=15)
@given(setups, seeds)
def test_longships_entered_out_of_the_order_of_the_bag(setup: lc.GameSetup, seed: int) -> None:
    assert setup.bag is not None
    state, random, left = lc.State(setup), Random(seed), list(setup.bag)
    for number in range(8):
        while True:
            if state.is_over:
                return
            ships = [a for a in state.legal_actions() if str(a).startswith("longship")]
            if ships:
                break
            state.apply(random.choice(state.legal_actions()))
        action = random.choice(ships)
        slot = int(str(action).split()[1])
        if number % 2:
            expected = left.pop(0)
            state.apply(action)
        else:
            expected = left.pop(random.randrange(len(left)))
            longships = lc.EDITIONS[setup.edition].longships
            tile = next(ship for ship in longships if str(ship) == expected)
            state.apply(action, draw=expected if random.random() < 0.5 else tile)
        assert state.position().ocean_longships[slot] == expected
        assert set(state.unseen) == set(left)


def test_a_draw_that_cannot_be_changes_nothing() -> None:
    setup = lc.GameSetup.random(seed=11)
    state = lc.State(setup)
    no_draw = state.legal_actions()[0]
    with pytest.raises(lc.IllegalActionError, match="reveals no longship"):
        state.apply(no_draw, draw=setup.ocean_longships[0])
    action, _ = take(state, Random(11))
    before = seen(state)
    with pytest.raises(lc.IllegalActionError, match="not in the bag any more"):
        state.apply(action, draw=setup.ocean_longships[0])
    with pytest.raises(lc.IllegalActionError, match="is no longship of the edition"):
        state.apply(action, draw="castle+9 GGG")
    assert seen(state) == before


def test_draws_without_a_bag_are_uniform_over_what_is_unseen() -> None:
    state = lc.State(replace(lc.GameSetup.random(seed=3), bag=None, seed=None))
    action, slot = take(state, Random(3))
    position = state.position()
    counts = dict.fromkeys(state.unseen, 0)
    for seed in range(2500):
        twin = lc.State.from_position(position, seed=seed)
        twin.apply(action)
        drawn = twin.position().ocean_longships[slot]
        assert drawn is not None
        counts[drawn] += 1
    expected = 2500 / len(counts)
    # Chi-squared with 24 degrees of freedom exceeds 60 once in 20,000; the seeds are fixed.
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 60


@settings(max_examples=10)
@given(setups, seeds)
def test_R13_longships_reveal_another_while_the_bag_lasts(setup: lc.GameSetup, seed: int) -> None:
    state, random = lc.State(setup), Random(seed)
    while not state.is_over:
        unseen = len(state.unseen)
        for action in state.legal_actions():
            reveals = str(action).startswith("longship") and unseen > 0
            assert state.reveals(action) is reveals
        action = choose(state, random)
        reveals = state.reveals(action)
        state.apply(action)
        assert len(state.unseen) == unseen - reveals
    with pytest.raises(lc.IllegalActionError, match=r"\(R19\)"):
        state.reveals(lc.Action.parse("end", state))


# Playouts


def test_playouts_without_a_seed_are_drawn_afresh() -> None:
    state = lc.State(lc.GameSetup.random(seed=1))
    first, second = state.random_playouts(50), state.random_playouts(50)
    assert (first != second).any()
    assert any(state.random_playout() != state.random_playout() for _ in range(20))


@settings(max_examples=20)
@given(setups, seeds, st.integers(0, 80), seeds)
def test_playouts_repeat_and_leave_the_state_alone(
    setup: lc.GameSetup, seed: int, steps: int, playout_seed: int
) -> None:
    state = lc.State(setup)
    play(state, Random(seed), steps)
    before = seen(state)
    scores = state.random_playouts(5, playout_seed)
    assert scores.shape == (5, setup.players)
    assert scores.dtype == np.int32
    assert (scores == state.random_playouts(5, playout_seed)).all()
    assert (scores[:2] == state.random_playouts(2, playout_seed)).all()
    assert state.random_playout(playout_seed) == scores[0].tolist()
    assert seen(state) == before
    copy = lc.State.from_position(state.position())
    assert copy.random_playout(playout_seed) == scores[0].tolist()


def test_playouts_of_a_finished_game_are_its_scores() -> None:
    state = lc.State(lc.GameSetup.random(seed=1))
    play(state, Random(1))
    assert state.random_playouts(3, 0).tolist() == [state.scores()] * 3
    assert state.random_playouts(0, 0).shape == (0, 2)


# The end


@settings(max_examples=20)
@given(setups, seeds)
def test_R21_winners_have_most_points_and_then_the_higher_trophy(
    setup: lc.GameSetup, seed: int
) -> None:
    state = lc.State(setup)
    assert state.winners() == []
    played = play(state, Random(seed))
    assert state.is_over
    assert state.phase is lc.Phase.OVER
    assert state.legal_actions() == []
    assert not state.legal_mask().any()
    trophies = [seat.trophy for seat in state.position().seats]
    results = list(zip(state.scores(), trophies, strict=True))
    winners = [seat for seat, result in enumerate(results) if result == max(results)]
    assert state.winners() == winners
    state.undo()
    assert state.winners() == []
    state.apply(played[-1])
    assert state.winners() == winners
