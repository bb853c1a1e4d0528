"""Malformed input to every public function: the documented error, and nothing is changed."""

import contextlib
import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from tests.core.games import play, recorded, seen


class Hostile:
    """An object that fails whatever is asked of it, and can be told from everything."""

    def _fail(self, *_: Any) -> NoReturn:
        raise LookupError("asked")

    __index__ = __int__ = __float__ = __bool__ = __len__ = __iter__ = __hash__ = _fail
    __str__ = __repr__ = __format__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = _fail
    __getitem__ = __contains__ = __add__ = __sub__ = _fail


class Liar(int):
    """An integer that says it is equal to everything and in every range."""

    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return True

    __gt__ = __le__ = __ge__ = __lt__


class Text(str):
    """A text that says it is another one."""

    def __str__(self) -> str:
        return "end"

    __slots__ = ()


JUNK: list[Any] = [
    None, True, False, -1, 501, 2**31, 2**63, 2**64, -(2**63) - 1, 10**4000, 0.0, 1.5,
    float("nan"), float("inf"), 1j, "", "0", "end ", " end", "END", "viking", "viking 0",
    "viking 99,99", "viking 1,1,1", "viking 01,1", "viking ٣,٣", "tile wood", "tile stone d3",
    "tile wood z9", "longship 5 d3", "longship -1 d3", "trophy 1", "trophy 7", "shield third",
    "end\n", "e\0nd", "\ud800", "x" * 100_000, b"end", [], ["end"], (), {}, {"index": 500}, set(),
    object(), int, lambda: 500, np.array([1]), np.float64(1), np.zeros(501, np.uint8), Liar(500),
    Text("trophy 9"), Hostile(), lc.Phase.OVER,
]  # fmt: skip
IDS = [f"{index}-{type(value).__name__}" for index, value in enumerate(JUNK)]
junk_values = pytest.mark.parametrize("junk", JUNK, ids=IDS)


@pytest.fixture(scope="module")
def state() -> lc.State:
    """Give a game at a turn that can take a longship; tests must leave it as it is."""
    state, random = lc.State(lc.GameSetup.random(players=3, seed=21)), Random(21)
    while not any(str(action).startswith("longship") for action in state.legal_actions()):
        state.apply(random.choice(state.legal_actions()))
    return state


def refuses(state: lc.State, error: type[lc.LoootError], call: Callable[[], object]) -> None:
    assert issubclass(error, ValueError)
    before = seen(state)
    with pytest.raises(error) as caught:
        call()
    assert 0 < len(str(caught.value)) < 400
    assert seen(state) == before


@junk_values
def test_set_ups(junk: Any) -> None:
    with pytest.raises(lc.InvalidSetupError):
        lc.State(junk)
    with pytest.raises(lc.InvalidSetupError):
        lc.GameSetup.from_dict(junk)


@junk_values
def test_actions_that_are_none(state: lc.State, junk: Any) -> None:
    refuses(state, lc.IllegalActionError, lambda: state.apply(junk))
    refuses(state, lc.IllegalActionError, lambda: lc.Action.parse(junk, state))
    refuses(state, lc.IllegalActionError, lambda: lc.Action.parse("end", junk))
    refuses(state, lc.IllegalActionError, lambda: lc.Action.from_index(500, junk))


@pytest.mark.parametrize("index", [-1, 501, 2**31, 2**63, 2**64, -(2**64), 10**4000, 83])
def test_indices_out_of_range(state: lc.State, index: int) -> None:
    refuses(state, lc.IllegalActionError, lambda: lc.Action.from_index(index, state))


@pytest.mark.parametrize(
    "index",
    [None, True, 1.0, float("nan"), "1", b"1", [1], np.float64(1), np.array([1, 2]), Hostile()],
    ids=range(10),
)
def test_indices_that_are_no_integers(state: lc.State, index: Any) -> None:
    refuses(state, lc.IllegalActionError, lambda: lc.Action.from_index(index, state))


def test_integers_of_numpy_are_indices(state: lc.State) -> None:
    end = lc.Action.parse("end", state)
    numbers: list[Any] = [np.int64(500), np.uint16(500), np.array(500)]
    for number in numbers:
        assert lc.Action.from_index(number, state) == end


def test_illegal_actions_of_every_index(state: lc.State) -> None:
    legal = {action.index for action in state.legal_actions()}
    for index in range(lc.ACTION_COUNT):
        if index in legal:
            continue
        try:
            action = lc.Action.from_index(index, state)
        except lc.IllegalActionError:
            continue
        with pytest.raises(lc.IllegalActionError, match=r"\(R\d+"):
            state.apply(action)
    assert {action.index for action in state.legal_actions()} == legal


def test_actions_of_another_landscape_or_edition(state: lc.State) -> None:
    for other in (
        lc.GameSetup.random(players=3, seed=22),
        lc.GameSetup.random(players=2, seed=21),
        lc.GameSetup.random(players=3, edition="printed", seed=21),
    ):
        action = lc.Action.parse("end", other)
        refuses(state, lc.IllegalActionError, partial(state.apply, action))


def test_what_is_no_action_is_told_how_to_make_one(state: lc.State) -> None:
    call: Any
    for call in (state.apply, state.reveals):
        with pytest.raises(lc.IllegalActionError, match=r"'end' is not an Action; make one with"):
            call("end")
    with pytest.raises(lc.InvalidPositionError, match=r"is not a Position; use state\.position"):
        lc.State.from_position(state)  # type: ignore[arg-type]


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    over = lc.State(lc.GameSetup.random(seed=2))
    play(over, Random(2))
    for index in range(84, lc.ACTION_COUNT):
        action = lc.Action.from_index(index, over)
        with pytest.raises(lc.IllegalActionError, match=r"over"):
            over.apply(action)
    assert over.is_over


