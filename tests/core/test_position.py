"""Positions: those of games are accepted and kept; broken ones are refused with field and rule."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from tests.core.games import EDITIONS, choose, recorded, seeds, setups

Data = dict[str, Any]


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


# What a position is

Found = Callable[[Data], bool]


@cache
def _positions() -> tuple[str, ...]:
    """Positions of the recorded games as JSON, for the cases below to pick from."""
    texts = []
    for record in (*recorded("printed")[:12], *recorded("rulebook")[:12]):
        state = lc.State(record.setup)
        for _, action, draw in record.steps():
            texts.append(json.dumps(state.position().to_dict()))
            state.apply(action, draw=draw)
        texts.append(json.dumps(state.position().to_dict()))
    return tuple(texts)


def find(wanted: Found) -> Data:
    for text in _positions():
        data: Data = json.loads(text)
        if wanted(data):
            return data
    raise AssertionError("no recorded position is like that")


def current(data: Data) -> Data:
    seat: Data = data["seats"][data["current_player"]]
    return seat


def full(seat: Data) -> bool:
    return len(seat["tiles"]) + len(seat["longships"]) == 34


def middle(data: Data) -> bool:
    """At the start of a turn, with longships taken and no fjord full."""
    return (
        data["phase"] == "viking"
        and data["turn_number"] > 12
        and all(seat["longships"] and not full(seat) for seat in data["seats"])
        and not data["active_shields"]
    )


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


# What is refused

Break = Callable[[Data], None]
CASES: dict[str, tuple[Found, Break, str]] = {}


def case(wanted: Found, message: str) -> Callable[[Break], Break]:
    def register(change: Break) -> Break:
        CASES[change.__name__] = (wanted, change, message)
        return change

    return register


def shielded(shield: str) -> Found:
    return lambda data: middle(data) and all(shield in seat["shields"] for seat in data["seats"])


@case(middle, r"seats\[0\]\.vikings_in_hand: .* are not 13 \(R5\)")
def viking_too_many(data: Data) -> None:
    data["seats"][0]["vikings_in_hand"] += 1


@case(middle, r"seats\[0\]\.vikings_in_hand: 14 .* \(R5\)")
def more_vikings_than_there_are(data: Data) -> None:
    data["seats"][0]["vikings_in_hand"] = 14


@case(middle, r"seats\[1\]\.vikings_in_hand: .* \(R5\)")
def viking_missing(data: Data) -> None:
    place = next(place for place, counts in data["vikings"].items() if counts[1])
    del data["vikings"][place]


@case(middle, r"ocean_longships\[0\]: .* \(R4\)")
def longship_in_two_places(data: Data) -> None:
    data["ocean_longships"][0] = data["unseen"][0]


@case(middle, r"unseen: .* \(R4\)")
def longship_nowhere(data: Data) -> None:
    del data["unseen"][0]


@case(middle, r"unseen.*: .* twice .*\(R4\)")
def longship_twice_unseen(data: Data) -> None:
    data["unseen"][0] = data["unseen"][1]


@case(middle, r"unseen: .* \(R4, R13\)")
def longship_back_in_the_bag(data: Data) -> None:
    data["unseen"].append(data["ocean_longships"][0])
    data["ocean_longships"][0] = None


@case(middle, r"ocean_longships: 4 slots instead of 5 \(R4\)")
def slot_missing(data: Data) -> None:
    del data["ocean_longships"][0]


@case(middle, r"unseen\[0\]: 'castle\+9 GGG' .*\(R4\)")
def unknown_longship(data: Data) -> None:
    data["unseen"][0] = "castle+9 GGG"


@case(middle, r"seats\[0\]\.filled: .* is not filled by the tiles around it \(R12\)")
def filled_without_its_tiles(data: Data) -> None:
    for seat in data["seats"][:1]:
        seat["filled"] = [*seat["longships"], "port", "altar", "jarl_palace"]


@case(lambda data: data["seats"][0]["trophy"] == 0 and middle(data), r"trophy: 6 needs .* \(R14\)")
def trophy_without_axes(data: Data) -> None:
    data["seats"][0]["trophy"] = 6


@case(lambda data: data["seats"][0]["trophy"] > 0, r"seats\[1\]\.trophy: . is with seats\[0\]")
def trophy_twice(data: Data) -> None:
    data["seats"][1]["trophy"] = data["seats"][0]["trophy"]


@case(middle, r"seats\[0\]\.trophy: 7 .* \(R14\)")
def unknown_trophy(data: Data) -> None:
    data["seats"][0]["trophy"] = 7


@case(shielded("double"), r"seats\[0\]\.tiles: .* \(R7, R18\)")
def more_axes_than_spaces(data: Data) -> None:
    seat = data["seats"][0]
    cell = next(
        f"{column}{row}"
        for column, row in ("a2", "b4", "d1", "d2", "d3", "e1", "e3", "f3")
        if f"{column}{row}" not in {**seat["tiles"], **seat["longships"]}
    )
    seat["tiles"][cell] = "axe"


@case(middle, r"seats\[0\]\.tiles: .* \(R7, R18\)")
def fewer_goods_than_spaces(data: Data) -> None:
    seat = data["seats"][0]
    goods = ("wood", "sheep", "gold", "axe")
    cell = next(cell for cell, kind in seat["tiles"].items() if kind in goods)
    del seat["tiles"][cell]


@case(middle, r"buildings\..*: .* \(R3, R8-R11\)")
def stack_too_small(data: Data) -> None:
    place = next(place for place, left in data["buildings"].items() if left)
    data["buildings"][place] -= 1


@case(middle, r"buildings\..*: .* \(R3, R8-R11\)")
def stack_too_large(data: Data) -> None:
    place = next(place for place, left in data["buildings"].items() if left == 1)
    data["buildings"][place] += 1


@case(middle, r"buildings\..*: 4 is not an integer from 0 to 3 \(R3\)")
def stack_out_of_range(data: Data) -> None:
    data["buildings"][next(iter(data["buildings"]))] = 4


@case(middle, r"buildings: .* is missing \(R3\)")
def stack_missing(data: Data) -> None:
    data["buildings"].popitem()


@case(middle, r"buildings: .* \(R3\)")
def building_lost_on_the_way(data: Data) -> None:
    kinds = ("house", "watchtower", "castle")
    for seat in data["seats"]:
        for cell, kind in seat["tiles"].items():
            if kind in kinds:
                del seat["tiles"][cell]
                return


@case(shielded("second"), r"phase: second_viking.* \(R16\)")
def second_viking_without_its_shield(data: Data) -> None:
    data["phase"] = "second_viking"


@case(lambda data: data["phase"] == "second_viking", r"owed: .* \(R7, R11\)")
def second_viking_owing_nothing(data: Data) -> None:
    data["owed"] = {"resources": {}, "buildings": {}}


@case(middle, r"turn_number: .* \(R6, R16\)")
def turn_number_too_small(data: Data) -> None:
    data["turn_number"] -= 1


@case(middle, r"(seats\[\d\]\.vikings_in_hand|current_player): .* \(R5\)")
def out_of_turn(data: Data) -> None:
    data["current_player"] = (data["current_player"] + 1) % data["players"]


@case(middle, r"current_player: .* \(R5\)")
def no_such_seat(data: Data) -> None:
    data["current_player"] = data["players"]


@case(middle, r"vikings\..*: .*\(R6\)")
def unreachable_viking(data: Data) -> None:
    """Move a viking to a free space beside nothing."""
    landscape = lc.Position.from_dict(data).landscape
    spaces = [(space.q, space.r) for space in landscape.resource_spaces]
    near = {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (0, 0)}
    taken = [tuple(map(int, place.split(","))) for place in data["vikings"]]
    taken += [(space.q, space.r) for space in landscape.ocean_spaces]
    q, r = next(
        (q, r)
        for q, r in spaces
        if not any((q - other_q, r - other_r) in near for other_q, other_r in taken)
    )
    _, counts = data["vikings"].popitem()
    data["vikings"][f"{q},{r}"] = counts


@case(shielded("occupied"), r"vikings: .* \(R17\)")
def stacked_without_a_shield(data: Data) -> None:
    """Put a viking of seat 0 on top of one of its others, which nothing hangs on."""
    own = [place for place, counts in data["vikings"].items() if counts[0]]
    data["vikings"][own[0]][0] += 1
    data["seats"][0]["vikings_in_hand"] -= 1
    data["turn_number"] += 1
    seat = data["seats"][0]
    if "second" in seat["shields"]:
        seat["shields"].remove("second")
        data["turn_number"] -= 1


@case(middle, r"vikings\..*\[0\]: 3 is not an integer from 0 to 2 \(R17\)")
def three_on_a_space(data: Data) -> None:
    data["vikings"][next(iter(data["vikings"]))][0] = 3


@case(middle, r"vikings\..*: ")
def nobody_on_a_space(data: Data) -> None:
    place = next(iter(data["vikings"]))
    data["vikings"][place] = [0] * data["players"]


@case(middle, r"vikings: .* .*\(R6")
def viking_off_the_landscape(data: Data) -> None:
    _, counts = data["vikings"].popitem()
    data["vikings"]["900,900"] = counts


@case(middle, r"owed: 1 tiles in phase viking \(R11\)")
def owed_before_the_viking(data: Data) -> None:
    data["owed"]["resources"] = {"wood": 1}


@case(lambda data: data["phase"] == "end_of_turn", r"owed: 1 tiles in phase end_of_turn \(R11\)")
def owed_at_the_end_of_the_turn(data: Data) -> None:
    data["owed"]["buildings"] = {next(iter(data["buildings"])): 1}


@case(lambda data: data["phase"] == "tiles", r"owed: .*\(R7, R11\)")
def nothing_owed_in_phase_tiles(data: Data) -> None:
    data["owed"] = {"resources": {}, "buildings": {}}


@case(lambda data: data["phase"] == "end_of_turn", r"phase: over while .* \(R19\)")
def over_too_early(data: Data) -> None:
    data["phase"] = "over"
    data["turn_number"] += 1
    data["longship_taken"] = False


@case(middle, r"longship_taken: true in phase viking \(R13\)")
def longship_taken_before_the_viking(data: Data) -> None:
    data["longship_taken"] = True


@case(
    lambda data: data["phase"] == "end_of_turn" and not current(data)["longships"],
    r"longship_taken: .*\(R13\)",
)
def longship_taken_and_gone(data: Data) -> None:
    data["longship_taken"] = True


@case(middle, r"seats\[0\]\.longships\...: .*\(R11, R13\)")
def longship_on_a_tile(data: Data) -> None:
    seat = data["seats"][0]
    seat["longships"] = {next(iter(seat["tiles"])): seat["longships"].popitem()[1]}


@case(middle, r"seats\[0\]\.tiles: 'z9' .*\(R11")
def unknown_cell(data: Data) -> None:
    data["seats"][0]["tiles"]["z9"] = "wood"


@case(middle, r"seats\[0\]\.tiles\.d3: 'stone' .*\(R11")
def unknown_tile(data: Data) -> None:
    data["seats"][0]["tiles"] = {"d3": "stone"}


@case(shielded("double"), r"active_shields: double .*\(R5\)")
def shield_active_and_unused(data: Data) -> None:
    data["active_shields"] = ["double"]


@case(
    lambda data: data["phase"] == "end_of_turn" and "double" not in current(data)["shields"],
    r"active_shields: double in phase end_of_turn \(R16-R18\)",
)
def shield_active_at_the_end(data: Data) -> None:
    data["active_shields"] = ["double"]


@case(middle, r"seats\[0\]\.shields\[1\]: .*twice \(R5\)")
def shield_twice(data: Data) -> None:
    data["seats"][0]["shields"] = ["double", "double"]


@case(shielded("double"), r"seats\[0\]\.tiles: .*\(.*R18\)")
def shield_used_without_a_gain(data: Data) -> None:
    data["seats"][0]["shields"].remove("double")


@case(middle, r"sites\[0\]: .* \(R5\)")
def unknown_site(data: Data) -> None:
    data["sites"][0][0] = "XYZ"


@case(middle, r"landscape\[1\]: .* \(R1\)")
def boards_apart(data: Data) -> None:
    data["landscape"][1][1] += 100


@case(middle, r"seats: 1 instead of \d \(R5\)")
def seats_missing(data: Data) -> None:
    del data["seats"][1:]


@case(middle, r"phase: 'sleeping' .*\(R6")
def unknown_phase(data: Data) -> None:
    data["phase"] = "sleeping"


@case(middle, r"format: 2 is not 1")
def another_format(data: Data) -> None:
    data["format"] = 2


@pytest.mark.parametrize("name", CASES)
def test_a_broken_position_is_refused_with_field_and_rule(name: str) -> None:
    wanted, change, message = CASES[name]
    data = find(wanted)
    change(data)
    with pytest.raises(lc.InvalidPositionError) as caught:
        lc.Position.from_dict(data)
    assert re.match(f".*{message}", str(caught.value)), str(caught.value)


def refusal(data: Data, filled: list[str]) -> str:
    """Give the error with this said to be filled in seat 0, empty for none."""
    changed = copy.deepcopy(data)
    changed["seats"][0]["filled"] = filled
    try:
        lc.Position.from_dict(changed)
    except lc.InvalidPositionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_filled_may_be_stated_and_is_compared(edition: str) -> None:
    most = 0
    for record in recorded(edition)[:12]:
        state = record.replay()
        data = state.position().to_dict()
        longships = data["seats"][0]["longships"]
        names = [*longships, "port", "altar", "jarl_palace"]
        filled = [name for name in names if "is not filled" not in refusal(data, [name])]
        most = max(most, len(filled))
        assert refusal(data, filled) == ""
        for name in filled:
            left = [other for other in filled if other != name]
            assert re.match(r"seats\[0\]\.filled: .* \(R12\)", refusal(data, left))
        for name in set(names) - set(filled):
            assert "(R12)" in refusal(data, [*filled, name])
        open_longships = [name for name in longships if name not in filled]
        assert state.score_breakdown(0)["penalty"] == 5 * len(open_longships)
    assert most > 1


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


values = (
    st.sampled_from(JUNK)
    | st.integers(-3, 60)
    | st.sampled_from(["wood", "axe", "castle", "second", "tiles", "d3", "3,-2", "castle+4 GGA"])
    | st.lists(st.integers(0, 2), max_size=5)
)


@settings(max_examples=400)
@given(data=st.data())
def test_a_mutated_position_is_refused_or_can_be_played(data: st.DataObject) -> None:
    """A change may give another position of some game; then it has to work like one."""
    texts = _positions()
    position: Data = json.loads(texts[data.draw(st.integers(0, len(texts) - 1))])
    for _ in range(data.draw(st.integers(1, 3))):
        paths = leaves(position)
        *way, last = paths[data.draw(st.integers(0, len(paths) - 1))]
        inner: Any = position
        for key in way:
            inner = inner[key]
        if data.draw(st.booleans()):
            inner[last] = data.draw(values)
        elif data.draw(st.booleans()) and isinstance(inner, dict):
            inner[data.draw(values.filter(lambda value: isinstance(value, str)))] = inner.pop(last)
        else:
            del inner[last]
    try:
        read = lc.Position.from_dict(position)
    except lc.InvalidPositionError:
        return
    state = lc.State.from_position(read, seed=0)
    assert state.position() == read
    assert len(state.random_playout(0)) == read.players
