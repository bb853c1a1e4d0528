"""The ``looot`` command."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import grpc
import pytest
from click.testing import CliRunner, Result
from google.protobuf import json_format

import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_pb2
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.command_line import main
from server.conversion import position_from_message
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
    best, why = output.splitlines()[-2:]
    assert best.startswith("Best: ")
    assert best.endswith("; end")
    assert re.fullmatch(r"Why: [+-]\d+ points at once; .*; forecast lead [+-]\d+\.\d \(.*\)", why)


def test_suggest_shows_a_dash_for_what_is_not_estimated() -> None:
    arguments = ["suggest", PRINTED, "--turn", "13", "--agent", "random", *QUICK]
    assert succeeds(*arguments).count("\N{EN DASH}") == 3  # visits, chance to win, lead
    (candidate,) = json.loads(succeeds(*arguments, "--json"))["candidates"]
    assert candidate["mover_win_probability"] is None


def test_suggest_says_of_which_position() -> None:
    output = succeeds("suggest", PRINTED, "--turn", "13", *QUICK)
    state = _start_of_turn(13)
    assert output.splitlines()[0] == (
        f"2 players, printed edition, turn 13: player {state.current_player} is to place a viking"
    )


def test_position_is_the_moment_of_the_record() -> None:
    written = succeeds("position", PRINTED, "--turn", "13")
    assert lc.Position.from_dict(json.loads(written)) == _start_of_turn(13).position()
    assert succeeds("position", "-", standard_input=written) == written


def test_position_in_the_json_of_protobuf_is_a_message() -> None:
    written = succeeds("position", PRINTED, "--turn", "13", "--protojson")
    message = json_format.Parse(written, game_pb2.Position())
    assert position_from_message(message, "position") == _start_of_turn(13).position()


def test_position_shows_nothing_of_the_bag() -> None:
    setup = json.loads(succeeds("new", "--seed", "3"))
    other = {**setup, "bag": setup["bag"][::-1], "seed": 4}
    for option in ([], ["--protojson"]):
        shown = [
            succeeds("position", "-", *option, standard_input=json.dumps(data))
            for data in (setup, other)
        ]
        assert shown[0] == shown[1]


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
        (["draw", ""], None, "'': No such file"),
        (["draw", "-", "--svg", ""], POSITION, "'': No such file"),
        (["draw", "-"], "", "empty"),
        (["draw", "-"], '{"seats": []}', "standard input: format: missing"),
        (["draw", "-"], "\0\xff", "JSON"),
        (["draw", "-"], '{"format": NaN}', "NaN"),
        (["draw", "-"], "{}", "format"),
        (["draw", "-"], "[" * 100_000, "JSON"),
        (["draw", "-"], "[1]", "not a JSON object"),
        (["draw", "-"], POSITION.replace('"printed"', '"golden"'), "golden"),
        (["draw", "-", "--turn", "1"], POSITION, "--turn"),
        (["draw", PRINTED, "--turn", "1", "--at", "2"], None, "exclude"),
        (["draw", PRINTED, "--turn", "99"], None, "--turn 99: it has 24 turns, 0 to 23; 24 is its"),
        (["draw", PRINTED, "--at", "99999"], None, "--at 99999: it has "),
        (["draw", PRINTED, "--game", "121"], None, "--game 121: it has 120 games"),
        (["draw", PRINTED, "--svg", "no-such-folder/x.svg"], None, "no-such-folder"),
        (["suggest", PRINTED], None, "over"),
        (["suggest", PRINTED, "--turn", "3", "--agent", "nobody"], None, "nobody"),
        (["suggest", PRINTED, "--turn", "3", "--level", "11"], None, "11"),
        (
            ["suggest", PRINTED, "--turn", "3", "--agent", "random", "--level", "9"],
            None,
            "--level 9: random has 10 only",
        ),
        (
            ["suggest", PRINTED, "--turn", "3", "--agent", "random", "--threads", "2"],
            None,
            "--threads 2: random can use 1 only",
        ),
        *(
            (["suggest", PRINTED, "--turn", "3", "--time", time], None, f"'--time': {words}")
            for time, words in [
                ("0", "0.0 is not in the range"),
                ("nan", "nan is not a number"),
                ("inf", "inf is not in the range"),
                ("1e300", "1e+300 is not in the range"),
            ]
        ),
        (["suggest", PRINTED, "--turn", "3", "--simulations", "9" * 20], None, "'--simulations'"),
        (["serve", "--max-time", "nan"], None, "max_time_s: nan: "),
        (["arena", "match", "random", "random", "--time", "nan", "--out", "x"], None, "'--time'"),
        (["new", "--players", "5"], None, "5"),
        (["new", "--seed", "-1"], None, "-1"),
        (["replay", "-"], '{"format": 1}\n{"format": 1}\n', "line 1"),
        (["replay"], None, "FILE..."),
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


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own, for what a runner in this one cannot show."""
    command = [sys.executable, "-m", "server.command_line", *arguments]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)


