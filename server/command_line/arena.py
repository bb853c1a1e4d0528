"""``looot arena``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ai import arena as ai_arena
from ai.arena import Games, Match, SequentialTest
from server.command_line.parameters import EDITION, PLAYERS, SEED, SIMULATIONS, Seconds
from server.command_line.workers import worker_options, workers

_Function = TypeVar("_Function", bound=Callable[..., Any])

_DEFAULT_TIME_S = 0.2
_DEFAULT_DEALS = 50
_RESULTS = "results.json"


@click.group()
def arena() -> None:
    """Let agents play against each other, and say who is stronger.

    AGENT is the name of an agent, with options (ismcts:level=5,threads=1), a class
    (my_package.my_module.MyAgent), or process:COMMAND, a process that reads questions and writes
    turns as JSON lines (see ai/process_agent.py).

    Every deal is played in all seatings. What was played is kept in the folder --out; the same
    command again goes on where it ended.
    """


def _playing_options(command: _Function) -> _Function:
    """Add the options that `match` and `ladder` have in common."""
    for decorate in (
        worker_options,
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            required=True,
            help="The folder of the games.",
        ),
        click.option(
            "--seed", type=SEED, default=0, show_default=True, help="Of the deals and the agents."
        ),
        click.option(
            "--edition",
            type=EDITION,
            default="printed",
            show_default=True,
            help="What is in the box.",
        ),
        click.option(
            "--players", type=PLAYERS, default=2, show_default=True, help="How many play a game."
        ),
        click.option("--simulations", type=SIMULATIONS, help="A turn, instead of --time."),
        click.option(
            "--time",
            "time_s",
            type=Seconds(),
            show_default=f"{_DEFAULT_TIME_S:g}",
            help="Processor time a turn.",
        ),
        click.option(
            "--deals",
            type=click.IntRange(1),
            show_default=str(_DEFAULT_DEALS),
            help="How many a match has.",
        ),
        click.argument("agents", metavar="AGENT...", nargs=-1, required=True),
    ):
        command = decorate(command)
    return command


@arena.command()
@_playing_options
@click.option("--games", type=click.IntRange(1), help="At least so many, instead of --deals.")
@click.option(
    "--stop-when-decided",
    metavar="p0=P,p1=P",
    help="Stop when a sequential test tells whether the first agent's share is above p0 or below"
    " p1; each error has a probability of at most 5 % (alpha=, beta=).",
)
def match(
    agents: tuple[str, ...],
    deals: int | None,
    games: int | None,
    time_s: float | None,
    simulations: int | None,
    players: int,
    edition: str,
    seed: int,
    out: Path,
    jobs: int | None,
    ray: bool,
    stop_when_decided: str | None,
) -> None:
    """Play a match.

    With two agents and more than two players it is the first against many of the second.

    Example: looot arena match random ismcts_plain --deals 10 --out build/match
    """
    if deals is not None and games is not None:
        raise click.UsageError("--deals and --games exclude each other")
    played = Match(
        ai_arena.line_up(agents, players),
        time_s=_time(time_s, simulations),
        simulations=simulations,
        edition=edition,
        seed=seed,
        stop=None if stop_when_decided is None else SequentialTest.parse(stop_when_decided),
    )
    if games is not None:
        deals = -(-games // len(played.seatings()))
    _play([(played, out)], deals or _DEFAULT_DEALS, jobs, ray, out / _RESULTS)


@arena.command()
@_playing_options
@click.option(
    "--pairing",
    type=click.Choice(list(ai_arena.PAIRINGS)),
    default="all",
    show_default=True,
    help="Who meets whom: everybody everybody, the first all others, or each the next.",
)
@click.option("--name", default="ladder", show_default=True, help="Of the results.")
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("bench/results"),
    show_default=True,
    help="The folder that gets NAME.json.",
)
def ladder(
    agents: tuple[str, ...],
    deals: int | None,
    time_s: float | None,
    simulations: int | None,
    players: int,
    edition: str,
    seed: int,
    out: Path,
    jobs: int | None,
    ray: bool,
    pairing: str,
    name: str,
    results: Path,
) -> None:
    """Let several agents meet in pairs, and rate them.

    With more than two players, one of the first of a pair meets many of the second; where all meet
    all, also the other way round.

    Example: looot arena ladder random ismcts_plain --deals 10 --out build/ladder --results build
    """
    matches = ai_arena.ladder(
        agents,
        players,
        time_s=_time(time_s, simulations),
        simulations=simulations,
        edition=edition,
        seed=seed,
        pairing=pairing,
    )
    folders = [(match, out / f"match-{number:03}") for number, match in enumerate(matches, 1)]
    _play(folders, deals or _DEFAULT_DEALS, jobs, ray, results / f"{name}.json")


@arena.command()
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
)
@click.option(
    "--svg",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a plot of the first file to this one.",
)
def table(files: tuple[Path, ...], picture: Path | None) -> None:
    """Write results (JSON) as Markdown tables, and as an SVG plot.

    Example: looot arena table build/match/results.json --svg build/match.svg
    """
    results = [ai_arena.Results.load(file) for file in files]
    click.echo("\n".join(map(ai_arena.markdown, results)), nl=False)
    if picture is not None:
        picture.write_text(ai_arena.svg(results[0]), encoding="utf-8")


def _time(time_s: float | None, simulations: int | None) -> float | None:
    if time_s is not None and simulations is not None:
        raise click.UsageError("--time and --simulations exclude each other")
    return _DEFAULT_TIME_S if time_s is None and simulations is None else time_s


def _play(
    matches: Sequence[tuple[Match, Path]], deals: int, jobs: int | None, ray: bool, results: Path
) -> None:
    """Play the matches one after the other, and sum up what there is, also after Ctrl-C."""
    played: list[tuple[Match, Games]] = []
    interrupted = False
    try:
        with workers(jobs, ray) as (executor, at_a_time), _progress() as progress:
            for match, path in matches:
                with ai_arena.MatchFolder(path, match) as folder:
                    played.append((match, folder.results))
                    watch = _watch(progress, match, deals)
                    ai_arena.run(match, deals, folder, executor, at_a_time, watch)
    except KeyboardInterrupt:
        interrupted = True
    if played:
        summary = ai_arena.summarize(played)
        summary.save(results)
        click.echo(ai_arena.markdown(summary), nl=False)
    if interrupted:
        click.echo("Interrupted; the same command goes on.", err=True)
        sys.exit(130)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[share]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _watch(progress: Progress, match: Match, deals: int) -> Callable[[Games], None]:
    """Give what shows the games of a match, and the share of its first agent so far."""
    total = deals * len(match.seatings())
    task = progress.add_task(" - ".join(match.agents), total=total, share="")

    def show(games: Games) -> None:
        share = ""
        if games:
            won = sum(game.share_of(match.agents[0]) for game in games.values())
            estimate = ai_arena.wilson(won, len(games))
            share = f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
        progress.update(task, completed=min(len(games), total), share=share)

    return show
