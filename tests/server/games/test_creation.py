"""The creation of a game that is repeated with its idempotency key."""

from __future__ import annotations

import asyncio
import random
import uuid
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from looot.v1 import game_service_pb2 as pb
from server.games import HostedGames
from server.games.database import Database
from tests.server.games.hosting import Guest, hosting, hosting_twice, new_game, reason, refused


def keyed(players: str, key: str = "") -> pb.CreateGameRequest:
    request = new_game(players, listed=True)
    request.idempotency_key = key or str(uuid.uuid4())
    return request


def tokens(answer: pb.CreateGameResponse) -> set[str]:
    return {answer.owner_token, *(seat.token for seat in answer.seat_tokens)}


async def count(games: HostedGames) -> int:
    return len((await games.list_games(pb.ListGamesRequest())).games)


async def delete(games: HostedGames, guest: Guest) -> None:
    await games.delete_game(pb.DeleteGameRequest(game_id=guest.game_id, token=guest.owner_token))


async def test_a_repeated_creation_is_done_once_and_answered_again(database_url: str) -> None:
    request = keyed("hbh")
    request.random.ClearField("seed")  # another set-up each time, were it another game
    async with hosting(database_url) as games:
        answer = await games.create_game(request)
        guest = Guest(games, answer)
        await guest.play_turn(0, random.Random(1))
        await games.resign_seat(guest.resignation(2))
        assert await games.create_game(request) == answer  # whatever has happened since
        assert await count(games) == 1
    async with hosting(database_url) as games:
        assert await games.create_game(request) == answer
        own = await games.create_game(keyed("hbh"))
        assert own.game.game_id != answer.game.game_id
        assert not tokens(own) & tokens(answer)


async def test_the_tokens_of_a_repeated_creation_give_rights(sqlite_url: str) -> None:
    request = keyed("hh")
    async with hosting(sqlite_url) as games:
        await games.create_game(request)
        guest = Guest(games, await games.create_game(request))
        assert len({guest.owner_token, *guest.tokens.values()}) == 3
        await guest.play_turn(0, random.Random(1))
        await guest.play_turn(1, random.Random(1))
        await games.delete_game(
            pb.DeleteGameRequest(game_id=guest.game_id, token=guest.owner_token)
        )
        assert await count(games) == 0
        # The key went with its game: it makes another one now, with other tokens.
        after = await games.create_game(request)
        assert after.game.game_id != guest.game_id
        assert not tokens(after) & {guest.owner_token, *guest.tokens.values()}


async def test_a_key_belongs_to_one_request(database_url: str) -> None:
    request = keyed("hh")
    async with hosting(database_url) as games:
        await games.create_game(request)
        request.undo_allowed = True
        refusal = await refused(games.create_game(request))
        assert (reason(refusal), refusal.field) == ("IDEMPOTENCY_KEY_REUSED", "idempotency_key")
        assert await count(games) == 1


@pytest.mark.parametrize("key", ["k", "k" * 21, "k" * 65, "k" * 30 + "\n"])
async def test_a_key_that_could_be_guessed_is_refused(sqlite_url: str, key: str) -> None:
    async with hosting(sqlite_url) as games:
        refusal = await refused(games.create_game(keyed("hh", key)))
        assert (reason(refusal), refusal.field) == ("INVALID_REQUEST", "idempotency_key")
        assert await count(games) == 0


async def test_without_a_key_each_creation_is_another_game(sqlite_url: str) -> None:
    request = new_game("hh", listed=True)
    async with hosting(sqlite_url) as games:
        one, other = [await games.create_game(request) for _ in range(2)]
        assert one.game.game_id != other.game.game_id
        assert not tokens(one) & tokens(other)


async def test_the_same_creation_at_the_same_time_is_done_once(database_url: str) -> None:
    async with hosting_twice(database_url) as (one, other):
        for number in range(1, 6):
            request = keyed("hh")
            calls = [games.create_game(request) for games in (one, other) * 3]
            first, *others = await asyncio.gather(*calls)
            assert all(answer == first for answer in others)
            assert await count(one) == number


async def test_of_two_requests_with_a_key_at_the_same_time_one_is_refused(
    database_url: str,
) -> None:
    async with hosting_twice(database_url) as (one, other):
        for _ in range(5):
            request, different = (keyed("hh", "key " * 8) for _ in range(2))
            different.undo_allowed = True
            answers = await asyncio.gather(
                one.create_game(request), other.create_game(different), return_exceptions=True
            )
            (created,) = [a for a in answers if isinstance(a, pb.CreateGameResponse)]
            (refusal,) = [a for a in answers if a is not created]
            assert reason(refusal) == "IDEMPOTENCY_KEY_REUSED"  # type: ignore[arg-type]
            await delete(one, Guest(one, created))


async def test_neither_the_key_nor_a_token_is_stored(tmp_path: Path) -> None:
    request = keyed("hbh")
    async with hosting(f"sqlite:///{tmp_path}/games.db") as games:
        answer = await games.create_game(request)
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert answer.game.game_id.encode() in stored
        for secret in (request.idempotency_key, *tokens(answer)):
            assert secret.encode() not in stored


async def test_games_from_before_there_were_keys_go_on(database_url: str) -> None:
    async with hosting(database_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        game = await guest.game()
    database = Database(database_url)

    def go_back(connection: sa.Connection) -> None:
        config = Config()
        config.set_main_option("script_location", "server.games:migrations")
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")

    await database.write(lambda connection: connection.run_sync(go_back))
    await database.close()
    async with hosting(database_url) as games:
        guest.games = games
        assert await guest.game() == game
        await guest.play_turn(0, random.Random(1))
