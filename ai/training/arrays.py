"""Files of named arrays (.npz)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ai.training.errors import TrainingError

Weights = Mapping[str, NDArray[np.float32]]
"""As `ai.evaluation.Evaluation` takes them."""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file that is there either whole or not at all, and the same for the same arrays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def read_arrays(path: Path, *names: str) -> dict[str, NDArray[Any]]:
    """Read the arrays of these names, or all; what is not asked for is not read.

    Raises
    ------
    TrainingError
        If the file is none of arrays, or lacks one.
    OSError
        If it cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names or arrays}
    except (ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
        raise TrainingError(f"{path}: not a file of the arrays {', '.join(names)}") from error