DRAWS = [junk for junk in JUNK if junk is not None]  # which is no draw at all


@pytest.mark.parametrize("junk", DRAWS, ids=range(len(DRAWS)))
def test_draws_that_are_none(state: lc.State, junk: Any) -> None:
    for action in state.legal_actions()[-40:]:
        refuses(state, lc.IllegalActionError, partial(state.apply, action, draw=junk))


@junk_values
def test_seats(state: lc.State, junk: Any) -> None:
    refuses(state, lc.LoootError, lambda: state.score_breakdown(junk))


@junk_values
def test_seeds_and_numbers_of_playouts(state: lc.State, junk: Any) -> None:
    seed = type(junk) is int and 0 <= junk < 2**64
    if not seed and junk is not None:
        refuses(state, lc.LoootError, lambda: state.random_playout(junk))
        refuses(state, lc.LoootError, lambda: state.random_playouts(1, junk))
        refuses(state, lc.LoootError, lambda: lc.State.from_position(state.position(), junk))
        refuses(state, lc.InvalidSetupError, lambda: lc.GameSetup.random(seed=junk))
    if type(junk) is not int or not 0 <= junk <= 100_000_000:
        refuses(state, lc.LoootError, lambda: state.random_playouts(junk, 1))


@junk_values
def test_players_and_editions(junk: Any) -> None:
    with pytest.raises(lc.InvalidSetupError):
        lc.GameSetup.random(players=junk)
    with pytest.raises(lc.InvalidSetupError):
        lc.GameSetup.random(edition=junk)


@junk_values
def test_positions(state: lc.State, junk: Any) -> None:
    refuses(state, lc.InvalidPositionError, lambda: lc.State.from_position(junk))
    refuses(state, lc.InvalidPositionError, lambda: lc.Position.from_dict(junk))


@junk_values
def test_records(state: lc.State, junk: Any) -> None:
    setup = recorded("printed")[0].setup
    refuses(state, lc.InvalidRecordError, lambda: lc.GameRecord.from_dict(junk))
    refuses(state, lc.InvalidRecordError, lambda: lc.GameRecord(junk, []))
    refuses(state, lc.InvalidRecordError, lambda: lc.GameRecord(setup, [junk, 0]))  # type: ignore[list-item]
    if type(junk) not in (list, tuple):
        refuses(state, lc.InvalidRecordError, lambda: lc.GameRecord(setup, junk))


@junk_values
def test_drawings(state: lc.State, junk: Any) -> None:
    refuses(state, lc.LoootError, lambda: lc.svg(junk))
    refuses(state, lc.IllegalActionError, lambda: lc.svg(state, [junk]))
    if type(junk) not in (list, tuple) or junk:
        refuses(state, lc.IllegalActionError, lambda: lc.svg(state, junk))


@junk_values
def test_landscapes(junk: Any) -> None:
    landscape = recorded("printed")[0].setup.landscape
    boards, ocean, trophy_board = landscape.boards, landscape.ocean, landscape.trophy_board
    for arguments in (
        (junk, ocean, trophy_board),
        ([junk, *boards[1:]], ocean, trophy_board),
        ([boards[0], (junk, *boards[1][1:])], ocean, trophy_board),
        (boards, junk, trophy_board),
        (boards, ocean, (*trophy_board[:3], junk)),
    ):
        if type(junk) is int and junk in range(6):
            continue
        with pytest.raises(lc.InvalidSetupError):
            lc.Landscape(*arguments)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=100)
@given(value=json_values)
def test_any_json_value_is_refused_everywhere(state: lc.State, value: Any) -> None:
    before = seen(state)
    calls: list[Callable[[Any], object]] = [
        lc.State,
        lc.GameSetup.from_dict,
        lc.GameRecord.from_dict,
        lc.Position.from_dict,
        lc.State.from_position,
        lc.svg,
        state.apply,
        lambda value: lc.Action.parse(value, state),
        lambda value: lc.Action.parse("end", value),
    ]
    for call in calls:
        with pytest.raises(lc.LoootError):
            call(value)
    assert seen(state) == before


@settings(max_examples=200)
@given(key=st.integers(0, 8), value=json_values, inside=st.booleans())
def test_a_set_up_with_any_value_in_a_field(key: int, value: Any, inside: bool) -> None:
    data: dict[str, Any] = json.loads(json.dumps(recorded("printed")[0].setup.to_dict()))
    name = sorted(data)[key % len(data)]
    if inside and isinstance(data[name], list):
        data[name][0] = value
    else:
        data[name] = value
    try:
        setup = lc.GameSetup.from_dict(data)
    except lc.InvalidSetupError:
        return
    lc.State(setup).random_playout(0)


def test_no_state_without_its_tables() -> None:
    with pytest.raises(TypeError):
        lc.State.__new__(lc.State)  # type: ignore[call-arg]
    with pytest.raises(lc.InvalidSetupError):
        lc.State.__new__(lc.State, None)  # type: ignore[arg-type]


def test_init_changes_no_living_state() -> None:
    state = lc.State(lc.GameSetup.random(players=2, seed=1))
    before = state.hash()
    with contextlib.suppress(TypeError):
        state.__init__(lc.GameSetup.random(players=3, seed=2))  # type: ignore[call-arg]
    assert state.hash() == before
    assert state.players == 2
