"""``looot calibration``."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from ai.evaluation import Evaluation
from ai.limits import LARGEST_SIMULATIONS
from ai.training import calibration as forecasts
from ai.training import plan, report
from ai.training.arrays import read_arrays
from ai.training.chunks import play_chunks
from ai.training.examples import Examples
from server.command_line.errors import BadInput
from server.command_line.train import progress_bar
from server.command_line.workers import worker_options, workers

_CHUNK = 50  # games


@click.command()
@click.option(
    "--weights",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    show_default="those of the package",
    help="Of the evaluation to judge.",
)
@click.option(
    "--games", type=click.IntRange(1), default=2000, show_default=True, help="How many are played."
)
@click.option(
    "--simulations",
    type=click.IntRange(0, LARGEST_SIMULATIONS),
    default=0,
    show_default=True,
    help="A turn; 0: the best turn by the evaluation alone.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder that gets calibration.md and calibration.svg.",
)
@worker_options
def calibration(
    path: Path | None, games: int, simulations: int, out: Path, jobs: int | None, ray: bool
) -> None:
    """Judge the evaluation's forecasts by fresh games.

    Writes tables of the final score's error by vikings in hand, and of the win probability, and a
    plot of the latter. No training plays these games.

    Example: looot calibration --games 200 --out build
    """
    if path is None:
        path = Path(str(resources.files("ai") / "data" / "weights.npz"))
    weights = read_arrays(path)
    try:
        evaluation = Evaluation(weights)
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from error
    chunks = plan.chunks_from(plan.FRESH_SEED, games, _CHUNK)
    parts: dict[int, Examples] = {}
    with workers(jobs, ray) as (executor, at_a_time), progress_bar() as progress:
        task = progress.add_task("games", total=games, note="")
        for chunk, examples in play_chunks(weights, simulations, 0, chunks, executor, at_a_time):
            parts[chunk.number] = examples
            progress.advance(task, chunk.games)
    found = forecasts.calibrate(weights, Examples.join([parts[n] for n in sorted(parts)]))
    turns = f"{simulations} simulations a turn" if simulations else "the greedy agent's turns"
    out.mkdir(parents=True, exist_ok=True)
    (out / "calibration.svg").write_text(report.svg(found), encoding="utf-8")
    (out / "calibration.md").write_text(
        "# Calibration of the learned evaluation\n\n"
        f"Weights `{evaluation.hash}`, fresh games with {turns}, seeds"
        f" {plan.FRESH_SEED} to {plan.FRESH_SEED + games - 1};"
        f" made by `looot calibration --games {games} --simulations {simulations}`.\n\n"
        "![Forecast shares of the victory, and what came of them](calibration.svg)\n\n"
        + report.markdown(found),
        encoding="utf-8",
    )
