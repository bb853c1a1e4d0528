"""Plays a hosted game by the server's own hints: a client made from the .proto files alone.

It creates a game, or joins one whose seat it was given::

    python examples/python_player.py --bots 2
    python examples/python_player.py --game ID --token TOKEN

Servers may restart meanwhile. What this client does for that is all that a client has to do:

- The service config (service_config.json) repeats calls that no server could answer.
- It watches from the last version that it has, so that it misses nothing and sees nothing twice.
- What it creates and plays has an idempotency key, and is repeated with it until it is answered: it
  is done once.
"""

from __future__ import annotations

import argparse
import asyncio
import uuid
from collections.abc import AsyncIterable
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
from google.protobuf import text_format
from google.protobuf.message import Message

from looot.v1 import game_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    from looot.v1.game_service_pb2_grpc import GameServiceAsyncStub

SERVICE_CONFIG = Path(__file__).with_name("service_config.json").read_text(encoding="utf-8")
TIMEOUT_S = 30.0
PAUSE_S = 0.5
MOST_FAILURES = 60
# How a call ends whose server, or the balancer before it, is lost or has too much to do.
AGAIN = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
)


class Player:
    """Plays one seat of a game.

    Parameters
    ----------
    games : GameServiceStub
    game_id, token : str
        The game, and the secret of the seat.
    simulations : int
        Of a hint.
    """

    def __init__(
        self, games: GameServiceAsyncStub, game_id: str, token: str, simulations: int
    ) -> None:
        self._games = games
        self._game_id = game_id
        self._token = token
        self._simulations = simulations
        self._version: int | None = None
        self._unanswered: pb.SubmitActionsRequest | None = None

    async def play(self) -> pb.HostedGame:
        """Play to the end, and give the game as it ended."""
        failures = 0
        while True:
            try:
                if self._version is not None:
                    await self._move()  # nothing may happen before
                async for message in self._watch():
                    failures = 0
                    self._show(message)
                    await self._move()
                _, game = await self._stand()
                return game
            except grpc.aio.AioRpcError as error:
                failures += 1
                if error.code() not in AGAIN or failures > MOST_FAILURES:
                    raise
                print(f"lost the server ({error.code().name}), go on from {self._version}")
                await asyncio.sleep(PAUSE_S)

    def _watch(self) -> AsyncIterable[pb.WatchGameResponse]:
        request = pb.WatchGameRequest(game_id=self._game_id, after_version=self._version)
        return self._games.WatchGame(request)

    def _show(self, message: pb.WatchGameResponse) -> None:
        if message.HasField("game"):
            self._version = message.game.version
        for event in message.events:
            if self._version is None or event.version != self._version + 1:
                raise AssertionError(f"event {event.version} follows {self._version}")
            self._version = event.version
            kind = event.WhichOneof("event") or ""
            print(f"{event.version:4} seat {event.seat}: {kind} {text(getattr(event, kind))}")

    async def _move(self) -> None:
        """Play the whole turn if it is this seat's."""
        request = self._unanswered or await self._decide()
        if request is None:
            return
        self._unanswered = request
        try:
            await self._games.SubmitActions(request, timeout=TIMEOUT_S)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.ABORTED:
                raise  # perhaps it was done: it is repeated as it is
            # The game has moved on: decide anew.
        self._unanswered = None

    async def _decide(self) -> pb.SubmitActionsRequest | None:
        seat, game = await self._stand()
        is_over = game.status == pb.GAME_STATUS_OVER
        if is_over or game.position.current_player != seat or game.version != self._version:
            return None
        request = pb.GetHintRequest(game_id=self._game_id, token=self._token)
        request.options.limits.simulations = self._simulations
        hint = await self._games.GetHint(request, timeout=TIMEOUT_S)
        best = hint.analysis.candidates[0]
        print(f"hint: wins {best.mover_win_probability:.0%}, leads by {best.mover_score_lead:+.1f}")
        return pb.SubmitActionsRequest(
            game_id=self._game_id,
            token=self._token,
            expected_version=hint.version,
            idempotency_key=str(uuid.uuid4()),
            actions=hint.analysis.turn,
        )

    async def _stand(self) -> tuple[int, pb.HostedGame]:
        """Give this seat, and the game as it stands."""
        request = pb.GetGameRequest(game_id=self._game_id, token=self._token)
        answer = await self._games.GetGame(request, timeout=TIMEOUT_S)
        return answer.seat, answer.game


async def create(games: GameServiceAsyncStub, bots: int, level: int) -> tuple[str, str]:
    """Create a game against bots, and give its id and the token of seat 0."""
    bot = pb.SeatPlayer(bot=pb.Bot(level=level))
    bot.bot.limits.simulations = 50
    request = pb.CreateGameRequest(
        seats=[pb.SeatPlayer(human=pb.Human()), *[bot] * bots],
        idempotency_key=str(uuid.uuid4()),  # a secret: whoever knows it has the tokens
    )
    request.random.edition = game_pb2.EDITION_PRINTED
    failures = 0
    while True:
        try:
            answer = await games.CreateGame(request, timeout=TIMEOUT_S)
        except grpc.aio.AioRpcError as error:
            failures += 1
            if error.code() not in AGAIN or failures > MOST_FAILURES:
                raise
            await asyncio.sleep(PAUSE_S)
        else:
            return answer.game.game_id, answer.seat_tokens[0].token


async def run(arguments: argparse.Namespace) -> None:
    """Play a game."""
    options = [("grpc.service_config", SERVICE_CONFIG)]
    async with grpc.aio.insecure_channel(arguments.address, options) as channel:
        games = GameServiceStub(channel)
        game_id, token = arguments.game, arguments.token
        if game_id is None:
            game_id, token = await create(games, arguments.bots, arguments.level)
        print(f"game {game_id}")
        game = await Player(games, game_id, token, arguments.simulations).play()
    print("points:", ", ".join(str(seat.total) for seat in game.score.seats))
    print("won by:", ", ".join(f"seat {seat}" for seat in game.score.winners))


def text(message: Message) -> str:
    """Write a message on a line."""
    return text_format.MessageToString(message, as_one_line=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--address", default="localhost:50051", help="default: %(default)s")
    parser.add_argument("--game", help="the game to join; without it one is created")
    parser.add_argument("--token", help="the token of the seat in it")
    parser.add_argument("--bots", type=int, default=1, help="of a new game; default: %(default)s")
    parser.add_argument("--level", type=int, default=5, help="of its bots; default: %(default)s")
    parser.add_argument("--simulations", type=int, default=100, help="of a hint")
    arguments = parser.parse_args()
    if (arguments.game is None) != (arguments.token is None):
        parser.error("--game and --token go together")
    asyncio.run(run(arguments))


if __name__ == "__main__":
    main()
