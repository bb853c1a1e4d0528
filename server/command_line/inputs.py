"""Files as the commands read them: records, positions and set-ups."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

import looot_core as lc

_Function = TypeVar("_Function", bound=Callable[..., Any])

STANDARD_INPUT = "-"


def moment_options(command: _Function) -> _Function:
    """Add the argument FILE, and the options that say which game of it and when."""
    for decorate in (
        click.option("--at", type=click.IntRange(0), help="Before this event of the record."),
        click.option("--turn", type=click.IntRange(0), help="At the start of this turn, from 0."),
        click.option(
            "--game",
            type=click.IntRange(1),
            default=1,
            show_default=True,
            help="Which game of the file, from 1.",
        ),
        click.argument("file"),
    ):
        command = decorate(command)
    return command


def read_state(file: str, game: int, turn: int | None, at: int | None) -> lc.State:
    """Read a game of a file, and go to a moment of it (by default the last).

    Returns
    -------
    lc.State

    Raises
    ------
    LoootError
        If there is no such game or moment, or the file cannot be understood.
    OSError
        If the file cannot be read.
    """
    if turn is not None and at is not None:
        raise click.UsageError("--turn and --at exclude each other")
    documents = read_documents(file)
    if game > len(documents):
        raise lc.InvalidRecordError(f"{file}: there is no game {game}, only {len(documents)}")
    name, data = documents[game - 1]
    if isinstance(data, dict) and "seats" in data:
        if turn is not None or at is not None:
            raise lc.InvalidRecordError(f"{name}: a position has no --turn and no --at")
        return lc.State.from_position(lc.Position.from_dict(data))
    record = read_record(name, data)
    if turn is not None:
        at = _start_of_turn(record, turn)
    elif at is not None and at > len(record.events):
        raise lc.InvalidRecordError(f"{name}: --at {at} is past its {len(record.events)} events")
    return record.replay(at)


def read_record(name: str, data: Any) -> lc.GameRecord:
    """Read a record; a set-up is one of a game in which nothing was played yet.

    Returns
    -------
    lc.GameRecord

    Raises
    ------
    InvalidRecordError
        If it is no record.
    """
    if isinstance(data, dict) and "actions" not in data:
        data = {**data, "actions": []}
    return lc.GameRecord.from_dict(data, name)


def read_documents(file: str) -> list[tuple[str, Any]]:
    """Read JSON: one document, or one a line.

    Returns
    -------
    list of tuple of str and object
        For each document how messages call it, and its value.

    Raises
    ------
    InvalidRecordError
        If it is no JSON.
    OSError
        If the file cannot be read.
    """
    name = "standard input" if file == STANDARD_INPUT else file
    content = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    if not lines:
        raise lc.InvalidRecordError(f"{name}: it is empty")
    try:
        return [(name, lc.parse_json(content, name))]
    except lc.InvalidRecordError:
        if len(lines) == 1 or lines[0][1].strip() in (b"{", b"["):
            raise
    named = [(f"{name} line {number}", line) for number, line in lines]
    return [(line_name, lc.parse_json(line, line_name)) for line_name, line in named]


def _start_of_turn(record: lc.GameRecord, turn: int) -> int:
    starts = [0]
    starts += [at for at, event in enumerate(record.events, 1) if event == "end"]
    if turn >= len(starts):
        raise lc.InvalidRecordError(
            f"{record.name}: --turn {turn} is past its last turn, {len(starts) - 1}"
        )
    return starts[turn]
