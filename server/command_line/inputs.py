"""Files as the commands read them: records, positions and set-ups."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

import looot_core as lc

_Function = TypeVar("_Function", bound=Callable[..., Any])

STANDARD_INPUT = "-"
MOST_BYTES = 64 << 20


def moment_options(command: _Function) -> _Function:
    """Add the argument FILE, and the options that say which game of it and when."""
    for decorate in (
        click.option(
            "--at",
            type=click.IntRange(0),
            help="Before this event of the record, from 0.  [default: behind the last]",
        ),
        click.option(
            "--turn",
            type=click.IntRange(0),
            help="At the start of this turn, from 0, instead of --at.",
        ),
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
    name, data = _read_document(file, game)
    if isinstance(data, dict) and "seats" in data:
        if turn is not None or at is not None:
            raise lc.InvalidRecordError(f"{name}: a position has no --turn and no --at")
        try:
            return lc.State.from_position(lc.Position.from_dict(data))
        except lc.InvalidPositionError as error:
            raise lc.InvalidPositionError(f"{name}: {error}") from error
    record = read_record(name, data)
    if turn is not None:
        at = start_of_turn(record, turn)
    elif at is not None and at > len(record.events):
        raise lc.InvalidRecordError(
            f"{name}: --at {at}: it has {len(record.events)} events; {len(record.events)} is its"
            " end"
        )
    return record.replay(at)


def read_game(file: str, game: int) -> lc.GameRecord:
    """Read a game of a file, counted from 1.

    Returns
    -------
    lc.GameRecord

    Raises
    ------
    InvalidRecordError
        If there is no such game, or the file cannot be understood.
    OSError
        If the file cannot be read.
    """
    return read_record(*_read_document(file, game))


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
    content = _read_text(file, name)
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
    if not lines:
        raise lc.InvalidRecordError(f"{name}: it is empty")
    try:
        return [(name, lc.parse_json(content, name))]
    except lc.InvalidRecordError:
        if len(lines) == 1 or lines[0][1].strip() in ("{", "["):
            raise
    named = [(f"{name} line {number}", line) for number, line in lines]
    return [(line_name, lc.parse_json(line, line_name)) for line_name, line in named]


def start_of_turn(record: lc.GameRecord, turn: int) -> int:
    """Give the index of the event with which a turn begins, counted from 0.

    The turn behind the last one that was ended begins at the end of the record.

    Raises
    ------
    InvalidRecordError
        If the record has no such turn.
    """
    starts = [0]
    starts += [at for at, event in enumerate(record.events, 1) if event == "end"]
    if turn >= len(starts):
        last = len(starts) - 1
        turns = f"{last} turns, 0 to {last - 1}; {last} is its end" if last else "turn 0 only"
        raise lc.InvalidRecordError(f"{record.name}: --turn {turn}: it has {turns}")
    return starts[turn]


def _read_document(file: str, game: int) -> tuple[str, Any]:
    documents = read_documents(file)
    if game > len(documents):
        games = "1 game" if len(documents) == 1 else f"{len(documents)} games"
        raise lc.InvalidRecordError(f"{file}: --game {game}: it has {games}")
    return documents[game - 1]


def _read_text(file: str, name: str) -> str:
    """Read all of a file, but not without end."""
    if file != STANDARD_INPUT:
        with open(file, "rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    elif sys.stdin is None:
        raise lc.InvalidRecordError(f"{name}: it is closed")
    else:
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise lc.InvalidRecordError(f"{name}: it has more than {MOST_BYTES >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise lc.InvalidRecordError(
            f"{name}: it is not text in UTF-8 (byte {error.start})"
        ) from None
