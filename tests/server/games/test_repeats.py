"""Requests that come again, and requests that come at the same time."""

from __future__ import annotations

import asyncio
import random

from looot.v1 import game_service_pb2 as pb
from server.errors import Refusal
from tests.server.games.hosting import (
    Guest,
    hosting,
    hosting_twice,
    new_game,
    random_turn,
    reason,
    refused,
)


async def test_a_repeated_request_is_done_once_and_answered_again(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        turn = random_turn(await guest.state(), chance, longship=False)
        request = guest.submission(0, 0, turn, key="once")
        answer = await games.submit_actions(request)
        assert await games.submit_actions(request) == answer
        undo = guest.undo(0, answer.version, key="back")
        undone = await games.undo_turn(undo)
        assert await games.undo_turn(undo) == undone
        assert await games.submit_actions(request) == answer  # what it did then, taken back or not
        resignation = guest.resignation(1)
        resigned = await games.resign_seat(resignation)
        assert await games.resign_seat(resignation) == resigned
        assert (await guest.game()).version == resigned.version == answer.version + 2
    async with hosting(database_url) as games:
        assert await games.submit_actions(request) == answer
        assert await games.resign_seat(resignation) == resigned


async def test_a_key_belongs_to_one_request_of_one_seat(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh", undo_allowed=True))
        turn = random_turn(await guest.state(), chance)
        answer = await games.submit_actions(guest.submission(0, 0, turn, key="k"))
        other_turn = guest.submission(0, 0, turn[:1], key="k")
        other_method = guest.undo(0, 0, key="k")
        other_seat = guest.submission(1, 0, turn, key="k")
        for call, why in (
            (games.submit_actions(other_turn), "IDEMPOTENCY_KEY_REUSED"),
            (games.undo_turn(other_method), "IDEMPOTENCY_KEY_REUSED"),
            (games.submit_actions(other_seat), "VERSION_MISMATCH"),
        ):
            assert reason(await refused(call)) == why
        turn = random_turn(await guest.state(), chance)
        mine = await games.submit_actions(guest.submission(1, answer.version, turn, key="k"))
        assert {event.seat for event in mine.events} == {1}
        turn = random_turn(await guest.state(), chance)
        later = guest.submission(0, mine.version, turn, key="k")
        refusal = await refused(games.submit_actions(later))
        assert (reason(refusal), refusal.field) == ("IDEMPOTENCY_KEY_REUSED", "idempotency_key")


async def test_the_same_request_at_the_same_time_is_done_once(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting_twice(database_url) as (one, other):
        guest = await Guest.of(one, new_game("hh"))
        for turn in range(6):
            game = await guest.game()
            actions = random_turn(await guest.state(), chance)
            request = guest.submission(turn % 2, game.version, actions)
            calls = [games.submit_actions(request) for games in (one, other) * 3]
            first, *others = await asyncio.gather(*calls)
            assert all(answer == first for answer in others)
            assert (await guest.game()).version == first.version


async def test_of_several_submitters_one_gets_in(database_url: str) -> None:
    chance = random.Random(1)
    async with hosting_twice(database_url) as (one, other):
        guest = await Guest.of(one, new_game("hh"))
        for turn in range(6):
            game = await guest.game()
            requests = [
                guest.submission(
                    turn % 2, game.version, random_turn(await guest.state(), chance), f"{turn} {n}"
                )
                for n in range(6)
            ]
            answers = await asyncio.gather(
                *(
                    games.submit_actions(request)
                    for games, request in zip((one, other) * 3, requests, strict=True)
                ),
                return_exceptions=True,
            )
            (accepted,) = [a for a in answers if isinstance(a, pb.SubmitActionsResponse)]
            refusals = [a for a in answers if isinstance(a, Refusal)]
            assert [reason(refusal) for refusal in refusals] == ["VERSION_MISMATCH"] * 5
            assert (await guest.game()).version == accepted.version
        events = await guest.watch(after=0, until=accepted.version)
        assert [event.version for event in events] == list(range(1, accepted.version + 1))
