"""Who plays a seat: as a message, and as it is stored."""

from __future__ import annotations

import logging
from dataclasses import replace

from google.protobuf import json_format

from looot.v1 import analysis_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.limits import ServiceLimits
from server.options import SearchRequest, read_options

_log = logging.getLogger(__name__)


def read_player(player: pb.SeatPlayer, limits: ServiceLimits, field: str) -> str | None:
    """Read who is to play a seat.

    Parameters
    ----------
    player : pb.SeatPlayer
    limits : ServiceLimits
    field : str
        The path of the message in its request, for errors.

    Returns
    -------
    str or None
        The bot in JSON; None for a human.

    Raises
    ------
    Refusal
        If it says neither, or the bot is none that this server has.
    """
    kind = player.WhichOneof("player")
    if kind is None:
        raise Refusal(
            ErrorReason.ERROR_REASON_INVALID_REQUEST, "missing: human or bot is required", field
        )
    return None if kind == "human" else read_bot(player.bot, limits, f"{field}.bot")


def read_bot(bot: pb.Bot, limits: ServiceLimits, field: str) -> str:
    """Read a bot as it is stored: in JSON, with its agent and level."""
    if bot.limits.HasField("clock"):
        raise Refusal(
            ErrorReason.ERROR_REASON_INVALID_LIMITS,
            "a bot has no game clock",
            f"{field}.limits.clock",
        )
    request = read_options(_options(bot), limits, field)
    named = pb.Bot()
    named.CopyFrom(bot)
    named.agent, named.level = request.agent, request.level
    named.DiscardUnknownFields()
    return json_format.MessageToJson(named, indent=None, preserving_proto_field_name=True)


def player_to_message(bot: str | None) -> pb.SeatPlayer:
    """Give the message of a bot in JSON, or of a human."""
    if bot is None:
        return pb.SeatPlayer(human=pb.Human())
    return pb.SeatPlayer(bot=bot_to_message(bot))


def bot_to_message(bot: str) -> pb.Bot:
    """Give the message of a bot in JSON."""
    return json_format.Parse(bot, pb.Bot(), ignore_unknown_fields=True)


def read_stored_bot(bot: str, limits: ServiceLimits, seed: int) -> SearchRequest:
    """Give the search of a bot in JSON, with a seed.

    A bot that this server could not have any more, since it was set up anew or lost an agent, plays
    as the default agent: a game must not stop for that.
    """
    try:
        request = read_options(_options(bot_to_message(bot)), limits, "bot")
    except Refusal as refusal:
        _log.warning("the default agent plays instead of a bot: %s", refusal)
        request = read_options(_options(pb.Bot()), limits, "bot")
    return replace(request, seed=seed)


def _options(bot: pb.Bot) -> analysis_pb2.SearchOptions:
    return analysis_pb2.SearchOptions(
        agent=bot.agent if bot.HasField("agent") else None,
        level=bot.level if bot.HasField("level") else None,
        limits=bot.limits if bot.HasField("limits") else None,
        priority=analysis_pb2.PRIORITY_BULK,
    )
