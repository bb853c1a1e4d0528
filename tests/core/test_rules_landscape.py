"""R1 and R2: the core accepts exactly the arrangements that the plain rules accept."""

from itertools import product
from random import Random
from typing import Any

import pytest

import looot_core as lc
from tests.core.table import SETUP
from tests.reference.landscape import arrangement_is_legal
from tests.reference.setups import edge_ways, interlocking_ways, random_setup, ways_around


def refusal(setup: dict[str, Any]) -> str | None:
    """Give the core's error for a set-up, if it refuses it."""
    try:
        lc.GameSetup.from_dict(setup)
    except lc.InvalidSetupError as error:
        return str(error)
    return None


def test_R01_two_boards_interlock_in_14_ways() -> None:
    assert len(interlocking_ways()) == 14
    _, q, r, _ = SETUP["landscape"][1]
    legal = 0
    for way in ways_around((q, r), 5):
        setup = {**SETUP, "landscape": [SETUP["landscape"][0], ["2B", *way]]}
        reason = refusal(setup)
        assert (reason is None) == arrangement_is_legal(setup), f"{setup['landscape']}: {reason}"
        assert reason is None or "R1" in reason or "R2" in reason
        legal += reason is None
    assert legal


def test_R01_both_faces_of_one_board_are_refused() -> None:
    setup = {**SETUP, "landscape": [["3B", 0, 0, 5], ["3A", 4, -4, 4]]}
    with pytest.raises(lc.InvalidSetupError, match="R1"):
        lc.GameSetup.from_dict(setup)


@pytest.mark.parametrize("edge", ["ocean", "trophy_board"])
def test_R02_an_edge_board_lies_along_a_board_in_10_ways(edge: str) -> None:
    assert len(edge_ways()) == 10
    face, q, r, _ = SETUP[edge]
    legal = 0
    for way in ways_around((q, r), 6):
        setup = {**SETUP, edge: [face, *way]}
        reason = refusal(setup)
        assert (reason is None) == arrangement_is_legal(setup), f"{setup[edge]}: {reason}"
        assert reason is None or "R2" in reason
        legal += reason is None
    assert legal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R01_R02_random_arrangements_and_what_a_nudge_makes_of_them(players: int) -> None:
    random = Random(players)
    accepted = 0
    for edition, _ in product(("rulebook", "printed"), range(40)):
        setup = random_setup(random, players, edition)
        assert refusal(setup) is None
        nudged = {**setup, "landscape": [list(board) for board in setup["landscape"]]}
        nudged["ocean"], nudged["trophy_board"] = list(setup["ocean"]), list(setup["trophy_board"])
        board = random.choice([*nudged["landscape"], nudged["ocean"], nudged["trophy_board"]])
        board[1] += random.randint(-2, 2)
        board[2] += random.randint(-2, 2)
        board[3] = random.choice([board[3], random.randrange(6)])
        assert (refusal(nudged) is None) == arrangement_is_legal(nudged), nudged
        accepted += arrangement_is_legal(nudged)
    assert 0 < accepted < 80


def test_R05_a_site_of_each_kind_for_every_player() -> None:
    for sites in ([["HHW", "HTWG"], ["HAG", "TTAS", "TTHCS"]], [["HHW", "HTWG", "THCCW"]]):
        with pytest.raises(lc.InvalidSetupError, match="R5"):
            lc.GameSetup.from_dict({**SETUP, "sites": sites})
    with pytest.raises(lc.InvalidSetupError, match="R5"):
        lc.GameSetup.from_dict({**SETUP, "sites": [["HHW", "HTWG", "THCCW"]] * 2})
