"""From the field that an error of ``looot_core`` names to the field of the message."""

from __future__ import annotations

import re

_NAMED_FIELD = re.compile(r"([a-z_]+(?:\[[^\]]*\]|\.[^\s:.\[]+)*): (.*)", re.DOTALL)
_PARTS = re.compile(r"\[[^\]]*\]|\.?[^.\[]+")
_IN_ARRANGEMENT = ("edition", "landscape", "ocean", "trophy_board", "sites")


class Paths:
    """Which field of a position message became which part of the JSON form.

    Most parts have the same path in both; only those that differ are noted.

    Parameters
    ----------
    root : str
        The path of the position message.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._noted = {name: f"{root}.arrangement.{name}" for name in _IN_ARRANGEMENT}

    def note(self, json_path: str, field: str) -> None:
        """Note the field of a part that has another path there."""
        self._noted[json_path] = field

    def locate(self, error: str) -> tuple[str, str]:
        """Split an error into the field of the message and the description."""
        match = _NAMED_FIELD.fullmatch(error)
        if match is None:
            return self._root, error
        path, description = match.groups()
        key = description.split(" ", 1)[0].strip("'")  # where it is a key that is refused
        if f"{path}.{key}" in self._noted:
            return self._noted[f"{path}.{key}"], description
        parts = _PARTS.findall(path)
        for length in range(len(parts), 0, -1):
            noted = self._noted.get("".join(parts[:length]))
            if noted is not None:
                return noted + "".join(parts[length:]), description
        return f"{self._root}.{path}", description
