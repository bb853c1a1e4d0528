"""Hosted games as messages."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp

from looot.v1 import game_service_pb2 as pb
from looot_core import parse_json
from server.conversion import (
    action_text_to_message,
    draw_to_message,
    position_to_message,
    score_to_message,
)
from server.conversion.vocabulary import edition
from server.games.entries import Entry
from server.games.keeper import Game
from server.games.players import bot_to_message, player_to_message
from server.games.stored import StoredGame


def game_to_message(game: Game) -> pb.HostedGame:
    """Give the message of a game as it stands."""
    table, stored = game.table, game.stored
    return pb.HostedGame(
        game_id=game.game_id,
        version=table.version,
        status=_status(table.state.is_over),
        seats=map(player_to_message, table.bots),
        position=position_to_message(table.state.position()),
        score=score_to_message(table.state),
        undo_allowed=stored.undo_allowed,
        listed=stored.listed,
        create_time=_time(stored.create_time),
        update_time=_time(game.update_time),
    )


def summary_to_message(stored: StoredGame) -> pb.GameSummary:
    """Give the message of a game in a list."""
    return pb.GameSummary(
        game_id=stored.game_id,
        version=stored.standing.version,
        status=_status(stored.standing.is_over),
        edition=edition(parse_json(stored.setup)["edition"]),
        seats=[player_to_message(seat.bot) for seat in stored.seats],
        current_player=stored.standing.current_player,
        create_time=_time(stored.create_time),
        update_time=_time(stored.update_time),
    )


def entries_to_messages(entries: Iterable[Entry]) -> list[pb.GameEvent]:
    """Give the messages of entries of a log."""
    return [_event(entry) for entry in entries]


def _event(entry: Entry) -> pb.GameEvent:
    event = pb.GameEvent(version=entry.version, time=_time(entry.time), seat=entry.seat)
    kind, _, rest = entry.text.partition(" ")
    match kind:
        case "draw":
            slot, longship = rest.split(" ", 1)
            event.draw.CopyFrom(draw_to_message(int(slot), longship))
        case "undo":
            event.undo.to_version = int(rest)
        case "resign":
            event.resignation.bot.CopyFrom(bot_to_message(rest))
        case _:
            event.action.CopyFrom(action_text_to_message(entry.text))
    return event


def _status(is_over: bool) -> pb.GameStatus.ValueType:
    return pb.GAME_STATUS_OVER if is_over else pb.GAME_STATUS_OPEN


def _time(microseconds: int) -> Timestamp:
    seconds, rest = divmod(microseconds, 1_000_000)
    return Timestamp(seconds=seconds, nanos=rest * 1000)
