"""The numbered rules of the turn, R3-R15, each on both implementations.

R1 and R2 are in `test_rules_landscape.py`, R16-R21 in `test_rules_shields_and_score.py`.
"""

from random import Random

import pytest

from tests.core.drivers import Game
from tests.core.policies import inland, starting_with
from tests.core.table import KIND, SETUP, Table
from tests.reference.components import BUILDINGS, LONGSHIPS, Hex
from tests.reference.game import parse_hex
from tests.reference.landscape import Landscape
from tests.reference.setups import random_setup


def unfilled(table: Table, player: int = 0) -> int:
    """Count the unfilled longships of a player, by what they cost (R20)."""
    penalty: int = table.game.score_breakdown(player)["penalty"]
    return penalty // 5


def test_R03_every_building_space_starts_with_its_full_stack(table: Table) -> None:
    full = {"house": 2, "watchtower": 2, "castle": 3}
    buildings = table.position["buildings"]
    assert len(buildings) == 10
    assert all(number == full[KIND[parse_hex(space)]] for space, number in buildings.items())


def test_R04_five_longships_lie_open_and_the_rest_is_known_as_a_set_only(table: Table) -> None:
    position = table.position
    assert position["ocean_longships"] == SETUP["ocean_longships"]
    unseen = set(SETUP["bag"])
    assert position["unseen"] == [text for text in LONGSHIPS["printed"] if text in unseen]
    assert "bag" not in position


def test_R04_the_order_of_the_bag_decides_what_is_revealed(game_class: type[Game]) -> None:
    bag = SETUP["bag"][::-1]
    table = Table(game_class, {**SETUP, "bag": bag})
    table.turn("2,-7", longship="3 d4")
    table.turn("2,-6", longship="0 d4")
    ocean = list(SETUP["ocean_longships"])
    ocean[3], ocean[0] = bag[:2]
    assert table.position["ocean_longships"] == ocean
    assert set(table.position["unseen"]) == set(bag[2:])


def test_R05_what_players_start_with(table: Table) -> None:
    seat = {
        "vikings_in_hand": 13,
        "shields": ["second", "occupied", "double"],
        "tiles": {},
        "longships": {},
        "trophy": 0,
    }
    position = table.position
    assert position["seats"] == [seat, seat]
    assert position["sites"] == SETUP["sites"]
    assert (position["current_player"], position["turn_number"]) == (0, 0)


def test_R06_the_first_viking_lands_beside_a_longship(table: Table) -> None:
    assert table.legal("viking") == ["2,-7", "2,-6", "3,-9"]


def test_R06_then_also_beside_any_viking_but_never_on_one(table: Table) -> None:
    table.turn("2,-7")
    assert table.player == 1
    assert table.legal("viking") == ["2,-6", "3,-9", "3,-7"]
    table.turn("3,-7")
    assert table.player == 0
    assert table.legal("viking") == ["2,-6", "3,-9", "4,-8", "4,-7"]


def test_R07_a_viking_gains_the_resource_of_its_space(table: Table) -> None:
    assert table.land("2,-6") == {"sheep": 1}


def test_R08_every_house_space_beside_the_viking_gives_one_until_it_is_empty(table: Table) -> None:
    assert table.turn("2,-7") == {"axe": 1, "house": 1}
    assert table.turn("3,-7") == {"wood": 1, "house": 1}
    assert table.stack("3,-8") == 0
    assert table.turn("4,-8") == {"axe": 1}


def test_R09_a_third_tower_makes_two_new_pairs_with_two_joined_ones(table: Table) -> None:
    others = ["3,-9", "4,-9", "5,-10", "5,-11", "6,-10"]
    for own, other in zip(["2,-7", "3,-7", "4,-8", "2,-6", "2,-5"], others, strict=True):
        won = table.turn(own)
        assert won.get("watchtower", 0) == (2 if own == "4,-8" else 0)
        table.turn(other)
    towers = ["5,-9", "3,-6", "2,-3"]
    assert [table.stack(tower) for tower in towers] == [1, 1, 2]
    assert table.land("2,-4") == {"sheep": 1, "watchtower": 4}
    assert [table.stack(tower) for tower in towers] == [0, 0, 0]


def test_R09_a_pair_counts_once_however_many_groups_join_it(table: Table) -> None:
    table.turn("2,-7")
    table.turn("2,-6")
    table.turn("3,-7")
    table.turn("4,-7")
    assert table.turn("4,-8") == {"axe": 1, "watchtower": 2}
    table.turn("3,-9")
    for own, other in [("4,-6", "2,-5"), ("5,-6", "2,-4"), ("6,-7", "1,-3"), ("6,-8", "7,-8")]:
        assert "watchtower" not in table.turn(own)
        table.turn(other)
    stacks = table.stack("5,-9"), table.stack("3,-6")
    assert "watchtower" not in table.land("6,-9")
    assert (table.stack("5,-9"), table.stack("3,-6")) == stacks


