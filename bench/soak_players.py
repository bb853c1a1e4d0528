"""Clients that play hosted games over servers that die, and remember what they were told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import grpc

import looot_core as lc
from bench.soak_ledger import Ledger
from looot.v1 import game_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.conversion import action_to_message, position_from_message

if TYPE_CHECKING:  # the stub of a channel of grpc.aio has a type of its own
    from looot.v1.game_service_pb2_grpc import GameServiceAsyncStub

_CALL_S = 10.0
_AGAIN_S = 0.05
_UNDO_SHARE = 0.2
_QUIET_SHARE = 0.5
_KINDS = ("hb", "hh", "bb", "hbb", "hhbb", "bbb")
RETRIED = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}

_Answer = TypeVar("_Answer")


def call_options() -> list[tuple[str, int]]:
    """Give the options of a channel that is soon back when its server is."""
    return [
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.min_reconnect_backoff_ms", 50),
        ("grpc.max_reconnect_backoff_ms", 200),
    ]


class _Table:
    """One game: its players, a watcher, and what they were told."""

    def __init__(
        self,
        stubs: list[GameServiceAsyncStub],
        ledger: Ledger,
        seed: str,
        cut: Collection[grpc.StatusCode],
    ) -> None:
        self._stubs = stubs
        # Where there is another server to turn to, nobody waits for the one that was killed.
        self._wait_for_ready = True if len(stubs) == 1 else None
        self._ledger = ledger
        self._chance = random.Random(seed)
        self._name = seed
        self._cut = cut
        self._seen: list[pb.GameEvent] = []
        self._acknowledged: list[pb.GameEvent] = []
        self._moved = asyncio.Event()
        self._game_id = ""

    async def play(self) -> None:
        """Play a game to its end, and compare what was told with what is stored."""
        kind = self._chance.choice(_KINDS)
        key = f"{self._chance.getrandbits(128):032x}"
        request = pb.CreateGameRequest(undo_allowed=True, listed=True, idempotency_key=key)
        for player in kind:
            new_seat = request.seats.add()
            if player == "h":
                new_seat.human.SetInParent()
            else:
                new_seat.bot.agent = "random"
        request.random.edition = game_pb2.EDITION_PRINTED
        created: pb.CreateGameResponse = await self._call("CreateGame", request)
        self._game_id = created.game.game_id
        tokens = {token.seat: token.token for token in created.seat_tokens}
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._watch())
            for seat, token in tokens.items():
                tasks.create_task(self._play_seat(seat, token))
        await self._check(kind)

    async def _watch(self) -> None:
        while True:
            after = self._seen[-1].version if self._seen else 0
            request = pb.WatchGameRequest(game_id=self._game_id, after_version=after)
            try:
                stub = self._stub()
                async for update in stub.WatchGame(request, wait_for_ready=self._wait_for_ready):
                    self._seen.extend(update.events)
                    self._moved.set()
                    self._moved = asyncio.Event()
                return
            except grpc.aio.AioRpcError as error:
                if error.code() not in self._cut:
                    raise
                self._ledger.resumed_streams += 1
                await asyncio.sleep(_AGAIN_S)

    async def _play_seat(self, seat: int, token: str) -> None:
        while True:
            moved = self._moved
            game = (await self._call("GetGame", pb.GetGameRequest(game_id=self._game_id))).game
            if game.status == pb.GAME_STATUS_OVER:
                return
            if game.position.current_player != seat:
                if game.version <= (self._seen[-1].version if self._seen else 0):
                    await moved.wait()
                else:
                    await asyncio.sleep(_AGAIN_S)
                continue
            key = f"{seat} {game.version} {self._chance.random()}"
            turn = _turn(game, self._chance)
            submission = pb.SubmitActionsRequest(
                game_id=self._game_id,
                token=token,
                expected_version=game.version,
                idempotency_key=key,
                actions=map(action_to_message, turn),
            )
            try:
                answer = await self._act("SubmitActions", submission)
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.ABORTED:  # somebody has taken a turn back
                    raise
                continue
            if self._chance.random() < _UNDO_SHARE:
                undo = pb.UndoTurnRequest(
                    game_id=self._game_id,
                    token=token,
                    expected_version=answer.version,
                    idempotency_key=f"undo {key}",
                )
                try:
                    await self._act("UndoTurn", undo)
                    self._ledger.undos += 1
                except grpc.aio.AioRpcError as error:
                    if error.code() not in (
                        grpc.StatusCode.ABORTED,  # somebody has moved on
                        grpc.StatusCode.FAILED_PRECONDITION,  # a longship was revealed
                    ):
                        raise

    async def _act(self, method: str, request: Any) -> Any:
        answer = await self._call(method, request)
        self._ledger.acknowledged += 1
        self._acknowledged.extend(answer.events)
        return answer

    async def _call(self, method: str, request: Any) -> Any:
        """Call until there is an answer."""
        while True:
            try:
                return await getattr(self._stub(), method)(
                    request, timeout=_CALL_S, wait_for_ready=self._wait_for_ready
                )
            except grpc.aio.AioRpcError as error:
                if error.code() not in RETRIED:
                    raise
                self._ledger.repeated += 1
                self._ledger.repeated_after[f"{method} {error.code().name}"] += 1
                await asyncio.sleep(_AGAIN_S)

    def _stub(self) -> GameServiceAsyncStub:
        return self._chance.choice(self._stubs)

    async def _check(self, kind: str) -> None:
        request = pb.WatchGameRequest(game_id=self._game_id, after_version=0)
        stored = await self._until_answered(lambda: _events_of(self._stub(), request))
        export = await self._call("ExportRecord", pb.ExportRecordRequest(game_id=self._game_id))
        faults = []
        if [event.version for event in stored] != list(range(1, len(stored) + 1)):
            faults.append("the log has gaps")
        if self._seen != stored:
            faults.append("a watcher missed events, or saw some twice")
        told = {event.version: event for event in self._acknowledged}
        if len(told) != len(self._acknowledged):
            faults.append("two requests were answered with the same event")
        by_humans = {event.version: event for event in stored if kind[event.seat] == "h"}
        lost = sum(stored[v - 1] != event for v, event in told.items() if v <= len(stored))
        lost += sum(version > len(stored) for version in told)
        if lost:
            faults.append(f"{lost} acknowledged events were lost")
        # Every request was repeated until it was answered: nothing else may be in the log.
        twice = len(by_humans.keys() - told.keys())
        if twice:
            faults.append(f"{twice} events were applied beyond those acknowledged")
        if not lc.GameRecord.from_dict(lc.parse_json(export.record_json)).replay().is_over:
            faults.append("the record does not reach the end")
        self._ledger.faults.extend(f"game {self._name} ({kind}): {fault}" for fault in faults)
        self._ledger.events += len(stored)
        self._ledger.games += 1

    async def _until_answered(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if error.code() not in self._cut:
                    raise
                await asyncio.sleep(_AGAIN_S)


class Tables:
    """Some games at the same time, each followed by another until they are to finish.

    Parameters
    ----------
    addresses : list of str
        Of the servers.
    tables : int
    ledger : Ledger
    seed : int
    options : list of (str, Any), optional
        Of the channels; those of `call_options` if not given.
    cut : collection of grpc.StatusCode, optional
        How streams may end that are to be resumed.
    """

    def __init__(
        self,
        addresses: list[str],
        tables: int,
        ledger: Ledger,
        seed: int,
        options: Sequence[tuple[str, Any]] | None = None,
        cut: Collection[grpc.StatusCode] = RETRIED,
    ) -> None:
        options = call_options() if options is None else options
        self._channels = [grpc.aio.insecure_channel(a, options) for a in addresses]
        self._stubs = [GameServiceStub(channel) for channel in self._channels]
        self._ledger = ledger
        self._seed = seed
        self._cut = cut
        self._tables = tables
        self._ending = False
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._sit(table)) for table in range(self._tables)]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in self._channels:
            await channel.close(None)

    async def progress(self) -> None:
        """Wait until something was acknowledged, or a game ended, that was not before."""
        before = self._ledger.acknowledged + self._ledger.games
        while self._ledger.acknowledged + self._ledger.games == before:
            for task in self._tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(_AGAIN_S)

    async def finish(self, patience_s: float) -> None:
        """Let the games come to their ends; those that do not are stuck.

        Nobody else may create listed games on these servers.
        """
        self._ending = True
        _, stuck = await asyncio.wait(self._tasks, timeout=patience_s)
        self._ledger.faults.extend(["a game is stuck"] * len(stuck))
        for task in self._tasks:
            if task not in stuck:
                task.result()
        stored, known = await _count_games(self._stubs[0]), self._ledger.games + len(stuck)
        if stored != known:
            self._ledger.faults.append(f"{stored} games are stored, and {known} were created")

    async def _sit(self, table: int) -> None:
        number = 0
        while not self._ending:
            seed = f"{self._seed}-{table}-{number}"
            await _Table(self._stubs, self._ledger, seed, self._cut).play()
            number += 1


async def _count_games(stub: GameServiceAsyncStub) -> int:
    count, request = 0, pb.ListGamesRequest(page_size=100)
    while True:
        page = await stub.ListGames(request, timeout=_CALL_S)
        count += len(page.games)
        if not page.next_page_token:
            return count
        request.page_token = page.next_page_token


async def _events_of(
    stub: GameServiceAsyncStub, request: pb.WatchGameRequest
) -> list[pb.GameEvent]:
    events: list[pb.GameEvent] = []
    async for update in stub.WatchGame(request):
        events.extend(update.events)
    return events


def _turn(game: pb.HostedGame, chance: random.Random) -> list[lc.Action]:
    """Choose a turn at random."""
    state = lc.State.from_position(position_from_message(game.position, "position"), seed=1)
    turn: list[lc.Action] = []
    quiet = chance.random() < _QUIET_SHARE
    while not turn or str(turn[-1]) != "end":
        actions = state.legal_actions()
        if quiet:  # what reveals nothing can be taken back
            actions = [action for action in actions if not str(action).startswith("longship")]
        turn.append(chance.choice(actions))
        state.apply(turn[-1])
    return turn
