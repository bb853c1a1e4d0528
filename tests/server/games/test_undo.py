"""Taking back turns."""

from __future__ import annotations

import random

import pytest

import ai
import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from tests.server.games.hosting import Guest, hosting, new_game, random_turn, reason, refused


def table(game: pb.HostedGame) -> tuple[bytes, bytes]:
    """Give what lies on the table."""
    return (
        game.position.SerializeToString(deterministic=True),
        game.score.SerializeToString(deterministic=True),
    )


async def test_a_turn_is_taken_back_and_played_anew(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        for turn in range(4):
            before = await guest.game()
            await guest.play_turn(turn % 2, chance, longship=False)
        played = await guest.game()
        answer = await games.undo_turn(guest.undo(1, played.version))
        assert answer.version == played.version + 1
        (event,) = answer.events
        assert (event.version, event.seat) == (answer.version, 1)
        assert event.undo.to_version == before.version
        after = await guest.game()
        assert table(after) == table(before)
        assert after.version == answer.version
        await guest.play_turn(1, chance)
        now = await guest.game()
    async with hosting(database_url) as games:  # read anew, with an undo in the log
        guest.games = games
        assert await guest.game() == now


async def test_what_was_played_of_a_turn_is_taken_back(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        fresh = await guest.game()
        turn = random_turn(await guest.state(), random.Random(1), longship=False)
        version = 0
        for number, action in enumerate(turn[:-1], start=1):
            version = (await games.submit_actions(guest.submission(0, version, [action]))).version
            assert version == number
        other = await refused(games.undo_turn(guest.undo(1, version)))
        assert reason(other) == "UNDO_NOT_POSSIBLE"
        await games.undo_turn(guest.undo(0, version))
        assert table(await guest.game()) == table(fresh)
        nothing = await refused(games.undo_turn(guest.undo(0, version + 1)))
        assert (reason(nothing), nothing.description) == (
            "UNDO_NOT_POSSIBLE",
            "seat 0 has played nothing that could be taken back",
        )


async def test_turns_are_taken_back_one_behind_the_other(sqlite_url: str) -> None:
    chance = random.Random(4)
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        tables = []
        for turn in range(4):
            tables.append(table(await guest.game()))
            await guest.play_turn(turn % 2, chance, longship=False)
        for turn in reversed(range(4)):
            game = await guest.game()
            await games.undo_turn(guest.undo(turn % 2, game.version))
            assert table(await guest.game()) == tables[turn]


async def test_no_undo_where_the_game_does_not_allow_it(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        answer = await guest.play_turn(0, random.Random(1), longship=False)
        refusal = await refused(games.undo_turn(guest.undo(0, answer.version)))
        assert reason(refusal) == "UNDO_NOT_POSSIBLE"


async def test_no_undo_behind_another_human(sqlite_url: str) -> None:
    chance = random.Random(1)
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        await guest.play_turn(0, chance, longship=False)
        version = (await guest.play_turn(1, chance, longship=False)).version
        refusal = await refused(games.undo_turn(guest.undo(0, version)))
        assert (reason(refusal), refusal.description) == (
            "UNDO_NOT_POSSIBLE",
            "seat 1 has acted since",
        )
        stale = await refused(games.undo_turn(guest.undo(1, version - 1)))
        assert reason(stale) == "VERSION_MISMATCH"


async def test_no_undo_of_what_was_revealed(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        seat = 0
        while True:
            answer = await guest.play_turn(seat, chance, longship=True)
            if any(event.HasField("draw") for event in answer.events):
                break
            seat = 1 - seat
        refusal = await refused(games.undo_turn(guest.undo(seat, answer.version)))
        assert (reason(refusal), refusal.description) == (
            "UNDO_NOT_POSSIBLE",
            "a longship was revealed, and cannot be hidden again",
        )
        later = await guest.play_turn(1 - seat, chance, longship=False)
        await games.undo_turn(guest.undo(1 - seat, later.version))  # nothing revealed in that one


class QuietAgent:
    """Plays what is first, and takes no longship."""

    def __init__(self, *, level: int, threads: int, seed: int | None) -> None:
        pass

    def analyze(
        self, position: lc.Position, limits: ai.Limits, on_update: object = None
    ) -> ai.Analysis:
        turn = random_turn(lc.State.from_position(position), random.Random(1), longship=False)
        return ai.Analysis(turn, [], 0, 0, 0, 0.0, [], "complete")


async def test_the_turns_of_bots_are_taken_back_with_ones_own(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ai.agent._factories, "quiet", QuietAgent)
    request = new_game("hbb", undo_allowed=True)
    request.seats[1].bot.agent = request.seats[2].bot.agent = "quiet"
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, request)
        fresh = await guest.game()
        await guest.play_turn(0, random.Random(1), longship=False)
        events = await _wait_for_turn(guest, 0)
        assert {event.seat for event in events} == {0, 1, 2}
        await games.undo_turn(guest.undo(0, events[-1].version))
        assert table(await guest.game()) == table(fresh)


async def test_no_undo_of_what_a_bot_revealed(sqlite_url: str) -> None:
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hb", undo_allowed=True))
        await guest.play_turn(0, random.Random(1), longship=False)
        events = await _wait_for_turn(guest, 0)
        assert any(event.HasField("draw") for event in events)
        refusal = await refused(games.undo_turn(guest.undo(0, events[-1].version)))
        assert reason(refusal) == "UNDO_NOT_POSSIBLE"


async def _wait_for_turn(guest: Guest, seat: int) -> list[pb.GameEvent]:
    """Watch from the beginning until all seats have ended a turn and it is this seat's again."""
    events: list[pb.GameEvent] = []
    async for update in guest.games.watch_game(
        pb.WatchGameRequest(game_id=guest.game_id, after_version=0)
    ):
        events.extend(update.events)
        ended = {event.seat for event in events if event.action.HasField("end_turn")}
        game = await guest.game()
        if len(ended) == len(game.seats) and game.position.current_player == seat:
            break
    return events
