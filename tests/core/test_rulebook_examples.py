"""The rulebook's own examples, as RULES.md lists them at its end."""

from tests.core.table import Table


def test_example_1_a_viking_next_to_two_houses_takes_one_tile_of_each(table: Table) -> None:
    assert table.land("3,-9") == {"sheep": 1, "house": 2}
    assert table.stack("4,-10") == 1
    assert table.stack("3,-8") == 1


def test_example_2_towers_joined_by_separate_groups(table: Table) -> None:
    tower_a, tower_b, tower_c = "5,-9", "3,-6", "2,-3"
    table.turn("2,-7")
    table.turn("2,-6")
    table.turn("3,-7")
    table.turn("4,-7")
    assert table.turn("4,-8") == {"axe": 1, "watchtower": 2}
    assert [table.stack(tower) for tower in (tower_a, tower_b, tower_c)] == [1, 1, 2]
    table.turn("3,-9")
    table.turn("2,-5")
    table.turn("4,-9")
    assert table.turn("2,-4") == {"sheep": 1, "watchtower": 2}
    assert [table.stack(tower) for tower in (tower_a, tower_b, tower_c)] == [1, 0, 1]


CHAIN_OF_SEVEN = ["2,-7", "3,-7", "4,-7", "4,-6", "4,-5", "4,-4", "3,-3"]
FAR_AWAY = ["2,-6", "3,-9", "4,-9", "5,-10", "5,-11", "6,-10", "6,-9"]


def test_example_3_a_chain_grows_and_reaches_a_second_castle(table: Table) -> None:
    first, second = "5,-7", "4,-2"
    for number, (own, other) in enumerate(zip(CHAIN_OF_SEVEN, FAR_AWAY, strict=True), start=1):
        won = table.turn(own)
        assert won.get("castle", 0) == (1 if number == 4 else 0)
        table.turn(other)
    assert [table.stack(first), table.stack(second)] == [2, 3]
    assert table.land("3,-2") == {"wood": 1, "castle": 3}
    assert [table.stack(first), table.stack(second)] == [1, 1]


def test_example_4_a_sheep_fills_a_longship_that_has_gold_and_wood(table: Table) -> None:
    table.turn("2,-7", longship="2 d4")
    table.turn("2,-6")
    table.turn("3,-7", cells={"wood": ["d3"]})
    table.turn("4,-8")
    table.turn("4,-7", cells={"gold": ["c4"]})
    table.turn("4,-9")
    table.land("4,-6")
    before = table.game.score_breakdown(0)
    assert (before["sheep"], before["penalty"]) == ([0, 1], 5)
    table.place("sheep", "e4")
    after = table.game.score_breakdown(0)
    assert (after["sheep"], after["penalty"]) == ([1, 3], 0)


def test_example_5_a_wood_and_a_house_of_one_turn_complete_a_site(table: Table) -> None:
    table.turn("2,-7", cells={"house": ["e1"]})
    table.turn("2,-6")
    assert table.land("3,-7") == {"wood": 1, "house": 1}
    table.place("wood", "g2")
    assert table.game.score_breakdown(0)["sites"] == 0
    table.place("house", "f3")
    assert table.game.score_breakdown(0)["sites"] == 5


def test_example_6_with_five_axes_the_trophy_for_four_can_be_claimed(table: Table) -> None:
    table.turn("2,-7", shields=["double"])
    table.turn("2,-7", shields=["occupied", "double"])
    table.turn("3,-7")
    table.turn("4,-8")
    table.turn("4,-9")
    table.turn("5,-8")
    table.turn("4,-8", shields=["occupied"])
    table.turn("6,-8", "7,-9", shields=["second"], trophy=5)
    table.land("6,-7")
    table.place_rest()
    assert list(table.position["seats"][0]["tiles"].values()).count("axe") == 5
    assert table.legal("trophy") == ["2", "3", "4"]
    table.game.apply("trophy 4")
    assert table.game.score_breakdown(0)["trophy"] == 10


def test_example_7_three_castles_with_longships_of_three_and_four(table: Table) -> None:
    cells = {
        "2,-7": {"axe": ["d3"]},
        "3,-7": {"wood": ["f6"]},
        "4,-7": {"gold": ["c3", "c4"]},
        "3,-3": {"wood": ["f4"]},
    }
    longships = {"2,-7": "0 d4", "3,-7": "1 f5"}
    for own, other in zip(CHAIN_OF_SEVEN, FAR_AWAY, strict=True):
        shields = ["double"] if own == "4,-7" else []
        table.turn(own, shields=shields, cells=cells.get(own), longship=longships.get(own))
        table.turn(other)
    assert table.land("3,-2") == {"wood": 1, "castle": 3}
    table.place("wood", "g5")
    table.place("castle", "g2")
    table.place("castle", "g3")
    assert table.game.score_breakdown(0)["castle"] == [3, 4 + 3 + 4]
