"""The demonstration: it plays recorded games out, from any turn, and refuses the rest in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import looot_core as lc
from server.demo import RECORDS, main

PRINTED = Path(__file__).parents[1] / "data" / "printed.jsonl"
RECORD = json.loads(RECORDS.read_text(encoding="utf-8"))
ENDS = RECORD["actions"].count("end")


def game_with_an_empty_bag() -> tuple[int, int]:
    """Give a recorded game (from 1), and a turn of it at whose start the bag is empty."""
    for number, record in enumerate(lc.GameRecord.load(PRINTED), 1):
        state = lc.State(record.setup)
        for _, action, draw in record.steps():
            state.apply(action, draw=draw)
            if str(action) == "end" and not state.unseen and not state.is_over:
                return number, state.turn_number
    raise AssertionError("no recorded game empties the bag")


def test_plays_out_a_game_whose_bag_is_empty() -> None:
    game, turn = game_with_an_empty_bag()
    arguments = ["--records", str(PRINTED), "--game", str(game), "--turn", str(turn)]
    result = CliRunner().invoke(main, [*arguments, "--time", "0.02"])
    assert result.exit_code == 0, result.output
    assert f"before turn {turn}:" in result.stdout
    assert "Final score: " in result.stdout


@pytest.mark.parametrize("turn", [0, ENDS - 1])
def test_plays_out_from_the_first_and_from_the_last_turn(turn: int) -> None:
    result = CliRunner().invoke(main, ["--turn", str(turn), "--time", "0.01"])
    assert result.exit_code == 0, result.output
    assert f"before turn {turn}:" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "0"], "0 is not in the range"),
        (["--game", "2"], "--game 2: it has 1 game"),
        (["--turn", "-1"], "-1 is not in the range"),
        (["--turn", "99"], f"--turn 99: it has {ENDS} turns, 0 to {ENDS - 1}; {ENDS} is its end"),
        (["--turn", str(ENDS)], "the game is over"),
        (["--time", "0"], "0 is not in the range"),
        (["--time", "nan"], "nan is not a number"),
        (["--records", "no-such-file"], "no-such-file: No such file"),
        (["--records", "."], ".: Is a directory"),
    ],
)
def test_bad_arguments_are_refused_in_a_line(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2, result.output
    (error,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert words in error


def test_a_record_without_its_bag_is_refused(tmp_path: Path) -> None:
    record = {key: value for key, value in RECORD.items() if key != "bag"}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    result = CliRunner().invoke(main, ["--records", str(file)])
    assert result.exit_code == 2
    assert "bag: missing" in result.stderr


def test_a_setting_of_the_environment_that_is_none_is_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LOOOT_MAX_EVENTS", "many")
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: max_events: many: ")
