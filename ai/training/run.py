"""Runs a plan: games and a fit for each stage, then the card of the weights."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from ai.hand_weights import hand_weights
from ai.training.arrays import Weights, read_arrays, write_arrays
from ai.training.card import card
from ai.training.chunks import play_chunks
from ai.training.errors import TrainingError
from ai.training.folder import TrainingFolder
from ai.training.forecast import Errors


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is.

    Attributes
    ----------
    stage : int
        From 0.
    activity : str
        ``"games"`` or ``"fit"``.
    done, total : int
        Games, or epochs.
    errors : Errors or None
        Held-out errors of the final score, after an epoch.
    """

    stage: int
    activity: str
    done: int
    total: int
    errors: Errors | None = None


Watch = Callable[[Progress], object]


def train(
    folder: TrainingFolder, executor: Executor, jobs: int, on_progress: Watch | None = None
) -> None:
    """Run what is left of a plan.

    The games are the same with any executor. The fits take `jobs` threads of this machine; with
    another number of threads, sums are rounded otherwise.

    Parameters
    ----------
    folder : TrainingFolder
        Of the plan; gets all files.
    executor : Executor
        Plays the games; as for `ai.arena.run`.
    jobs : int
        How many chunks of games it plays at the same time.
    on_progress : callable, optional

    Raises
    ------
    TrainingError
        If PyTorch is not installed, a worker died, or a file is none of ours.
    OSError
        If a file cannot be read or written.
    """
    try:
        from ai.training.fit import fit  # the only module that needs PyTorch
    except ImportError as error:
        raise TrainingError("PyTorch is not installed; it is the extra 'train'") from error
    watch = on_progress or (lambda progress: None)
    weights: Weights = hand_weights()
    for number, stage in enumerate(folder.plan.stages):
        done = folder.weights(number)
        if not done.exists():
            _play(folder, number, weights, executor, jobs, watch)
            watch(Progress(number, "fit", 0, stage.epochs))
            fitted = fit(
                folder.training_set(number, weights),
                folder.held_out(number),
                stage.epochs,
                seed=number,
                start=weights if number else None,  # what is written by hand has no hidden layers
                on_epoch=partial(_tell, watch, number, stage.epochs),
                threads=jobs,
            )
            write_arrays(done, fitted)
        weights = read_arrays(done)
    write_arrays(folder.final_weights, weights)
    folder.card.write_text(card(folder), encoding="utf-8")


def _play(
    folder: TrainingFolder,
    number: int,
    weights: Weights,
    executor: Executor,
    jobs: int,
    watch: Watch,
) -> None:
    """Play the games of a stage that are not there yet."""
    stage = folder.plan.stages[number]
    files = folder.games(number)
    left = [chunk for chunk, file in files.items() if not file.exists()]
    played = stage.games - sum(chunk.games for chunk in left)
    watch(Progress(number, "games", played, stage.games))
    for chunk, examples in play_chunks(
        weights, stage.simulations, stage.noise, left, executor, jobs
    ):
        examples.save(files[chunk])
        played += chunk.games
        watch(Progress(number, "games", played, stage.games))


def _tell(watch: Watch, stage: int, epochs: int, done: int, errors: Errors) -> None:
    watch(Progress(stage, "fit", done, epochs, errors))
