"""Positions no game can come to, but for their tiles: the field and the rule are named."""

import pytest

import looot_core as lc
from tests.core.positions import Cases, Data, current, middle, shielded

cases = Cases()


@cases.add(middle, r"seats\[0\]\.vikings_in_hand: .* are not 13 \(R5\)")
def viking_too_many(data: Data) -> None:
    data["seats"][0]["vikings_in_hand"] += 1


@cases.add(middle, r"seats\[0\]\.vikings_in_hand: 14 .* \(R5\)")
def more_vikings_than_there_are(data: Data) -> None:
    data["seats"][0]["vikings_in_hand"] = 14


@cases.add(middle, r"seats\[1\]\.vikings_in_hand: .* \(R5\)")
def viking_missing(data: Data) -> None:
    place = next(place for place, counts in data["vikings"].items() if counts[1])
    del data["vikings"][place]


@cases.add(middle, r"ocean_longships\[0\]: .* \(R4\)")
def longship_in_two_places(data: Data) -> None:
    data["ocean_longships"][0] = data["unseen"][0]


@cases.add(middle, r"unseen: .* \(R4\)")
def longship_nowhere(data: Data) -> None:
    del data["unseen"][0]


@cases.add(middle, r"unseen.*: .* twice .*\(R4\)")
def longship_twice_unseen(data: Data) -> None:
    data["unseen"][0] = data["unseen"][1]


@cases.add(middle, r"unseen: .* \(R4, R13\)")
def longship_back_in_the_bag(data: Data) -> None:
    data["unseen"].append(data["ocean_longships"][0])
    data["ocean_longships"][0] = None


@cases.add(middle, r"ocean_longships: 4 slots instead of 5 \(R4\)")
def slot_missing(data: Data) -> None:
    del data["ocean_longships"][0]


@cases.add(middle, r"unseen\[0\]: 'castle\+9 GGG' .*\(R4\)")
def unknown_longship(data: Data) -> None:
    data["unseen"][0] = "castle+9 GGG"


@cases.add(
    lambda data: data["seats"][0]["trophy"] == 0 and middle(data),
    r"seats\[0\]\.trophy: 6 needs .* \(R14\)",
)
def trophy_without_axes(data: Data) -> None:
    data["seats"][0]["trophy"] = 6


@cases.add(lambda data: data["seats"][0]["trophy"] > 0, r"seats\[1\]\.trophy: . is with .* \(R14\)")
def trophy_twice(data: Data) -> None:
    data["seats"][1]["trophy"] = data["seats"][0]["trophy"]


@cases.add(middle, r"seats\[0\]\.trophy: 7 is neither .* \(R14\)")
def unknown_trophy(data: Data) -> None:
    data["seats"][0]["trophy"] = 7


@cases.add(shielded("second"), r"phase: second_viking.* \(R16\)")
def second_viking_without_its_shield(data: Data) -> None:
    data["phase"] = "second_viking"


@cases.add(middle, r"turn_number: .* \(R6, R16\)")
def turn_number_too_small(data: Data) -> None:
    data["turn_number"] -= 1


@cases.add(middle, r"(seats\[\d\]\.vikings_in_hand|current_player): .* \(R5\)")
def out_of_turn(data: Data) -> None:
    data["current_player"] = (data["current_player"] + 1) % data["players"]


@cases.add(middle, r"current_player: .* \(R5\)")
def no_such_seat(data: Data) -> None:
    data["current_player"] = data["players"]


@cases.add(middle, r"vikings\..*: .*\(R6\)")
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


@cases.add(shielded("occupied"), r"vikings: 1 stand where a viking stood before, but .* \(R17\)")
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


@cases.add(middle, r"vikings\..*\[0\]: 3 is not an integer from 0 to 2 \(R17\)")
def three_on_a_space(data: Data) -> None:
    data["vikings"][next(iter(data["vikings"]))][0] = 3


@cases.add(middle, r"vikings\..*: nobody has a viking there, .* \(R6\)")
def nobody_on_a_space(data: Data) -> None:
    place = next(iter(data["vikings"]))
    data["vikings"][place] = [0] * data["players"]


@cases.add(middle, r"vikings: 900,900 is no resource space \(R6\)")
def viking_off_the_landscape(data: Data) -> None:
    _, counts = data["vikings"].popitem()
    data["vikings"]["900,900"] = counts


@cases.add(lambda data: data["phase"] == "end_of_turn", r"phase: over while .* \(R19\)")
def over_too_early(data: Data) -> None:
    data["phase"] = "over"
    data["turn_number"] += 1
    data["longship_taken"] = False


@cases.add(middle, r"longship_taken: true in phase viking \(R13\)")
def longship_taken_before_the_viking(data: Data) -> None:
    data["longship_taken"] = True


@cases.add(
    lambda data: data["phase"] == "end_of_turn" and not current(data)["longships"],
    r"longship_taken: .*\(R13\)",
)
def longship_taken_and_gone(data: Data) -> None:
    data["longship_taken"] = True


@cases.add(middle, r"seats\[0\]\.longships\...: .*\(R11, R13\)")
def longship_on_a_tile(data: Data) -> None:
    seat = data["seats"][0]
    seat["longships"] = {next(iter(seat["tiles"])): seat["longships"].popitem()[1]}


@cases.add(shielded("double"), r"active_shields: double .*\(R5\)")
def shield_active_and_unused(data: Data) -> None:
    data["active_shields"] = ["double"]


@cases.add(
    lambda data: data["phase"] == "end_of_turn" and "double" not in current(data)["shields"],
    r"active_shields: double in phase end_of_turn \(R16-R18\)",
)
def shield_active_at_the_end(data: Data) -> None:
    data["active_shields"] = ["double"]


