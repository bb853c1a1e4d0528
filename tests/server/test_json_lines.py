"""The engine as JSON lines: a golden transcript, garbage, cancelling, the life of the process.

``python -m tests.server.test_json_lines`` writes the transcript anew; read it before you commit it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st

from server.conversion import action_to_message, position_to_message
from server.engine import Engine
from server.json_lines import JsonLines
from server.limits import ServiceLimits
from tests.positions import position_in, position_to_take_a_longship_in
from tests.server.recorder import PATIENCE_S

TRANSCRIPT = Path(__file__).parents[1] / "data" / "json_lines.txt"
POSITION = json_format.MessageToDict(position_to_message(position_in("viking")))
UNSTEADY = {"time", "memoryBytes", "simulationsPerSecond", "weightsHash", "engineVersion"}
LIMITS = ServiceLimits(max_request_bytes=8192, max_searches=1, max_calls=4)


def questions() -> Iterator[str]:
    """Give the lines of the transcript that go in."""
    before, action = position_to_take_a_longship_in()
    taken = json_format.MessageToDict(action_to_message(action))
    over = json_format.MessageToDict(position_to_message(position_in("over")))
    plain = {"agent": "ismcts_plain", "seed": "5", "maxCandidates": 2}
    calls: list[dict[str, Any]] = [
        {"method": "ListLegalActions", "request": {"position": POSITION}},
        {"method": "GetScore", "request": {"position": over}},
        {
            "method": "PlayTurn",
            "request": {"position": POSITION, "options": {"agent": "random", "seed": "1"}},
        },
        {
            "method": "Suggest",
            "request": {
                "position": POSITION,
                "options": {**plain, "limits": {"simulations": "40"}},
            },
        },
        {
            "method": "Analyze",
            "request": {
                "position": POSITION,
                "options": {**plain, "limits": {"simulations": "5"}},
            },
        },
        {
            "method": "ApplyActions",
            "request": {
                "position": json_format.MessageToDict(position_to_message(before)),
                "events": [{"action": taken}],
            },
        },
        {"method": "Suggest", "request": {"position": over}},
        {"method": "Suggest", "request": {"position": POSITION, "options": {"level": 99}}},
        {"method": "GetScore", "request": {"position": POSITION, "whim": 1}, "mood": "good"},
        {"method": "GetScore", "request": {"position": {"phase": 5.5}}},
        {"method": "GetScore", "request": {"position": 3}},
        {"method": "GetScore", "request": [1]},
        {"method": "GetScore", "request": {"position": {"seats": [{}] * 5000}}},
        {"method": "getscore", "request": {}},
        {"method": ["GetScore"]},
        {"method": "Cancel", "request": {"id": "nobody"}},
        {"method": "Cancel"},
        {"method": "CancelAll"},
    ]
    for number, call in enumerate(calls):
        yield json.dumps({"id": f"call {number}", **call})
    yield json.dumps({"method": "CancelAll"})
    yield json.dumps({"id": "x" * 65, "method": "CancelAll"})
    yield json.dumps({"id": True, "method": "CancelAll"})
    yield from ("[]", "{", "", "[" * 20_000, '"\\ud800"', "1" * 5_000)


async def answers_to(lines: list[bytes], limits: ServiceLimits = LIMITS) -> list[list[str]]:
    """Answer each line before the next is taken."""
    engine = Engine(limits)
    found: list[list[str]] = []
    protocol = JsonLines(
        engine, limits.max_request_bytes, limits.max_calls, lambda line: found[-1].append(line)
    )
    for line in lines:
        found.append([])
        protocol.take(line)
        await protocol.finish()
    engine.close()
    return found


def _steady(value: Any) -> Any:
    """Leave out what differs from run to run, or is in the words of a library."""
    if isinstance(value, dict):
        return {key: "…" if key in UNSTEADY else _steady(inner) for key, inner in value.items()}
    if isinstance(value, str):
        return re.sub(r"^(the line is not JSON|request: (?=Failed|Message)).*", r"\1…", value)
    return [_steady(inner) for inner in value] if isinstance(value, list) else value


def transcript() -> str:
    asked = list(questions())
    lines = []
    for question, answers in zip(
        asked, asyncio.run(answers_to([line.encode() for line in asked])), strict=True
    ):
        lines.append(f"> {question if len(question) < 16_000 else question[:50] + '…'}")
        lines += [
            f"< {json.dumps(_steady(json.loads(answer)), ensure_ascii=False)}" for answer in answers
        ]
    return "\n".join(lines) + "\n"


def test_golden_transcript() -> None:
    assert transcript().splitlines() == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
_METHODS = st.sampled_from(
    ["Suggest", "Analyze", "PlayTurn", "ApplyActions", "GetScore", "GetEngineInfo", "Cancel"]
)
_CALLS = st.fixed_dictionaries(
    {"id": st.text(max_size=3) | st.integers(), "method": _METHODS},
    optional={
        "request": _JSON
        | st.fixed_dictionaries(
            {"position": _JSON | st.just(POSITION), "options": _JSON | st.just({"level": 1})},
        )
    },
).map(lambda call: json.dumps(call).encode())


@given(st.lists(st.binary(max_size=60) | _JSON.map(lambda v: json.dumps(v).encode()) | _CALLS))
@settings(max_examples=150)
def test_garbage_is_answered(lines: list[bytes]) -> None:
    quick = ServiceLimits(max_searches=1, max_time_s=0.01)
    for answers in asyncio.run(answers_to(lines, quick)):
        parts = [json.loads(answer) for answer in answers]
        assert parts
        for part in parts:
            assert len(part) == 2
            assert part["id"] is None or type(part["id"]) in (int, str)
            assert part.get("error", {}).get("code") != 13, part
        assert "response" in parts[-1] or "error" in parts[-1]


def test_ids_are_of_one_call_at_a_time_and_calls_are_bounded() -> None:
    async def main() -> list[dict[str, Any]]:
        engine = Engine(LIMITS)
        found: list[dict[str, Any]] = []
        protocol = JsonLines(
            engine,
            LIMITS.max_request_bytes,
            LIMITS.max_calls,
            lambda line: found.append(json.loads(line)),
        )
        slow = {"position": POSITION, "options": {"limits": {"time": "30s"}}}
        for identity in ("a", "a", 1, 2, 3, 4):
            call = {"id": identity, "method": "Suggest", "request": slow}
            protocol.take(json.dumps(call).encode())
        protocol.take(b'{"id": "c", "method": "Cancel", "request": {"id": 2}}')
        protocol.take(b'{"id": "all", "method": "CancelAll"}')
        await protocol.finish()
        engine.close()
        return found

    found = asyncio.run(main())
    assert [(line["id"], line["error"]["code"]) for line in found[:2]] == [("a", 3), (4, 8)]
    assert found[2] == {"id": "c", "response": {"ids": [2]}}
    assert found[3] == {"id": "all", "response": {"ids": ["a", 1, 2, 3]}}
    ended = {(line["id"], line["error"]["code"]) for line in found[4:]}
    assert ended == {("a", 1), (1, 1), (2, 1), (3, 1)}


COMMAND = [sys.executable, "-m", "server.command_line", "engine", "--searches", "1"]


@contextmanager
def running_engine(stdin: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        COMMAND, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _ask(process: subprocess.Popen[str], call: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(call) + "\n")
    process.stdin.flush()


def _read(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


SLOW = {
    "id": "slow",
    "method": "Analyze",
    "request": {
        "position": POSITION,
        "options": {"limits": {"time": "60s"}},
        "interval": "0.1s",
    },
}


def test_a_process_ends_when_the_terminal_that_it_reads_is_gone() -> None:
    ours, its = os.openpty()
    with running_engine(its) as process:
        os.close(its)
        os.write(ours, b'{"id": 1, "method": "CancelAll"}\n')
        assert _read(process)["id"] == 1
        os.close(ours)
        assert process.wait(PATIENCE_S * 3) == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_process_without_input_or_output_says_so(closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(COMMAND)} {closed}"],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "Error: the standard input or output is closed"


def test_a_process_answers_what_was_asked_before_the_end_of_its_input() -> None:
    with running_engine() as process:
        _ask(process, {"id": 1, "method": "GetScore", "request": {"position": POSITION}})
        assert process.stdin is not None
        process.stdin.write('{"id": 2, "method": "CancelAll"}')  # no end of line
        process.stdin.close()
        assert {_read(process)["id"] for _ in range(2)} == {1, 2}
        assert process.wait(PATIENCE_S * 3) == 0


def test_a_process_keeps_what_its_one_client_asks_at_once_waiting() -> None:
    request = {"position": POSITION, "options": {"limits": {"simulations": "5"}}}
    with running_engine() as process:
        for number in range(10):
            _ask(process, {"id": number, "method": "Suggest", "request": request})
        assert process.stdin is not None
        process.stdin.close()
        answers = [_read(process) for _ in range(10)]
        assert [answer.get("error") for answer in answers] == [None] * 10


def test_an_analysis_of_a_process_can_be_cancelled() -> None:
    with running_engine() as process:
        _ask(process, SLOW)
        assert "update" in _read(process)
        _ask(process, {"id": "stop", "method": "Cancel", "request": {"id": "slow"}})
        lines = [_read(process)]
        while "error" not in lines[-1]:
            lines.append(_read(process))
        assert lines[-1] == {"id": "slow", "error": {"code": 1, "message": "cancelled"}}
        assert {"id": "stop", "response": {"ids": ["slow"]}} in lines


def test_a_process_that_nobody_reads_ends() -> None:
    with running_engine() as process:
        _ask(process, SLOW)
        assert "update" in _read(process)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_to_stop_answers_with_the_best_so_far(number: signal.Signals) -> None:
    with running_engine() as process:
        _ask(process, SLOW)
        assert "update" in _read(process)
        process.send_signal(number)
        last = _read(process)
        while "update" in last and last["update"]["analysis"].get("stopReason") is None:
            last = _read(process)
        assert last["update"]["analysis"]["stopReason"] == "STOP_REASON_STOPPED"
        assert _read(process)["error"]["code"] == 14
        assert process.wait(PATIENCE_S) == 0


if __name__ == "__main__":
    TRANSCRIPT.write_text(transcript(), encoding="utf-8")
