"""Positions of the recorded games, for tests to pick from and to change."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import looot_core as lc
from tests.core.games import recorded

Data = dict[str, Any]
Found = Callable[[Data], bool]
Break = Callable[[Data], None]


@cache
def position_texts() -> tuple[str, ...]:
    """Give the positions of some of the recorded games as JSON."""
    texts = []
    for record in (*recorded("printed")[:12], *recorded("rulebook")[:12]):
        state = lc.State(record.setup)
        for _, action, draw in record.steps():
            texts.append(json.dumps(state.position().to_dict()))
            state.apply(action, draw=draw)
        texts.append(json.dumps(state.position().to_dict()))
    return tuple(texts)


def find(wanted: Found) -> Data:
    for text in position_texts():
        data: Data = json.loads(text)
        if wanted(data):
            return data
    raise AssertionError("no recorded position is like that")


def current(data: Data) -> Data:
    seat: Data = data["seats"][data["current_player"]]
    return seat


def full(seat: Data) -> bool:
    return len(seat["tiles"]) + len(seat["longships"]) == 34


def middle(data: Data) -> bool:
    """At the start of a turn, with longships taken and no fjord full."""
    return (
        data["phase"] == "viking"
        and data["turn_number"] > 12
        and all(seat["longships"] and not full(seat) for seat in data["seats"])
        and not data["active_shields"]
    )


def shielded(shield: str) -> Found:
    return lambda data: middle(data) and all(shield in seat["shields"] for seat in data["seats"])


class Cases(dict[str, tuple[Found, Break, str]]):
    """Ways to break a position: what to look for, the change, and what the error says then."""

    def add(self, wanted: Found, message: str) -> Callable[[Break], Break]:
        def register(change: Break) -> Break:
            self[change.__name__] = (wanted, change, message)
            return change

        return register

    def check(self, name: str) -> None:
        wanted, change, message = self[name]
        data = find(wanted)
        change(data)
        with pytest.raises(lc.InvalidPositionError) as caught:
            lc.Position.from_dict(data)
        assert re.fullmatch(message, str(caught.value)), str(caught.value)
