"""Fit the evaluation to examples with PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from ai.evaluation import SHAPES
from ai.training.arrays import Weights
from ai.training.errors import TrainingError
from ai.training.examples import FACT, Examples
from ai.training.forecast import UNIT, gains, scale_of, spread_of
from ai.training.targets import TrainingSet

_BLOCK = 64  # rows that stay together, so that the memory is read in long runs
_BATCH = 64  # blocks
_RATE = 2e-3
_DECAY = 1e-4
_WARM_UP = 0.1  # of the steps
# Of every array that a layer adds up, from how many inputs.
_LAYERS = {
    "first": "first", "first_bias": "first", "second": "second", "second_bias": "second",
    "third": "third", "linear": "linear", "bias": "linear",
}  # fmt: skip


def fit(
    examples: TrainingSet,
    held_out: Examples,
    epochs: int,
    seed: int,
    start: Weights | None = None,
    on_epoch: Callable[[int, float], object] | None = None,
    threads: int = 1,
) -> dict[str, NDArray[np.float32]]:
    """Fit the network to the points that the seats are to win.

    AdamW (Loshchilov and Hutter: Decoupled weight decay regularization, 2019) on the mean squared
    error, with one cycle of the learning rate (Smith and Topin: Super-convergence, 2019).

    Parameters
    ----------
    examples : TrainingSet
        Neighbours go into the same batch.
    held_out : Examples
        Others, in the order in which they were played: the spread of the score and the scale of
        the win probability are fitted to them alone.
    epochs : int
        At least 1.
    seed : int
        With the same number of threads, on the same machine, it gives the same weights.
    start : mapping of str to numpy.ndarray, optional
        Weights to begin with.
    on_epoch : callable, optional
        Told how many epochs are done and the held-out error: the root of the mean squared error of
        the final score, in points.
    threads : int, optional

    Returns
    -------
    dict of numpy.ndarray
        For `ai.evaluation.Evaluation`.

    Raises
    ------
    TrainingError
        If there are fewer than 64 examples, or none held out.
    """
    blocks = len(examples.gains) // _BLOCK
    if not blocks or not len(held_out.facts):
        raise TrainingError(f"fit: fewer than {_BLOCK} examples, or none held out")
    torch.set_num_threads(threads)
    generator = np.random.default_rng(seed)
    parameters = {
        name: torch.from_numpy(np.array(value, dtype=np.float32)).requires_grad_()
        for name, value in (start or _random_weights(generator)).items()
        if name in _LAYERS
    }
    seen = torch.from_numpy(examples.features[: blocks * _BLOCK]).view(blocks, _BLOCK, -1)
    targets = torch.from_numpy(examples.gains[: blocks * _BLOCK] / UNIT).view(blocks, _BLOCK)
    steps = max(1, blocks // _BATCH)
    optimizer = torch.optim.AdamW(parameters.values(), lr=_RATE, weight_decay=_DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=_RATE, total_steps=epochs * steps, pct_start=_WARM_UP
    )
    held_out_gains = held_out.facts[:, FACT.final_score] - held_out.facts[:, FACT.score]
    for epoch in range(epochs):
        order = torch.from_numpy(generator.permutation(blocks))
        for step in range(steps):
            batch = order[step * _BATCH : (step + 1) * _BATCH]
            forecasts = _forward(parameters, seen[batch].flatten(0, 1).float())
            loss = torch.nn.functional.mse_loss(forecasts, targets[batch].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        weights = {name: value.detach().numpy() for name, value in parameters.items()}
        forecast = gains(weights, held_out.features)
        errors = forecast - held_out_gains
        if on_epoch is not None:
            on_epoch(epoch + 1, float(np.sqrt(np.mean(errors**2))))
    weights["spread"] = spread_of(errors, held_out.facts)
    weights["scale"] = scale_of(forecast + held_out.facts[:, FACT.score], held_out.facts)
    return weights


def _forward(parameters: dict[str, torch.Tensor], seen: torch.Tensor) -> torch.Tensor:
    """Do what `ai.training.forecast.gains` does, in tens of points."""
    hidden = torch.addmm(parameters["first_bias"], seen, parameters["first"]).relu()
    hidden = torch.addmm(parameters["second_bias"], hidden, parameters["second"]).relu()
    return hidden @ parameters["third"] + seen @ parameters["linear"] + parameters["bias"]


def _random_weights(generator: np.random.Generator) -> Weights:
    """Give weights and biases within ±1 / sqrt(inputs), as PyTorch begins a linear layer."""
    return {
        name: generator.uniform(-1, 1, SHAPES[name]) / np.sqrt(SHAPES[layer][0])
        for name, layer in _LAYERS.items()
    }
