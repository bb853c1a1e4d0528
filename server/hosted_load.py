"""Load by hosted games: each is created, played by calls and by the server's bots, and watched."""

from __future__ import annotations

import contextlib
import random
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import grpc

import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.conversion import action_to_message, position_from_message
from server.load import Load

if TYPE_CHECKING:
    from looot.v1.game_service_pb2_grpc import GameServiceAsyncStub

_DELETION_S = 5.0


class HostedLoad(Load):
    """Plays hosted games; actions of humans are random, and calls repeated as a client must.

    The tally has, beside the calls, how long it takes until a watcher is told of actions, from the
    call that plays them (``WatchGame``), and how long bots move until it is a human's turn again
    (``bots``). Each game is deleted in the end.

    Parameters
    ----------
    channel : grpc.aio.Channel
    options : analysis_pb2.SearchOptions
        Of every bot: agent, level and limits.
    bots : int
        How many of the players are bots.
    **others
        Those of `Load`.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        options: analysis_pb2.SearchOptions,
        *,
        bots: int,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self._games: GameServiceAsyncStub = GameServiceStub(channel)
        self._options = options
        self._bots = bots

    async def _play(self) -> bool:
        created = await self._call("CreateGame", self._games.CreateGame, self._new_game())
        if created is None:
            return False
        try:
            return await self._watch(_Game(created))
        finally:
            await self._delete(created)

    def _new_game(self) -> pb.CreateGameRequest:
        request = pb.CreateGameRequest(idempotency_key=str(uuid.uuid4()))
        for seat in range(self._players):
            player = request.seats.add()
            if seat < self._players - self._bots:
                player.human.SetInParent()
                continue
            for name in ("agent", "level"):
                if self._options.HasField(name):
                    setattr(player.bot, name, getattr(self._options, name))
            player.bot.limits.CopyFrom(self._options.limits)
        request.random.edition = game_pb2.EDITION_PRINTED
        request.random.seed = self._chance.getrandbits(64)
        return request

    async def _watch(self, game: _Game) -> bool:
        """Watch a game and play its humans; tell whether it came to its end."""
        while True:
            request = pb.WatchGameRequest(game_id=game.game_id, after_version=game.version)
            try:
                async for update in self._games.WatchGame(request, metadata=self._metadata):
                    self._note(game, update.events)
                    if not await self._move(game):
                        return False
                return True
            except grpc.aio.AioRpcError as error:
                if not await self._may_repeat("WatchGame", error):
                    return False

    def _note(self, game: _Game, events: Sequence[pb.GameEvent]) -> None:
        if events:
            now = time.perf_counter()
            game.version, game.last_seat, game.told_at = events[-1].version, events[-1].seat, now
            if game.played_at is not None:
                self.tally.seconds["WatchGame"].append(now - game.played_at)
                game.played_at, game.bots_began_at = None, now
        self.tally.actions += sum(event.HasField("action") for event in events)
        self.tally.turns += sum(event.action.HasField("end_turn") for event in events)

    async def _move(self, game: _Game) -> bool:
        """Play a turn if it is a human's; tell whether the game can go on."""
        if not game.tokens:
            return True
        request = pb.GetGameRequest(game_id=game.game_id)
        answer = await self._call("GetGame", self._games.GetGame, request)
        if answer is None:
            return False
        position, seat = answer.game.position, answer.game.position.current_player
        if answer.game.status == pb.GAME_STATUS_OVER or answer.game.version != game.version:
            return True  # or there is more to be told
        if seat not in game.tokens:
            return True
        if game.last_seat not in game.tokens:
            self.tally.seconds["bots"].append(game.told_at - game.bots_began_at)
        submission = pb.SubmitActionsRequest(
            game_id=game.game_id,
            token=game.tokens[seat],
            expected_version=game.version,
            idempotency_key=str(uuid.uuid4()),
            actions=map(action_to_message, _random_turn(position, self._chance)),
        )
        game.played_at = time.perf_counter()
        return await self._call("SubmitActions", self._games.SubmitActions, submission) is not None

    async def _delete(self, created: pb.CreateGameResponse) -> None:
        request = pb.DeleteGameRequest(game_id=created.game.game_id, token=created.owner_token)
        with contextlib.suppress(grpc.aio.AioRpcError):
            await self._games.DeleteGame(request, timeout=_DELETION_S, metadata=self._metadata)


class _Game:
    """A game, as its watcher knows it."""

    def __init__(self, created: pb.CreateGameResponse) -> None:
        self.game_id = created.game.game_id
        self.tokens = {token.seat: token.token for token in created.seat_tokens}
        self.version = 0
        self.last_seat = 0
        self.played_at: float | None = None
        self.told_at = self.bots_began_at = time.perf_counter()


def _random_turn(position: game_pb2.Position, chance: random.Random) -> list[lc.Action]:
    state = lc.State.from_position(position_from_message(position, "position"), seed=1)
    player, turn = state.current_player, []
    while not state.is_over and state.current_player == player:
        turn.append(chance.choice(state.legal_actions()))
        state.apply(turn[-1])
    return turn
