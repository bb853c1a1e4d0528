"""A load generator: plays many games at once against a server, and counts what comes back."""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import draw_to_message, position_to_message

if TYPE_CHECKING:
    from looot.v1.engine_service_pb2_grpc import EngineServiceAsyncStub

RETRY_S = 0.1
REFUSED = {
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
_Answer = TypeVar("_Answer")


@dataclass
class Tally:
    """What came back.

    Attributes
    ----------
    seconds : dict of str to list of float
        By method: how long each answered call took.
    refusals, errors : Counter of str
        By reason or code: calls that are to be repeated, and calls that failed.
    games, turns, actions : int
        Games played to their end; turns and actions played.
    last_failure : str
        What the last call that failed was told.
    """

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refusals: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    games: int = 0
    turns: int = 0
    actions: int = 0
    last_failure: str = ""


def percentile(values: list[float], share: float) -> float:
    """Give the value below which a share of the values lies; nan of none."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


class Load(ABC):
    """Plays many games at once.

    Parameters
    ----------
    players : int
        Of each game.
    key : str, optional
        Shown to the server.
    timeout_s : float
        The deadline of each call.
    seed : int
        Decides the games' set-ups, and what is chosen at random.
    """

    def __init__(
        self, *, players: int = 2, key: str | None = None, timeout_s: float = 60.0, seed: int = 0
    ) -> None:
        self._players = players
        self._metadata = (("x-api-key", key),) if key else ()
        self._timeout_s = timeout_s
        self._chance = random.Random(seed)
        self.tally = Tally()

    async def run(self, games: int, seconds: float, total: int | None = None) -> None:
        """Keep so many games going for so long, or until so many in all have ended.

        Those that go on then are left unfinished.
        """
        enough = asyncio.Event()
        tasks = [asyncio.create_task(self._play_for_ever(total, enough)) for _ in range(games)]
        tasks.append(asyncio.create_task(_wait(enough)))
        try:
            done, _ = await asyncio.wait(
                tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _play_for_ever(self, total: int | None, enough: asyncio.Event) -> None:
        while True:
            if await self._play():
                self.tally.games += 1
                if self.tally.games == total:
                    enough.set()

    @abstractmethod
    async def _play(self) -> bool:
        """Play a game; tell whether it came to its end."""

    async def _call(
        self, method: str, call: Callable[..., Awaitable[_Answer]], request: object
    ) -> _Answer | None:
        """Call until it is answered; None: it failed for good."""
        while True:
            began = time.perf_counter()
            try:
                answer = await call(request, timeout=self._timeout_s, metadata=self._metadata)
            except grpc.aio.AioRpcError as error:
                if not await self._may_repeat(method, error):
                    return None
            else:
                self.tally.seconds[method].append(time.perf_counter() - began)
                return answer

    async def _may_repeat(self, method: str, error: grpc.aio.AioRpcError) -> bool:
        """Count a call that failed, and wait; tell whether to repeat it."""
        reason, retry_s = explain(error)
        self.tally.last_failure = error.details() or reason
        refused = error.code() in REFUSED
        (self.tally.refusals if refused else self.tally.errors)[f"{method}: {reason}"] += 1
        await asyncio.sleep(retry_s if refused else RETRY_S)
        return refused


class EngineLoad(Load):
    """Plays games by ``PlayTurn`` and ``ApplyActions``, one call after the other in each.

    Parameters
    ----------
    channel : grpc.aio.Channel
    options : analysis_pb2.SearchOptions
        Of every turn.
    **others
        Those of `Load`.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        options: analysis_pb2.SearchOptions,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self._engine: EngineServiceAsyncStub = EngineServiceStub(channel)
        self._options = options

    async def _play(self) -> bool:
        setup = lc.GameSetup.random(players=self._players, seed=self._chance.getrandbits(64))
        state = lc.State(setup)
        position = position_to_message(state.position())
        unseen = list(state.unseen)
        self._chance.shuffle(unseen)
        while True:
            turn = await self._call(
                "PlayTurn",
                self._engine.PlayTurn,
                pb.PlayTurnRequest(position=position, options=self._options),
            )
            if turn is None:
                return False
            request = pb.ApplyActionsRequest(position=position)
            for action in turn.actions:
                request.events.append(game_pb2.Event(action=action))
                if action.HasField("take_longship") and unseen:
                    draw = draw_to_message(action.take_longship.slot, unseen.pop())
                    request.events.append(game_pb2.Event(draw=draw))
            after = await self._call("ApplyActions", self._engine.ApplyActions, request)
            if after is None:
                return False
            self.tally.turns += 1
            self.tally.actions += len(turn.actions)
            if after.score.game_over:
                return True
            position = after.position


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


def explain(error: grpc.aio.AioRpcError) -> tuple[str, float]:
    """Give the reason of an error (its code, if it has none), and after how long to repeat it."""
    reason, retry_s = error.code().name, RETRY_S
    status = rpc_status.from_call(cast("Any", error))
    for detail in status.details if status else ():
        info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            reason = info.reason
        elif detail.Unpack(retry):
            retry_s = retry.retry_delay.ToTimedelta().total_seconds()
    return reason, retry_s
