"""An agent that is a process: it reads questions from its standard input, one JSON object a line.

The protocol
------------
The process is started once a game and asked once a turn::

    {"id": 3, "position": {…}, "limits": {"time_s": 0.2}, "seed": 17}

``position`` is what `looot_core.Position.to_dict` gives. ``limits`` has ``time_s`` (seconds of
processor time) or ``simulations``, or both. ``seed``, null or from 0 to 2^64 - 1, makes an agent
that keeps to it repeat its games. Keys may be added; ignore those you do not know. The answer is
one line on the standard output, with the rest of the turn in the notation, up to its ``end``::

    {"id": 3, "turn": ["viking 3,-2", "tile wood d3", "end"]}

When the game is over the standard input is closed, and the process should end; a second later it
is killed. What it writes to the standard error is shown if it fails.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import looot_core as lc
from ai.agent import start
from ai.analysis import Analysis
from ai.limits import Limits
from looot_core.errors import shorten

PATIENCE_S = 60.0
"""Seconds by the clock on the wall that an answer may come late, on however busy a machine."""

_LONGEST_ANSWER = 1 << 20
_GRACE_S = 1.0
_LONGEST_COMPLAINT = 300


class ProcessAgentError(lc.LoootError):
    """The process died, did not answer in time, or answered something that is no turn."""


class ProcessAgent:
    """Asks a process for its turns. Close it when the game is over.

    It estimates nothing: its analyses have no candidates.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments; no shell is involved.
    seed : int, optional
        Told to the process.
    patience_s : float, optional
        How long after its time limit an answer is waited for.

    Raises
    ------
    ProcessAgentError
        If the program cannot be started.
    """

    def __init__(
        self, command: Sequence[str], *, seed: int | None = None, patience_s: float = PATIENCE_S
    ) -> None:
        self._seed = seed
        self._patience_s = patience_s
        self._asked = 0
        self._received = b""
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
            )
        except OSError as error:
            self._complaints.close()
            raise ProcessAgentError(f"cannot start {shorten(command[0])}: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions = self._process.stdin
        self._answers = self._process.stdout

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Ask for the rest of the turn; see `Agent.analyze`. There are no updates.

        Raises
        ------
        ProcessAgentError
            If the process died or does not answer with a turn.
        LoootError
            If its answer is not JSON or has what is no action. Whether the actions are legal is
            not looked at.
        InvalidLimitsError
            If there is a stop flag, a bound on memory, an early end or a choice of first actions:
            the protocol has none of these.
        """
        began = time.monotonic()
        state, limits = start(position, limits, on_update)
        limits.refuse(
            "an agent that is a process", "stop", "memory_mb", "early_end", "only", "without"
        )
        self._asked += 1
        self._write(
            {
                "id": self._asked,
                "position": position.to_dict(),
                "limits": _given(time_s=limits.time_s, simulations=limits.simulations),
                "seed": self._seed,
            }
        )
        answer = self._read_line(began + (limits.time_s or 0.0) + self._patience_s)
        return Analysis(
            turn=_parse(answer, self._asked, state),
            candidates=[],
            simulations=0,
            nodes=0,
            depth=0,
            time_s=time.monotonic() - began,
            expected_scores=[],
            stopped_by="complete",
        )

    def cpu_time(self) -> float:
        """Give the seconds of processor time that all threads of the process have used so far.

        Raises
        ------
        ProcessAgentError
            If the process is gone.
        """
        clock = ctypes.c_int()
        if ctypes.CDLL(None).clock_getcpuclockid(self._process.pid, ctypes.byref(clock)) != 0:
            raise ProcessAgentError(self._end())
        return time.clock_gettime(clock.value)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process, less than 0 for a signal; None while it runs."""
        return self._process.poll()

    def close(self) -> None:
        """End the process: its input is closed, and a second later it is killed."""
        self._questions.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._answers.close()
        self._complaints.close()

    def _write(self, question: dict[str, Any]) -> None:
        try:
            # A question is smaller than a pipe (64 KiB), and the last one was answered, so that
            # this does not block even if the process reads no more.
            self._questions.write(json.dumps(question).encode() + b"\n")
        except OSError as error:
            raise ProcessAgentError(self._end()) from error

    def _read_line(self, deadline: float) -> bytes:
        output = self._answers.fileno()
        ready = select.poll()
        ready.register(output, select.POLLIN)
        while b"\n" not in self._received:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not ready.poll(left_s * 1000):
                raise ProcessAgentError(f"no answer {self._patience_s:g} s after the time limit")
            received = os.read(output, 1 << 16)
            if not received:
                raise ProcessAgentError(self._end())
            self._received += received
            if len(self._received) > _LONGEST_ANSWER:
                raise ProcessAgentError(f"an answer of more than {_LONGEST_ANSWER} bytes")
        line, _, self._received = self._received.partition(b"\n")
        return line

    def _end(self) -> str:
        """Say how the process ended, with the last line it wrote to the standard error."""
        try:
            how = f"the process ended with exit code {self._process.wait(_GRACE_S)}"
        except subprocess.TimeoutExpired:
            how = "the process closed its output"
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - _LONGEST_COMPLAINT))
        complaints = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f"{how}: {complaints[-1]}" if complaints else how


def _given(**limits: float | None) -> dict[str, float]:
    return {name: value for name, value in limits.items() if value is not None}


def _parse(line: bytes, asked: int, state: lc.State) -> list[lc.Action]:
    answer = lc.parse_json(line, "answer")
    if not isinstance(answer, dict):
        raise ProcessAgentError(f"answer: {shorten(answer)} is not a JSON object")
    if type(answer.get("id")) is not int or answer["id"] != asked:
        raise ProcessAgentError(f"id: {shorten(answer.get('id'))} is not {asked}")
    turn = answer.get("turn")
    if not isinstance(turn, list) or not all(isinstance(action, str) for action in turn):
        raise ProcessAgentError(f"turn: {shorten(turn)} is not a list of actions as text")
    return [lc.Action.parse(action, state) for action in turn]
