"""The shields R16-R18, the end R19 and the score R20, R21, each on both implementations."""

from random import Random

import pytest

from tests.core.drivers import Game
from tests.core.table import Table
from tests.reference.setups import random_setup


def test_R16_two_vikings_before_any_tile(table: Table) -> None:
    table.land("2,-7", shields=["second"])
    assert (table.player, table.phase) == (0, "second_viking")
    assert table.position["active_shields"] == []
    assert table.legal("viking") == ["2,-6", "3,-9", "3,-7"]
    assert table.game.legal_actions() == [
        *["viking 2,-6", "viking 3,-9", "viking 3,-7"],
        *["shield occupied", "shield double"],
    ]
    assert table.land("3,-7") == {"axe": 1, "wood": 1, "house": 2}
    assert table.phase == "tiles"
    assert table.position["seats"][0]["vikings_in_hand"] == 11


def test_R16_a_shield_serves_the_viking_it_was_used_for(table: Table) -> None:
    assert table.turn("2,-7", "2,-6", shields=["second", "double"])["axe"] == 2
    table.turn("3,-7")
    table.turn("4,-8")
    table.land("4,-7", shields=["second"])
    table.game.apply("shield double")
    table.game.apply("shield occupied")
    assert table.position["active_shields"] == ["occupied", "double"]
    assert table.land("3,-7")["wood"] == 2


def test_R16_not_with_only_one_viking_in_hand(game_class: type[Game]) -> None:
    random = Random(16)
    game = game_class(random_setup(random, 2, "rulebook"))
    while game.position_dict()["seats"][0]["vikings_in_hand"] > 1:
        assert game.position_dict()["phase"] != "viking" or "shield second" in game.legal_actions()
        game.apply(random.choice([a for a in game.legal_actions() if a.split(" ")[0] != "shield"]))
    while game.position_dict()["current_player"] != 0 or game.position_dict()["phase"] != "viking":
        game.apply(random.choice([a for a in game.legal_actions() if a.split(" ")[0] != "shield"]))
    shields = [action for action in game.legal_actions() if action.startswith("shield")]
    assert shields == ["shield occupied", "shield double"]


def test_R17_on_any_viking_instead_of_an_empty_space(table: Table) -> None:
    assert table.legal("shield") == ["second", "double"]
    table.turn("2,-7")
    table.turn("3,-7")
    assert table.legal("shield") == ["second", "occupied", "double"]
    table.game.apply("shield occupied")
    assert table.legal("shield") == ["second", "double"]
    assert table.legal("viking") == ["2,-7", "3,-7"]
    assert table.land("3,-7") == {"wood": 1}
    assert table.position["vikings"] == {"2,-7": [1, 0], "3,-7": [1, 1]}


def test_R17_wins_and_connects_like_any_viking_and_spaces_count(table: Table) -> None:
    for own, other in [("2,-7", "3,-9"), ("3,-7", "4,-9"), ("4,-7", "5,-10")]:
        table.turn(own)
        table.turn(other)
    assert table.turn("4,-7", shields=["occupied"]) == {"gold": 1}  # four vikings, three spaces
    assert table.position["vikings"]["4,-7"] == [2, 0]
    assert table.turn("2,-7", shields=["occupied"]) == {"axe": 1}  # the house is empty
    assert table.turn("2,-6") == {"sheep": 1, "castle": 1}


def test_R18_resources_are_doubled_and_buildings_are_not(table: Table) -> None:
    assert table.land("3,-9", shields=["double"]) == {"sheep": 2, "house": 2}
    assert table.position["seats"][0]["shields"] == ["second", "occupied"]


def test_R19_without_vikings_a_player_is_passed_over(table: Table) -> None:
    random = Random(19)
    table.turn("2,-7", "2,-6", shields=["second"])
    players = [0]
    while not table.game.is_over:
        if table.phase == "viking":
            players.append(table.player)
        table.turn(random.choice(table.legal("viking")))
    assert players == [0, 1] * 12 + [1]
    assert [seat["vikings_in_hand"] for seat in table.position["seats"]] == [0, 0]
    assert table.phase == "over"
    assert table.game.legal_actions() == []


def test_R20_counts_times_values_and_the_penalty(table: Table) -> None:
    assert table.game.scores() == [0, 0]
    table.turn("3,-9", shields=["double"], longship="1 d4")
    assert table.game.score_breakdown(0) == {
        **{"castle": [0, 4], "watchtower": [0, 2], "house": [2, 1]},
        **{"gold": [0, 2], "sheep": [2, 1], "wood": [0, 1]},
        **{"sites": 0, "trophy": 0, "penalty": 5, "total": -1},
    }
    assert table.game.scores() == [-1, 0]


@pytest.mark.parametrize(("trophy", "points"), [(2, 3), (3, 6), (4, 10), (5, 15), (6, 21)])
def test_R20_trophies_count_and_axes_do_not(table: Table, trophy: int, points: int) -> None:
    table.turn("2,-7", shields=["double"])
    for other, own in [("3,-7", "4,-8"), ("4,-7", "4,-9"), ("2,-6", "5,-8")]:
        table.turn(other)
        table.turn(own)
    table.turn("3,-9")
    table.land("2,-5")
    table.place_rest()
    assert list(table.position["seats"][0]["tiles"].values()).count("axe") == 6
    before = table.game.score_breakdown(0)
    assert before["total"] == before["house"][0] + 2 * before["watchtower"][0]
    table.game.apply(f"trophy {trophy}")
    assert table.game.score_breakdown(0) == {
        **before,
        "trophy": points,
        "total": before["total"] + points,
    }


def finished_game(game_class: type[Game], seed: int, without: str) -> Game:
    """Play three players' game at random, but leave one kind of action out."""
    random = Random(seed)
    game = game_class(random_setup(random, 3, "rulebook"))
    while not game.is_over:
        game.apply(random.choice([a for a in game.legal_actions() if not a.startswith(without)]))
    return game


def test_R21_the_highest_score_wins(game_class: type[Game]) -> None:
    game = finished_game(game_class, 1, "trophy")
    scores = game.scores()
    assert scores.count(max(scores)) == 1
    assert game.winners() == [scores.index(max(scores))]


def test_R21_a_tie_goes_to_the_higher_trophy(game_class: type[Game]) -> None:
    game = finished_game(game_class, 5, "longship")
    assert game.scores() == [30, 30, 20]
    assert [seat["trophy"] for seat in game.position_dict()["seats"]] == [3, 4, 2]
    assert game.winners() == [1]


def test_R21_else_the_victory_is_shared(game_class: type[Game]) -> None:
    game = finished_game(game_class, 5, "trophy")
    assert game.scores() == [-23, -22, -22]
    assert game.winners() == [1, 2]
