"""Kill servers of hosted games with SIGKILL while clients play, and look for what was lost.

``python -m bench.soak`` (or ``make soak``) does so on SQLite with one server and on PostgreSQL with
two, and stores the results in ``bench/results/soak-*.json``. The same in short is a test.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.soak_ledger import Ledger
from bench.soak_players import Tables
from bench.soak_server import Replica
from bench.stored import RESULTS, save
from tests.server.postgresql import find_programs, running_postgresql

_PATIENCE_S = 300.0
_TOLD_EVERY = 10
_SHORTEST_LIFE_S, _LONGEST_LIFE_S = 0.02, 0.8  # behind the first sign of life


async def soak(
    database_url: str,
    replicas: int,
    kills: int,
    tables: int,
    seed: int,
    most_s: float = math.inf,
) -> Ledger:
    """Let clients play while servers are killed, and check what is in the database then.

    Parameters
    ----------
    database_url : str
    replicas : int
        Servers at the same time; more than one needs PostgreSQL.
    kills : int
        After each the server is started again.
    tables : int
        Games at the same time; each that ends is followed by another.
    seed : int
        Of the clients' and the killer's choices.
    most_s : float, optional
        Seconds after which no more servers are killed.

    Returns
    -------
    Ledger
        What was acknowledged and seen, with what is wrong with it: nothing, one hopes.
    """
    chance = random.Random(seed)
    servers = [Replica(database_url, port) for port in free_ports(replicas)]
    ledger = Ledger()
    last = time.monotonic() + most_s
    try:
        for server in servers:
            await server.start()
        async with Tables([server.address for server in servers], tables, ledger, seed) as play:
            for _ in range(kills):
                await play.progress()
                await asyncio.sleep(chance.uniform(_SHORTEST_LIFE_S, _LONGEST_LIFE_S))
                victim = chance.choice(servers)
                victim.kill()
                ledger.kills += 1
                await victim.start()
                if ledger.kills % _TOLD_EVERY == 0:
                    print(ledger.figures(), file=sys.stderr, flush=True)
                if time.monotonic() > last:
                    break
            await play.finish(_PATIENCE_S)
        ledger.starts_s = [took for server in servers for took in server.starts_s]
    finally:
        for server in servers:
            server.kill()
    return ledger


@contextmanager
def database(kind: str) -> Iterator[str]:
    """Give the URL of an empty database that is durable."""
    with ExitStack() as stack:
        if kind == "sqlite":
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="looot-soak-"))
            yield f"sqlite:///{folder}/games.db"
            return
        programs = find_programs()
        if programs is None:
            raise SystemExit("PostgreSQL's programs are not installed")
        server = stack.enter_context(running_postgresql(programs, durable=True))
        yield server.new_database()


def result(ledger: Ledger, kind: str, replicas: int, seed: int, took_s: float) -> dict[str, Any]:
    """Give what is stored of a run."""
    return {
        "database": kind,
        "servers": replicas,
        "seed": seed,
        "seconds": round(took_s, 1),
        **ledger.figures(),
        "median_seconds_to_start": round(statistics.median(ledger.starts_s), 2),
        "faults": ledger.faults,
    }


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        listeners = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)
        ]
        return [listener.getsockname()[1] for listener in listeners]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which it ends")
    parser.add_argument("--tables", type=int, default=6, help="games at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    kinds = ["sqlite", "postgresql"] if arguments.database == "both" else [arguments.database]
    failed = False
    for kind in kinds:
        replicas = 1 if kind == "sqlite" else 2
        began = time.monotonic()
        with database(kind) as url:
            work = soak(
                url,
                replicas,
                arguments.kills,
                arguments.tables,
                arguments.seed,
                60 * arguments.minutes,
            )
            ledger = asyncio.run(work)
        measured = result(ledger, kind, replicas, arguments.seed, time.monotonic() - began)
        save(arguments.out / f"soak-{kind}.json", measured)
        print(", ".join(f"{key}: {value}" for key, value in measured.items()), flush=True)
        failed = failed or bool(ledger.faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
