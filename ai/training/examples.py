"""Examples for the evaluation: what seats saw in games of self-play, and how these ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import looot_core as lc


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of seats at the starts of turns; the seats of a turn follow each other.

    Attributes
    ----------
    features : numpy.ndarray
        float16[rows, FEATURES].
    facts : numpy.ndarray
        int16[rows, 5]: players, seat, vikings in hand, score at that time, score at the end.
    """

    features: NDArray[np.float16]
    facts: NDArray[np.int16]

    def save(self, path: Path) -> None:
        """Write an .npz file; it is complete or not there."""
        partial = path.with_suffix(".partial.npz")
        np.savez(partial, features=self.features, facts=self.facts)
        partial.replace(path)

    @staticmethod
    def load(path: Path) -> Examples:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return Examples(arrays["features"], arrays["facts"])

    @staticmethod
    def join(parts: list[Examples]) -> Examples:
        """Put examples behind each other."""
        return Examples(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.facts for part in parts]),
        )


Player = Callable[[lc.State, int], tuple[NDArray[np.float32], NDArray[np.int32]]]


def play_games(player: Player, first_seed: int, games: int) -> Examples:
    """Play games on random set-ups: of ten, four of 2 players, three of 3, three of 4.

    Every third game is of the rulebook edition, the others of the printed one.
    """
    features: list[NDArray[np.float16]] = []
    facts: list[NDArray[np.int16]] = []
    for seed in range(first_seed, first_seed + games):
        setup = lc.GameSetup.random(
            players=(2, 3, 4, 2, 3, 4, 2, 3, 4, 2)[seed % 10],
            edition="rulebook" if seed % 3 == 0 else "printed",
            seed=seed,
        )
        seen, known = player(lc.State(setup), seed)
        features.append(seen.astype(np.float16))
        players = np.full((len(known), 1), setup.players, dtype=np.int16)
        facts.append(np.concatenate([players, known.astype(np.int16)], axis=1))
    return Examples(np.concatenate(features), np.concatenate(facts))
