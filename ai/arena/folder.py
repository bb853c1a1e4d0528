"""The folder of a match: its description, and its games as they end."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import looot_core as lc
from ai.arena.errors import ArenaError
from ai.arena.game import GameResult, Games
from ai.arena.match import Match

DESCRIPTION = "match.json"
GAMES = "games.jsonl"


class MatchFolder:
    """Holds ``match.json`` and ``games.jsonl``, a record a line in the order in which games ended.

    Each line is on the disk before the next game is asked for, so that whatever ends the process,
    only running games are lost. A last line that was cut off is removed when the folder is opened
    again. While it is open, nobody else can open it.

    Parameters
    ----------
    path : str or path
        Made if it is not there.
    match : Match

    Raises
    ------
    LoootError
        If the folder is of another match, is in use, or holds something else in its files.
    OSError
        If it cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], match: Match) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._file = (self.path / GAMES).open("a+b")
        try:
            self._lock()
            self._check_description(match)
            self.results = self._read()
        except BaseException:
            self._file.close()
            raise

    def append(self, record: dict[str, Any]) -> GameResult:
        """Keep a game that `ai.arena.game.play_game` gave."""
        result = GameResult.from_record(record)
        line = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.results[result.deal, result.seating] = result
        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def _lock(self) -> None:
        if not lock(self._file):
            raise ArenaError(f"{self.path}: a match is being played in this folder")

    def _check_description(self, match: Match) -> None:
        path = self.path / DESCRIPTION
        description = match.description()
        if not path.exists():
            if os.fstat(self._file.fileno()).st_size:
                raise ArenaError(f"{self.path}: there are games but no {DESCRIPTION}")
            write_whole(path, description)
            return
        stored = read_json(path)
        if stored != description:
            raise ArenaError(
                f"{self.path}: the folder is of another match; "
                f"{', '.join(differing(stored, description))} differ"
            )

    def _read(self) -> Games:
        """Read the games, and cut off what follows the last whole line."""
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            self._file.truncate(whole)
        results: Games = {}
        for number, line in enumerate(content[:whole].splitlines(), 1):
            name = f"{self.path / GAMES} line {number}"
            result = GameResult.from_record(lc.parse_json(line, name), name)
            results[result.deal, result.seating] = result
        return results


def lock(file: IO[Any]) -> bool:
    """Keep a file to oneself until it is closed; False if somebody else does."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def differing(stored: Any, description: dict[str, Any]) -> list[str]:
    """Give the keys of a description that what was stored has not, or otherwise."""
    return [
        key
        for key in description
        if not isinstance(stored, dict) or stored.get(key) != description[key]
    ]


def write_whole(path: Path, data: Any) -> None:
    """Write a file of JSON so that it is there either whole or as it was before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def read_json(path: Path) -> Any:
    """Read a file of JSON.

    Raises
    ------
    LoootError
        If it is none.
    """
    return lc.parse_json(path.read_bytes(), str(path))