def test_every_command_shows_help_with_an_example_and_explains_its_options() -> None:
    def walk(command: click.Command, names: list[str]) -> None:
        if isinstance(command, click.Group):
            for name, inner in command.commands.items():
                walk(inner, [*names, name])
        else:
            assert "Example: looot " in succeeds(*names, "--help")
        for parameter in command.params:
            assert not isinstance(parameter, click.Option) or parameter.help, (names, parameter)

    walk(main, [])


def test_a_closed_standard_input_is_refused() -> None:
    result = run("draw", "-", preexec_fn=lambda: os.close(0))
    assert result.returncode == 2
    assert result.stderr == b"Error: standard input: it is closed\n"


def test_a_terminal_of_ascii_gets_what_it_can_show(tmp_path: Path) -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    suggestion = run("suggest", PRINTED, "--turn", "3", "--agent", "random", env=plain)
    assert suggestion.returncode == 0, suggestion.stderr
    assert b"Best: " in suggestion.stdout
    assert suggestion.stdout.isascii()
    picture = run("draw", PRINTED, "--svg", "-", env=plain)
    assert picture.returncode == 0, picture.stderr
    assert picture.stdout.decode() == f"{lc.svg(lc.GameRecord.load(PRINTED)[0].replay())}\n"


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.command_line.inputs.MOST_BYTES", 1 << 20)
    result = looot("draw", "/dev/zero")
    assert result.exit_code == 2
    assert result.stderr == "Error: /dev/zero: it has more than 1 MiB\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_text_in_another_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"name": "é"}\n{"name": "é"}\n', encoding=encoding)
    result = looot("replay", str(file))
    assert result.exit_code == 2
    assert "games.jsonl: it is not text in UTF-8" in result.stderr


def test_a_byte_order_mark_and_separators_within_text_are_read(tmp_path: Path) -> None:
    game = json.dumps({**first_game(), "note": "one\u2028line"}, ensure_ascii=False)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{game}\r\n\n{game}\r\n", encoding="utf-8-sig")
    assert "2 games replayed" in succeeds("replay", str(file))


@pytest.mark.parametrize("flag", ["--port", "--web-port", "--metrics-port"])
def test_a_port_in_use_is_named_and_what_was_begun_is_ended(flag: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run("serve", "--port", "0", "--database-url", "", flag, port)
    assert result.returncode == 2
    *log, error = result.stderr.decode().splitlines()
    assert error == f"Error: port {port} is in use; choose another with {flag}"
    assert all("[info" in line for line in log)


def test_serve_until_terminated(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server.command_line", "serve", "--port", "0"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            match = re.search(r"on 127\.0\.0\.1:(\d+)$", process.stderr.readline().rstrip())
            assert match
            with grpc.insecure_channel(f"127.0.0.1:{match[1]}") as channel:
                stub = EngineServiceStub(channel)
                info = stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=30)
                assert info.engine_version == lc.__version__
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()
    assert (tmp_path / "looot" / "games.db").exists()
