"""Positions: those of games are accepted and kept; broken ones are refused with field and rule."""

import copy
import json
import pickle
from collections.abc import MutableMapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from tests.core.games import EDITIONS, choose, recorded, seeds, setups
from tests.core.policies import RARE, Policy
from tests.core.positions import Data, find, middle, position_texts
from tests.reference.game import ReferenceGame
from tests.reference.setups import random_setup


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_of_recorded_games_are_kept(edition: str) -> None:
    for number, record in enumerate(recorded(edition)[::3]):
        state = lc.State(record.setup)
        for step, (_, action, draw) in enumerate(record.steps()):
            if step % 17 == number % 17:
                keeps(state)
            state.apply(action, draw=draw)
        keeps(state)


def keeps(state: lc.State) -> None:
    position = state.position()
    data = position.to_dict()
    read = lc.Position.from_dict(json.loads(json.dumps(data)))
    assert read == position
    assert hash(read) == hash(position)
    assert read.to_dict() == data
    again = lc.State.from_position(read)
    assert again.position() == position
    assert again.hash() == state.hash()
    assert again.legal_actions() == state.legal_actions()


@settings(max_examples=20)
@given(setups, seeds)
def test_every_position_of_a_game_is_accepted(setup: lc.GameSetup, seed: int) -> None:
    state, random = lc.State(setup), Random(seed)
    while not state.is_over:
        lc.Position.from_dict(state.position().to_dict())
        state.apply(choose(state, random))
    lc.Position.from_dict(state.position().to_dict())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policy", RARE)
def test_positions_of_rare_games_are_accepted(policy: Policy, players: int) -> None:
    """Full fjords that give tiles back, shields at once, an empty ocean."""
    random = Random(f"{policy.__name__} {players}")
    game = ReferenceGame(random_setup(random, players, random.choice(EDITIONS)))
    while not game.is_over:
        data = game.position_dict()
        assert lc.Position.from_dict(data).to_dict() == data
        for _ in range(random.randint(1, 3)):
            if not game.is_over:
                game.apply(policy(random, game, game.legal_actions()))


# What a position is


def test_a_position_is_a_frozen_value() -> None:
    data = find(middle)
    position = lc.Position.from_dict(data)
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.deepcopy(position) == position
    assert position.players == len(position.seats) == data["players"]
    assert position.seats[0].vikings_in_hand == data["seats"][0]["vikings_in_hand"]
    assert repr(position).startswith(f"<Position {data['edition']}, {data['players']} players")
    with pytest.raises(AttributeError):
        position.turn_number = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        lc.Position(**data)
    with pytest.raises(TypeError):
        replace(position, turn_number=3)
    seat = position.seats[0]
    assert pickle.loads(pickle.dumps(seat)) == seat
    assert pickle.loads(pickle.dumps(position.owed)) == position.owed
    for mapping in (position.vikings, position.buildings, seat.tiles, position.owed.resources):
        assert not isinstance(mapping, MutableMapping)
        with pytest.raises(TypeError):
            mapping["d3"] = 1  # type: ignore[index]


def test_what_is_unseen_stands_in_the_order_of_the_edition() -> None:
    data = find(middle)
    position = lc.Position.from_dict(data)
    Random(0).shuffle(data["unseen"])
    assert lc.Position.from_dict(data) == position
    longships = [str(longship) for longship in lc.EDITIONS[position.edition].longships]
    assert list(position.unseen) == [text for text in longships if text in position.unseen]


def test_unknown_keys_are_ignored() -> None:
    data = find(middle)
    position = lc.Position.from_dict(data)
    seats = [{**seat, "name": "Astrid"} for seat in data["seats"]]
    assert lc.Position.from_dict({**data, "seats": seats, "comment": [1]}) == position


KEYS = [
    "format", "edition", "players", "landscape", "ocean", "trophy_board", "sites", "seats",
    "vikings", "buildings", "ocean_longships", "unseen", "current_player", "turn_number", "phase",
    "active_shields", "owed", "longship_taken",
]  # fmt: skip
JUNK: list[Any] = [
    None, True, -1, 10**4000, 1.5, float("nan"), float("inf"), "", "x" * 10**5, "é\0\ud800", b"x",
    [], [None] * 99, [[]], {}, {"a": 1}, {1: 2}, {None: None}, object(), (), set(),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key: str) -> None:
    data = find(middle)
    assert sorted(data) == sorted(KEYS)
    del data[key]
    with pytest.raises(lc.InvalidPositionError, match=rf"^{key}: "):
        lc.Position.from_dict(data)


@pytest.mark.parametrize("key", ["vikings_in_hand", "shields", "tiles", "longships", "trophy"])
def test_a_missing_key_of_a_seat_is_named(key: str) -> None:
    data = find(middle)
    del data["seats"][1][key]
    with pytest.raises(lc.InvalidPositionError, match=rf"^seats\[1\]\.{key}: "):
        lc.Position.from_dict(data)


@pytest.mark.parametrize("key", KEYS)
def test_junk_in_a_field_is_refused(key: str) -> None:
    data = find(middle)
    for junk in JUNK:
        if junk == data[key] or (key == "active_shields" and junk == []):
            continue
        with pytest.raises(lc.InvalidPositionError) as caught:
            lc.Position.from_dict({**data, key: junk})
        assert len(str(caught.value)) < 400


def test_junk_anywhere_is_refused_or_makes_a_position() -> None:
    data = find(middle)
    for *way, last in leaves(data):
        inner: Any = data
        for key in way:
            inner = inner[key]
        kept = inner[last]
        for junk in JUNK:
            inner[last] = junk
            with suppress(lc.InvalidPositionError):
                lc.Position.from_dict(data)
        inner[last] = kept


@pytest.mark.parametrize("junk", JUNK)
def test_junk_instead_of_a_position_is_refused(junk: Any) -> None:
    with pytest.raises(lc.InvalidPositionError):
        lc.Position.from_dict(junk)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the path of every value inside, containers included."""
    paths = [path] if path else []
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            paths.extend(leaves(inner, (*path, key)))
    return paths


texts = st.sampled_from(["wood", "axe", "castle", "second", "tiles", "d3", "3,-2", "castle+4 GGA"])
values = (
    st.sampled_from(JUNK) | st.integers(-3, 60) | texts | st.lists(st.integers(0, 2), max_size=5)
)


@settings(max_examples=400)
@given(data=st.data())
def test_a_mutated_position_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """A change may give another position of some game; then it has to work like one."""
    position: Data = json.loads(data.draw(st.sampled_from(position_texts())))
    for _ in range(data.draw(st.integers(1, 3))):
        paths = leaves(position)
        *way, last = data.draw(st.sampled_from(paths))
        inner: Any = position
        for key in way:
            inner = inner[key]
        if data.draw(st.booleans()):
            inner[last] = copy.deepcopy(data.draw(values))  # later changes may go inside
        elif data.draw(st.booleans()) and isinstance(inner, dict):
            inner[data.draw(texts)] = inner.pop(last)
        else:
            del inner[last]
    try:
        read = lc.Position.from_dict(position)
    except lc.InvalidPositionError:
        return
    state = lc.State.from_position(read, seed=0)
    assert state.position() == read
    assert len(state.random_playout(0)) == read.players
