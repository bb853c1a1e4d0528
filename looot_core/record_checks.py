"""The checks a record may hold (``turns``, ``final``, ``winners``): made and compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from looot_core.components import SCORED_KINDS
from looot_core.errors import shorten
from looot_core.hexes import format_hex
from looot_core.state import State

_TURN_RULES = {
    "player": "R5, R19",
    "legal": "R6",
    "scores": "R20",
    "buildings": "R3, R8-R11",
}


def turn_checks(state: State, at: int) -> dict[str, Any]:
    """Give what a record stores of a turn at its start; `at` is the index of its first event."""
    return {
        "player": state.current_player,
        "at": at,
        "legal": [format_hex(space) for space in state.landing_spaces()],
    }


def end_checks(state: State) -> dict[str, Any]:
    """Give what a record stores of a turn at its end: scores, and stacks that have tiles."""
    return {
        "scores": state.scores(),
        "buildings": {
            format_hex(space): left for space, left in state.position().buildings.items() if left
        },
    }


def final_checks(state: State) -> dict[str, Any]:
    """Give what a record stores of the end of a game: nothing if it is not over."""
    if not state.is_over:
        return {}
    final = []
    for player in range(state.players):
        breakdown = state.score_breakdown(player)
        for kind in SCORED_KINDS:
            breakdown[kind] = [breakdown[kind]["count"], breakdown[kind]["value"]]
        final.append(breakdown)
    return {"final": final, "winners": state.winners()}


def compare_turn(given: Any, played: Mapping[str, Any]) -> str:
    """Say where in a turn the stored checks differ from the played ones; empty if nowhere.

    ``at`` is not compared here: some recorders let a turn start behind its shields.
    """
    if not isinstance(given, dict):
        return f": {shorten(given)} is not a JSON object (R15)"
    for key, rule in _TURN_RULES.items():
        if key in given and not _same(given[key], played.get(key)):
            difference = _difference(given[key], played[key])
            return f".{key}: {shorten(given[key])} stored, {difference} ({rule})"
    return ""


def compare_end(given: Mapping[str, Any], played: Mapping[str, Any]) -> str:
    """Say where the stored final checks differ from the played ones; empty if nowhere."""
    if given.get("winners") is not None and not _same(given["winners"], played.get("winners")):
        return f"winners: {shorten(given['winners'])} stored, {played.get('winners')} played (R21)"
    final = given.get("final")
    if final is None:
        return ""
    if "final" not in played:
        return "final: stored, but the game is not over (R19)"
    if not isinstance(final, list) or len(final) != len(played["final"]):
        return f"final: {shorten(final)} is not a list of {len(played['final'])} seats (R20)"
    for player, (stored, breakdown) in enumerate(zip(final, played["final"], strict=True)):
        if not isinstance(stored, dict):
            return f"final[{player}]: {shorten(stored)} is not a JSON object (R20)"
        for key, value in breakdown.items():
            if key in stored and not _same(stored[key], value):
                return f"final[{player}].{key}: {shorten(stored[key])} stored, {value} played (R20)"
    return ""


def _same(given: Any, played: Any) -> bool:
    """Compare JSON values, where true is not 1 and 1.0 not 1."""
    if isinstance(given, dict) and isinstance(played, dict):
        return given.keys() == played.keys() and all(_same(given[k], played[k]) for k in given)
    if isinstance(given, list) and isinstance(played, list):
        return len(given) == len(played) and all(map(_same, given, played))
    return type(given) is type(played) and bool(given == played)


def _difference(given: Any, played: Any) -> str:
    """Name what differs: in whole where it is short, else the entries."""
    if isinstance(given, dict) and isinstance(played, dict):
        keys = [key for key in {**played, **given} if given.get(key) != played.get(key)]
        shown = ", ".join(
            f"{shorten(key)}: {shorten(given.get(key))} for {shorten(played.get(key))}"
            for key in keys[:4]
        )
        return f"differing in {shown}"
    return f"{played} played"
