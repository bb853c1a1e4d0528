"""Actions and draws."""

from __future__ import annotations

from functools import lru_cache

import looot_core as lc
from looot.v1 import game_pb2
from looot_core.components import OCEAN_SLOTS, TROPHIES
from server.conversion.fields import (
    FieldError,
    known,
    read_cell,
    read_longship,
    read_space,
    require,
    within,
    write_cell,
    write_longship,
    write_space,
)
from server.conversion.vocabulary import SHIELD_NAMES, TILE_KINDS, shield, tile_kind

_KEPT = 4096


def action_from_message(message: game_pb2.Action, state: lc.State, field: str) -> lc.Action:
    """Read an action on the landscape of `state`; whether it is legal is not looked at.

    Parameters
    ----------
    message : game_pb2.Action
    state : lc.State
    field : str
        The path of the message in its request, for errors.

    Returns
    -------
    lc.Action

    Raises
    ------
    FieldError
        If a field is missing or out of its range.
    IllegalActionError
        If the landscape or the fjord has no such space.
    """
    return lc.Action.parse(_text(message, field), state)


def _text(message: game_pb2.Action, field: str) -> str:
    match message.WhichOneof("action"):
        case "use_shield":
            name = known(SHIELD_NAMES, message.use_shield.shield, f"{field}.use_shield.shield")
            return f"shield {name}"
        case "place_viking":
            place = require(message.place_viking, "space", f"{field}.place_viking")
            return f"viking {read_space(message.place_viking.space, place)}"
        case "place_tile":
            tile = message.place_tile
            name = known(TILE_KINDS, tile.kind, f"{field}.place_tile.kind")
            place = require(tile, "cell", f"{field}.place_tile")
            return f"tile {name} {read_cell(tile.cell, place)}"
        case "take_longship":
            longship = message.take_longship
            slot = within(longship.slot, 0, OCEAN_SLOTS - 1, f"{field}.take_longship.slot")
            place = require(longship, "cell", f"{field}.take_longship")
            return f"longship {slot} {read_cell(longship.cell, place)}"
        case "claim_trophy":
            number = message.claim_trophy.trophy
            place = f"{field}.claim_trophy.trophy"
            return f"trophy {within(number, min(TROPHIES), max(TROPHIES), place)}"
        case "end_turn":
            return "end"
        case _:
            raise FieldError(field, "missing: one kind of action is required")


def action_to_message(action: lc.Action) -> game_pb2.Action:
    """Give the message of an action."""
    return action_text_to_message(str(action))


def shared_action_message(action: lc.Action) -> game_pb2.Action:
    """Give the message of an action to put into another message, which copies it.

    It is not to be changed: others are given the same one.
    """
    return _message_of(str(action))


def action_text_to_message(text: str) -> game_pb2.Action:
    """Give the message of an action in the notation."""
    message = game_pb2.Action()
    message.CopyFrom(_message_of(text))
    return message


@lru_cache(_KEPT)
def _message_of(text: str) -> game_pb2.Action:
    """Make a message, to be copied: an analysis has the same few actions many times over."""
    match text.split():
        case ["shield", name]:
            return game_pb2.Action(use_shield=game_pb2.UseShield(shield=shield(name)))
        case ["viking", space]:
            return game_pb2.Action(place_viking=game_pb2.PlaceViking(space=write_space(space)))
        case ["tile", tile, cell]:
            return game_pb2.Action(
                place_tile=game_pb2.PlaceTile(kind=tile_kind(tile), cell=write_cell(cell))
            )
        case ["longship", slot, cell]:
            return game_pb2.Action(
                take_longship=game_pb2.TakeLongship(slot=int(slot), cell=write_cell(cell))
            )
        case ["trophy", number]:
            return game_pb2.Action(claim_trophy=game_pb2.ClaimTrophy(trophy=int(number)))
        case _:
            return game_pb2.Action(end_turn=game_pb2.EndTurn())


def draw_from_message(message: game_pb2.DrawLongship, field: str) -> tuple[int, str]:
    """Read what was revealed.

    Parameters
    ----------
    message : game_pb2.DrawLongship
    field : str
        The path of the message in its request, for errors.

    Returns
    -------
    slot : int
        The one that is refilled.
    longship : str
        As ``castle+4 GGA``.

    Raises
    ------
    FieldError
        If a field is missing or out of its range.
    """
    slot = within(message.slot, 0, OCEAN_SLOTS - 1, f"{field}.slot")
    return slot, read_longship(message.longship, require(message, "longship", field))


def draw_to_message(slot: int, longship: str) -> game_pb2.DrawLongship:
    """Give the message of a longship that was revealed, written as ``castle+4 GGA``."""
    return game_pb2.DrawLongship(slot=slot, longship=write_longship(longship))
