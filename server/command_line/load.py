"""``looot load``."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import grpc
from rich.console import Console
from rich.table import Table

from looot.v1 import analysis_pb2
from server.command_line.parameters import PLAYERS, SIMULATIONS, Seconds
from server.conversion import duration_to_message
from server.hosted_load import HostedLoad
from server.load import EngineLoad, Load, Tally, percentile

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "most": 1.0}


@click.command(context_settings={"show_default": True})
@click.option("--target", default="127.0.0.1:50051", help="The address of the server.")
@click.option("--games", type=click.IntRange(1, 100_000), default=100, help="Games at once.")
@click.option("--seconds", type=Seconds(), default=10.0, help="How long to play.")
@click.option("--total", type=click.IntRange(1), help="End when so many games have ended.")
@click.option("--players", type=PLAYERS, default=2, help="Players of each game.")
@click.option("--hosted", is_flag=True, help="Play hosted games, and watch each.")
@click.option(
    "--bots",
    type=click.IntRange(0, 4),
    help="Players of each hosted game that are bots; all but one if not given.",
)
@click.option("--agent", help="The agent that plays; the server's default if not given.")
@click.option("--level", type=click.IntRange(1, 10), help="Its level; the strongest if not given.")
@click.option("--simulations", type=SIMULATIONS, default=100, help="Simulations a turn, at most.")
@click.option("--time", "time_s", type=Seconds(), help="Seconds a turn, at most.")
@click.option("--bulk", is_flag=True, help="Ask with priority bulk.")
@click.option("--timeout", type=Seconds(), default=60.0, help="Seconds until a call's deadline.")
@click.option("--key", envvar="LOOOT_KEY", help="The key to show to the server. [LOOOT_KEY]")
@click.option(
    "--ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates (PEM) that vouch for the server: calls by TLS.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Decides the games' set-ups.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def load(
    target: str,
    games: int,
    seconds: float,
    total: int | None,
    players: int,
    hosted: bool,
    bots: int | None,
    agent: str | None,
    level: int | None,
    simulations: int,
    time_s: float | None,
    bulk: bool,
    timeout: float,
    key: str | None,
    ca: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Play many games at once against a server, and print how it bears it.

    Each game asks the server for every turn and has it applied, one call after the other. Refused
    calls are repeated after the delay that the server asks for.

    With --hosted each game is kept by the server, and deleted in the end: its bots play with the
    agent, level and limits given, and its other players at random. WatchGame is then the time from
    actions to the watcher that is told of them, and bots that until they have moved.

    Example: looot load --games 500 --seconds 30 --simulations 200
    """
    if bots is None:
        bots = players - 1
    elif not hosted or bots > players:
        raise click.UsageError(f"--bots {bots}: it goes with --hosted, and at most --players.")
    if hosted and bulk:
        raise click.UsageError("--bulk: bots of hosted games always search with priority bulk.")
    options = analysis_pb2.SearchOptions(agent=agent, level=level)
    options.limits.simulations = simulations
    if time_s is not None:
        options.limits.time.CopyFrom(duration_to_message(time_s))
    if bulk:
        options.priority = analysis_pb2.PRIORITY_BULK

    async def run() -> tuple[Tally, float]:
        secure = grpc.ssl_channel_credentials(ca.read_bytes()) if ca else None
        channel = (
            grpc.aio.secure_channel(target, secure) if secure else grpc.aio.insecure_channel(target)
        )
        async with channel:
            others: dict[str, Any] = {
                "players": players,
                "key": key,
                "timeout_s": timeout,
                "seed": seed,
            }
            made: Load = (
                HostedLoad(channel, options, bots=bots, **others)
                if hosted
                else EngineLoad(channel, options, **others)
            )
            began = time.perf_counter()
            await made.run(games, seconds, total)
            return made.tally, time.perf_counter() - began

    tally, taken_s = asyncio.run(run())
    figures = summarize(tally, taken_s)
    if as_json:
        click.echo(json.dumps(figures))
    else:
        _show(figures)
    if not tally.turns:
        why = f"the last failure: {tally.last_failure}" if tally.last_failure else "too short"
        raise click.ClickException(f"no turn was played; {why}")


def summarize(tally: Tally, seconds: float) -> dict[str, Any]:
    """Give the figures: calls a second and latencies in milliseconds by method, and the rest."""
    return {
        "seconds": seconds,
        "games": tally.games,
        "turns_per_s": tally.turns / seconds,
        "actions_per_s": tally.actions / seconds,
        "methods": {
            method: {
                "calls": len(taken),
                "calls_per_s": len(taken) / seconds,
                **{f"{name}_ms": 1e3 * percentile(taken, share) for name, share in SHARES.items()},
            }
            for method, taken in sorted(tally.seconds.items())
        },
        "refusals": dict(tally.refusals),
        "errors": dict(tally.errors),
    }


def _show(figures: Mapping[str, Any]) -> None:
    console = Console(highlight=False)
    table = Table("method", "calls", "a second", *(f"{name}, ms" for name in SHARES))
    for method, row in figures["methods"].items():
        latencies = (f"{row[f'{name}_ms']:.1f}" for name in SHARES)
        table.add_row(method, f"{row['calls']:,}", f"{row['calls_per_s']:.1f}", *latencies)
    console.print(table)
    console.print(
        f"{figures['games']:,} games ended; {figures['turns_per_s']:.1f} turns and"
        f" {figures['actions_per_s']:.1f} actions a second over {figures['seconds']:.1f} s"
    )
    for kind in ("refusals", "errors"):
        counted = ", ".join(f"{what} {count:,}" for what, count in figures[kind].items())
        console.print(f"{kind}: {counted or 'none'}")
