"""Events of a request, applied to a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import looot_core as lc
from looot.v1 import game_pb2
from looot.v1.errors_pb2 import ErrorReason
from server.conversion import action_from_message, draw_from_message
from server.errors import Refusal, refusing_fields


def apply_events(state: lc.State, events: Sequence[game_pb2.Event], most: int) -> None:
    """Apply events to a state.

    Parameters
    ----------
    state : lc.State
        Changed in part when an event is refused.
    events : sequence of game_pb2.Event
    most : int
        How many there may be.

    Raises
    ------
    Refusal
        If an event is malformed or against the rules.
    """
    if len(events) > most:
        raise Refusal(
            ErrorReason.ERROR_REASON_INVALID_EVENT,
            f"{len(events)} events are more than {most}",
            "events",
        )
    at = 0
    while at < len(events):
        action, reveals = _read_action(state, events[at], f"events[{at}]")
        at += 1
        draw = None
        if reveals:
            slot = events[at - 1].action.take_longship.slot
            draw = _read_draw(state, slot, events[at : at + 1], f"events[{at}]")
            at += 1
        state.apply(action, draw=draw)


def _read_action(state: lc.State, event: game_pb2.Event, field: str) -> tuple[lc.Action, bool]:
    """Read an action that must be legal, and whether a draw is to follow it."""
    kind = event.WhichOneof("event")
    if kind is None:
        raise Refusal(
            ErrorReason.ERROR_REASON_INVALID_EVENT, "missing: one kind of event is required", field
        )
    if kind == "draw":
        raise Refusal(
            ErrorReason.ERROR_REASON_ILLEGAL_DRAW,
            "nothing is revealed here: a draw stands right behind the longship of its slot, and "
            "only if the bag was not empty (R13)",
            f"{field}.draw",
        )
    action = legal_action(event.action, state, f"{field}.action")
    return action, state.reveals(action)


def read_action(
    message: game_pb2.Action,
    state: lc.State,
    field: str,
    malformed: ErrorReason.ValueType,
) -> lc.Action:
    """Read an action on the landscape of `state`; whether it is legal is not looked at.

    Parameters
    ----------
    message : game_pb2.Action
    state : lc.State
    field : str
        The path of the message in its request, for errors.
    malformed : ErrorReason
        Why a message is refused that is no action.

    Returns
    -------
    Action

    Raises
    ------
    Refusal
        If a field is missing or out of its range, or there is no such space.
    """
    with _refusing_illegal(field), refusing_fields(malformed):
        return action_from_message(message, state, field)


def legal_action(
    message: game_pb2.Action,
    state: lc.State,
    field: str,
    malformed: ErrorReason.ValueType = ErrorReason.ERROR_REASON_INVALID_EVENT,
) -> lc.Action:
    """Read an action that must be legal in `state`: with the arguments of `read_action`.

    Raises
    ------
    Refusal
        If a field is missing or out of its range, or the action illegal.
    """
    action = read_action(message, state, field, malformed)
    with _refusing_illegal(field):
        state.reveals(action)  # refuses what is illegal
    return action


@contextmanager
def _refusing_illegal(field: str) -> Iterator[None]:
    try:
        yield
    except lc.IllegalActionError as error:
        raise Refusal(ErrorReason.ERROR_REASON_ILLEGAL_ACTION, why_illegal(error), field) from error


def why_illegal(error: lc.IllegalActionError) -> str:
    """Give the value and the rule; which field it is, the caller knows better."""
    return str(error).removeprefix("action: ")


def _read_draw(state: lc.State, slot: int, events: Sequence[game_pb2.Event], field: str) -> str:
    """Read what was revealed at `slot` from the first of `events`."""
    if not events or not events[0].HasField("draw"):
        raise Refusal(
            ErrorReason.ERROR_REASON_DRAW_REQUIRED,
            f"missing: the draw that says which longship was revealed at slot {slot}, from which"
            " one was taken (R13)",
            field,
        )
    field = f"{field}.draw"
    with refusing_fields(ErrorReason.ERROR_REASON_INVALID_EVENT):
        revealed_at, longship = draw_from_message(events[0].draw, field)
    if revealed_at != slot:
        raise Refusal(
            ErrorReason.ERROR_REASON_ILLEGAL_DRAW,
            f"{revealed_at} is not {slot}, the slot of the longship taken (R13)",
            f"{field}.slot",
        )
    if longship not in state.unseen:
        raise Refusal(
            ErrorReason.ERROR_REASON_ILLEGAL_DRAW,
            f"'{longship}' is not among the unseen longships (R4)",
            f"{field}.longship",
        )
    return longship
