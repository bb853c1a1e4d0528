"""Positions that cannot come from a game: each is refused, naming the field and the rule."""

import re
from collections.abc import Callable

import pytest

import looot_core as lc
from tests.core.positions import Data, Found, current, find, middle

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
