"""Fit the evaluation to examples with PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ai.evaluation import SHAPES
from ai.training.examples import Examples

_UNIT = 10.0  # points
_BATCH = 4096
_RATE = 2e-3
_HELD_OUT = 20  # one part in so many


class Network(nn.Module):
    """The network of `ai.evaluation`, in PyTorch."""

    def __init__(self) -> None:
        super().__init__()
        features, first = SHAPES["first"]
        second = SHAPES["second"][1]
        self.first = nn.Linear(features, first)
        self.second = nn.Linear(first, second)
        self.third = nn.Linear(second, 1, bias=False)
        self.linear = nn.Linear(features, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Give the points to come, in tens."""
        hidden = torch.relu(self.second(torch.relu(self.first(features))))
        result: torch.Tensor = (self.third(hidden) + self.linear(features)).squeeze(1)
        return result

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights as `ai.evaluation.Evaluation` takes them, without spread and scale."""
        named = {
            "first": self.first.weight.T,
            "first_bias": self.first.bias,
            "second": self.second.weight.T,
            "second_bias": self.second.bias,
            "third": self.third.weight[0],
            "linear": self.linear.weight[0],
            "bias": self.linear.bias[0],
        }
        return {name: value.detach().numpy().copy() for name, value in named.items()}

    def take(self, weights: dict[str, NDArray[np.float32]]) -> None:
        """Start from weights as `arrays` gives them."""
        with torch.no_grad():
            self.first.weight.copy_(torch.from_numpy(weights["first"].T.copy()))
            self.first.bias.copy_(torch.from_numpy(weights["first_bias"]))
            self.second.weight.copy_(torch.from_numpy(weights["second"].T.copy()))
            self.second.bias.copy_(torch.from_numpy(weights["second_bias"]))
            self.third.weight.copy_(torch.from_numpy(weights["third"][None].copy()))
            self.linear.weight.copy_(torch.from_numpy(weights["linear"][None].copy()))
            self.linear.bias.copy_(torch.from_numpy(weights["bias"].reshape(1)))


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights and how well they forecast examples that they were not fitted to.

    Attributes
    ----------
    weights : dict of numpy.ndarray
    error : float
        Root of the mean squared error of the final score, in points.
    """

    weights: dict[str, NDArray[np.float32]]
    error: float


def fit(
    examples: Examples,
    epochs: int,
    seed: int,
    start: dict[str, NDArray[np.float32]] | None = None,
    on_epoch: Callable[[int, float], object] | None = None,
    threads: int = 1,
) -> Fit:
    """Fit the network to the points that the seats still won.

    Parameters
    ----------
    examples : Examples
        The last twentieth is held out.
    epochs : int
    seed : int
    start : dict of numpy.ndarray, optional
        Weights to start from.
    on_epoch : callable, optional
        Told the number of the epoch and the held-out error in points.
    threads : int, optional
    """
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    generator = np.random.default_rng(seed)
    rows = len(examples.facts)
    train = rows - rows // _HELD_OUT
    while train < rows and examples.facts[train, 1] != 0:
        train += 1
    network = Network()
    if start is not None:
        network.take(start)
    gains = (examples.facts[:, 4] - examples.facts[:, 3]).astype(np.float32) / _UNIT
    steps = max(1, train // _BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=_RATE, total_steps=epochs * steps, pct_start=0.1
    )
    error = 0.0
    for epoch in range(epochs):
        network.train()
        order = generator.permutation(train)
        for step in range(steps):
            batch = np.sort(order[step * _BATCH : (step + 1) * _BATCH])
            seen = torch.from_numpy(examples.features[batch].astype(np.float32))
            loss = nn.functional.mse_loss(network(seen), torch.from_numpy(gains[batch]))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        gained = _forecast(network, examples.features[train:])
        error = float(np.sqrt(np.mean((gained - _UNIT * gains[train:]) ** 2)))
        if on_epoch is not None:
            on_epoch(epoch, error)
    weights = network.arrays()
    facts = examples.facts[train:]
    weights["spread"] = _spread(gained - _UNIT * gains[train:], facts[:, 2])
    weights["scale"] = _scale(gained + facts[:, 3], facts)
    return Fit(weights, error)


def _forecast(network: Network, features: NDArray[np.float16]) -> NDArray[np.float32]:
    network.eval()
    with torch.no_grad():
        parts = [
            network(torch.from_numpy(features[n : n + 65536].astype(np.float32))).numpy()
            for n in range(0, len(features), 65536)
        ]
    return np.concatenate(parts) * np.float32(_UNIT)


def _spread(errors: NDArray[np.float32], left: NDArray[np.int16]) -> NDArray[np.float32]:
    """Give the standard deviation of the final score by vikings in hand."""
    counts = range(SHAPES["spread"][0])
    return np.array(
        [np.sqrt(np.mean(errors[left == n] ** 2)) if (left == n).any() else 1.0 for n in counts],
        dtype=np.float32,
    )


def _scale(scores: NDArray[np.float32], facts: NDArray[np.int16]) -> NDArray[np.float32]:
    """Give the scale of the softmax by most vikings in hand, of least log loss."""
    candidates = np.geomspace(0.5, 40, 60)
    losses = np.zeros((SHAPES["scale"][0], len(candidates)))
    for players in (2, 3, 4):
        rows = np.flatnonzero((facts[:, 0] == players) & (facts[:, 1] == 0))
        rows = rows[rows + players <= len(facts)]
        if not len(rows):
            continue
        turns = rows[:, None] + np.arange(players)
        finals = facts[turns, 4]
        shares = finals == finals.max(axis=1, keepdims=True)
        shares = shares / shares.sum(axis=1, keepdims=True)
        left = facts[turns, 2].max(axis=1)
        leads = scores[turns] - scores[turns].max(axis=1, keepdims=True)
        for n, scale in enumerate(candidates):
            logs = leads / scale
            logs = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
            loss = -(shares * logs).sum(axis=1)
            losses[:, n] += np.bincount(left, weights=loss, minlength=len(losses))
    best = candidates[losses.argmin(axis=1)]
    best[losses.max(axis=1) == 0] = 1.0
    scales: NDArray[np.float32] = best.astype(np.float32)
    return scales
