"""The folder of a training: its plan, its games and its weights as they come.

It has ``plan.json``, a folder for each stage with its games (``games-00000.npz``, …) and, once the
stage is done, its ``weights.npz``; in the end ``weights.npz`` and ``weights.md``. Every file is
there either whole or not at all, so that a training that was killed goes on from its files.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from ai.arena.folder import differing, lock, read_json, write_whole
from ai.training.arrays import Weights
from ai.training.errors import TrainingError
from ai.training.examples import Examples
from ai.training.plan import Chunk, Plan
from ai.training.targets import TrainingSet, training_set

DESCRIPTION = "plan.json"


class TrainingFolder:
    """Tells the files of a training. While it is open, nobody else can open it.

    Parameters
    ----------
    path : str or path
        Made if it is not there.
    plan : Plan

    Raises
    ------
    LoootError
        If the folder is of another plan, is in use, or holds something else in its files.
    OSError
        If it cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        self.path = Path(path)
        self.plan = plan
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = (self.path / "lock").open("w")
        try:
            if not lock(self._lock):
                raise TrainingError(f"{path}: a training runs in this folder")
            self._check_description()
        except BaseException:
            self._lock.close()
            raise

    @property
    def final_weights(self) -> Path:
        """The weights of the last stage."""
        return self.path / "weights.npz"

    @property
    def card(self) -> Path:
        """How the weights were made and how good they are, in words."""
        return self.path / "weights.md"

    def weights(self, stage: int) -> Path:
        """Tell where the weights of a stage are; it is done when they are there."""
        return self._of_stage(stage) / "weights.npz"

    def games(self, stage: int) -> dict[Chunk, Path]:
        """Tell where each chunk of a stage's games is."""
        return {
            chunk: self._of_stage(stage) / f"games-{chunk.number:05}.npz"
            for chunk in self.plan.chunks(stage)
        }

    def training_set(self, stage: int, weights: Weights) -> TrainingSet:
        """Read what the fit of a stage sees; its targets are made with the weights before it."""
        return training_set(self._seen(stage), weights, self.plan.stages[stage].trace_decay)

    def count_examples(self, stage: int) -> int:
        """Tell how many these are."""
        return sum(Examples.count(file) for file in self._seen(stage))

    def held_out(self, stage: int) -> Examples:
        """Read what it does not see, in the order of play."""
        files = [*self.games(stage).values()][-self.plan.held_out(stage) :]
        return Examples.join([Examples.load(file) for file in files])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._lock.close()

    def _seen(self, stage: int) -> list[Path]:
        first = max(0, stage + 1 - self.plan.stages[stage].reach)
        files = [file for number in range(first, stage + 1) for file in self.games(number).values()]
        return files[: -self.plan.held_out(stage)]

    def _of_stage(self, stage: int) -> Path:
        return self.path / f"stage-{stage}"

    def _check_description(self) -> None:
        path = self.path / DESCRIPTION
        description = self.plan.description()
        if not path.exists():
            write_whole(path, description)
            return
        stored = read_json(path)
        if stored != description:
            differs = differing(stored, description)
            raise TrainingError(f"{path}: of another plan; {', '.join(differs)} differ")
