"""The order of the bag, and tokens: nothing that leaves the server depends on the one, and only
who creates a game is told the others."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from prometheus_client import generate_latest

import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import add_GameServiceServicer_to_server
from server.access import Keys
from server.calls import REQUEST_ID, Calls, ObserveCalls
from server.conversion.fields import write_longship
from server.game_servicer import GAME_SERVICE_NAME, GameServicer
from server.games import HostedGames, Sources
from server.games.setups import shuffled_bag
from server.metrics import Metrics
from server.searches import Searches
from tests.server.conftest import LIMITS
from tests.server.games.hosting import Guest, hosting, new_game, random_turn, state_of

TURNS = 9
_NEEDED: tuple[Literal["token", "expected_version", "idempotency_key", "actions"], ...] = (
    "token", "expected_version", "idempotency_key", "actions",
)  # fmt: skip
METHODS = pb.DESCRIPTOR.services_by_name["GameService"].methods_by_name


def fixed_sources(order: Sequence[str] | None) -> Sources:
    """Give what is the same each time; `order` is how the bag begins."""
    numbers = iter(range(10**6))

    def shuffle(longships: list[str]) -> None:
        if order is not None:
            longships.sort(key=order.index)

    return Sources(
        identifier=lambda: f"{next(numbers):022}",
        token=lambda: f"token {next(numbers):026}",
        shuffle=shuffle,
        seed=lambda: 5,
        now=lambda: 1_700_000_000_000_000,
    )


@dataclass
class Transcript:
    """All that left a server."""

    lines: list[tuple[str, ...]] = field(default_factory=list)
    reveals: int = 0


class Wire:
    """Calls methods, and writes down every byte that comes back."""

    def __init__(self, channel: grpc.aio.Channel, transcript: Transcript) -> None:
        self._channel = channel
        self._transcript = transcript

    async def call(self, method: str, request: Message) -> Any:
        """Call; give the answer, or None if it was refused."""
        call = self._channel.unary_unary(
            f"/{GAME_SERVICE_NAME}/{method}", lambda r: r.SerializeToString(), lambda r: r
        )(request, metadata=((REQUEST_ID, "id"),))
        try:
            answer: Any = GetMessageClass(METHODS[method].output_type).FromString(await call)
        except grpc.aio.AioRpcError as error:
            details = str(error.details())
            self._note(method, str(error.code()), details, str(error.trailing_metadata()))
            return None
        if method == "GetHint":  # what time it took has nothing to do with the game
            answer.analysis.ClearField("time")
        self._note(method, str(await call.initial_metadata()), str(await call.trailing_metadata()))
        self._note(method, answer.SerializeToString(deterministic=True).hex())
        return answer

    async def watch(self, game_id: str, after: int, until: int) -> None:
        """Watch until a version; how events are gathered in messages is chance."""
        request = pb.WatchGameRequest(game_id=game_id, after_version=after)
        call = self._channel.unary_stream(
            f"/{GAME_SERVICE_NAME}/WatchGame",
            lambda r: r.SerializeToString(),
            pb.WatchGameResponse.FromString,
        )(request, metadata=((REQUEST_ID, "id"),))
        async for update in call:
            for event in update.events:
                self._note("WatchGame", event.SerializeToString(deterministic=True).hex())
                self._transcript.reveals += event.HasField("draw")
                if event.version == until:
                    call.cancel()
                    return

    def _note(self, *line: str) -> None:
        self._transcript.lines.append(line)


@asynccontextmanager
async def served(
    url: str, sources: Sources, metrics: Metrics, searches: Searches
) -> AsyncIterator[tuple[HostedGames, grpc.aio.Channel]]:
    settings = LIMITS.model_copy(update={"database_url": url})
    games = HostedGames(settings, searches, sources, metrics)
    await games.open()
    calls = Calls(metrics, Keys.load(None), most=100)
    observers = [ObserveCalls(calls, most_streams=100, request_time_s=30.0)]
    server = grpc.aio.server(interceptors=observers)
    add_GameServiceServicer_to_server(GameServicer(games), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield games, channel
    finally:
        await server.stop(None)
        await games.close()
        searches.close()


async def public_game(
    url: str, order: Sequence[str], caplog: pytest.LogCaptureFixture
) -> Transcript:
    """Play the same public game over a bag, calling every method, well and badly."""
    transcript = Transcript()
    searches = Searches(LIMITS)
    metrics = Metrics(searches)
    caplog.clear()
    caplog.set_level(logging.DEBUG)
    async with served(url, fixed_sources(order), metrics, searches) as (games, channel):
        wire = Wire(channel, transcript)
        request = new_game("hbh", listed=True, undo_allowed=True)
        bot = request.seats[1].bot
        bot.agent = "ismcts"
        bot.limits.simulations = 10
        created = await wire.call("CreateGame", request)
        guest = Guest(games, created)
        chance = random.Random(3)
        version = 0
        for turn in range(TURNS):
            game = await guest.game()
            seat = game.position.current_player
            actions = random_turn(state_of(game), chance)
            submission = guest.submission(seat, game.version, actions)
            for bad in _bad_submissions(submission):
                await wire.call("SubmitActions", bad)
            hint = pb.GetHintRequest(game_id=guest.game_id, token=guest.tokens[seat])
            hint.options.limits.simulations = 10
            hint.options.seed = turn
            await wire.call("GetHint", hint)
            await wire.call("SubmitActions", submission)
            game = await guest.game()
            while game.position.current_player == 1:  # the bot's turn, wholly
                await guest.watch(after=game.version, until=game.version + 1)
                game = await guest.game()
            await wire.watch(guest.game_id, version, game.version)
            version = game.version
            await wire.call("SubmitActions", submission)
            await wire.call("UndoTurn", guest.undo(2 - seat, version, key=f"undo {turn}"))
            await wire.call("GetGame", pb.GetGameRequest(game_id=guest.game_id))
            await wire.call("ExportRecord", pb.ExportRecordRequest(game_id=guest.game_id))
            await wire.call("ListGames", pb.ListGamesRequest())
        bad_deletion = pb.DeleteGameRequest(game_id=guest.game_id, token=guest.tokens[0])
        await wire.call("DeleteGame", bad_deletion)
        await wire.call("ResignSeat", guest.resignation(0, agent="nobody"))
    transcript.lines.extend(_logged(caplog))
    transcript.lines.extend(_measured(metrics))
    return transcript


def _bad_submissions(good: pb.SubmitActionsRequest) -> Iterator[pb.SubmitActionsRequest]:
    for change in _NEEDED:
        bad = pb.SubmitActionsRequest()
        bad.CopyFrom(good)
        bad.ClearField(change)
        if change == "expected_version":
            bad.expected_version = 9_999
        yield bad
    bad = pb.SubmitActionsRequest()
    bad.CopyFrom(good)
    bad.actions.extend(good.actions)  # illegal behind a longship and the end of the turn
    yield bad


def _logged(caplog: pytest.LogCaptureFixture) -> Iterator[tuple[str, ...]]:
    """Give what was logged, without times; what is done at the same time comes in any order."""
    ordinary = {*logging.makeLogRecord({}).__dict__, "seconds", "message", "asctime"}
    lines = [
        (
            record.name,
            record.getMessage(),
            *(f"{k}={v}" for k, v in sorted(record.__dict__.items()) if k not in ordinary),
        )
        for record in caplog.records
        if not record.name.startswith(("grpc", "asyncio"))
    ]
    return iter(sorted(lines))


def _measured(metrics: Metrics) -> Iterator[tuple[str, ...]]:
    """Give the metrics, without times."""
    for line in generate_latest(metrics.registry).decode().splitlines():
        if "seconds" not in line and "_created" not in line:
            yield (line,)


async def test_nothing_that_leaves_depends_on_the_order_of_the_bag(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    setup = lc.GameSetup.random(players=3, edition="printed", seed=7)
    chance = random.Random(1)
    first = [*setup.bag] if setup.bag else []  # of no meaning: some order
    chance.shuffle(first)
    one = await public_game(f"sqlite:///{tmp_path}/one.db", first, caplog)
    assert 3 <= one.reveals < len(first) - 2
    assert len(one.lines) > 100
    rest = first[one.reveals :]
    while rest[0] == first[one.reveals]:
        chance.shuffle(rest)
    url = f"sqlite:///{tmp_path}/other.db"
    other = await public_game(url, first[: one.reveals] + rest, caplog)
    assert other.reveals == one.reveals
    assert other.lines == one.lines
    # The comparison would notice: another order of what was revealed gives another transcript.
    swapped = [first[1], first[0], *first[2:]]
    assert (await public_game(f"sqlite:///{tmp_path}/swapped.db", swapped, caplog)) != one


async def test_the_seed_of_a_client_does_not_decide_the_bag() -> None:
    setup = lc.GameSetup.random(players=2, edition="printed", seed=7)
    bags = {tuple(shuffled_bag(setup.public(), Sources())) for _ in range(20)}
    assert len(bags) == 20
    assert setup.bag not in bags
    for bag in bags:
        assert sorted(bag) == sorted(setup.bag or ())
    assert isinstance(getattr(Sources().shuffle, "__self__", None), random.SystemRandom)


def test_every_field_that_could_carry_an_order_is_known() -> None:
    """Whoever adds a longship, a text or bytes to an answer has to think of the bag."""
    found = {
        f"{holder.name}.{found.name}"
        for method in METHODS.values()
        for holder, found in _fields(method.output_type, set())
        if (found.message_type is not None and found.message_type.name == "Longship")
        or found.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
    }
    assert found == {
        # What lies on the table.
        "OceanSlot.longship",
        "FjordLongship.longship",
        # What has been revealed.
        "DrawLongship.longship",
        # A set, in the order of the edition: see below.
        "Position.unseen",
        # Without the bag until the game is over: see test_games.
        "ExportRecordResponse.record_json",
        # Texts that are no longships.
        "Analysis.agent",
        "Analysis.engine_version",
        "Analysis.weights_hash",
        "BoardPlacement.board",
        "Bot.agent",
        "CreateGameResponse.owner_token",
        "GameSummary.game_id",
        "HostedGame.game_id",
        "ListGamesResponse.next_page_token",
        "SeatToken.token",
    }


def _fields(message: Descriptor, visited: set[str]) -> Iterator[tuple[Descriptor, FieldDescriptor]]:
    if message.full_name in visited:
        return
    visited.add(message.full_name)
    for one in message.fields:
        yield message, one
        if one.message_type is not None:
            yield from _fields(one.message_type, visited)


async def test_what_is_unseen_is_told_in_the_order_of_the_edition(sqlite_url: str) -> None:
    edition = [str(longship) for longship in lc.EDITIONS["printed"].longships]
    chance = random.Random(2)
    async with hosting(sqlite_url) as games:
        guest = await Guest.of(games, new_game("hh"))
        for turn in range(6):
            unseen = list(state_of(await guest.game()).position().unseen)
            message = (await guest.game()).position.unseen
            assert unseen == sorted(unseen, key=edition.index)
            assert [write_longship(text) for text in unseen] == list(message)
            await guest.play_turn(turn % 2, chance, longship=True)


async def test_tokens_are_neither_stored_nor_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with hosting(f"sqlite:///{tmp_path}/games.db") as games:
        guest = await Guest.of(games, new_game("hhb"))
        await guest.play_turn(0, random.Random(1))
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert guest.game_id.encode() in stored
        for token in (guest.owner_token, *guest.tokens.values()):
            assert token.encode() not in stored
            assert token not in caplog.text
