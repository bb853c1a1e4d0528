"""What no legal landscape lets happen can be tried on the reference: it checks no landscape."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.reference.game import ReferenceGame
from tests.reference.setups import random_setup


def games_on_one_board() -> Iterator[tuple[Random, ReferenceGame]]:
    """Give two players' games on 24 resource spaces, for 26 vikings."""
    for seed in range(60):
        random = Random(seed)
        setup = random_setup(random, 2, "rulebook")
        setup["landscape"] = setup["landscape"][:1]
        yield random, ReferenceGame(setup)


def test_R19_players_without_a_space_are_passed_over_and_nothing_hangs() -> None:
    left_in_hand = 0
    for random, game in games_on_one_board():
        while not game.is_over:
            game.apply(random.choice(game.legal_actions()))
        assert game.hands == [0, 0] or not game.landing_spaces()
        left_in_hand += game.hands != [0, 0]
    assert left_in_hand


def test_R19_a_second_viking_without_a_space_stays_in_hand() -> None:
    stayed = 0
    for random, game in games_on_one_board():
        while not game.is_over:
            player, second = game.current_player, "second" in game.active_shields
            hand = game.hands[player]
            action = random.choice(game.legal_actions())
            game.apply(action)
            if action.startswith("viking") and second and game.phase != "second_viking":
                assert (game.phase, game.current_player) == ("tiles", player)
                assert game.hands[player] == hand - 1
                assert not game.landing_spaces()
                stayed += 1
    assert stayed


def test_apply_refuses_what_is_not_legal_or_cannot_be_drawn() -> None:
    setup = random_setup(Random(1), 2, "rulebook")
    bag = setup.pop("bag")
    game = ReferenceGame(setup)
    with pytest.raises(ValueError, match="not legal"):
        game.apply("end")
    while game.phase != "end_of_turn":
        game.apply(game.legal_actions()[0])
    for draw in (None, setup["ocean_longships"][0]):
        with pytest.raises(ValueError, match="cannot be what is revealed"):
            game.apply("longship 0 d4", draw=draw)
    game.apply("longship 0 d4", draw=bag[3])
    assert game.ocean[0] == bag[3]


def test_action_numbers_are_those_of_the_shared_space() -> None:
    game = ReferenceGame(random_setup(Random(1), 4, "printed"))
    q, r = game.landscape.resources[-1]
    numbers = {
        f"viking {q},{r}": 83,
        "shield second": 84,
        "shield double": 86,
        "tile wood a2": 87,
        "tile castle g5": 324,
        "longship 0 a2": 325,
        "longship 4 g5": 494,
        "trophy 2": 495,
        "trophy 6": 499,
        "end": 500,
    }
    assert {action: game.action_index(action) for action in numbers} == numbers
