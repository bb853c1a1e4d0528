"""Objects whose fields were changed behind their backs: an error, never a crash."""

import copy
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from random import Random
from typing import Any

import numpy as np
import pytest

import looot_core as lc
from looot_core import actions
from looot_core import state as state_module
from looot_core.components import EDITIONS
from looot_core.tables import Layout
from tests.core.games import play, recorded, seen
from tests.core.hostile import VALUES, hostile, impostor

SETUP = recorded("printed")[0].setup
force = object.__setattr__


def copied(value: Any) -> Any:
    """Give a frozen object of the same fields as another, which nobody else has."""
    twin = object.__new__(type(value))
    for name in type(value).__slots__:
        force(twin, name, getattr(value, name))
    return twin


def started() -> lc.State:
    """Give a game in which longships are taken and vikings stand."""
    return recorded("printed")[0].replay(90)


def use(state: lc.State) -> None:
    """Look at all of a state, and play it to the end."""
    seen(state)
    assert str(state)
    play(state, Random(0))


def huge_values(value: Any) -> list[Any]:
    """Give values like one, but far too long, too short or too large."""
    if isinstance(value, tuple):
        return [value * 5000, (), value[:1], [*value] * 5000, (*value, None), (hostile("x"),) * 9]
    if isinstance(value, int):
        return [200, -1, 10**30, 4, hostile(3)]
    return []


def forgeries(value: Any, spare: Callable[[], Any]) -> list[tuple[str, Any]]:
    """Give changes of each field: other objects, hostile ones, values out of range."""
    return [
        (field.name, forged)
        for field in fields(value)
        if hasattr(value, field.name)
        for forged in (*VALUES, *huge_values(getattr(value, field.name)), spare(), None)
    ]


def test_set_ups_with_forged_fields_are_refused_or_give_a_state() -> None:
    accepted = 0
    for name, value in forgeries(SETUP, lambda: lc.GameSetup.random(seed=1).landscape):
        setup = copied(SETUP)
        force(setup, name, value)
        try:
            state = lc.State(setup)
        except lc.LoootError:
            continue
        accepted += 1
        use(state)
    assert accepted  # such as a set-up whose bag is None


def test_forged_positions_give_the_state_they_were_made_of() -> None:
    whole = started()
    for name, value in forgeries(whole.position(), whole.position):
        position = copied(whole.position())
        force(position, name, value)
        try:
            state = lc.State.from_position(position, seed=1)
        except lc.InvalidPositionError:
            assert name == "_state"
            continue
        assert state.hash() == whole.hash()


def test_the_mappings_of_a_position_may_be_changed_by_what_they_are_compared_with() -> None:
    class Changing:
        def __eq__(self, other: object) -> bool:
            assert isinstance(other, dict)
            other[900, 900] = (200,) * 9
            return True

        __hash__ = None  # type: ignore[assignment]

    whole = started()
    position = whole.position()
    assert position.vikings == Changing()
    state = lc.State.from_position(position)
    assert state.hash() == whole.hash()
    use(state)


def test_the_state_of_a_position_cannot_be_changed_through_it() -> None:
    whole = started()
    position = whole.position()
    first, second = (lc.State.from_position(position, seed=1) for _ in range(2))
    play(first, Random(1))
    assert second.hash() == whole.hash()
    play(whole, Random(2))
    assert lc.State.from_position(position).hash() == second.hash()


def test_a_position_has_no_bag() -> None:
    position = lc.State(SETUP).position()
    action = lc.Action.parse("viking {},{}".format(*lc.State(SETUP).landing_spaces()[0]), SETUP)
    ends = set()
    for seed in range(20):
        state = lc.State.from_position(position, seed)
        state.apply(action)
        while state.phase is not lc.Phase.END_OF_TURN:
            state.apply(state.legal_actions()[0])
        state.apply(next(a for a in state.legal_actions() if state.reveals(a)))
        ends.add(state.position().ocean_longships)
    assert len(ends) > 10