@cases.add(middle, r"seats\[0\]\.shields\[1\]: .*twice \(R5\)")
def shield_twice(data: Data) -> None:
    data["seats"][0]["shields"] = ["double", "double"]


@cases.add(middle, r"sites\[0\]: .* \(R5\)")
def unknown_site(data: Data) -> None:
    data["sites"][0][0] = "XYZ"


@cases.add(middle, r"landscape\[1\]: .* \(R1\)")
def boards_apart(data: Data) -> None:
    data["landscape"][1][1] += 100


@cases.add(middle, r"seats: 1 instead of \d \(R5\)")
def seats_missing(data: Data) -> None:
    del data["seats"][1:]


@cases.add(middle, r"phase: 'sleeping' is not one of .* \(R6-R19\)")
def unknown_phase(data: Data) -> None:
    data["phase"] = "sleeping"


@cases.add(middle, r"format: 2 is not 1")
def another_format(data: Data) -> None:
    data["format"] = 2


@cases.add(
    lambda data: data["turn_number"] == 1 and "second" in data["seats"][0]["shields"],
    r"seats\[0\]\.shields: second is used up.* \(R16\)",
)
def second_used_with_one_viking(data: Data) -> None:
    data["seats"][0]["shields"].remove("second")


@cases.add(
    lambda data: (
        any(sum(counts) > 1 for counts in data["vikings"].values())
        and (data["players"] > 2 and data["phase"] == "end_of_turn")
    ),
    r"vikings: on spaces that hold several.* \(R17\)",
)
def occupied_used_by_somebody_elsewhere(data: Data) -> None:
    """Let all who stand on crowded spaces have their shields, and others have used theirs."""
    crowded = [counts for counts in data["vikings"].values() if sum(counts) > 1]
    outside = [
        seat
        for player, seat in enumerate(data["seats"])
        if not any(counts[player] for counts in crowded)
    ]
    used = sum(sum(counts) - 1 for counts in crowded)
    assert used <= len(outside)
    for seat in data["seats"]:
        seat["shields"] = ["occupied", *(s for s in seat["shields"] if s != "occupied")]
    for seat in outside[:used]:
        seat["shields"].remove("occupied")


@cases.add(lambda data: data["turn_number"] == 0, r"seats\[1\]\.longships: 1 in 0 turns .* \(R13\)")
def longship_before_the_first_turn(data: Data) -> None:
    data["seats"][1]["longships"]["d3"] = data["unseen"].pop()


@cases.add(
    lambda data: data["phase"] == "over",
    r"current_player: \d, but seat \d moved last \(R5, R19\)",
)
def somebody_else_moved_last(data: Data) -> None:
    data["current_player"] = (data["current_player"] + 1) % data["players"]


@cases.add(
    lambda data: data["phase"] == "viking" and current(data)["vikings_in_hand"] == 1,
    r"active_shields: second with 1 viking in hand \(R16\)",
)
def second_with_the_last_viking(data: Data) -> None:
    current(data)["shields"] = [s for s in current(data)["shields"] if s != "second"]
    data["active_shields"] = ["second"]


@cases.add(
    lambda data: data["turn_number"] == 0 and not data["vikings"] and not data["active_shields"],
    r"active_shields: occupied while no viking .* \(R17\)",
)
def occupied_on_an_empty_map(data: Data) -> None:
    data["seats"][0]["shields"].remove("occupied")
    data["active_shields"] = ["occupied"]


@cases.add(middle, r"vikings\..*: \[.*\] is not a list of \d numbers, one a seat \(R6\)")
def vikings_of_a_seat_too_many(data: Data) -> None:
    data["vikings"][next(iter(data["vikings"]))].append(1)


@cases.add(middle, r"seats\[1\]: None is not a JSON object \(R5\)")
def seat_that_is_none(data: Data) -> None:
    data["seats"][1] = None


@cases.add(
    lambda data: data["phase"] == "end_of_turn",
    r"seats\[\d\]\.vikings_in_hand: 0 vikings placed are too few for phase end_of_turn .*"
    r" \(R6, R16\)",
)
def end_of_a_turn_without_a_viking(data: Data) -> None:
    data["vikings"] = {}
    for seat in data["seats"]:
        seat["vikings_in_hand"] = 13
        seat["shields"] = ["second", "occupied", "double"]


@cases.add(
    lambda data: data["phase"] == "end_of_turn" and not current(data)["vikings_in_hand"],
    r"current_player: seat \d has no viking in hand \(R19\)",
)
def turn_without_a_viking(data: Data) -> None:
    data["phase"] = "viking"
    data["turn_number"] += 1


@pytest.mark.parametrize("name", cases)
def test_a_broken_position_is_refused_with_field_and_rule(name: str) -> None:
    cases.check(name)


def test_r14_a_trophy_is_taken_at_the_end_of_a_turn() -> None:
    """Two axes may lie there while the first turn of a seat goes on, but no trophy with them."""
    for seed in range(200):
        state = lc.State(lc.GameSetup.random(seed=seed))
        state.apply(lc.Action.parse("shield double", state))
        for space in state.landing_spaces():
            placed = state.clone()
            placed.apply(lc.Action.parse("viking {},{}".format(*space), placed))
            owed = placed.position().owed
            if owed.buildings and "axe" in owed.resources:
                for cell in ("d3", "d4"):
                    placed.apply(lc.Action.parse(f"tile axe {cell}", placed))
                data = placed.position().to_dict()
                data["seats"][0]["trophy"] = 2
                with pytest.raises(lc.InvalidPositionError, match=r"trophy: 2 before .* \(R14\)"):
                    lc.Position.from_dict(data)
                return
    raise AssertionError("no viking wins axes and a building at once")
