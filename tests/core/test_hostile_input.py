"""Values whose own code raises, in every field: a documented error or a plain copy, no code run."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

import looot_core as lc
from looot_core.components import FjordCell, fjord_neighbours
from looot_core.hexes import parse_hex
from tests.core.games import play, recorded, seen
from tests.core.hostile import (
    VALUES,
    hostile,
    impostor,
    is_plain,
    paths,
    replaced,
    with_failing_keys,
)

Read = Callable[[Any], Any]

RECORD = recorded("printed")[0]
POSITION = RECORD.replay(90).position()
SETUP_FIELDS = ("edition", "players", "landscape", "sites", "ocean_longships", "bag", "seed")


def fields(setup: lc.GameSetup) -> dict[str, Any]:
    """Give the arguments of a set-up, as lists where they may be."""
    return {
        **{name: getattr(setup, name) for name in SETUP_FIELDS},
        "sites": [list(seat) for seat in setup.sites],
        "ocean_longships": list(setup.ocean_longships),
        "bag": None if setup.bag is None else list(setup.bag),
        "seed": 1,
    }


def landscape_arguments(landscape: lc.Landscape) -> dict[str, Any]:
    return {
        "boards": [list(board) for board in landscape.boards],
        "ocean": list(landscape.ocean),
        "trophy_board": list(landscape.trophy_board),
    }


def make_landscape(arguments: dict[str, Any]) -> lc.Landscape:
    return lc.Landscape(**arguments)


def make_setup(arguments: dict[str, Any]) -> lc.GameSetup:
    return lc.GameSetup(**arguments)


def make_record(arguments: dict[str, Any]) -> lc.GameRecord:
    return lc.GameRecord(RECORD.setup, **arguments)


def landscape_texts(landscape: lc.Landscape) -> list[Any]:
    return [list(board) for board in (*landscape.boards, landscape.ocean, landscape.trophy_board)]


def dict_of(made: Any) -> Any:
    return made.to_dict()


# How something is read, from which data, with which error, and how what was read is looked at.
READERS: dict[str, tuple[Read, Any, type[lc.LoootError], Read]] = {
    "GameSetup.from_dict": (
        lc.GameSetup.from_dict, RECORD.setup.to_dict(), lc.InvalidSetupError, dict_of,
    ),
    "GameSetup": (make_setup, fields(RECORD.setup), lc.InvalidSetupError, dict_of),
    "Landscape": (
        make_landscape, landscape_arguments(RECORD.setup.landscape), lc.InvalidSetupError,
        landscape_texts,
    ),
    "Position.from_dict": (
        lc.Position.from_dict, POSITION.to_dict(), lc.InvalidPositionError, dict_of,
    ),
    "GameRecord.from_dict": (
        lc.GameRecord.from_dict,
        RECORD.setup.to_dict() | {"actions": list(RECORD.events[:9]), "note": [1, {"a": "b"}]},
        lc.InvalidRecordError, dict_of,
    ),
    "GameRecord": (
        make_record, {"events": list(RECORD.events[:9]), "extra": {"a": [{"b": 1}]}, "name": "x"},
        lc.InvalidRecordError, dict_of,
    ),
}  # fmt: skip
readers = pytest.mark.parametrize(("read", "data", "error", "look"), READERS.values(), ids=READERS)


def inner_paths(read: Read, data: Any) -> list[tuple[Any, ...]]:
    """Give where something can be put: not in place of keyword arguments as a whole."""
    return [path for path in paths(data) if path or read not in (
        make_landscape, make_setup, make_record
    )]  # fmt: skip


def look_at(read: Read, data: Any, error: type[lc.LoootError], look: Read) -> Any:
    """Give what is read, which must be plain, or None where it is refused with the error."""
    try:
        made = look(read(data))
    except error:
        return None
    assert is_plain(made)
    return made


@readers
def test_own_contents_in_a_hostile_class(
    read: Read, data: Any, error: type[lc.LoootError], look: Read
) -> None:
    right = look(read(data))
    accepted = 0
    for path in inner_paths(read, data):
        made = look_at(read, replaced(data, path, hostile), error, look)
        assert made is None or made == right
        accepted += made is not None
    assert accepted  # texts of any class are read as what they are


@readers
def test_hostile_values_everywhere(
    read: Read, data: Any, error: type[lc.LoootError], look: Read
) -> None:
    for path in inner_paths(read, data):
        for value in VALUES:
            look_at(read, replaced(data, path, lambda _, value=value: value), error, look)


@readers
def test_keys_that_fail_when_compared(
    read: Read, data: Any, error: type[lc.LoootError], look: Read
) -> None:
    right = look(read(data))
    for path in inner_paths(read, data):
        inner = data
        for key in path:
            inner = inner[key]
        if isinstance(inner, dict):
            assert look_at(read, replaced(data, path, with_failing_keys), error, look) == right
            with pytest.raises(error):
                read(replaced(data, path, lambda old: {**old, 1: 1}))


@pytest.fixture(scope="module")
def state() -> lc.State:
    """Give a game at a turn that can take a longship."""
    state, random = lc.State(RECORD.setup), Random(1)
    while not any(str(action).startswith("longship") for action in state.legal_actions()):
        state.apply(random.choice(state.legal_actions()))
    return state


CALLS: dict[str, Callable[[lc.State, Any], object]] = {
    "State": lambda _, value: lc.State(value),
    "State.from_position": lambda _, value: lc.State.from_position(value),
    "State.from_position, seed": lambda s, value: lc.State.from_position(s.position(), value),
    "GameSetup.random, players": lambda _, value: lc.GameSetup.random(players=value),
    "GameSetup.random, edition": lambda _, value: lc.GameSetup.random(edition=value),
    "GameSetup.random, seed": lambda _, value: lc.GameSetup.random(seed=value),
    "Action.parse, game": lambda _, value: lc.Action.parse("end", value),
    "Action.from_index, game": lambda _, value: lc.Action.from_index(500, value),
    "apply": lambda s, value: s.apply(value),
    "score_breakdown": lambda s, value: s.score_breakdown(value),
    "random_playout": lambda s, value: s.random_playout(value),
    "random_playouts": lambda s, value: s.random_playouts(value, 1),
    "random_playouts, seed": lambda s, value: s.random_playouts(1, value),
    "GameRecord, set-up": lambda _, value: lc.GameRecord(value, []),
    "replay": lambda _, value: RECORD.replay(value),
    "svg": lambda _, value: lc.svg(value),
    "svg, highlight": lambda s, value: lc.svg(s, [value]),
    "Longship.parse": lambda _, value: lc.Longship.parse(value),
    "Longship, kind": lambda _, value: lc.Longship(value, 4, "GGA"),
    "Longship, bonus": lambda _, value: lc.Longship("castle", value, "GGA"),
    "Longship, needs": lambda _, value: lc.Longship("castle", 4, value),
    "parse_hex": lambda _, value: parse_hex(value),
    "fjord_neighbours": lambda _, value: fjord_neighbours(value),
    "fjord_neighbours, column": lambda _, value: fjord_neighbours(FjordCell(value, 0)),
}
GAMES = [impostor(kind) for kind in (lc.State, lc.Position, lc.GameSetup, lc.Landscape, lc.Action)]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_calls_refuse_them(state: lc.State, call: Callable[[lc.State, Any], object]) -> None:
    before = seen(state)
    for value in [*VALUES, *GAMES, hostile(2), hostile("printed"), hostile("castle")]:
        with suppress(lc.LoootError):
            call(state, value)
            assert issubclass(type(value), str)  # all else is refused
    assert seen(state) == before


def test_actions_and_draws_as_texts_of_any_class(state: lc.State) -> None:
    for action in state.legal_actions():
        assert lc.Action.parse(hostile(str(action)), state) == action
    for value in [*VALUES, *GAMES, hostile("viking 99,99")]:
        if type(value) is not type(hostile("end")) or str.__str__(value) != "end":
            with pytest.raises(lc.IllegalActionError):
                lc.Action.parse(value, state)
    action = next(a for a in state.legal_actions() if str(a).startswith("longship"))
    for value in [*VALUES, *GAMES]:
        with pytest.raises(lc.IllegalActionError):
            state.apply(action, draw=value)
    twin = state.clone()
    state.apply(action, draw=hostile(state.unseen[3]))
    twin.apply(action, draw=twin.unseen[3])
    assert seen(state) == seen(twin)
    state.undo()


def test_an_index_is_taken_by_its_true_value(state: lc.State) -> None:
    assert lc.Action.from_index(hostile(500), state).index == 500
    for number in (501, 10**9, 2**70, -1):
        with pytest.raises(lc.IllegalActionError):
            lc.Action.from_index(hostile(number), state)


def test_records_compare_what_they_store_without_its_code() -> None:
    played = RECORD.with_checks()
    for key in ("turns", "final", "winners"):
        for path in paths(played.extra[key]):
            extra = {**played.extra, key: replaced(played.extra[key], path, hostile)}
            try:
                record = lc.GameRecord(played.setup, played.events, extra)
            except lc.InvalidRecordError:
                continue
            record.check()
            assert record == played


def test_nothing_of_the_classes_may_be_changed_by_a_subclass() -> None:
    for kind in (lc.State, lc.Action):
        with pytest.raises(TypeError):
            type("Sub", (kind,), {})
    sub: Any = type("Sub", (lc.GameSetup,), {"landscape": property(lambda _: 1 / 0)})
    made = object.__new__(sub)
    for call in (lc.State, lambda game: lc.Action.parse("end", game)):
        with pytest.raises(lc.LoootError):
            call(made)
    assert play(lc.State(RECORD.setup), Random(0))