@pytest.mark.parametrize("kind", [lc.GameSetup, lc.Position, lc.Landscape])
def test_objects_made_without_their_constructors(kind: Any) -> None:
    bare = kind.__new__(kind)
    calls: list[Callable[[], object]] = [
        lambda: lc.State(bare),
        lambda: lc.State.from_position(bare),
        lambda: lc.Action.parse("end", bare),
        lambda: lc.Action.from_index(500, bare),
        lambda: lc.GameSetup("printed", 2, bare, SETUP.sites, SETUP.ocean_longships),
        lambda: lc.svg(bare),
        lambda: Layout(bare, "printed"),
        lambda: actions.layout_of(bare, "printed"),
    ]
    for call in calls:
        with pytest.raises(lc.LoootError):
            call()


def test_landscapes_with_forged_fields() -> None:
    state = started()
    before = seen(state)
    other = lc.GameSetup.random(players=4, seed=1).landscape
    for name, value in forgeries(SETUP.landscape, lambda: other):
        landscape = copied(SETUP.landscape)
        force(landscape, name, value)
        setup = copied(SETUP)
        force(setup, "landscape", landscape)
        with suppress(lc.LoootError):
            use(lc.State(setup))
    assert seen(state) == before


def test_a_landscape_changed_while_a_state_is_on_it() -> None:
    setup = copied(SETUP)
    force(setup, "landscape", lc.Landscape(*(
        getattr(SETUP.landscape, name) for name in ("boards", "ocean", "trophy_board")
    )))  # fmt: skip
    state = lc.State(setup)
    play(state, Random(3), 40)
    before = state.position().to_dict()
    landing, legal = state.landing_spaces(), list(map(str, state.legal_actions()))
    other = lc.GameSetup.random(players=4, seed=1).landscape
    setup.landscape.__init__(other.boards, other.ocean, other.trophy_board)
    for name in ("resource_spaces", "building_spaces", "ocean_spaces"):
        force(setup.landscape, name, ())
    assert state.position().to_dict() == before
    assert state.landing_spaces() == landing
    assert list(map(str, state.legal_actions())) == legal
    use(state)


@pytest.mark.parametrize("name", ["resource_spaces", "building_spaces", "ocean_spaces"])
def test_the_landscape_that_a_state_shows_is_not_what_it_plays_on(name: str) -> None:
    state = lc.State(lc.GameSetup.random(seed=77))
    play(state, Random(3), 40)
    landing, legal = state.landing_spaces(), list(map(str, state.legal_actions()))
    kept = getattr(state.landscape, name)
    for value in ((), kept * 100):
        force(state.landscape, name, value)
        assert state.landing_spaces() == landing
        assert list(map(str, state.legal_actions())) == legal
        state.position()
        state.random_playouts(10)
    force(state.landscape, name, kept)


def test_set_ups_and_states_restored_from_any_data() -> None:
    setup = copied(SETUP)
    setup.__setstate__(["printed", 2, SETUP.landscape, SETUP.sites * 5000, (), None, None])
    with pytest.raises(lc.InvalidSetupError, match=r"^sites: "):
        lc.State(setup)
    with pytest.raises(lc.InvalidSetupError):
        copy.copy(setup)
    with pytest.raises(lc.InvalidSetupError):
        pickle.loads(pickle.dumps(setup))
    assert pickle.loads(pickle.dumps(SETUP)) == copy.deepcopy(SETUP) == SETUP


def test_a_restored_state_has_a_bag_of_what_is_unseen() -> None:
    position = started().position()
    bags: list[Any] = [
        tuple(range(-100000, 0)), (35, 67, 99), (), ("a",), (200,) * 25, (True,) * 30, [0, 1],
        (10**30,), tuple(range(29)), *VALUES,
    ]  # fmt: skip
    for bag in bags:
        with pytest.raises(lc.InvalidPositionError, match=r"^bag: "):
            state_module._restore(position, 1, bag)  # type: ignore[attr-defined]
    use(state_module._restore(position, 1, tuple(range(30))))  # type: ignore[attr-defined]
    for seed in (-1, 2**64, "1", 1.0):
        with pytest.raises(lc.LoootError, match=r"^seed: "):
            state_module._restore(position, seed, None)  # type: ignore[attr-defined]


def test_restored_actions_are_of_their_landscape() -> None:
    restore = actions._action  # type: ignore[attr-defined]
    landscape = SETUP.landscape
    for index in (-5, 83, 501, 10**30, "5", None, 5.0):
        with pytest.raises((lc.IllegalActionError, OverflowError)):
            restore(index, landscape, "printed")
    wrong: list[tuple[object, ...]] = [
        (5, None, "printed"),
        (5, landscape, "no"),
        (5, landscape, []),
    ]
    for arguments in wrong:
        with pytest.raises(lc.InvalidSetupError):
            restore(*arguments)