def test_R09_towers_give_only_what_is_left(table: Table) -> None:
    table.turn("2,-7")
    table.turn("2,-6")
    table.turn("3,-7")
    table.turn("4,-7")
    assert table.turn("4,-8") == {"axe": 1, "watchtower": 2}
    assert table.turn("5,-8") == {"axe": 1, "watchtower": 2}
    assert (table.stack("5,-9"), table.stack("3,-6")) == (0, 0)


def test_R10_a_castle_is_looked_at_wherever_its_group_grows(table: Table) -> None:
    for own, other in [("2,-7", "3,-9"), ("3,-7", "4,-9"), ("4,-7", "5,-10")]:
        assert "castle" not in table.turn(own)
        table.turn(other)
    assert table.land("2,-6") == {"sheep": 1, "castle": 1}
    assert table.stack("5,-7") == 2


def test_R10_three_levels_and_no_more(table: Table) -> None:
    own = ["2,-7", "3,-7", "4,-7", "4,-6", "4,-5", "4,-4", "3,-3", "3,-2", "4,-3", "3,-4", "3,-5"]
    other = ["3,-9", "4,-9", "5,-10", "5,-11", "6,-10", "6,-9", "7,-9", "7,-8", "8,-8", "7,-7"]
    castles = []
    for mine, theirs in zip(own, [*other, "7,-6"], strict=True):
        castles.append(table.turn(mine).get("castle", 0))
        table.turn(theirs)
    assert castles == [0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]
    assert table.turn("2,-6")["castle"] == 2
    assert (table.stack("5,-7"), table.stack("4,-2")) == (0, 0)


def test_R10_an_empty_castle_gives_nothing(table: Table) -> None:
    own = ["2,-7", "3,-7", "4,-7", "4,-6", "4,-5", "4,-4", "3,-3", "3,-2"]
    other = ["3,-9", "4,-9", "4,-8", "5,-8", "6,-9", "6,-8", "7,-9"]
    for mine, theirs in zip(own[:7], other, strict=True):
        table.turn(mine)
        table.turn(theirs)
    assert table.stack("5,-7") == 1
    table.turn(own[7])
    assert table.stack("5,-7") == 0
    assert table.land("7,-8") == {"wood": 1}


def test_R11_any_kind_on_any_empty_cell(table: Table) -> None:
    table.turn("2,-7", cells={"axe": ["d4"], "house": ["a2"]}, longship="0 g5")
    table.turn("2,-6")
    table.land("3,-7")
    wood = [text for text in table.legal("tile") if text.startswith("wood")]
    house = [text for text in table.legal("tile") if text.startswith("house")]
    assert (len(wood), len(house)) == (31, 31)
    assert not {"wood d4", "wood a2", "wood g5"} & set(wood)
    assert table.game.legal_actions() == [f"tile {text}" for text in wood + house]


def test_R11_a_building_comes_from_the_lowest_numbered_space(table: Table) -> None:
    table.land("3,-9")
    assert table.position["owed"]["buildings"] == {"3,-8": 1, "4,-10": 1}
    table.place("house", "d4")
    assert table.position["owed"]["buildings"] == {"4,-10": 1}


def test_R11_what_no_cell_is_left_for_goes_back(game_class: type[Game]) -> None:
    """Play at random, with every longship taken, until a fjord is full and a building is owed."""
    for seed in range(100):
        random = Random(seed)
        game = game_class(random_setup(random, 2, "printed"))
        while not game.is_over:
            legal = game.legal_actions()
            action = random.choice(starting_with(legal, "longship") or legal)
            before = game.position_dict()
            game.apply(action)
            after = game.position_dict()
            verb, *words = action.split(" ")
            left_over = before["owed"]["buildings"].values()
            returned = sum(left_over) - (verb == "tile" and words[0] in BUILDINGS)
            if verb == "tile" and after["phase"] == "end_of_turn" and returned:
                assert after["owed"] == {"resources": {}, "buildings": {}}
                tiles_before, tiles_after = (sum(p["buildings"].values()) for p in (before, after))
                assert tiles_after == tiles_before + returned
                return
    pytest.fail("no game filled a fjord")


