"""The ``looot`` command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner, Result

import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.command_line import main
from tests.positions import position_in

DATA = Path(__file__).parents[1] / "data"
PRINTED = str(DATA / "printed.jsonl")
QUICK = ["--simulations", "20", "--seed", "1"]


def looot(*arguments: str, standard_input: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=standard_input)


def succeeds(*arguments: str, standard_input: str | None = None) -> str:
    result = looot(*arguments, standard_input=standard_input)
    assert result.exit_code == 0, result.output
    return result.stdout


def first_game() -> dict[str, object]:
    with open(PRINTED, encoding="utf-8") as file:
        game: dict[str, object] = json.loads(file.readline())
    return game


def test_version() -> None:
    assert lc.__version__ in succeeds("--version")


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_new_is_a_set_up(players: str) -> None:
    line = succeeds("new", "--players", players, "--edition", "printed", "--seed", "9")
    setup = lc.GameSetup.from_dict(json.loads(line))
    assert setup == lc.GameSetup.random(players=int(players), edition="printed", seed=9)
    assert line.count("\n") == 1


def test_new_public_leaves_out_what_is_hidden() -> None:
    data = json.loads(succeeds("new", "--public"))
    assert not {"bag", "seed"} & set(data)
    lc.GameSetup.from_dict(data)


def test_replay_checks_all_recorded_games() -> None:
    output = succeeds("replay", "--check", PRINTED)
    assert "120 games replayed and checked, none with a difference" in output


@pytest.mark.parametrize(
    ("spoil", "check", "words"),
    [
        (lambda game: game["actions"].insert(0, "end"), False, ["actions[0]", "(R"]),
        (lambda game: game["turns"][3]["scores"].__setitem__(0, 99), True, ["turns[3]", "99"]),
        (lambda game: game["final"][1].__setitem__("total", -50), True, ["final[1]", "-50"]),
    ],
)
def test_replay_says_what_differs(
    tmp_path: Path, spoil: Callable[[dict[str, object]], object], check: bool, words: list[str]
) -> None:
    game = first_game()
    spoil(game)
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(first_game()) + "\n" + json.dumps(game) + "\n")
    result = looot("replay", str(file), *(["--check"] if check else []))
    assert result.exit_code == 1
    assert "line 2" in result.stderr
    assert all(word in result.stderr for word in words)
    assert "2 games" in result.stdout


def test_replay_without_check_ignores_the_checks(tmp_path: Path) -> None:
    game = first_game()
    game["final"] = "nonsense"
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game, indent=1))
    assert "1 game replayed" in succeeds("replay", str(file))


def test_draw_text_and_picture(tmp_path: Path) -> None:
    state = lc.GameRecord.load(PRINTED)[2].replay(10)
    assert succeeds("draw", PRINTED, "--game", "3", "--at", "10") == f"{state}\n"
    picture = tmp_path / "board.svg"
    succeeds("draw", PRINTED, "--game", "3", "--at", "10", "--svg", str(picture))
    assert picture.read_text() == lc.svg(state)


def test_draw_from_standard_input() -> None:
    position = position_in("tiles")
    text = json.dumps(position.to_dict(), indent=2)
    drawn = succeeds("draw", "-", standard_input=text)
    assert drawn == f"{lc.State.from_position(position)}\n"
    assert succeeds("draw", "-", standard_input=succeeds("new", "--seed", "1"))


def test_suggest_json_is_a_legal_turn() -> None:
    answer = json.loads(succeeds("suggest", PRINTED, "--turn", "13", "--json", *QUICK))
    state = lc.State.from_position(_start_of_turn(13).position(), seed=1)
    assert answer["mover"] == state.current_player
    assert answer["candidates"][0]["turn"] == answer["turn"]
    for text in answer["turn"]:
        state.apply(lc.Action.parse(text, state))
    assert state.turn_number == 14


def test_suggest_table() -> None:
    output = succeeds("suggest", PRINTED, "--turn", "13", "--candidates", "3", *QUICK)
    assert "from the side of player" in output
    assert "20 simulations" in output
    assert output.rstrip().endswith("end")


def test_suggest_shows_a_dash_for_what_is_not_estimated() -> None:
    arguments = ["suggest", PRINTED, "--turn", "13", "--agent", "random", *QUICK]
    assert succeeds(*arguments).count("\N{EN DASH}") == 2  # chance to win and lead
    (candidate,) = json.loads(succeeds(*arguments, "--json"))["candidates"]
    assert candidate["mover_win_probability"] is None


def test_suggest_takes_a_position() -> None:
    text = json.dumps(position_in("end_of_turn").to_dict())
    answer = json.loads(succeeds("suggest", "-", "--json", *QUICK, standard_input=text))
    assert answer["turn"][-1] == "end"


def _start_of_turn(number: int) -> lc.State:
    record = lc.GameRecord.load(PRINTED)[0]
    state = lc.State(record.setup)
    for _, action, draw in record.steps():
        if state.turn_number == number:
            break
        state.apply(action, draw=draw)
    return state


POSITION = json.dumps(position_in("viking").to_dict())


@pytest.mark.parametrize(
    ("arguments", "standard_input", "words"),
    [
        (["suggest", "no-such-file"], None, "no-such-file"),
        (["draw", "."], None, "directory"),
        (["draw", "-"], "", "empty"),
        (["draw", "-"], "\0\xff", "JSON"),
        (["draw", "-"], '{"format": NaN}', "NaN"),
        (["draw", "-"], "{}", "format"),
        (["draw", "-"], "[" * 100_000, "JSON"),
        (["draw", "-"], "[1]", "not a JSON object"),
        (["draw", "-"], POSITION.replace('"printed"', '"golden"'), "golden"),
        (["draw", "-", "--turn", "1"], POSITION, "--turn"),
        (["draw", PRINTED, "--turn", "1", "--at", "2"], None, "exclude"),
        (["draw", PRINTED, "--turn", "99"], None, "99"),
        (["draw", PRINTED, "--at", "99999"], None, "99999"),
        (["draw", PRINTED, "--game", "121"], None, "121"),
        (["draw", PRINTED, "--svg", "no-such-folder/x.svg"], None, "no-such-folder"),
        (["suggest", PRINTED], None, "over"),
        (["suggest", PRINTED, "--turn", "3", "--agent", "nobody"], None, "nobody"),
        (["suggest", PRINTED, "--turn", "3", "--level", "11"], None, "11"),
        (["suggest", PRINTED, "--turn", "3", "--level", "9"], None, "which has 10 only"),
        (["suggest", PRINTED, "--turn", "3", "--threads", "2"], None, "threads: 2 are more than 1"),
        (["suggest", PRINTED, "--turn", "3", "--time", "0"], None, "0"),
        (["new", "--players", "5"], None, "5"),
        (["new", "--seed", "-1"], None, "-1"),
        (["replay", "-"], '{"format": 1}\n{"format": 1}\n', "line 1"),
        (["replay"], None, "FILES"),
        (["serve", "--port", "70000"], None, "70000"),
        (["serve", "--host", "192.0.2.1"], None, "192.0.2.1"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], standard_input: str | None, words: str
) -> None:
    result = looot(*arguments, standard_input=standard_input)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    error = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(error) == 1
    assert words in error[0]


def test_serve_until_terminated() -> None:
    command = [sys.executable, "-m", "server.command_line", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        match = re.search(r"port (\d+)", process.stderr.readline())
        assert match
        with grpc.insecure_channel(f"127.0.0.1:{match[1]}") as channel:
            stub = EngineServiceStub(channel)
            info = stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=30)
            assert info.engine_version == lc.__version__
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert "Traceback" not in process.stderr.read()
