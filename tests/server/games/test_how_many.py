"""How many games are stored, and for how long."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import grpc

from looot.v1 import engine_service_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.errors import Refusal
from server.games import HostedGames, Sources
from server.settings import Settings
from tests.server.games.hosting import Guest, hosting, hosting_twice, new_game, reason, refused
from tests.server.service import refused as refused_call
from tests.server.service import running_service

MOST = 3
DAY_US = 86_400_000_000
DAYS = 2.0


async def known(games: HostedGames) -> set[str]:
    page = await games.list_games(pb.ListGamesRequest())
    return {game.game_id for game in page.games}


async def test_no_more_games_are_stored_than_may_be(database_url: str) -> None:
    async with hosting(database_url, max_games=MOST) as games:
        guests = [await Guest.of(games, new_game("hh", listed=True)) for _ in range(MOST)]
        refusal = await refused(games.create_game(new_game("hh", listed=True)))
        assert reason(refusal) == "TOO_MANY_GAMES"
        assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refusal.retry_after_s
        assert await known(games) == {guest.game_id for guest in guests}
        await guests[0].play_turn(0, random.Random(1))  # those that there are go on
        deletion = pb.DeleteGameRequest(game_id=guests[0].game_id, token=guests[0].owner_token)
        await games.delete_game(deletion)
        await games.create_game(new_game("hh"))


async def test_a_repeated_creation_needs_no_room(sqlite_url: str) -> None:
    request = new_game("hh")
    request.idempotency_key = "a secret of a client, once"
    async with hosting(sqlite_url, max_games=1) as games:
        answer = await games.create_game(request)
        assert await games.create_game(request) == answer


async def test_servers_that_create_at_the_same_time_keep_to_it(database_url: str) -> None:
    async with hosting_twice(database_url, max_games=MOST) as (one, other):
        answers = await asyncio.gather(
            *(games.create_game(new_game("hh", listed=True)) for games in (one, other) * 4),
            return_exceptions=True,
        )
        refusals = [answer for answer in answers if isinstance(answer, Refusal)]
        assert [reason(refusal) for refusal in refusals] == ["TOO_MANY_GAMES"] * (8 - MOST)
        assert len(await known(one)) == MOST


def at(day: float) -> Sources:
    return replace(Sources(), now=lambda: round(day * DAY_US))


async def test_games_in_which_nothing_happens_are_deleted(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url, at(0)) as games:
        over, abandoned, alive = [
            await Guest.of(games, new_game(players, listed=True)) for players in ("bb", "hh", "hh")
        ]
        await over.watch()
        await abandoned.play_turn(0, chance)
    async with hosting(database_url, at(1)) as games:
        alive.games = games
        await alive.play_turn(0, chance)
    async with hosting(database_url, at(DAYS + 0.5)) as games:
        assert len(await known(games)) == 3  # not asked to delete any
    async with hosting(database_url, at(DAYS + 0.5), keep_games_days=DAYS) as games:
        for guest in (over, abandoned, alive):
            guest.games = games
        # Whoever watches is told.
        assert reason(await refused(abandoned.watch())) == "GAME_NOT_FOUND"
        assert reason(await refused(_until_gone(over))) == "GAME_NOT_FOUND"
        assert await known(games) == {alive.game_id}
        assert (await alive.game()).version > 0


async def _until_gone(guest: Guest) -> None:
    while True:
        await guest.game()
        await asyncio.sleep(0)


def test_clients_are_told_the_limits_of_hosted_games(sqlite_url: str) -> None:
    ask = engine_service_pb2.GetEngineInfoRequest()
    with running_service(Settings(database_url="")) as service:
        info = service.engine.GetEngineInfo(ask, timeout=10)
        assert engine_service_pb2.CAPABILITY_GAMES not in info.capabilities
        assert not info.HasField("games")
    with running_service(Settings(database_url=sqlite_url)) as service:
        info = service.engine.GetEngineInfo(ask, timeout=10)
        assert engine_service_pb2.CAPABILITY_GAMES in info.capabilities
        assert info.games.max_games == 100_000
        assert not info.games.HasField("kept_for")
        games = GameServiceStub(service.channel)
        guest = games.CreateGame(new_game("hh"), timeout=10)
        request = pb.SubmitActionsRequest(
            game_id=guest.game.game_id,
            token=guest.seat_tokens[0].token,
            idempotency_key="k",
        )
        request.actions.extend([pb.GameEvent().action for _ in range(info.games.max_actions + 1)])
        refusal = refused_call(lambda: games.SubmitActions(request, timeout=10))
        assert refusal.field == "actions"
    chosen = Settings(database_url=sqlite_url, max_games=1, keep_games_days=0.5)
    with running_service(chosen) as service:
        info = service.engine.GetEngineInfo(ask, timeout=10)
        assert (info.games.max_games, info.games.kept_for.seconds) == (1, 43_200)
        games = GameServiceStub(service.channel)
        full = refused_call(lambda: games.CreateGame(new_game("hh"), timeout=10))
        assert (full.reason, full.retry_after_s) == ("TOO_MANY_GAMES", 60.0)
