"""Records of games: JSON Lines, read, written, replayed and checked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from looot_core.actions import Action
from looot_core.errors import (
    IllegalActionError,
    InvalidRecordError,
    InvalidSetupError,
    LoootError,
    RecordMismatchError,
    shorten,
)
from looot_core.plain import fields_of, is_sequence, json_of, text_of
from looot_core.record_checks import (
    compare_end,
    compare_turn,
    end_checks,
    final_checks,
    turn_checks,
)
from looot_core.setup import GameSetup
from looot_core.state import State

_MOST_EVENTS = 4_000  # no game has a quarter of it
_CHECKS = ("turns", "final", "winners")


class GameRecord:
    """One game: its set-up, what was played, and checks of what came of it.

    Parameters
    ----------
    setup : GameSetup
    events : sequence of str
        Actions in the notation, and behind each longship what it revealed (``draw 2 castle+4
        GGA``: slot, tile) unless the bag was empty. May stop in mid-game.
    extra : dict, optional
        Further keys of the JSON object, copied: ``turns``, ``final`` and ``winners`` are the
        checks of `check`; any others (agents, levels…) mean nothing to the engine.
    name : str, optional
        How error messages call the record.

    Raises
    ------
    InvalidRecordError
        If an argument is malformed.
    """

    def __init__(
        self,
        setup: GameSetup,
        events: Sequence[str],
        extra: Mapping[str, Any] | None = None,
        name: str = "record",
    ) -> None:
        name = _read_name(name)
        if type(setup) is not GameSetup:
            raise InvalidRecordError(f"{name}: {shorten(setup)} is not a GameSetup")
        if not is_sequence(events):
            raise InvalidRecordError(f"{name}: actions: {shorten(events)} is not a list")
        if len(events) > _MOST_EVENTS:
            raise InvalidRecordError(
                f"{name}: actions: {len(events)} are more than the {_MOST_EVENTS} of any game"
            )
        texts = []
        for index, event in enumerate(events):
            text = text_of(event)
            if text is None:
                raise InvalidRecordError(
                    f"{name}: actions[{index}]: {shorten(event)} is not an action as text"
                )
            texts.append(text)
        self.setup = setup
        self.events = tuple(texts)
        self.extra = _read_extra({} if extra is None else extra, name)
        self.name = name

    # Reading and writing

    @classmethod
    def from_dict(cls, data: Any, name: str = "record") -> GameRecord:
        """Read a record from the JSON object of a line.

        Returns
        -------
        GameRecord

        Raises
        ------
        InvalidRecordError
            If it is no record of a game.
        """
        name = _read_name(name)
        fields = fields_of(data)
        if fields is None:
            raise InvalidRecordError(f"{name}: {shorten(data)} is not a JSON object")
        try:
            setup = GameSetup.from_dict(fields)
        except InvalidSetupError as error:
            raise InvalidRecordError(f"{name}: {error}") from error
        if "actions" not in fields:
            raise InvalidRecordError(f"{name}: actions: missing")
        known = {*setup.to_dict(), "actions", "bag", "seed"}
        extra = {key: value for key, value in fields.items() if key not in known}
        return cls(setup, fields["actions"], extra, name)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON object of the record; the inverse of `from_dict`."""
        return {**self.setup.to_dict(), "actions": list(self.events), **self.extra}

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> list[GameRecord]:
        """Read all records of a file, one a line; blank lines are passed over.

        Returns
        -------
        list of GameRecord

        Raises
        ------
        InvalidRecordError
            If a line is no record, which the message names, or the path no path.
        OSError
            If the file cannot be read.
        """
        records = []
        given = _read_path(path)
        with given.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    name = f"{given} line {number}"
                    records.append(cls.from_dict(parse_json(line, name), name))
        return records

    def save(self, path: str | os.PathLike[str], append: bool = False) -> None:
        """Write the record as a line of a file, which it replaces unless `append` is set.

        Raises
        ------
        InvalidRecordError
            If `extra` was given what JSON cannot hold, or the path is no path.
        OSError
            If the file cannot be written.
        """
        try:
            text = json.dumps(
                self.to_dict(), separators=(",", ":"), ensure_ascii=False, allow_nan=False
            )
            line = f"{text}\n".encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidRecordError(f"{self.name}: extra: {error}") from error
        target = _read_path(path)
        if append:
            with target.open("ab") as file:
                file.write(line)
            return
        # The old file stays until the new one is whole.
        partial = target.with_name(f"{target.name}.partial")
        partial.write_bytes(line)
        partial.replace(target)

    # Replaying

    def steps(self) -> Iterator[tuple[int, Action, str | None]]:
        """Give each action with its index among the events and the longship it revealed.

        Raises
        ------
        RecordMismatchError
            If an event is neither an action nor in its place.
        """
        index = 0
        while index < len(self.events):
            try:
                action = Action.parse(self.events[index], self.setup)
            except IllegalActionError as error:
                raise self._mismatch(index, str(error)) from error
            following = self.events[index + 1] if index + 1 < len(self.events) else ""
            slot = self.events[index].split()[1:2]
            if following.startswith("draw "):
                parts = following.split(" ", 2)
                if not self.events[index].startswith("longship ") or parts[1:2] != slot:
                    raise self._mismatch(
                        index + 1, "a draw belongs right behind the longship of its slot (R13)"
                    )
                yield index, action, parts[2] if len(parts) == 3 else ""
                index += 2
            else:
                yield index, action, None
                index += 1

    def replay(self, stop: int | None = None) -> State:
        """Play the game again.

        Parameters
        ----------
        stop : int, optional
            Stop before the event of this index; without it, play all.

        Returns
        -------
        State
            As it is then.

        Raises
        ------
        RecordMismatchError
            If an action is illegal or a draw impossible; the message names game, action and rule.
        LoootError
            If `stop` is not an integer from 0.
        """
        if stop is not None and (type(stop) is not int or stop < 0):
            raise LoootError(f"stop: {shorten(stop)} is not the index of an event, 0 or more")
        state = State(self.setup)
        for index, action, draw in self.steps():
            if stop is not None and index >= stop:
                break
            self._apply(state, index, action, draw)
        return state

    def check(self) -> None:
        """Replay the game and compare it with the checks that the record holds.

        Raises
        ------
        RecordMismatchError
            At the first difference; the message names game, action or turn, and rule.
        """
        turns, final = self._play_with_checks()
        given = self.extra.get("turns")
        if given is not None:
            if not isinstance(given, list):
                raise self._mismatch(None, f"turns: {shorten(given)} is not a list (R15)")
            if len(given) != len(turns):
                raise self._mismatch(
                    None, f"turns: {len(given)} are stored, {len(turns)} were played (R15)"
                )
            for number, turn in enumerate(turns):
                difference = compare_turn(given[number], turn)
                if difference:
                    raise self._mismatch(turn["at"], f"turns[{number}]{difference}")
        difference = compare_end(self.extra, final)
        if difference:
            raise self._mismatch(None, difference)

    def with_checks(self) -> GameRecord:
        """Give the same game with the checks that its replay gives.

        Raises
        ------
        RecordMismatchError
            If it cannot be replayed.
        """
        turns, final = self._play_with_checks()
        extra = {key: value for key, value in self.extra.items() if key not in _CHECKS}
        return GameRecord(self.setup, self.events, {**extra, "turns": turns, **final}, self.name)

    def _play_with_checks(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Replay and give the checks of each turn and of the end."""
        state = State(self.setup)
        turns: list[dict[str, Any]] = []
        turn_begins = True
        for index, action, draw in self.steps():
            if turn_begins:
                turns.append(turn_checks(state, index))
            self._apply(state, index, action, draw)
            turn_begins = str(action) == "end"
            if turn_begins:
                turns[-1].update(end_checks(state))
        if turns and not turn_begins:
            turns[-1].update(end_checks(state))
        return turns, final_checks(state)

    def _apply(self, state: State, index: int, action: Action, draw: str | None) -> None:
        bag = self.setup.bag
        hidden = state.unseen if self.events[index].startswith("longship ") else ()
        try:
            state.apply(action, draw=draw)
        except IllegalActionError as error:
            raise self._mismatch(index, str(error)) from error
        if draw is None and hidden:
            raise self._mismatch(index, "behind it the longship revealed is missing (R13)")
        if draw is not None and bag is not None and draw != bag[len(bag) - len(hidden)]:
            raise self._mismatch(index + 1, "it is not the next longship of the bag (R13)")

    def _mismatch(self, index: int | None, reason: str) -> RecordMismatchError:
        where = "" if index is None else f"actions[{index}] {shorten(self.events[index])}: "
        return RecordMismatchError(f"{self.name}: {where}{reason}")

    # Comparing

    def __eq__(self, other: object) -> bool:
        """Compare the JSON objects."""
        if type(other) is not GameRecord:
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Name the record and its size."""
        return f"<GameRecord {self.name}: {self.setup.players} players, {len(self.events)} events>"


def _read_name(value: Any) -> str:
    name = text_of(value)
    if name is None:
        raise InvalidRecordError(f"name: {shorten(value)} is not a text")
    return name


def _read_path(value: Any) -> Path:
    """Read a path that a file could have."""
    try:
        text = text_of(value)
        path = Path(value if text is None else text)
        possible = b"\0" not in os.fsencode(path)
    except Exception:  # whatever a path of somebody else's class raises
        possible = False
    if not possible:
        raise InvalidRecordError(f"path: {shorten(value)} is not the path of a file")
    return path


def _read_extra(value: Any, name: str) -> dict[str, Any]:
    fields = fields_of(value)
    if fields is None:
        raise InvalidRecordError(
            f"{name}: extra: {shorten(value)} is not a dict with texts as keys"
        )
    extra = {}
    for key, inner in fields.items():
        try:
            extra[key] = json_of(inner)
        except LoootError as error:
            raise InvalidRecordError(f"{name}: {shorten(key)}: {error}") from None
    return extra


def parse_json(content: str | bytes, name: str = "JSON") -> Any:
    """Read a JSON document as strictly as the standard has it: no NaN, no infinity.

    Parameters
    ----------
    content : str or bytes
        Bytes in UTF-8, UTF-16 or UTF-32.
    name : str, optional
        How error messages call the document.

    Returns
    -------
    Any
        Of dicts, lists, texts, numbers, booleans and None.

    Raises
    ------
    InvalidRecordError
        If it is no JSON, is nested too deeply, or has a number that is too large.

    Examples
    --------
    >>> parse_json('{"at": 3}')
    {'at': 3}
    >>> parse_json("[NaN]", "game.json")
    Traceback (most recent call last):
    looot_core.errors.InvalidRecordError: game.json: not JSON: NaN is not a finite number
    """
    name = _read_name(name)
    if type(content) is not str and type(content) is not bytes:
        raise InvalidRecordError(f"{name}: {shorten(content)} is neither text nor bytes")
    try:
        return json.loads(content, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError(f"{name}: not JSON: {error}") from error


def _finite(number: str) -> float:
    if not isfinite(float(number)):
        raise ValueError(f"{shorten(number)[1:-1]} is not a finite number")
    return float(number)