def test_what_an_action_looks_up_is_out_of_reach() -> None:
    action = started().legal_actions()[0]
    assert [name for name in dir(action) if not name.startswith("__")] == [
        "from_index", "index", "parse",
    ]  # fmt: skip
    layout = Layout(SETUP.landscape, "printed")
    assert not [name for name in dir(layout) if not name.startswith("__")]
    with pytest.raises(AttributeError):
        action.index = 7
    strays = [lc.Action(index, layout) for index in (0, 84, 500)]  # of no shared layout
    for stray in strays:
        assert pickle.loads(pickle.dumps(stray)) == stray
        assert stray == lc.Action.from_index(stray.index, SETUP)


def test_layouts_are_made_of_landscapes_and_editions_alone() -> None:
    lengthy = type("Lengthy", (tuple,), {"__len__": lambda _: 3})
    false: Any = impostor(lc.Landscape)
    shaped = type("Shaped", (), {"resource_spaces": lengthy([(0, 0)] * 900), "boards": ()})()
    for landscape in (false, shaped, None, *VALUES):
        with pytest.raises(lc.InvalidSetupError):
            Layout(landscape, "printed")
    editions: list[Any] = [None, "none", hostile("printed"), ["printed"], *VALUES]
    for edition in editions:
        with pytest.raises(lc.InvalidSetupError):
            Layout(SETUP.landscape, edition)


def test_subclasses_are_none_of_the_family() -> None:
    unchecked = type("Unchecked", (lc.GameSetup,), {"__post_init__": lambda _: None})
    setup: Any = unchecked("printed", 9, SETUP.landscape, SETUP.sites * 900, ())
    with pytest.raises(lc.InvalidSetupError):
        lc.State(setup)
    with pytest.raises(lc.InvalidPositionError):
        lc.State.from_position(object.__new__(type("Sub", (lc.Position,), {})))


def test_a_draw_runs_its_code_before_anything_is_looked_at() -> None:
    """The text of a forged longship plays on in the state that is about to take it."""
    state = lc.State(lc.GameSetup.random(seed=3))
    while not any(map(state.reveals, state.legal_actions())):
        state.apply(state.legal_actions()[0])
    action = next(a for a in state.legal_actions() if state.reveals(a))

    class Kind(str):
        __slots__ = ()

        def __format__(self, _: str) -> str:
            play(state, Random(1), 500)
            return str(self)

    text = state.unseen[0]
    draw = copied(lc.Longship.parse(text))
    force(draw, "kind", Kind(draw.kind))
    with pytest.raises(lc.IllegalActionError, match="is not legal"):
        state.apply(action, draw=draw)
    assert state.is_over
    force(draw, "kind", hostile("castle"))
    with pytest.raises(lc.IllegalActionError, match=r"^draw: "):
        state.apply(action, draw=draw)


def test_longships_of_an_edition_with_forged_fields() -> None:
    state = started()
    before = seen(state)
    kept = EDITIONS["printed"].longships
    try:
        for value in ((), kept * 100):
            force(EDITIONS["printed"], "longships", value)
            assert state.unseen == before["unseen"]
            assert state.position().to_dict() == before["position"]
            with pytest.raises((ValueError, KeyError)):
                lc.State(lc.GameSetup.random(edition="printed", seed=12345))
    finally:
        force(EDITIONS["printed"], "longships", kept)
    assert seen(state) == before


def test_a_state_shared_by_threads_gives_scores_of_one_of_its_positions() -> None:
    state = lc.State(lc.GameSetup.random(players=4, seed=5))
    play(state, Random(5), 200)
    done = threading.Event()

    def go_back_and_forth() -> None:
        while not done.is_set():
            state.undo()
            state.apply(state.legal_actions()[0])

    other = threading.Thread(target=go_back_and_forth)
    other.start()
    try:
        for seed in range(100):
            scores = state.random_playouts(200, seed)
            assert (np.abs(scores) < 1000).all()
    finally:
        done.set()
        other.join()


def test_playouts_can_be_interrupted() -> None:
    class Interruption(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise Interruption

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Interruption):
            lc.State(SETUP).random_playouts(100_000_000, 1)
    finally:
        signal.signal(signal.SIGALRM, before)
