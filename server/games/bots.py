"""Plays the turns of bots."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

import ai
import looot_core as lc
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.games.keeper import Keeper
from server.games.leases import Leases
from server.games.players import read_stored_bot
from server.games.repeating import end_if_cancelled, repeat
from server.games.sources import Sources
from server.games.stored import VersionConflictError
from server.limits import ServiceLimits
from server.options import SearchRequest

Search: TypeAlias = Callable[[ai.Agent, lc.Position, SearchRequest], Awaitable[ai.Analysis]]
"""Runs a search that may wait behind those that people wait for."""

_AGAIN_S = 1.0
_log = logging.getLogger(__name__)


class BotRunner:
    """Plays for bots, a turn at a time and the games in turn.

    Each turn is played by one server: the one that wrote what came before, as the store says. Every
    server says at intervals that it lives; what a dead one left is taken over. Should two play the
    same turn nevertheless, the version of the game lets one of them in only.

    Parameters
    ----------
    leases : Leases
    search : callable
    sources : Sources
    limits : ServiceLimits
        Of searches; as many turns are played at the same time as there may be bulk searches.
    lease_s : float
        After this time without a sign of life a server is taken for dead.
    on_turn : callable
        Is called for each turn that was played.
    """

    def __init__(
        self,
        leases: Leases,
        search: Search,
        sources: Sources,
        limits: ServiceLimits,
        lease_s: float,
        on_turn: Callable[[], None],
    ) -> None:
        self._leases = leases
        self._search = search
        self._sources = sources
        self._limits = limits
        self._workers = limits.bulk_searches
        self._lease_s = lease_s
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._queued: set[str] = set()
        self._playing: dict[str, bool] = {}  # whether it is to be queued again
        self._on_turn = on_turn

    def wake(self, game_id: str) -> None:
        """Let the bot whose turn it is in a game move, some time soon."""
        if game_id in self._playing:
            self._playing[game_id] = True
        elif game_id not in self._queued:
            self._queued.add(game_id)
            self._queue.put_nowait(game_id)

    async def run(self, keeper: Keeper) -> None:
        """Play until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            look = partial(self._look, keeper)
            tasks.create_task(repeat(look, self._lease_s / 4, _log, "look for bots' turns"))
            for _ in range(self._workers):
                tasks.create_task(self._work(keeper))

    async def _look(self, keeper: Keeper) -> None:
        """Say that this server lives, and look for what dead ones left and what was missed."""
        await self._leases.stay_alive(self._lease_s)
        for game_id in await self._leases.waiting_for_bots():
            if game_id not in self._queued and game_id not in self._playing:
                await self._take_over(keeper, game_id)

    async def _take_over(self, keeper: Keeper, game_id: str) -> None:
        """Play a bot's turn here unless another living server does."""
        if await self._leases.claim(game_id):
            await keeper.get(game_id)
            self.wake(game_id)

    async def _work(self, keeper: Keeper) -> None:
        while True:
            game_id = await self._queue.get()
            self._queued.discard(game_id)
            self._playing[game_id] = False
            try:
                await self._play_turn(keeper, game_id)
            except Refusal as refusal:
                if refusal.reason != ErrorReason.ERROR_REASON_GAME_NOT_FOUND:
                    self._wake_later(game_id)
            except Exception:
                _log.exception("a bot could not move in game %s", game_id)
                self._wake_later(game_id)
            if self._playing.pop(game_id):
                self.wake(game_id)
            end_if_cancelled()

    def _wake_later(self, game_id: str) -> None:
        asyncio.get_running_loop().call_later(_AGAIN_S, self.wake, game_id)

    async def _play_turn(self, keeper: Keeper, game_id: str) -> None:
        game = await keeper.get(game_id, fresh=False)
        table = game.table
        bot = table.bot_to_move
        if bot is None:
            return
        version, seat, position = table.version, table.state.current_player, table.state.position()
        request = read_stored_bot(bot, self._limits, self._sources.seed())
        analysis = await self._search(request.create_agent(), position, request)
        try:
            if table.version == version:
                await keeper.play(game, seat, analysis.turn)
                self._on_turn()
                return
        except VersionConflictError:
            pass
        # Somebody acted meanwhile: if the bot is still to move, it thinks anew.
        await self._take_over(keeper, game_id)
