"""What ``GameService`` does, whatever carries its calls: from a request to its response.

Each method is described in ``game_service.proto``. It raises `Refusal` for what it refuses.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ai
import looot_core as lc
from looot.v1 import engine_service_pb2
from looot.v1 import game_service_pb2 as pb
from server.access import CALLER
from server.conversion import analysis_to_message, duration_to_message
from server.errors import Refusal
from server.games.acts import MOST_ACTIONS, Acts, check_turn
from server.games.bots import BotRunner
from server.games.creation import Creator
from server.games.database import Database
from server.games.expiry import Expiry
from server.games.hub import Hub
from server.games.keeper import Game, Keeper, not_found
from server.games.leases import Leases
from server.games.listener import Listener
from server.games.messages import entries_to_messages, game_to_message, summary_to_message
from server.games.records import record_of
from server.games.requests import (
    denied,
    page_token,
    read_game_id,
    read_page,
    refuse,
    seat_of,
)
from server.games.sources import Sources
from server.games.store import Store
from server.games.tokens import is_token
from server.metrics import Metrics
from server.options import SearchRequest, read_search
from server.searches import Searches
from server.settings import Settings

_DAY_S = 86_400
_MOST_A_MESSAGE = 200


class HostedGames:
    """Hosts games.

    Safe to use from one event loop only. What a method did is on the disk when it returns.

    Parameters
    ----------
    settings : Settings
        Of them ``database_url``, which is not empty, the limits of searches, and how many games
        are kept for how long.
    searches : Searches
        Runs the searches of bots and hints.
    sources : Sources, optional
        Ids, tokens, time and chance.
    metrics : Metrics, optional
        Is told of bots' turns, games in memory and the times of the store.

    Raises
    ------
    DatabaseError
        If the URL is none.
    """

    def __init__(
        self,
        settings: Settings,
        searches: Searches,
        sources: Sources | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        metrics = metrics or Metrics(searches)
        self._searches = searches
        self._settings = settings
        self._sources = sources or Sources()
        replica = self._sources.identifier()
        self._database = Database(settings.database_url, metrics.timing_store)
        self._store = Store(self._database, replica)
        self._hub = Hub()
        self._leases = Leases(self._database, replica)
        self._bots = BotRunner(
            self._leases,
            self._search,
            self._sources,
            settings,
            settings.bot_lease_s,
            metrics.bot_turns.inc,
        )
        self._keeper = Keeper(
            self._store, self._hub, self._sources, settings.games_in_memory, self._bots.wake
        )
        self._creator = Creator(
            self._store, self._keeper, self._sources, settings, settings.max_games
        )
        self._acts = Acts(self._store, self._keeper, self._sources, settings)
        metrics.games.set_function(lambda: self._keeper.in_memory)
        self._listener = Listener(self._database, replica, self._hub)
        self._tasks: list[asyncio.Task[None]] = []
        # Hints are read and told there, for it may take long; one is enough, as it holds the GIL.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="hints")

    async def open(self) -> None:
        """Open the database, and let the bots move.

        Raises
        ------
        DatabaseError
            If it cannot be used.
        """
        await self._database.open()
        work: list[Coroutine[Any, Any, None]] = [self._bots.run(self._keeper)]
        if self._database.is_postgresql:
            work.append(self._listener.run())
        if (days := self._settings.keep_games_days) is not None:
            expiry = Expiry(self._store, self._keeper, self._sources, days)
            work.append(expiry.run())
        self._tasks = [asyncio.create_task(coroutine) for coroutine in work]

    def limits(self) -> engine_service_pb2.GameLimits:
        """Give the limits as clients are told them."""
        limits = engine_service_pb2.GameLimits(
            max_games=self._settings.max_games, max_actions=MOST_ACTIONS
        )
        if (days := self._settings.keep_games_days) is not None:
            limits.kept_for.CopyFrom(duration_to_message(days * _DAY_S))
        return limits

    async def stop(self) -> None:
        """Let the watchers end, and the bots stop where they are."""
        self._hub.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._keeper.close()
        if self._tasks:
            with contextlib.suppress(Refusal):
                await self._leases.leave()
        self._tasks.clear()

    async def close(self) -> None:
        """Stop, and let go of the database."""
        await self.stop()
        await self._database.close()
        self._worker.shutdown(wait=False)

    async def create_game(self, request: pb.CreateGameRequest) -> pb.CreateGameResponse:
        """Create a game."""
        return await self._creator.create_game(request)

    async def get_game(self, request: pb.GetGameRequest) -> pb.GetGameResponse:
        """Tell how a game stands."""
        game = await self._game(request.game_id)
        seat = seat_of(game, request.token) if request.token else None
        return pb.GetGameResponse(game=game_to_message(game), seat=seat)

    async def list_games(self, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
        """List games."""
        size, before = read_page(request)
        is_over = None if not request.status else request.status == pb.GAME_STATUS_OVER
        found = await self._store.listed(size + 1, before, is_over)
        page = found[:size]
        more = len(found) > size
        return pb.ListGamesResponse(
            games=map(summary_to_message, page),
            next_page_token=page_token(page[-1].create_time, page[-1].game_id) if more else "",
        )

    async def submit_actions(self, request: pb.SubmitActionsRequest) -> pb.SubmitActionsResponse:
        """Play actions."""
        return await self._acts.submit_actions(request)

    async def undo_turn(self, request: pb.UndoTurnRequest) -> pb.UndoTurnResponse:
        """Take back a turn."""
        return await self._acts.undo_turn(request)

    async def resign_seat(self, request: pb.ResignSeatRequest) -> pb.ResignSeatResponse:
        """Hand a seat to a bot."""
        return await self._acts.resign_seat(request)

    async def watch_game(
        self, request: pb.WatchGameRequest
    ) -> AsyncGenerator[pb.WatchGameResponse, None]:
        """Stream the events of a game."""
        game_id = read_game_id(request.game_id)
        with self._hub.watching(game_id) as watcher:
            game = await self._keeper.get(game_id)
            seen = game.table.version
            begun = not request.HasField("after_version")
            if begun:
                yield pb.WatchGameResponse(game=game_to_message(game))
            elif 0 <= request.after_version <= seen:
                seen = request.after_version
            else:
                raise refuse(f"{request.after_version} is not from 0 to {seen}", "after_version")
            while True:
                entries = watcher.take(seen)
                if entries is None:
                    entries = await self._store.entries(game_id, seen, most=_MOST_A_MESSAGE)
                    if len(entries) == _MOST_A_MESSAGE:
                        watcher.tell(())  # there may be more
                if entries:
                    seen = entries[-1].version
                if entries or not begun:
                    begun = True
                    yield pb.WatchGameResponse(events=entries_to_messages(entries))
                game = await self._keeper.get(game_id, fresh=False)
                if not entries or game.table.version < seen:
                    game = await self._keeper.get(game_id)  # refuses if it is gone
                if game.table.state.is_over and game.table.version == seen:
                    return
                await watcher.wait()

    async def get_hint(
        self, request: pb.GetHintRequest, remaining_s: float | None
    ) -> pb.GetHintResponse:
        """Search the position of a game; `remaining_s` is the time until the call's deadline."""
        loop = asyncio.get_running_loop()
        deadline = None if remaining_s is None else loop.time() + remaining_s
        self._searches.check_room(request.options.priority)
        game = await self._game(request.game_id)
        seat = seat_of(game, request.token)
        check_turn(game, seat)
        version, position = game.table.version, game.table.state.position()
        caller = CALLER.get()
        limits = self._settings.within(caller.max_time_s)

        def read() -> tuple[SearchRequest, ai.Agent]:
            search = read_search(request.options, position, limits, "options")
            return search, search.create_agent()

        search, agent = await loop.run_in_executor(self._worker, read)
        with caller.searching():
            analysis = await self._searches.run(agent, position, search, deadline)

        def answer() -> pb.GetHintResponse:
            message = analysis_to_message(
                analysis, seat, search.agent, search.level, search.max_candidates
            )
            return pb.GetHintResponse(version=version, analysis=message)

        return await loop.run_in_executor(self._worker, answer)

    async def export_record(self, request: pb.ExportRecordRequest) -> pb.ExportRecordResponse:
        """Give the record of a game."""
        game = await self._game(request.game_id)
        version, is_over = game.table.version, game.table.state.is_over
        entries = await self._store.entries(game.game_id, after=0, last=version)
        bag = await self._store.bag(game.game_id) if is_over else None
        if len(entries) < version or bag == []:  # it was deleted meanwhile
            raise not_found()
        return pb.ExportRecordResponse(
            version=version, record_json=record_of(game.table, entries, bag)
        )

    async def delete_game(self, request: pb.DeleteGameRequest) -> pb.DeleteGameResponse:
        """Delete a game."""
        game = await self._game(request.game_id)
        if not is_token(request.token, game.stored.owner_token_hash):
            raise denied("it is not the token of the owner")
        await self._keeper.delete(game.game_id)
        return pb.DeleteGameResponse()

    async def _game(self, game_id: str) -> Game:
        return await self._keeper.get(read_game_id(game_id))

    async def _search(
        self, agent: ai.Agent, position: lc.Position, search: SearchRequest
    ) -> ai.Analysis:
        return await self._searches.run(agent, position, search, None)
