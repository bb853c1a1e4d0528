"""The games in memory, as their logs tell them, and what is added to the logs."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import looot_core as lc
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.events import why_illegal
from server.games.entries import Entry, RepeatKey
from server.games.hub import Hub
from server.games.sources import Sources
from server.games.store import Store
from server.games.stored import Standing, StoredGame, VersionConflictError
from server.games.table import Table

_Answer = TypeVar("_Answer")


class UnplayableError(Exception):
    """An action that cannot be played.

    Parameters
    ----------
    at : int
        Which of the actions.
    why : str
        The rule that it breaks.
    """

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


class Game:
    """A game in memory.

    Attributes
    ----------
    stored : StoredGame
        Of it, only what never changes is to be relied on.
    table : Table
        As far as this server has read the log.
    update_time : int
        The time of the last entry that was read.
    """

    def __init__(self, stored: StoredGame) -> None:
        # At first a human plays every seat that has a token.
        bots = [None if seat.token_hash else seat.bot for seat in stored.seats]
        self.stored = stored
        self.table = Table(lc.GameSetup.from_dict(json.loads(stored.setup)), bots)
        self.update_time = stored.create_time

    @property
    def game_id(self) -> str:
        """What the game is called."""
        return self.stored.game_id

    def follow(self, entries: Sequence[Entry]) -> None:
        """Let happen what the log says."""
        self.table.follow(entries)
        if entries:
            self.update_time = max(self.update_time, entries[-1].time)


class Keeper:
    """Keeps games in memory, the least used of them forgotten first, and adds to their logs.

    Whatever is in memory may be dropped: it is made from the log again. Other servers may write to
    the same log; a game in memory is behind then, and what is added to it conflicts.

    Parameters
    ----------
    store : Store
    hub : Hub
        Is told of every entry that is added.
    sources : Sources
    most : int
        How many games are kept in memory.
    on_bot_turn : callable
        Is told the id of a game in which a bot is to move after what was added.
    """

    def __init__(
        self,
        store: Store,
        hub: Hub,
        sources: Sources,
        most: int,
        on_bot_turn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._hub = hub
        self._sources = sources
        self._most = most
        self._on_bot_turn = on_bot_turn
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._writing: set[asyncio.Task[Any]] = set()

    @property
    def in_memory(self) -> int:
        """How many games are kept in memory now."""
        return len(self._games)

    async def create(self, stored: StoredGame, bag: Sequence[str], most: int) -> Game:
        """Store a new game; the arguments and the errors are those of `Store.create`."""
        return await self._to_the_end(self._create(stored, bag, most))

    async def _create(self, stored: StoredGame, bag: Sequence[str], most: int) -> Game:
        await self._store.create(stored, bag, most)
        game = Game(stored)
        self._keep(game)
        if stored.standing.bot_to_move:
            self._on_bot_turn(stored.game_id)
        return game

    async def get(self, game_id: str, fresh: bool = True) -> Game:
        """Give a game.

        Parameters
        ----------
        game_id : str
        fresh : bool, optional
            Whether the store is asked if another server has added to it.

        Raises
        ------
        Refusal
            If there is no such game.
        """
        game = self._games.get(game_id)
        if game is None:
            stored = await self._store.load(game_id)
            if stored is None:
                raise not_found()
            entries = await self._store.entries(game_id, after=0)
            game = self._games.get(game_id) or Game(stored)  # another call may have read it, too
            self._follow(game, entries, stored.standing.version)
        elif fresh:
            version = await self._store.version(game_id)
            if version is None:
                self._games.pop(game_id, None)
                raise not_found()
            if version > game.table.version:
                entries = await self._store.entries(game_id, after=game.table.version)
                self._follow(game, entries, version)
        self._keep(game)
        return game

    async def play(
        self, game: Game, seat: int, actions: Sequence[lc.Action], repeat: RepeatKey | None = None
    ) -> list[Entry]:
        """Add actions of a seat to the log, and what is revealed behind them: all or nothing.

        Parameters
        ----------
        game : Game
            Has the version that they were chosen at.
        seat : int
            Whose turn it is.
        actions : sequence of lc.Action
        repeat : RepeatKey, optional
            The request that they answer.

        Returns
        -------
        list of Entry
            What was added.

        Raises
        ------
        UnplayableError
            If an action is illegal.
        VersionConflictError
            If the game has another version by now.
        """
        table = game.table
        version, state, place = table.version, table.state.clone(), table.revealed
        now = self._sources.now()
        texts = []
        for at, action in enumerate(actions):
            if state.is_over or state.current_player != seat:
                raise UnplayableError(at, "the turn has ended, and another seat's has begun (R15)")
            try:
                reveals = state.reveals(action)
            except lc.IllegalActionError as error:
                raise UnplayableError(at, why_illegal(error)) from error
            longship = None
            texts.append(str(action))
            if reveals:
                longship = await self._store.longship(game.game_id, place)
                if longship is None:
                    raise VersionConflictError
                place += 1
                texts.append(f"draw {texts[-1].split()[1]} {longship}")
            state.apply(action, draw=longship)
        entries = [
            Entry(number, now, seat, text) for number, text in enumerate(texts, start=version + 1)
        ]
        over, player = state.is_over, state.current_player
        bot_to_move = not over and table.bots[player] is not None
        standing = Standing(entries[-1].version, over, player, bot_to_move)
        await self.add(game, entries, standing, repeat)
        return entries

    async def add(
        self,
        game: Game,
        entries: Sequence[Entry],
        standing: Standing,
        repeat: RepeatKey | None = None,
        resigned_to: str | None = None,
    ) -> None:
        """Add entries to the log, and tell of them; the arguments are those of `Store.append`.

        Raises
        ------
        VersionConflictError
            If the game has another version by now.
        """
        await self._to_the_end(self._add(game, entries, standing, repeat, resigned_to))

    async def _add(
        self,
        game: Game,
        entries: Sequence[Entry],
        standing: Standing,
        repeat: RepeatKey | None,
        resigned_to: str | None,
    ) -> None:
        try:
            await self._store.append(game.game_id, entries, standing, repeat, resigned_to)
        except Refusal:
            self._hub.tell(game.game_id)  # it may be stored nevertheless
            raise
        game.follow(entries)
        self._hub.tell(game.game_id, entries)
        if standing.bot_to_move:
            self._on_bot_turn(game.game_id)

    async def delete(self, game_id: str, before: int | None = None) -> None:
        """Delete a game, and tell of it; the arguments are those of `Store.delete`."""
        await self._to_the_end(self._delete(game_id, before))

    async def _delete(self, game_id: str, before: int | None) -> None:
        if await self._store.delete(game_id, before):
            self._games.pop(game_id, None)
            self._hub.tell(game_id)

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.gather(*self._writing, return_exceptions=True)

    async def _to_the_end(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Write and tell of it, also when whoever waits for it is cancelled."""
        task = asyncio.create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._written)
        return await asyncio.shield(task)

    def _written(self, task: asyncio.Task[Any]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more

    def _follow(self, game: Game, entries: Sequence[Entry], version: int) -> None:
        """Let happen what was read of a log that had a version before."""
        game.follow(entries)
        if game.table.version < version:  # the game was deleted between the two
            self._games.pop(game.game_id, None)
            raise not_found()

    def _keep(self, game: Game) -> None:
        self._games[game.game_id] = game
        self._games.move_to_end(game.game_id)
        while len(self._games) > self._most:
            self._games.popitem(last=False)


def not_found() -> Refusal:
    """Give the refusal of a game that does not exist."""
    return Refusal(
        ErrorReason.ERROR_REASON_GAME_NOT_FOUND, "there is no game of this id", "game_id"
    )
