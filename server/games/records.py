"""The record of a hosted game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

import looot_core as lc
from server.games.entries import Entry
from server.games.table import Table


def record_of(table: Table, entries: Iterable[Entry], bag: Sequence[str] | None) -> str:
    """Give the record of a game as a line of JSON, without what was taken back.

    Parameters
    ----------
    table : Table
        Of the game.
    entries : iterable of Entry
        Its whole log.
    bag : sequence of str or None
        In the order of drawing: of a game that is over.

    Returns
    -------
    str
    """
    played: list[Entry] = []
    for entry in entries:
        kind, _, rest = entry.text.partition(" ")
        if kind == "undo":
            version = int(rest)
            while played and played[-1].version > version:
                played.pop()
        elif kind != "resign":
            played.append(entry)
    setup = table.setup if bag is None else replace(table.setup, bag=tuple(bag))
    record = lc.GameRecord(setup, [entry.text for entry in played])
    return json.dumps(record.to_dict(), separators=(",", ":"))
