"""Hosted games without a transport, and players for them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import looot_core as lc
from looot.v1 import game_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.conversion import action_to_message, position_from_message
from server.errors import Refusal
from server.games import HostedGames, Sources
from server.metrics import Metrics
from server.searches import Searches
from tests.server.conftest import LIMITS

_Answer = TypeVar("_Answer")


@asynccontextmanager
async def hosting(
    url: str,
    sources: Sources | None = None,
    metrics: Metrics | None = None,
    **changed: Any,
) -> AsyncIterator[HostedGames]:
    """Host games for a while, with settings that differ from those of all tests."""
    settings = LIMITS.model_copy(update={"database_url": url, **changed})
    searches = Searches(settings)
    games = HostedGames(settings, searches, sources, metrics)
    await games.open()
    try:
        yield games
    finally:
        await games.close()
        searches.close()


@asynccontextmanager
async def hosting_twice(url: str, **changed: Any) -> AsyncIterator[tuple[HostedGames, HostedGames]]:
    """Host games on two servers; a file has one only, which is given twice."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(hosting(url, **changed))
        if url.startswith("sqlite"):
            yield one, one
        else:
            yield one, await stack.enter_async_context(hosting(url, **changed))


def new_game(
    players: str, seed: int = 7, undo_allowed: bool = False, listed: bool = False
) -> pb.CreateGameRequest:
    """Ask for a game of humans (``h``) and quick bots (``b``)."""
    request = pb.CreateGameRequest(undo_allowed=undo_allowed, listed=listed)
    for player in players:
        seat = request.seats.add()
        if player == "h":
            seat.human.SetInParent()
        else:
            seat.bot.agent = "random"
    request.random.edition = game_pb2.EDITION_PRINTED
    request.random.seed = seed
    return request


class Guest:
    """Somebody who knows a game and all of its tokens."""

    def __init__(self, games: HostedGames, created: pb.CreateGameResponse) -> None:
        self.games = games
        self.game_id = created.game.game_id
        self.owner_token = created.owner_token
        self.tokens = {token.seat: token.token for token in created.seat_tokens}
        self._keys = 0

    @classmethod
    async def of(cls, games: HostedGames, request: pb.CreateGameRequest) -> Guest:
        return cls(games, await games.create_game(request))

    async def game(self) -> pb.HostedGame:
        return (await self.games.get_game(pb.GetGameRequest(game_id=self.game_id))).game

    async def state(self) -> lc.State:
        """Give the table as a state that draws of its own."""
        return state_of(await self.game())

    def submission(
        self, seat: int, version: int, actions: Iterable[lc.Action], key: str | None = None
    ) -> pb.SubmitActionsRequest:
        self._keys += 1
        return pb.SubmitActionsRequest(
            game_id=self.game_id,
            token=self.tokens[seat],
            expected_version=version,
            idempotency_key=key or f"key {self._keys}",
            actions=map(action_to_message, actions),
        )

    async def play_turn(
        self, seat: int, chance: random.Random, longship: bool | None = None
    ) -> pb.SubmitActionsResponse:
        """Play a turn at random; with or without taking a longship if that is said."""
        game = await self.game()
        turn = random_turn(state_of(game), chance, longship)
        return await self.games.submit_actions(self.submission(seat, game.version, turn))

    def undo(self, seat: int, version: int, key: str | None = None) -> pb.UndoTurnRequest:
        self._keys += 1
        return pb.UndoTurnRequest(
            game_id=self.game_id,
            token=self.tokens[seat],
            expected_version=version,
            idempotency_key=key or f"key {self._keys}",
        )

    def resignation(self, seat: int, agent: str = "random", key: str = "R") -> pb.ResignSeatRequest:
        return pb.ResignSeatRequest(
            game_id=self.game_id,
            token=self.tokens[seat],
            idempotency_key=key,
            bot=pb.Bot(agent=agent),
        )

    async def watch(self, after: int | None = None, until: int | None = None) -> list[pb.GameEvent]:
        """Watch to the end of the game, or until a version is reached; give the events."""
        events: list[pb.GameEvent] = []
        request = pb.WatchGameRequest(game_id=self.game_id, after_version=after)
        async for update in self.games.watch_game(request):
            events.extend(update.events)
            last = events[-1].version if events else update.game.version
            if until is not None and last >= until:
                break
        return events


def state_of(game: pb.HostedGame) -> lc.State:
    return lc.State.from_position(position_from_message(game.position, "position"), seed=1)


def random_turn(
    state: lc.State, chance: random.Random, longship: bool | None = None
) -> list[lc.Action]:
    """Give a turn; with or without taking a longship if that is said."""
    state = state.clone()
    turn: list[lc.Action] = []
    while not turn or str(turn[-1]) != "end":
        actions = state.legal_actions()
        ships = [action for action in actions if str(action).startswith("longship")]
        if longship and ships:
            actions = ships
        elif longship is False:
            actions = [action for action in actions if action not in ships]
        turn.append(chance.choice(actions))
        state.apply(turn[-1])
    return turn


async def refused(call: Awaitable[object]) -> Refusal:
    """Give the refusal of a call that must be refused."""
    try:
        await call
    except Refusal as refusal:
        return refusal
    raise AssertionError("the call was not refused")


async def until_available(call: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Call until the database can be used."""
    while True:
        try:
            return await call()
        except Refusal as refusal:
            if reason(refusal) != "UNAVAILABLE":
                raise
            await asyncio.sleep(0.02)  # as a client would, before it tries again


async def first_update(games: HostedGames, request: pb.WatchGameRequest) -> object:
    async for update in games.watch_game(request):
        return update
    return None


def reason(refusal: Refusal) -> str:
    return ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")
