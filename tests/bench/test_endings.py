"""How the ends of games are measured."""

import json
from pathlib import Path

import pytest

import looot_core as lc
from bench import last_turn
from bench.endings import games, measure


def test_editions_and_player_counts_come_up_alike_often() -> None:
    chosen = games(12, seed=5)
    kinds = [(game.edition, game.players) for game in chosen]
    assert all(kinds.count((edition, n)) == 2 for edition in lc.EDITIONS for n in (2, 3, 4))
    assert [game.seed for game in chosen] == list(range(5, 17))


def test_a_game_is_the_same_each_time() -> None:
    game = games(1, seed=5, simulations=3)[0]
    turns = game.turns()
    assert turns == game.turns()
    assert turns[0].seats[0].vikings_in_hand == 13


def test_a_measurement_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "found.json"
    arguments = ["--games", "7", "--simulations", "1", "--output", str(output)]
    monkeypatch.setattr("sys.argv", ["measure", *arguments])
    measured = measure(last_turn.ask, last_turn.summary, "A measurement.", "nothing")
    stored = json.loads(output.read_text())
    assert {key: stored[key] for key in measured} == measured
    assert measured["simulations_of_the_games"] == 1
    assert measured["all"]["positions"] == measured["all"]["optimal"] == 7
    assert [kind["positions"] for kind in measured["kinds"]] == [2, 1, 1, 1, 1, 1]
    assert stored["weights"]
