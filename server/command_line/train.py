"""``looot train``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ai.training import plan, run
from ai.training.folder import TrainingFolder
from server.command_line.workers import worker_options, workers


@click.command()
@click.option(
    "--preset",
    type=click.Choice(list(plan.PRESETS)),
    default="quick",
    show_default=True,
    help="What is played and fitted (ai/training/plan.py).",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder of the games and weights.",
)
@worker_options
def train(preset: str, out: Path, jobs: int | None, ray: bool) -> None:
    """Learn the evaluation anew, from games that it plays against itself.

    It ends with weights.npz and weights.md, which says how they were made, in the folder --out.
    However it was interrupted, the same command goes on where it ended. It needs PyTorch (extra:
    train).

    Example: looot train --preset quick --out build/train
    """
    try:
        with (
            TrainingFolder(out, plan.PRESETS[preset]) as folder,
            workers(jobs, ray) as (executor, at_a_time),
            progress_bar() as progress,
        ):
            run.train(folder, executor, at_a_time, _watch(progress))
            click.echo(f"{folder.final_weights}\n{folder.card}")
    except KeyboardInterrupt:
        click.echo("Interrupted; the same command goes on.", err=True)
        sys.exit(130)


def progress_bar() -> Progress:
    """Give a bar with the count of what is done, and a word beside it (the field `note`)."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _watch(progress: Progress) -> Callable[[run.Progress], None]:
    """Give what shows a bar for the games of each stage, and one for its fit."""
    tasks = {}

    def show(news: run.Progress) -> None:
        name = f"stage {news.stage}: {news.activity}"
        if name not in tasks:
            tasks[name] = progress.add_task(name, total=news.total, note="")
        note = ""
        if news.errors is not None:
            seat, table = news.errors
            note = f"held-out error {seat:.2f} (seat), {table:.2f} (table)"
        progress.update(tasks[name], completed=news.done, note=note)

    return show
