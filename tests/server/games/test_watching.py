"""Watching: every event once and in order, on every server, over lost streams."""

from __future__ import annotations

import asyncio
import random

import pytest

from looot.v1 import game_service_pb2 as pb
from server.games import HostedGames
from server.games.listener import Listener
from tests.server.games.hosting import (
    Guest,
    first_update,
    hosting,
    new_game,
    random_turn,
    reason,
    refused,
)


async def watch_from(games: HostedGames, guest: Guest) -> list[pb.GameEvent]:
    """Watch a game to its end, losing the stream again and again."""
    chance = random.Random(guest.game_id)
    events: list[pb.GameEvent] = []
    while True:
        after = events[-1].version if events else 0
        wanted = chance.randrange(1, 40)
        request = pb.WatchGameRequest(game_id=guest.game_id, after_version=after)
        first = True
        async for update in games.watch_game(request):
            assert not update.HasField("game")
            assert update.events or first
            first = False
            events.extend(update.events)
            if events and events[-1].version - after >= wanted:
                break
        else:
            return events


async def test_watchers_miss_nothing_and_see_nothing_twice(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hb", undo_allowed=True))
        watchers = [asyncio.create_task(watch_from(games, guest)) for _ in range(3)]
        played: list[pb.GameEvent] = []
        while (game := await guest.game()).status == pb.GAME_STATUS_OPEN:
            if game.position.current_player != 0:
                await guest.watch(after=game.version, until=game.version + 1)
                continue
            turn = random_turn(await guest.state(), chance)
            played.extend(
                (await games.submit_actions(guest.submission(0, game.version, turn))).events
            )
        seen = await asyncio.gather(*watchers)
        assert [event.version for event in seen[0]] == list(range(1, game.version + 1))
        assert all(events == seen[0] for events in seen)
        assert [event for event in seen[0] if event.seat == 0] == played


async def test_a_stream_may_begin_with_the_game(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        answer = await guest.play_turn(0, random.Random(1))
        stream = games.watch_game(pb.WatchGameRequest(game_id=guest.game_id))
        first = await anext(stream)
        assert first.game == await guest.game()
        assert not first.events
        following = asyncio.ensure_future(anext(stream))
        later = await guest.play_turn(1, random.Random(1))
        update = await following
        assert not update.HasField("game")
        assert list(update.events) == list(later.events)
        assert update.events[0].version == answer.version + 1
        await stream.aclose()


async def test_a_stream_begins_at_once_even_if_nothing_has_happened(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        version = (await guest.play_turn(0, random.Random(1))).version
        request = pb.WatchGameRequest(game_id=guest.game_id, after_version=version)
        stream = games.watch_game(request)
        assert await anext(stream) == pb.WatchGameResponse()
        following = asyncio.ensure_future(anext(stream))
        later = await guest.play_turn(1, random.Random(1))
        assert list((await following).events) == list(later.events)
        await stream.aclose()


async def test_what_happens_on_one_server_is_seen_on_the_other(postgresql_url: str) -> None:
    chance = random.Random(1)
    url = f"{postgresql_url}?sslmode=disable&application_name=looot"
    async with hosting(url) as one, hosting(url) as other:
        guest = await Guest.of(one, new_game("hh"))
        watchers = [
            asyncio.create_task(watch_from(games, guest)) for games in (one, other, one, other)
        ]
        everything: list[pb.GameEvent] = []
        servers = [one, other]
        while (game := await guest.game()).status == pb.GAME_STATUS_OPEN:
            turn = random_turn(await guest.state(), chance)
            request = guest.submission(game.position.current_player, game.version, turn)
            guest.games = chance.choice(servers)
            everything.extend((await guest.games.submit_actions(request)).events)
        for events in await asyncio.gather(*watchers):
            assert events == everything


async def test_a_watcher_hears_of_other_servers_whatever_the_driver_raises(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen, faults = Listener._listen, [RuntimeError("another operation is in progress")]

    async def fail_once(listener: Listener) -> None:
        if faults:
            raise faults.pop()
        await listen(listener)

    async with hosting(postgresql_url) as one:
        monkeypatch.setattr(Listener, "_listen", fail_once)
        async with hosting(postgresql_url) as other:
            guest = await Guest.of(one, new_game("hh"))
            stream = other.watch_game(pb.WatchGameRequest(game_id=guest.game_id, after_version=0))
            assert not (await anext(stream)).events
            assert not faults
            played = await guest.play_turn(0, random.Random(1))
            assert list((await anext(stream)).events) == list(played.events)
            await stream.aclose()


async def test_the_stream_of_a_finished_game_ends_at_once(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("bb"))
        events = await guest.watch(after=0)
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert await guest.watch(after=len(events)) == []
        assert await guest.watch(after=len(events) - 1) == events[-1:]
        assert await guest.watch() == []


async def test_a_stream_ends_when_the_game_is_deleted(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        stream = games.watch_game(pb.WatchGameRequest(game_id=guest.game_id))
        await anext(stream)
        following = asyncio.ensure_future(anext(stream))
        request = pb.DeleteGameRequest(game_id=guest.game_id, token=guest.owner_token)
        await games.delete_game(request)
        assert reason(await refused(following)) == "GAME_NOT_FOUND"


async def test_a_stream_ends_when_the_server_stops(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        stream = games.watch_game(pb.WatchGameRequest(game_id=guest.game_id))
        await anext(stream)
        following = asyncio.ensure_future(anext(stream))
        await games.stop()
        assert reason(await refused(following)) == "SERVER_STOPPING"


@pytest.mark.parametrize("after", [-1, 1, 2**31 - 1])
async def test_no_game_has_that_version(sqlite_url: str, after: int) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        request = pb.WatchGameRequest(game_id=guest.game_id, after_version=after)
        refusal = await refused(first_update(games, request))
        assert (reason(refusal), refusal.field) == ("INVALID_REQUEST", "after_version")


async def test_a_slow_watcher_misses_nothing(sqlite_url: str) -> None:
    chance = random.Random(1)
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        stream = games.watch_game(pb.WatchGameRequest(game_id=guest.game_id, after_version=0))
        await guest.play_turn(0, chance)
        events = list((await anext(stream)).events)
        while (game := await guest.game()).status == pb.GAME_STATUS_OPEN:  # nobody reads meanwhile
            await guest.play_turn(game.position.current_player, chance)
        async for update in stream:
            events.extend(update.events)
        assert [event.version for event in events] == list(range(1, game.version + 1))
