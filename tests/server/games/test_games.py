"""Hosted games, method by method, on both databases."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from typing import Any

import pytest

import looot_core as lc
from looot.v1 import game_pb2
from looot.v1 import game_service_pb2 as pb
from server.conversion import position_to_message
from server.games import service, store
from server.games.store import Store
from tests.server.games.hosting import (
    Guest,
    first_update,
    hosting,
    new_game,
    random_turn,
    reason,
    refused,
    state_of,
)
from tests.server.recorder import PATIENCE_S

NO_GAME = "A" * 22


async def test_a_new_game_is_as_asked_for(database_url: str) -> None:
    async with hosting(database_url) as games:
        answer = await games.create_game(new_game("hbh", seed=3, undo_allowed=True))
        game = answer.game
        assert (game.version, game.status) == (0, pb.GAME_STATUS_OPEN)
        assert [seat.WhichOneof("player") for seat in game.seats] == ["human", "bot", "human"]
        assert (game.seats[1].bot.agent, game.seats[1].bot.level) == ("random", 10)
        assert game.undo_allowed
        assert not game.listed
        setup = lc.GameSetup.random(players=3, edition="printed", seed=3).public()
        assert game.position == position_to_message(lc.State(setup).position())
        assert [token.seat for token in answer.seat_tokens] == [0, 2]
        secrets = {answer.owner_token, *(token.token for token in answer.seat_tokens)}
        assert len(secrets) == 3
        assert all(len(secret) >= 32 for secret in secrets)
        read = await games.get_game(pb.GetGameRequest(game_id=game.game_id))
        assert read.game == game
        assert not read.HasField("seat")
        token = answer.seat_tokens[1].token
        read = await games.get_game(pb.GetGameRequest(game_id=game.game_id, token=token))
        assert read.seat == 2


async def test_a_given_set_up(sqlite_url: str) -> None:
    request = new_game("hh")
    given = _give(request)
    async with hosting(sqlite_url) as games:
        position = (await games.create_game(request)).game.position
        assert position.arrangement == given.arrangement
        assert [slot.longship for slot in position.ocean_longships] == given.ocean_longships
        given.ClearField("ocean_longships")
        position = (await games.create_game(request)).game.position
        assert position.arrangement == given.arrangement
        assert all(slot.HasField("longship") for slot in position.ocean_longships)


@pytest.mark.parametrize(
    ("change", "why", "field"),
    [
        ("del r.seats[1:]", "INVALID_REQUEST", "seats"),
        ("r.seats.extend([r.seats[0]] * 3)", "INVALID_REQUEST", "seats"),
        ("r.seats[1].Clear()", "INVALID_REQUEST", "seats[1]"),
        ("bot.agent = 'nobody'", "UNKNOWN_AGENT", "seats[1].bot.agent"),
        ("bot.level = 11", "INVALID_LIMITS", "seats[1].bot.level"),
        ("bot.limits.simulations = 0", "INVALID_LIMITS", "seats[1].bot.limits.simulations"),
        ("bot.limits.clock.seconds = 1", "INVALID_LIMITS", "seats[1].bot.limits.clock"),
        ("r.ClearField('random')", "INVALID_SETUP", "setup"),
        ("r.random.edition = 0", "INVALID_SETUP", "random.edition"),
        ("r.given.SetInParent()", "INVALID_SETUP", "given.arrangement"),
        ("del give(r).arrangement.landscape[1]", "INVALID_SETUP", "given.arrangement.landscape"),
        ("give(r).arrangement.ocean.board = 'C'", "INVALID_SETUP", "given.arrangement.ocean"),
        ("give(r).arrangement.sites[0].port.pop()", "INVALID_SETUP", "given.arrangement.sites[0]"),
        ("give(r).ocean_longships.pop()", "INVALID_SETUP", "given.ocean_longships"),
        ("s = give(r).ocean_longships; s[1].CopyFrom(s[0])", "INVALID_SETUP",
         "given.ocean_longships[1]"),
    ],
)  # fmt: skip
async def test_refused_games(sqlite_url: str, change: str, why: str, field: str) -> None:
    request = new_game("hb")
    exec(change, {"r": request, "bot": request.seats[1].bot, "give": _give})
    async with hosting(sqlite_url) as games:
        refusal = await refused(games.create_game(request))
        assert (reason(refusal), refusal.field) == (why, field)
        assert not (await games.list_games(pb.ListGamesRequest())).games


def _give(request: pb.CreateGameRequest) -> pb.GivenSetup:
    """Give the request a set-up of its own."""
    setup = lc.GameSetup.random(players=2, edition="rulebook", seed=5)
    position = position_to_message(lc.State(setup).position())
    request.given.arrangement.CopyFrom(position.arrangement)
    request.given.ocean_longships.extend(slot.longship for slot in position.ocean_longships)
    return request.given


async def test_humans_play_a_game(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        game = await guest.game()
        events: list[pb.GameEvent] = []
        while game.status == pb.GAME_STATUS_OPEN:
            seat = game.position.current_player
            answer = await guest.play_turn(seat, chance)
            events.extend(answer.events)
            assert {event.seat for event in answer.events} == {seat}
            game = await guest.game()
            assert game.version == answer.version == events[-1].version
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert game.score.game_over
        assert await guest.watch(after=0) == events
        end = lc.Action.parse("end", state_of(game))
        more = guest.submission(game.position.current_player, game.version, [end])
        assert reason(await refused(games.submit_actions(more))) == "GAME_OVER"
        hint = pb.GetHintRequest(game_id=guest.game_id, token=guest.tokens[0])
        assert reason(await refused(games.get_hint(hint, None))) == "GAME_OVER"
        assert reason(await refused(games.undo_turn(guest.undo(0, game.version)))) == "GAME_OVER"
        assert reason(await refused(games.resign_seat(guest.resignation(0)))) == "GAME_OVER"


async def test_a_record_has_the_bag_only_when_the_game_is_over(database_url: str) -> None:
    chance = random.Random(2)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        request = pb.ExportRecordRequest(game_id=guest.game_id)
        answer = await guest.play_turn(0, chance, longship=False)
        await games.undo_turn(guest.undo(0, answer.version))
        while (await guest.game()).status == pb.GAME_STATUS_OPEN:
            data = json.loads((await games.export_record(request)).record_json)
            assert "bag" not in data
            assert "seed" not in data
            game = await guest.game()
            replayed = lc.GameRecord.from_dict(data).replay()
            assert position_to_message(replayed.position()) == game.position
            await guest.play_turn(game.position.current_player, chance, longship=True)
        data = json.loads((await games.export_record(request)).record_json)
        assert len(data["bag"]) == 25
        state = lc.GameRecord.from_dict(data).replay()  # compares the draws with the bag
        assert state.is_over
        assert sum(text.startswith("draw") for text in data["actions"]) > 5


async def test_refused_submissions(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        turn = random_turn(await guest.state(), random.Random(1))
        good = guest.submission(0, 0, turn)

        async def why(**changes: object) -> tuple[str, str | None]:
            request = pb.SubmitActionsRequest()
            request.CopyFrom(good)
            for name, value in changes.items():
                request.ClearField(name)  # type: ignore[arg-type]
                request.MergeFrom(pb.SubmitActionsRequest(**{name: value}))  # type: ignore[arg-type]
            refusal = await refused(games.submit_actions(request))
            return reason(refusal), refusal.field

        assert await why(game_id="") == ("INVALID_REQUEST", "game_id")
        assert await why(game_id=NO_GAME) == ("GAME_NOT_FOUND", "game_id")
        assert await why(game_id="\0") == ("GAME_NOT_FOUND", "game_id")
        assert await why(token="") == ("PERMISSION_DENIED", "token")
        assert await why(token="x") == ("PERMISSION_DENIED", "token")
        assert await why(token=guest.owner_token) == ("PERMISSION_DENIED", "token")
        assert await why(token=guest.tokens[1]) == ("NOT_YOUR_TURN", None)
        assert await why(expected_version=1) == ("VERSION_MISMATCH", "expected_version")
        assert await why(expected_version=-1) == ("VERSION_MISMATCH", "expected_version")
        for key in ("", "x" * 65, "a\0b"):
            assert await why(idempotency_key=key) == ("INVALID_REQUEST", "idempotency_key")
        assert await why(actions=[]) == ("INVALID_REQUEST", "actions")
        end = game_pb2.Action(end_turn=game_pb2.EndTurn())
        assert await why(actions=[end] * 101) == ("INVALID_REQUEST", "actions")
        assert await why(actions=[end]) == ("ILLEGAL_ACTION", "actions[0]")
        first = good.actions[0]
        assert await why(actions=[first, first]) == ("ILLEGAL_ACTION", "actions[1]")
        nowhere = game_pb2.PlaceViking(space=game_pb2.Space(q=500, r=500))
        far = game_pb2.Action(place_viking=nowhere)
        assert await why(actions=[far]) == ("ILLEGAL_ACTION", "actions[0]")
        nothing = ("INVALID_REQUEST", "actions[1]")
        assert await why(actions=[first, game_pb2.Action()]) == nothing
        another_turn = [*good.actions, first]
        at = f"actions[{len(good.actions)}]"
        assert await why(actions=another_turn) == ("ILLEGAL_ACTION", at)
        assert (await guest.game()).version == 0
        assert (await games.submit_actions(good)).version >= len(turn)


async def test_a_hint_is_for_whoever_is_to_move(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        request = pb.GetHintRequest(game_id=guest.game_id, token=guest.tokens[0])
        request.options.limits.simulations = 20
        answer = await games.get_hint(request, None)
        assert answer.version == 0
        assert answer.analysis.mover == 0
        good = guest.submission(0, 0, [])
        good.actions.extend(answer.analysis.turn)
        assert (await games.submit_actions(good)).version >= len(good.actions)
        assert reason(await refused(games.get_hint(request, None))) == "NOT_YOUR_TURN"
        request.token = ""
        assert reason(await refused(games.get_hint(request, None))) == "PERMISSION_DENIED"
        request.token = guest.tokens[1]
        request.options.level = 99
        refusal = await refused(games.get_hint(request, None))
        assert (reason(refusal), refusal.field) == ("INVALID_LIMITS", "options.level")


@pytest.mark.parametrize("step", ["read_search", "analysis_to_message"])
async def test_the_server_goes_on_while_a_hint_is_read_or_told(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    begun, go = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    work = getattr(service, step)

    def take_long(*arguments: object) -> object:
        loop.call_soon_threadsafe(begun.set)
        assert go.wait(PATIENCE_S)
        return work(*arguments)

    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        request = pb.GetHintRequest(game_id=guest.game_id, token=guest.tokens[0])
        request.options.limits.simulations = 20
        monkeypatch.setattr(service, step, take_long)
        hint = asyncio.create_task(games.get_hint(request, None))
        await begun.wait()
        assert (await guest.game()).version == 0
        go.set()
        assert (await hint).analysis.turn


async def test_games_are_listed_in_pages_the_newest_first(database_url: str) -> None:
    async with hosting(database_url) as games:
        created = []
        for number in range(7):
            answer = await games.create_game(new_game("hh", listed=number != 3))
            created.append(answer.game.game_id)
        del created[3]
        found: list[str] = []
        request = pb.ListGamesRequest(page_size=4)
        while True:
            page = await games.list_games(request)
            found.extend(game.game_id for game in page.games)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        assert sorted(found) == sorted(created)
        whole = (await games.list_games(pb.ListGamesRequest())).games
        assert [game.game_id for game in whole] == found
        times = [game.create_time.ToNanoseconds() for game in whole]
        assert times == sorted(times, reverse=True)
        summary, game = whole[0], await Guest.game(_known(games, whole[0].game_id))
        assert summary.seats == game.seats
        assert summary.edition == game.position.arrangement.edition
        over = pb.ListGamesRequest(status=pb.GAME_STATUS_OVER)
        assert not (await games.list_games(over)).games
        going_on = pb.ListGamesRequest(status=pb.GAME_STATUS_OPEN)
        assert (await games.list_games(going_on)).games == whole


def _known(games: object, game_id: str) -> Guest:
    created = pb.CreateGameResponse(game=pb.HostedGame(game_id=game_id))
    return Guest(games, created)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.ListGamesRequest(page_size=-1), "page_size"),
        (pb.ListGamesRequest(page_size=101), "page_size"),
        (pb.ListGamesRequest(page_token="?"), "page_token"),
        (pb.ListGamesRequest(page_token="MTIz"), "page_token"),
        (pb.ListGamesRequest(page_token="é\0"), "page_token"),
        (pb.ListGamesRequest(status=9), "status"),  # type: ignore[arg-type]
    ],
)
async def test_refused_lists(sqlite_url: str, request_: pb.ListGamesRequest, field: str) -> None:
    async with hosting(sqlite_url) as games:
        refusal = await refused(games.list_games(request_))
        assert (reason(refusal), refusal.field) == ("INVALID_REQUEST", field)


async def test_only_the_owner_deletes_a_game_and_then_it_is_gone(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", listed=True))
        await guest.play_turn(0, random.Random(1))
        for token in ("", guest.tokens[0]):
            request = pb.DeleteGameRequest(game_id=guest.game_id, token=token)
            assert reason(await refused(games.delete_game(request))) == "PERMISSION_DENIED"
        request = pb.DeleteGameRequest(game_id=guest.game_id, token=guest.owner_token)
        await games.delete_game(request)
        watch = pb.WatchGameRequest(game_id=guest.game_id)
        for call in (
            games.delete_game(request),
            guest.game(),
            games.submit_actions(guest.submission(0, 0, [])),
            games.export_record(pb.ExportRecordRequest(game_id=guest.game_id)),
            first_update(games, watch),
        ):
            assert reason(await refused(call)) in ("GAME_NOT_FOUND", "INVALID_REQUEST")
        assert not (await games.list_games(pb.ListGamesRequest())).games


@pytest.mark.parametrize("read", ["entries", "bag", "_with_seats"])
@pytest.mark.parametrize("is_in_memory", [True, False])
async def test_a_game_that_is_deleted_while_it_is_read_is_not_found(
    database_url: str, monkeypatch: pytest.MonkeyPatch, read: str, is_in_memory: bool
) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        while (game := await guest.game()).status == pb.GAME_STATUS_OPEN:
            await guest.play_turn(game.position.current_player, chance)
        if not is_in_memory:
            games._keeper._games.clear()
        holder: Any = store if read == "_with_seats" else Store
        read_now = getattr(holder, read)

        async def deleted_first(*arguments: object, **named: object) -> object:
            await games._store.delete(guest.game_id)
            return await read_now(*arguments, **named)

        monkeypatch.setattr(holder, read, deleted_first)
        export = games.export_record(pb.ExportRecordRequest(game_id=guest.game_id))
        if is_in_memory and read == "_with_seats":
            await export  # which does not read them again
        else:
            assert reason(await refused(export)) == "GAME_NOT_FOUND"
            assert reason(await refused(guest.game())) == "GAME_NOT_FOUND"


async def test_games_dropped_from_memory_are_read_again(database_url: str) -> None:
    chance = random.Random(3)
    async with hosting(database_url, games_in_memory=1) as games:
        guests = [await Guest.of(games, new_game("hh", seed=seed)) for seed in range(3)]
        for turn in range(4):
            for guest in guests:
                await guest.play_turn(turn % 2, chance)
        before = [await guest.game() for guest in guests]
    async with hosting(database_url) as games:
        for guest, game in zip(guests, before, strict=True):
            guest.games = games
            assert await guest.game() == game
            assert state_of(game).turn_number == 4


async def test_calls_at_the_same_time_share_one_game_in_memory(sqlite_url: str) -> None:
    """Else one of them would play on a game that the others do not see."""
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        await guest.play_turn(0, random.Random(1))
    async with hosting(sqlite_url) as games:
        found = await asyncio.gather(*(games._keeper.get(guest.game_id) for _ in range(4)))
        assert all(game is found[0] for game in found)
