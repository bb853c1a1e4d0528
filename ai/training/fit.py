"""Fit the evaluation to examples with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import NDArray

from ai.evaluation import SHAPES
from ai.training.arrays import Weights
from ai.training.errors import TrainingError
from ai.training.examples import FACT, Examples
from ai.training.forecast import (
    TABLE,
    UNIT,
    Errors,
    scale_of,
    seat_gains,
    spread_of,
    table_gains,
    turns,
)
from ai.training.targets import TrainingSet

_BATCH = 4096  # rows, about
_RATE = 2e-3
_DECAY = 1e-4
_WARM_UP = 0.1  # of the steps
# Of every array that a layer adds up, from how many inputs.
_LAYERS = {
    prefix + name: prefix + layer
    for prefix in ("", TABLE)
    for name, layer in (
        ("first", "first"), ("first_bias", "first"), ("second", "second"),
        ("second_bias", "second"), ("third", "third"), ("linear", "linear"), ("bias", "linear"),
    )
}  # fmt: skip


def fit(
    training: TrainingSet,
    held_out: Examples,
    epochs: int,
    seed: int,
    start: Weights | None = None,
    on_epoch: Callable[[int, Errors], object] | None = None,
    threads: int = 1,
) -> dict[str, NDArray[np.float32]]:
    """Fit both networks to the points that the seats are to win.

    AdamW (Loshchilov and Hutter: Decoupled weight decay regularization, 2019) on the sum of both
    mean squared errors, with one cycle of the learning rate (Smith and Topin: Super-convergence,
    2019). The networks share nothing but the batches, which are of whole turns, so that the table
    network has the opponents at hand.

    Parameters
    ----------
    training : TrainingSet
    held_out : Examples
        Others, in the order in which they were played: the spread of the score and the scale of
        the win probability are fitted to the table network's forecasts of them.
    epochs : int
        At least 1.
    seed : int
        With the same number of threads, on the same machine, it gives the same weights.
    start : mapping of str to numpy.ndarray, optional
        Weights to begin with.
    on_epoch : callable, optional
        Told how many epochs are done, and the held-out errors.
    threads : int, optional

    Returns
    -------
    dict of numpy.ndarray
        For `ai.evaluation.Evaluation`.

    Raises
    ------
    TrainingError
        If there are no examples, or none held out.
    """
    facts = training.examples.facts
    if not len(facts) or not len(held_out.facts):
        raise TrainingError("fit: there are no examples, or none held out")
    torch.set_num_threads(threads)
    generator = np.random.default_rng(seed)
    parameters = {
        name: torch.from_numpy(np.array(value, dtype=np.float32)).requires_grad_()
        for name, value in (start or _random_weights(generator)).items()
        if name in _LAYERS
    }
    seen = torch.from_numpy(training.examples.features)
    targets = torch.from_numpy(training.gains / UNIT)
    rows = [turns(facts, players) for players in (2, 3, 4)]
    steps = max(1, len(facts) // _BATCH)
    optimizer = torch.optim.AdamW(parameters.values(), lr=_RATE, weight_decay=_DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=_RATE, total_steps=epochs * steps, pct_start=_WARM_UP
    )
    won = held_out.facts[:, FACT.final_score] - held_out.facts[:, FACT.score]
    for epoch in range(epochs):
        orders = [some[generator.permutation(len(some))] for some in rows]
        for parts in zip(*(np.array_split(order, steps) for order in orders), strict=True):
            batch = [torch.from_numpy(part) for part in parts if len(part)]
            loss = _loss(parameters, seen, targets, batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        weights = {name: value.detach().numpy() for name, value in parameters.items()}
        errors = table_gains(weights, held_out) - won
        if on_epoch is not None:
            seat_errors = seat_gains(weights, held_out.features) - won
            on_epoch(epoch + 1, Errors(_root_mean_square(seat_errors), _root_mean_square(errors)))
    weights["spread"] = spread_of(errors, held_out.facts)
    scores = (errors + held_out.facts[:, FACT.final_score]).astype(np.float32)
    weights["scale"] = scale_of(scores, held_out.facts)
    return weights


def _loss(
    parameters: dict[str, torch.Tensor],
    seen: torch.Tensor,
    targets: torch.Tensor,
    batch: Iterable[torch.Tensor],
) -> torch.Tensor:
    """Give the sum of both networks' errors on the rows of some turns, [turns, players] each."""
    seats: list[torch.Tensor] = []
    opponents: list[torch.Tensor] = []
    wanted: list[torch.Tensor] = []
    for rows in batch:
        own = seen[rows].float()
        others = (own.sum(dim=1, keepdim=True) - own) / (rows.shape[1] - 1)
        seats.append(own.flatten(0, 1))
        opponents.append(others.flatten(0, 1))
        wanted.append(targets[rows].flatten())
    own, goal = torch.cat(seats), torch.cat(wanted)
    both = torch.cat([own, torch.cat(opponents)], dim=1)
    error = torch.nn.functional.mse_loss
    return error(_forward(parameters, "", own), goal) + error(
        _forward(parameters, TABLE, both), goal
    )


def _forward(parameters: dict[str, torch.Tensor], prefix: str, seen: torch.Tensor) -> torch.Tensor:
    """Do what `ai.training.forecast` does, in tens of points."""
    hidden = torch.addmm(parameters[prefix + "first_bias"], seen, parameters[prefix + "first"])
    hidden = torch.addmm(
        parameters[prefix + "second_bias"], hidden.relu(), parameters[prefix + "second"]
    )
    return (
        hidden.relu() @ parameters[prefix + "third"]
        + seen @ parameters[prefix + "linear"]
        + parameters[prefix + "bias"]
    )


def _root_mean_square(errors: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(errors**2)))


def _random_weights(generator: np.random.Generator) -> Weights:
    """Give weights and biases within ±1 / sqrt(inputs), as PyTorch begins a linear layer."""
    return {
        name: generator.uniform(-1, 1, SHAPES[name]) / np.sqrt(SHAPES[layer][0])
        for name, layer in _LAYERS.items()
    }
