"""A thousand hosted games between bots at once, a watcher on each: is every event told, in order?

One server with SQLite, and the watchers in a process of their own. ``python -m bench.many_games``
stores the result in ``bench/results/many-games.json``. The same in short is a test.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc

from bench.soak import free_ports
from bench.soak_server import Replica
from bench.stored import RESULTS, save
from looot.v1 import game_pb2
from looot.v1 import game_service_pb2 as pb
from looot.v1.game_service_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    from looot.v1.game_service_pb2_grpc import GameServiceAsyncStub

# A watcher is a call; nobody waits for a search.
SETTINGS = {"max_searches": 2, "max_bulk_searches": 2, "max_calls": 10_000}
_GAMES_A_CHANNEL = 100
_SAMPLE_S = 0.5
_CREATED_AT_ONCE = 8
_CALL_S = 600.0  # the machine may be busy with the games


@dataclass
class Report:
    """What the watchers were told, and what is wrong with it."""

    games: int = 0
    over_when_all_were_created: int = 0
    events: int = 0
    turns: int = 0
    delays_s: list[float] = field(default_factory=list)
    memory_kib: list[int] = field(default_factory=list)
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Give what is stored."""
        first, *memory = self.memory_kib
        percentiles = statistics.quantiles(self.delays_s, n=100)
        return {
            "games": self.games,
            "over_when_all_were_created": self.over_when_all_were_created,
            "seconds": round(self.seconds, 1),
            "events": self.events,
            "events_per_second": round(self.events / self.seconds, 1),
            "turns": self.turns,
            "event_delay_ms": {f"p{n}": round(1000 * percentiles[n - 1], 1) for n in (50, 90, 99)},
            "server_memory_mib": {
                "idle": round(first / 1024, 1),
                "highest": round(max(memory) / 1024, 1),
                "at_the_end": round(memory[-1] / 1024, 1),
            },
            "faults": self.faults,
        }


class Watched:
    """One game between bots, and what its watcher was told."""

    def __init__(self, games: GameServiceAsyncStub, request: pb.CreateGameRequest) -> None:
        self._games = games
        self._request = request
        self._game_id = ""
        self.events: list[pb.GameEvent] = []
        self.delays_s: list[float] = []
        self.is_over = False

    async def create(self) -> None:
        answer = await self._games.CreateGame(self._request, timeout=_CALL_S)
        self._game_id = answer.game.game_id

    async def watch(self) -> None:
        """Watch from the first event to the last."""
        request = pb.WatchGameRequest(game_id=self._game_id, after_version=0)
        async for update in self._games.WatchGame(request):
            now = time.time()
            self.events.extend(update.events)
            self.delays_s.extend(now - event.time.ToNanoseconds() / 1e9 for event in update.events)
        self.is_over = True

    async def faults(self) -> list[str]:
        """Compare what was told with what is stored."""
        found = []
        if [event.version for event in self.events] != list(range(1, len(self.events) + 1)):
            found.append("events are out of order, or some are missing")
        request = pb.GetGameRequest(game_id=self._game_id)
        game = (await self._games.GetGame(request, timeout=_CALL_S)).game
        if game.status != pb.GAME_STATUS_OVER or game.version != len(self.events):
            found.append(f"{len(self.events)} events were told of {game.version}")
        stored: list[pb.GameEvent] = []
        again = pb.WatchGameRequest(game_id=self._game_id, after_version=0)
        async for update in self._games.WatchGame(again, timeout=_CALL_S):
            stored.extend(update.events)
        if stored != self.events:
            found.append("what was told is not what is stored")
        return [f"game {self._game_id}: {fault}" for fault in found]


async def play(server: Replica, count: int, agent: str, simulations: int) -> Report:
    """Let bots play games at once, and watch them all.

    Parameters
    ----------
    server : Replica
        Is started, and killed in the end.
    count : int
        Games.
    agent : str
        Of all seats.
    simulations : int
        Of a turn.
    """
    request = pb.CreateGameRequest(seats=[pb.SeatPlayer(), pb.SeatPlayer()])
    for seat in request.seats:
        seat.bot.agent = agent
        seat.bot.limits.simulations = simulations
    request.random.edition = game_pb2.EDITION_PRINTED
    report = Report(games=count)
    await server.start()
    options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own for each channel
    channels = [
        grpc.aio.insecure_channel(server.address, options)
        for _ in range(0, count, _GAMES_A_CHANNEL)
    ]
    stubs = [GameServiceStub(channel) for channel in channels]
    games = [Watched(stubs[at // _GAMES_A_CHANNEL], request) for at in range(count)]
    try:
        report.memory_kib.append(_memory_kib(server))
        sampling = asyncio.create_task(_sample(server, report))
        began = time.monotonic()
        watching = await _create(games)
        report.over_when_all_were_created = sum(game.is_over for game in games)
        await asyncio.gather(*watching)
        report.seconds = time.monotonic() - began
        sampling.cancel()
        report.memory_kib.append(_memory_kib(server))
        for game in games:
            report.faults.extend(await game.faults())
            report.events += len(game.events)
            report.turns += sum(event.action.HasField("end_turn") for event in game.events)
            report.delays_s.extend(game.delays_s)
    finally:
        for channel in channels:
            await channel.close(None)
        server.kill()
    return report


async def _create(games: Sequence[Watched]) -> list[asyncio.Task[None]]:
    """Create the games, a few at a time, and begin to watch each at once."""
    few = asyncio.Semaphore(_CREATED_AT_ONCE)

    async def begin(game: Watched) -> asyncio.Task[None]:
        async with few:
            await game.create()
        return asyncio.create_task(game.watch())

    return list(await asyncio.gather(*map(begin, games)))


async def _sample(server: Replica, report: Report) -> None:
    while True:
        report.memory_kib.append(_memory_kib(server))
        await asyncio.sleep(_SAMPLE_S)


def _memory_kib(server: Replica) -> int:
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    assert found
    return int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--agent", default="ismcts")
    parser.add_argument("--simulations", type=int, default=5, help="of a turn")
    parser.add_argument("--out", type=Path, default=RESULTS / "many-games.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="looot-many-games-") as folder:
        server = Replica(f"sqlite:///{folder}/games.db", free_ports(1)[0], SETTINGS)
        report = asyncio.run(play(server, arguments.games, arguments.agent, arguments.simulations))
    asked = {"agent": arguments.agent, "simulations": arguments.simulations}
    measured = {**asked, **report.figures()}
    save(arguments.out, measured)
    print(", ".join(f"{key}: {value}" for key, value in measured.items()))
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
