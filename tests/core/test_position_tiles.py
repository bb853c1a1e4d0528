"""Positions whose tiles cannot have been won: the field and the rule are named."""

import pytest

import looot_core as lc
from looot_core.components import FJORD_CELLS
from tests.core.positions import Cases, Data, Found, current, full, middle, shielded

cases = Cases()


GOODS = ("wood", "sheep", "gold", "axe")
CELLS = ("a2", "b4", "d1", "d2", "d3", "e1", "e3", "f3")


@cases.add(shielded("double"), r"seats\[0\]\.tiles: .* \(R7, R18\)")
def more_axes_than_spaces(data: Data) -> None:
    seat = data["seats"][0]
    seat["tiles"][free_cell(seat)] = "axe"


@cases.add(middle, r"seats\[0\]\.tiles: .* \(R7, R18\)")
def fewer_goods_than_spaces(data: Data) -> None:
    seat = data["seats"][0]
    cell = next(cell for cell, kind in seat["tiles"].items() if kind in GOODS)
    del seat["tiles"][cell]


@cases.add(middle, r"buildings\..*: .* \(R3, R8-R11\)")
def stack_too_small(data: Data) -> None:
    place = next(place for place, left in data["buildings"].items() if left)
    data["buildings"][place] -= 1


@cases.add(middle, r"buildings\..*: .* \(R3, R8-R11\)")
def stack_too_large(data: Data) -> None:
    place = next(place for place, left in data["buildings"].items() if left == 1)
    data["buildings"][place] += 1


@cases.add(middle, r"buildings\..*: 4 is not an integer from 0 to 3 \(R3\)")
def stack_out_of_range(data: Data) -> None:
    data["buildings"][next(iter(data["buildings"]))] = 4


@cases.add(middle, r"buildings: .* is missing \(R3\)")
def stack_missing(data: Data) -> None:
    data["buildings"].popitem()


@cases.add(middle, r"buildings: .* \(R3\)")
def building_lost_on_the_way(data: Data) -> None:
    kinds = ("house", "watchtower", "castle")
    for seat in data["seats"]:
        for cell, kind in seat["tiles"].items():
            if kind in kinds:
                del seat["tiles"][cell]
                return


@cases.add(lambda data: data["phase"] == "second_viking", r"owed: .* \(R7, R11\)")
def second_viking_owing_nothing(data: Data) -> None:
    data["owed"] = {"resources": {}, "buildings": {}}


@cases.add(middle, r"owed: 1 tiles in phase viking \(R11\)")
def owed_before_the_viking(data: Data) -> None:
    data["owed"]["resources"] = {"wood": 1}


@cases.add(
    lambda data: data["phase"] == "end_of_turn", r"owed: 1 tiles in phase end_of_turn \(R11\)"
)
def owed_at_the_end_of_the_turn(data: Data) -> None:
    data["owed"]["buildings"] = {next(iter(data["buildings"])): 1}


@cases.add(lambda data: data["phase"] == "tiles", r"owed: .*\(R7, R11\)")
def nothing_owed_in_phase_tiles(data: Data) -> None:
    data["owed"] = {"resources": {}, "buildings": {}}


@cases.add(middle, r"seats\[0\]\.tiles: 'z9' is not one of .* \(R11\)")
def unknown_cell(data: Data) -> None:
    data["seats"][0]["tiles"]["z9"] = "wood"


@cases.add(middle, r"seats\[0\]\.tiles\.d3: 'stone' is not one of .* \(R11, R13\)")
def unknown_tile(data: Data) -> None:
    data["seats"][0]["tiles"] = {"d3": "stone"}


@cases.add(shielded("double"), r"seats\[0\]\.tiles: .*\(.*R18\)")
def shield_used_without_a_gain(data: Data) -> None:
    data["seats"][0]["shields"].remove("double")


def free_cell(seat: Data) -> str:
    return next(cell for cell in CELLS if cell not in {**seat["tiles"], **seat["longships"]})


def goods_landed_on(data: Data, seat: int) -> set[str]:
    spaces = lc.Position.from_dict(data).landscape.resource_spaces
    return {s.kind for s in spaces if data["vikings"].get(f"{s.q},{s.r}", [0] * 4)[seat]}


