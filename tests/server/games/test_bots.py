"""Bots move by themselves: after a restart, after a crash, and on one server only."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

import ai
import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from server.games import HostedGames
from server.metrics import Metrics
from server.searches import Searches
from server.settings import Settings
from tests.server.conftest import LIMITS
from tests.server.games.hosting import Guest, hosting, new_game, reason, refused
from tests.server.recorder import Recorder


async def test_bots_play_a_whole_game(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("bbb"))
        events = await guest.watch(after=0)
        game = await guest.game()
        assert game.status == pb.GAME_STATUS_OVER
        assert events[-1].version == game.version
        export = await games.export_record(pb.ExportRecordRequest(game_id=guest.game_id))
        assert lc.GameRecord.from_dict(json.loads(export.record_json)).replay().is_over


async def test_a_bot_plays_as_it_was_asked_to(sqlite_url: str, recorder: Recorder) -> None:
    request = new_game("hb")
    bot = request.seats[1].bot
    bot.agent, bot.level = "ismcts", 7
    bot.limits.simulations = 3
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, request)
        answer = await guest.play_turn(0, random.Random(1))
        await guest.watch(after=answer.version, until=answer.version + 1)
        assert recorder.outcomes == ["simulations"]
        seats = (await guest.game()).seats
        assert seats[1].bot == bot


async def test_a_bot_goes_on_after_a_restart(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("bb"))
        seen = await guest.watch(after=0, until=30)
    for _ in range(2):
        async with hosting(database_url) as games:
            guest.games = games
            seen += await guest.watch(after=seen[-1].version, until=seen[-1].version + 40)
    async with hosting(database_url) as games:
        guest.games = games
        seen += await guest.watch(after=seen[-1].version)
        assert [event.version for event in seen] == list(range(1, seen[-1].version + 1))
        assert (await guest.game()).status == pb.GAME_STATUS_OVER


async def test_a_resigned_seat_is_played_on(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hhh"))
        await guest.play_turn(0, chance)
        resigned = await games.resign_seat(guest.resignation(1))
        (event,) = resigned.events
        assert event.resignation.bot.agent == "random"
        await guest.watch(after=resigned.version, until=resigned.version + 1)
        while (game := await guest.game()).position.current_player == 1:
            await guest.watch(after=game.version, until=game.version + 1)
        assert [seat.WhichOneof("player") for seat in game.seats] == ["human", "bot", "human"]
        submission = guest.submission(1, game.version, [])
        submission.actions.add().end_turn.SetInParent()
        for call in (
            games.submit_actions(submission),
            games.undo_turn(guest.undo(1, game.version)),
            games.resign_seat(guest.resignation(1, key="again")),
            games.get_hint(pb.GetHintRequest(game_id=guest.game_id, token=guest.tokens[1]), None),
        ):
            assert reason(await refused(call)) == "PERMISSION_DENIED"
        for seat in (0, 2):
            await games.resign_seat(guest.resignation(seat))
        await guest.watch()
        assert (await guest.game()).status == pb.GAME_STATUS_OVER
    async with hosting(database_url) as games:
        guest.games = games
        game = await guest.game()
        assert [seat.WhichOneof("player") for seat in game.seats] == ["bot"] * 3


async def test_a_seat_is_not_resigned_to_a_bot_that_does_not_exist(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        refusal = await refused(games.resign_seat(guest.resignation(0, agent="nobody")))
        assert (reason(refusal), refusal.field) == ("UNKNOWN_AGENT", "bot.agent")
        assert (await guest.game()).version == 0


async def test_a_turn_that_others_change_meanwhile_is_thought_over(
    sqlite_url: str, recorder: Recorder
) -> None:
    request = new_game("bh")
    bot = request.seats[0].bot
    bot.agent, bot.level = "ismcts", 10
    bot.limits.time.seconds = int(LIMITS.max_time_s)
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, request)
        await asyncio.to_thread(recorder.wait_for_begin)
        await games.resign_seat(guest.resignation(1))
        games._searches.stop_all()  # the bot answers with the best so far, for the old version
        games._searches.stopping = False
        await asyncio.to_thread(recorder.wait_for_begin)
        assert (await guest.game()).version == 1


async def test_each_turn_is_played_by_one_server(postgresql_url: str, recorder: Recorder) -> None:
    figures = [Metrics(Searches(LIMITS)) for _ in range(2)]
    async with (
        hosting(postgresql_url, metrics=figures[0]) as one,
        hosting(postgresql_url, metrics=figures[1]) as other,
    ):
        guests = [
            await Guest.of(games, new_game(players))
            for games in (one, other)
            for players in ("bb", "bbb", "bbbb")
        ]
        turns = 0
        for guest in guests:
            events = await guest.watch(after=0)
            turns += sum(event.action.HasField("end_turn") for event in events)
        assert len(recorder.outcomes) == turns
        while sum(_bot_turns(figure) for figure in figures) < turns:
            await asyncio.sleep(0)  # the last turn is told before it is counted
        assert all(_bot_turns(figure) for figure in figures)
        assert sum(_bot_turns(figure) for figure in figures) == turns


def _bot_turns(metrics: Metrics) -> float:
    return metrics.registry.get_sample_value("looot_bot_turns_total") or 0.0


async def test_what_a_dead_server_left_is_taken_over(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server dies without a word in the middle of a bot's turn."""
    searches = Searches(LIMITS)
    settings = LIMITS.model_copy(update={"database_url": postgresql_url, "bot_lease_s": 0.4})
    dead = HostedGames(settings, searches)
    monkeypatch.setattr("server.games.leases.Leases.leave", _leave_nothing)
    await dead.open()
    request = new_game("bb")
    request.seats[0].bot.agent = "ismcts"
    request.seats[0].bot.limits.time.seconds = int(LIMITS.max_time_s)
    guest = await Guest.of(dead, request)
    await dead.close()
    searches.close()
    quick = Settings(max_searches=2, max_time_s=0.05)  # such a long search is not allowed here
    monkeypatch.setattr("tests.server.games.hosting.LIMITS", quick)
    async with hosting(postgresql_url, bot_lease_s=0.4) as living:
        guest.games = living
        await guest.watch()
        assert (await guest.game()).status == pb.GAME_STATUS_OVER


async def _leave_nothing(self: object) -> None:
    pass


async def test_a_bot_whose_agent_is_gone_is_replaced(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(ai.agent._factories, "lost", ai.agent._factories["random"])
        request = new_game("hb")
        request.seats[1].bot.agent = "lost"
        async with hosting(sqlite_url) as games:
            guest = await Guest.of(games, request)
    async with hosting(sqlite_url) as games:
        guest.games = games
        answer = await guest.play_turn(0, random.Random(1))
        await guest.watch(after=answer.version, until=answer.version + 1)
