"""Kill servers behind the balancer while clients play, and count the calls that fail.

Two servers on one PostgreSQL database stand behind haproxy with ``deploy/haproxy.cfg``; the clients
have the retry policy of ``examples/service_config.json``. ``python -m bench.balanced`` stores the
result in ``bench/results/balanced.json``. The same in short is a test.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from bench.soak import database, free_ports
from bench.soak_ledger import Ledger
from bench.soak_players import RETRIED, Tables, call_options
from bench.soak_server import Replica
from bench.stored import RESULTS, save

ROOT = Path(__file__).parents[1]
SERVICE_CONFIG = (ROOT / "examples" / "service_config.json").read_text(encoding="utf-8")
PATIENCE_S = 120.0
_LONGEST_PAUSE_S = 1.0
# How the balancer ends a stream whose server is gone: without a status.
_CUT = {*RETRIED, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
# What the balancer calls the calls that it lost with a server, and those that it sent to another.
_FIGURES = {
    "calls_cut": "haproxy_backend_response_errors_total",
    "calls_redispatched": "haproxy_backend_redispatch_warnings_total",
}


def find_haproxy() -> str | None:
    """Give the path of haproxy, which Debian puts where only root looks."""
    return shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")


@dataclass
class Balancer:
    """A running haproxy."""

    address: str
    web: str
    _metrics: str

    def is_healthy(self) -> bool:
        """Tell whether a server answers browsers."""
        try:
            with urllib.request.urlopen(f"http://{self.web}/healthz", timeout=10) as answer:
                return bool(answer.status == 200)
        except urllib.error.HTTPError:
            return False

    def wait_until_whole(self) -> None:
        """Wait until it takes both servers, of gRPC and for browsers, for alive."""
        up = 'haproxy_server_status{proxy="\\w+",server="\\w+",state="UP"}'
        end = time.monotonic() + PATIENCE_S
        while self._numbers(up) != [1] * 4:
            if time.monotonic() > end:
                raise RuntimeError("the balancer does not take both servers for alive")
            time.sleep(0.05)

    def figures(self) -> dict[str, int]:
        """Give what it counted of the calls over gRPC."""
        return {
            name: self._numbers(f'{metric}{{proxy="grpc_servers"}}')[0]
            for name, metric in _FIGURES.items()
        }

    def _numbers(self, metric: str) -> list[int]:
        with urllib.request.urlopen(f"http://{self._metrics}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        return [int(found) for found in re.findall(rf"^{metric} (\d+)", text, re.MULTILINE)]


@contextmanager
def running_balancer(program: str, servers: list[Replica]) -> Iterator[Balancer]:
    """Run haproxy before two servers."""
    address, web, metrics = (f"127.0.0.1:{port}" for port in free_ports(3))
    environment = {
        **os.environ,
        "LOOOT_GRPC_BIND": address,
        "LOOOT_WEB_BIND": web,
        "LOOOT_BALANCER_METRICS_BIND": metrics,
    }
    for number, server in enumerate(servers, start=1):
        environment[f"LOOOT_REPLICA_{number}"] = server.address
        environment[f"LOOOT_REPLICA_{number}_WEB"] = f"127.0.0.1:{server.settings['web_port']}"
    command = [program, "-q", "-db", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_until_it_listens(process, metrics)
            yield Balancer(address, web, metrics)
        finally:
            process.terminate()


def _wait_until_it_listens(process: subprocess.Popen[bytes], address: str) -> None:
    host, port = address.split(":")
    while process.poll() is None:
        try:
            socket.create_connection((host, int(port))).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.01)
    raise RuntimeError(f"haproxy ended with {process.returncode}")


async def play(
    database_url: str, program: str, kills: int, tables: int, seed: int
) -> tuple[Ledger, dict[str, int]]:
    """Let clients play while servers are killed in turn.

    Parameters
    ----------
    database_url : str
        Of PostgreSQL.
    program : str
        The path of haproxy.
    kills : int
        After each the server is started again, and the next follows when it serves.
    tables : int
        Games at the same time.
    seed : int
        Of the clients' choices, and of when who is killed.

    Returns
    -------
    Ledger
        Its `repeated` counts the calls that failed although gRPC had repeated them.
    dict
        What the balancer counted.
    """
    chance = random.Random(seed)
    ports = free_ports(4)
    servers = [
        Replica(database_url, port, {"web_port": web})
        for port, web in zip(ports[:2], ports[2:], strict=True)
    ]
    ledger = Ledger()
    options = [*call_options(), ("grpc.service_config", SERVICE_CONFIG)]
    try:
        for server in servers:
            await server.start()
        with running_balancer(program, servers) as balancer:
            async with Tables([balancer.address], tables, ledger, seed, options, _CUT) as clients:
                for _ in range(kills):
                    await asyncio.to_thread(balancer.wait_until_whole)
                    await clients.progress()
                    await asyncio.sleep(chance.uniform(0, _LONGEST_PAUSE_S))
                    victim = chance.choice(servers)
                    victim.kill()
                    ledger.kills += 1
                    if not await asyncio.to_thread(balancer.is_healthy):
                        ledger.faults.append("no server answers browsers")
                    await victim.start()
                await clients.finish(PATIENCE_S)
            return ledger, balancer.figures()
    finally:
        for server in servers:
            server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=12, help="games at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "balanced.json")
    arguments = parser.parse_args()
    program = find_haproxy()
    if program is None:
        sys.exit("haproxy is not installed")
    began = time.monotonic()
    with database("postgresql") as url:
        ledger, counted = asyncio.run(
            play(url, program, arguments.kills, arguments.tables, arguments.seed)
        )
    figures = ledger.figures()
    measured = {
        "servers": 2,
        "seed": arguments.seed,
        "seconds": round(time.monotonic() - began, 1),
        "calls_failed": figures.pop("requests_repeated"),
        "of_them": dict(ledger.repeated_after),
        **figures,
        **counted,
        "faults": ledger.faults,
    }
    save(arguments.out, measured)
    print(", ".join(f"{key}: {value}" for key, value in measured.items()))
    sys.exit(bool(ledger.faults or ledger.repeated))


if __name__ == "__main__":
    main()