def test_R12_tiles_around_fill_and_serve_every_neighbour(table: Table) -> None:
    table.turn("3,-9", shields=["double"], cells={"sheep": ["c4", "e4"]}, longship="3 d4")
    table.turn("2,-7")
    table.turn("3,-7", cells={"wood": ["d5"]}, longship="2 c5")
    table.turn("4,-8")
    assert unfilled(table) == 2  # d4 needs WWS and has WSS; c5 needs GWS and has WS
    table.turn("4,-7", cells={"gold": ["c6"]})
    table.turn("4,-9")
    assert unfilled(table) == 1  # the wood and the sheep serve c5 and d4 both
    table.turn("3,-7", shields=["occupied"], cells={"wood": ["e3"]})
    assert unfilled(table) == 0  # with WWSS around d4, a sheep more than needed


def test_R13_one_longship_a_turn_and_the_ocean_is_refilled(table: Table) -> None:
    table.land("2,-6")
    table.place("sheep", "a2")
    assert len(table.legal("longship")) == 5 * 33
    table.game.apply("longship 1 d4")
    assert table.position["seats"][0]["longships"] == {"d4": "castle+3 WWW"}
    assert table.position["ocean_longships"][1] == SETUP["bag"][0]
    assert SETUP["bag"][0] not in table.position["unseen"]
    assert table.legal("longship") == []
    table.game.apply("end")
    table.turn("2,-7")
    table.land("3,-7")
    table.place_rest()
    assert table.legal("longship")


def test_R13_a_longship_whose_resources_lie_there_is_filled_at_once(table: Table) -> None:
    table.turn("2,-7")
    table.turn("2,-6")
    table.turn("3,-7", cells={"wood": ["d3"]})
    table.turn("4,-8")
    table.turn("4,-7", cells={"gold": ["c4"]})
    table.turn("4,-9")
    table.turn("4,-6", cells={"sheep": ["e4"]}, longship="2 d4")
    assert unfilled(table) == 0
    assert table.game.score_breakdown(0)["sheep"] == [1, 3]


def test_R13_an_ocean_space_without_longship_is_no_landing_place(game_class: type[Game]) -> None:
    """Take every longship, and keep away from the shore until the ocean is empty."""
    random = Random(1)
    setup = random_setup(random, 4, "rulebook")
    landscape = Landscape(setup)
    game = game_class(setup)
    closed: set[Hex] = set()
    while not game.is_over:
        legal = game.legal_actions()
        position = game.position_dict()
        vikings = {parse_hex(space) for space in position["vikings"]}
        ocean = zip(landscape.ocean, position["ocean_longships"], strict=True)
        anchors = vikings | {space for space, longship in ocean if longship is not None}
        assert len(anchors - vikings) == 5 or position["unseen"] == []
        beside = {
            space for space in landscape.resources if anchors & set(landscape.neighbours[space])
        }
        landing = [parse_hex(a.split(" ")[1]) for a in legal if a.startswith("viking")]
        if position["phase"] == "viking" and not position["active_shields"]:
            assert landing == sorted(beside - vikings)
            closed |= landscape.shore() - beside
        longships = starting_with(legal, "longship")
        game.apply(random.choice(longships or inland(landscape, legal) or legal))
    assert closed


def two_axes_each(table: Table) -> None:
    table.turn("2,-7", shields=["double"])
    table.turn("2,-7", shields=["occupied", "double"])


def test_R14_a_trophy_needs_its_axes_and_is_claimed_once(table: Table) -> None:
    two_axes_each(table)
    table.turn("2,-7", shields=["occupied"])
    table.land("2,-6")
    table.place_rest()
    assert table.legal("trophy") == ["2"]
    table.game.apply("trophy 2")
    assert table.legal("trophy") == []
    table.game.apply("end")
    table.land("3,-7")
    table.place_rest()
    assert table.legal("trophy") == ["3"]  # three axes, and the trophy for two is gone


@pytest.mark.parametrize("order", [["longship 0 d4", "trophy 3"], ["trophy 3", "longship 0 d4"]])
def test_R14_trophy_and_longship_in_one_turn_in_either_order(
    table: Table, order: list[str]
) -> None:
    two_axes_each(table)
    table.land("2,-7", shields=["occupied"])
    table.place_rest()
    for action in order:
        table.game.apply(action)
    assert table.position["seats"][0]["trophy"] == 3
    assert table.position["seats"][0]["longships"] == {"d4": "castle+4 GGA"}
    assert table.game.legal_actions() == ["end"]


def test_R15_the_turn_ends_only_with_end(table: Table) -> None:
    assert "end" not in table.game.legal_actions()
    table.land("2,-6")
    assert "end" not in table.game.legal_actions()
    table.place("sheep", "d4")
    table.game.apply("longship 0 d5")
    assert table.game.legal_actions() == ["end"]
    assert (table.player, table.phase) == (0, "end_of_turn")
    table.game.apply("end")
    assert (table.player, table.phase) == (1, "viking")
    assert table.position["turn_number"] == 1
