"""What ``GameService`` does, whatever carries its calls: from a request to its response.

Each method is described in ``game_service.proto``. It raises `Refusal` for what it refuses.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any

import ai
import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.access import CALLER
from server.conversion import action_from_message, analysis_to_message
from server.errors import Refusal, refusing_fields
from server.games.bots import BotRunner
from server.games.database import Database
from server.games.entries import Entry, RepeatKey
from server.games.hub import Hub
from server.games.keeper import Game, Keeper, UnplayableError
from server.games.listener import Listener
from server.games.messages import entries_to_messages, game_to_message, summary_to_message
from server.games.players import read_bot, read_player
from server.games.records import record_of
from server.games.requests import (
    DoneOnce,
    denied,
    page_token,
    read_game_id,
    read_page,
    read_repeat,
    read_seats,
    refuse,
    seat_of,
)
from server.games.setups import read_setup, shuffled_bag
from server.games.sources import Sources
from server.games.store import Standing, Store, StoredGame, StoredSeat, VersionConflictError
from server.games.table import UndoRefusedError
from server.games.tokens import hash_token, is_token
from server.limits import ServiceLimits
from server.metrics import Metrics
from server.options import SearchRequest, read_search
from server.searches import Searches

LEASE_S = 5.0
GAMES_IN_MEMORY = 2_000
_MOST_ACTIONS = 100
_MOST_A_MESSAGE = 200
_LONGEST_LOG = 10_000


class HostedGames:
    """Hosts games.

    Safe to use from one event loop only. What a method did is on the disk when it returns.

    Parameters
    ----------
    database_url : str
        ``sqlite:///path/of/a/file`` or ``postgresql://user:password@host:port/name``. Several
        servers may share a PostgreSQL database, but not an SQLite file.
    searches : Searches
        Runs the searches of bots and hints.
    limits : ServiceLimits
        Of searches.
    sources : Sources, optional
        Ids, tokens, time and chance.
    lease_s : float, optional
        A server that has shown no sign of life for so long loses its bots' turns to others.
    games_in_memory : int, optional
        How many games are kept in memory; the others are read from the database when needed.
    metrics : Metrics, optional
        Is told of bots' turns, games in memory and the times of the store.

    Raises
    ------
    DatabaseError
        If the URL is none.
    """

    def __init__(
        self,
        database_url: str,
        searches: Searches,
        limits: ServiceLimits,
        sources: Sources | None = None,
        lease_s: float = LEASE_S,
        games_in_memory: int = GAMES_IN_MEMORY,
        metrics: Metrics | None = None,
    ) -> None:
        metrics = metrics or Metrics(searches)
        self._searches = searches
        self._limits = limits
        self._sources = sources or Sources()
        replica = self._sources.identifier()
        self._database = Database(database_url, metrics.timing_store)
        self._store = Store(self._database, replica)
        self._hub = Hub()
        self._bots = BotRunner(
            self._store,
            self._search,
            self._sources,
            limits,
            limits.bulk_searches,
            lease_s,
            metrics.bot_turns.inc,
        )
        self._keeper = Keeper(
            self._store, self._hub, self._sources, games_in_memory, self._bots.wake
        )
        metrics.games.set_function(lambda: self._keeper.in_memory)
        self._listener = Listener(self._database.url, replica, self._hub)
        self._tasks: list[asyncio.Task[None]] = []

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
        else:
            await self._store.leave(others=True)  # no other server has this file
        self._tasks = [asyncio.create_task(coroutine) for coroutine in work]

    async def stop(self) -> None:
        """Let the watchers end, and the bots stop where they are."""
        self._hub.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._keeper.close()
        if self._tasks:
            with contextlib.suppress(Refusal):
                await self._store.leave()
        self._tasks.clear()

    async def close(self) -> None:
        """Stop, and let go of the database."""
        await self.stop()
        await self._database.close()

    async def create_game(self, request: pb.CreateGameRequest) -> pb.CreateGameResponse:
        """Create a game."""
        read_seats(len(request.seats))
        bots = [
            read_player(player, self._limits, f"seats[{at}]")
            for at, player in enumerate(request.seats)
        ]
        setup = read_setup(request, self._sources)
        owner_token = self._sources.token()
        tokens = [None if bot else self._sources.token() for bot in bots]
        now = self._sources.now()
        stored = StoredGame(
            game_id=self._sources.identifier(),
            setup=json.dumps(setup.to_dict(), separators=(",", ":")),
            owner_token_hash=hash_token(owner_token),
            undo_allowed=request.undo_allowed,
            listed=request.listed,
            create_time=now,
            update_time=now,
            seats=tuple(
                StoredSeat(hash_token(token) if token else None, bot)
                for token, bot in zip(tokens, bots, strict=True)
            ),
            standing=Standing(0, False, 0, bots[0] is not None),
        )
        game = await self._keeper.create(stored, shuffled_bag(setup, self._sources))
        return pb.CreateGameResponse(
            game=game_to_message(game),
            owner_token=owner_token,
            seat_tokens=[
                pb.SeatToken(seat=seat, token=token) for seat, token in enumerate(tokens) if token
            ],
        )

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
        if not 1 <= len(request.actions) <= _MOST_ACTIONS:
            raise refuse(f"{len(request.actions)} actions are not 1 to {_MOST_ACTIONS}", "actions")

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            _check_turn(game, seat)
            with refusing_fields(ErrorReason.ERROR_REASON_INVALID_REQUEST):
                actions = [
                    _read_action(message, game.table.state, f"actions[{at}]")
                    for at, message in enumerate(request.actions)
                ]
            try:
                return await self._keeper.play(game, seat, actions, repeat)
            except UnplayableError as error:
                raise Refusal(
                    ErrorReason.ERROR_REASON_ILLEGAL_ACTION, error.why, f"actions[{error.at}]"
                ) from error

        entries = await self._once(request, act, request.expected_version)
        return pb.SubmitActionsResponse(
            version=entries[-1].version, events=entries_to_messages(entries)
        )

    async def watch_game(
        self, request: pb.WatchGameRequest
    ) -> AsyncGenerator[pb.WatchGameResponse, None]:
        """Stream the events of a game."""
        game_id = read_game_id(request.game_id)
        with self._hub.watching(game_id) as watcher:
            game = await self._keeper.get(game_id)
            seen = game.table.version
            if not request.HasField("after_version"):
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
        _check_turn(game, seat)
        version, position = game.table.version, game.table.state.position()
        caller = CALLER.get()
        limits = self._limits.within(caller.max_time_s)
        search = read_search(request.options, position, limits, "options")
        with caller.searching():
            analysis = await self._searches.run(search.create_agent(), position, search, deadline)
        return pb.GetHintResponse(
            version=version,
            analysis=analysis_to_message(
                analysis, seat, search.agent, search.level, search.max_candidates
            ),
        )

    async def undo_turn(self, request: pb.UndoTurnRequest) -> pb.UndoTurnResponse:
        """Take back a turn."""

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            _check_acting(game, seat)
            table = game.table
            if not game.stored.undo_allowed:
                raise _no_undo("this game does not allow it")
            if table.version >= _LONGEST_LOG:
                raise _no_undo(f"the log has {table.version} events, and takes no more undos")
            try:
                target = table.undo_target(seat)
            except UndoRefusedError as error:
                raise _no_undo(str(error)) from error
            entry = Entry(table.version + 1, self._sources.now(), seat, f"undo {target}")
            standing = Standing(entry.version, False, seat, False)
            await self._keeper.add(game, [entry], standing, repeat)
            return [entry]

        entries = await self._once(request, act, request.expected_version)
        return pb.UndoTurnResponse(version=entries[-1].version, events=entries_to_messages(entries))

    async def resign_seat(self, request: pb.ResignSeatRequest) -> pb.ResignSeatResponse:
        """Hand a seat to a bot."""
        bot = read_bot(request.bot, self._limits, "bot")

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            _check_acting(game, seat)
            table = game.table
            entry = Entry(table.version + 1, self._sources.now(), seat, f"resign {bot}")
            player = table.state.current_player
            bot_to_move = player == seat or table.bot_to_move is not None
            standing = Standing(entry.version, False, player, bot_to_move)
            await self._keeper.add(game, [entry], standing, repeat, resigned_to=bot)
            return [entry]

        entries = await self._once(request, act, None)
        return pb.ResignSeatResponse(
            version=entries[-1].version, events=entries_to_messages(entries)
        )

    async def export_record(self, request: pb.ExportRecordRequest) -> pb.ExportRecordResponse:
        """Give the record of a game."""
        game = await self._game(request.game_id)
        version, is_over = game.table.version, game.table.state.is_over
        entries = await self._store.entries(game.game_id, after=0, last=version)
        bag = await self._store.bag(game.game_id) if is_over else None
        return pb.ExportRecordResponse(
            version=version, record_json=record_of(game.table, entries, bag)
        )

    async def delete_game(self, request: pb.DeleteGameRequest) -> pb.DeleteGameResponse:
        """Delete a game."""
        game = await self._game(request.game_id)
        if not is_token(request.token, game.stored.owner_token_hash):
            raise denied("it is not the token of the owner")
        await self._keeper.delete(game)
        return pb.DeleteGameResponse()

    async def _game(self, game_id: str, fresh: bool = True) -> Game:
        return await self._keeper.get(read_game_id(game_id), fresh)

    async def _once(
        self,
        request: DoneOnce,
        act: Callable[[Game, int, RepeatKey], Awaitable[list[Entry]]],
        expected_version: int | None,
    ) -> list[Entry]:
        """Act once on a game of a version, or give what was done when the request came before."""
        game = await self._game(request.game_id, fresh=False)
        seat = seat_of(game, request.token)
        repeat = read_repeat(request, seat)
        # At the version that the client has seen nothing was done for this request yet; at all
        # others it may have been.
        may_be_done = game.table.version != expected_version
        while True:
            if may_be_done:
                # The version is read first: what is done behind it conflicts.
                game = await self._game(request.game_id)
                answered = await self._answered(game, repeat)
                if answered:
                    return answered
                if expected_version not in (None, game.table.version):
                    raise Refusal(
                        ErrorReason.ERROR_REASON_VERSION_MISMATCH,
                        f"the game has version {game.table.version}, not {expected_version}",
                        "expected_version",
                    )
            try:
                return await act(game, seat, repeat)
            except VersionConflictError:
                may_be_done = True

    async def _answered(self, game: Game, repeat: RepeatKey) -> list[Entry]:
        found = await self._store.answered(game.game_id, repeat.seat, repeat.key)
        if found is None:
            return []
        digest, first, last = found
        if digest != repeat.digest:
            raise Refusal(
                ErrorReason.ERROR_REASON_IDEMPOTENCY_KEY_REUSED,
                "it came with another request before",
                "idempotency_key",
            )
        return await self._store.entries(game.game_id, after=first - 1, last=last)

    async def _search(
        self, agent: ai.Agent, position: lc.Position, search: SearchRequest
    ) -> ai.Analysis:
        return await self._searches.run(agent, position, search, None)


def _read_action(message: Any, state: lc.State, field: str) -> lc.Action:
    try:
        return action_from_message(message, state, field)
    except lc.IllegalActionError as error:
        description = str(error).removeprefix("action: ")
        raise Refusal(ErrorReason.ERROR_REASON_ILLEGAL_ACTION, description, field) from error


def _check_acting(game: Game, seat: int) -> None:
    """Refuse a seat that was resigned, and a game that is over."""
    if game.table.bots[seat] is not None:
        raise denied(f"seat {seat} was resigned")
    if game.table.state.is_over:
        raise Refusal(ErrorReason.ERROR_REASON_GAME_OVER, "the game is over (R19)")


def _check_turn(game: Game, seat: int) -> None:
    """Refuse a seat whose turn it is not, too."""
    _check_acting(game, seat)
    player = game.table.state.current_player
    if player != seat:
        raise Refusal(
            ErrorReason.ERROR_REASON_NOT_YOUR_TURN, f"it is the turn of seat {player}, not {seat}"
        )


def _no_undo(message: str) -> Refusal:
    return Refusal(ErrorReason.ERROR_REASON_UNDO_NOT_POSSIBLE, message)