def in_phase(phase: str, *shields: str) -> Found:
    """Find a fjord with room and goods, where the current seat still has these shields."""
    return lambda data: (
        data["phase"] == phase
        and not full(current(data))
        and len(set(current(data)["tiles"].values()) & set(GOODS)) > 2
        and set(shields) <= set(current(data)["shields"])
    )


@cases.add(
    lambda data: (
        middle(data)
        and "double" not in data["seats"][0]["shields"]
        and len(goods_landed_on(data, 0)) < 4
    ),
    r"seats\[0\]\.tiles: 1 .*, but its 0 vikings on .* \(R7, R18\)",
)
def double_gain_of_a_kind_never_landed_on(data: Data) -> None:
    seat, landed = data["seats"][0], goods_landed_on(data, 0)
    never = next(kind for kind in GOODS if kind not in landed)
    cell = next(cell for cell, kind in seat["tiles"].items() if kind in GOODS)
    seat["tiles"][cell] = never


@cases.add(in_phase("tiles", "second", "double"), r"owed: no viking of seat \d .* \(R7-R11, R18\)")
def more_owed_than_one_viking_wins(data: Data) -> None:
    """Owe goods of three kinds: what lies on the fjord is taken back."""
    seat = current(data)
    for kind in sorted(set(seat["tiles"].values()) & set(GOODS)):
        del seat["tiles"][next(cell for cell, tile in seat["tiles"].items() if tile == kind)]
        owed = data["owed"]["resources"]
        owed[kind] = owed.get(kind, 0) + 1


@cases.add(in_phase("second_viking", "double"), r"owed: no viking of seat \d .* \(R7-R11, R18\)")
def more_owed_than_the_first_viking_won(data: Data) -> None:
    more_owed_than_one_viking_wins(data)


@cases.add(in_phase("tiles"), r"owed\.buildings\..*: 1 owed, but 0 are gone \(R3, R11\)")
def owed_from_a_full_stack(data: Data) -> None:
    landscape = lc.Position.from_dict(data).landscape
    initial = {"house": 2, "watchtower": 2, "castle": 3}
    data["owed"]["buildings"] = {
        next(
            f"{s.q},{s.r}"
            for s in landscape.building_spaces
            if data["buildings"][f"{s.q},{s.r}"] == initial[s.kind]
        ): 1
    }


@cases.add(in_phase("tiles"), r"owed\.resources\.wood: 4 is not an integer from 1 to 3 \(R7, .*\)")
def more_owed_than_a_turn_wins(data: Data) -> None:
    data["owed"]["resources"]["wood"] = 4


@cases.add(in_phase("tiles"), r"owed\.resources: 'castle' is not one of .* \(R11\)")
def building_owed_by_the_reserve(data: Data) -> None:
    data["owed"]["resources"]["castle"] = 1


@cases.add(middle, r"buildings\..*: 3 tiles are more than the 2 it starts with \(R3\)")
def three_houses(data: Data) -> None:
    landscape = lc.Position.from_dict(data).landscape
    house = next(space for space in landscape.building_spaces if space.kind == "house")
    data["buildings"][f"{house.q},{house.r}"] = 3


@cases.add(
    lambda data: middle(data) and "house" in data["seats"][0]["tiles"].values(),
    r"seats\[\d\]\.tiles: .* house tiles, but .* \(R8-R11\)",
)
def house_on_the_wrong_fjord(data: Data) -> None:
    giver, taker = data["seats"][0], data["seats"][1]
    del giver["tiles"][next(cell for cell, kind in giver["tiles"].items() if kind == "house")]
    taker["tiles"][free_cell(taker)] = "house"


@cases.add(
    lambda data: (
        data["phase"] == "tiles"
        and data["owed"]["resources"]
        and (len(current(data)["tiles"]) + len(current(data)["longships"]) == 33)
    ),
    r"phase: tiles, but no cell .* \(R11\)",
)
def owed_with_a_full_fjord(data: Data) -> None:
    seat = current(data)
    cells = [cell.name for cell in FJORD_CELLS]
    free = next(cell for cell in cells if cell not in {**seat["tiles"], **seat["longships"]})
    seat["tiles"][free] = next(iter(data["owed"]["resources"]))


@pytest.mark.parametrize("name", cases)
def test_a_broken_position_is_refused_with_field_and_rule(name: str) -> None:
    cases.check(name)
