"""Examples for the evaluation: what seats saw in games of self-play, and how these ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import looot_core as lc
from ai.training.arrays import read_arrays, write_arrays

_EVERY_THIRD_IS_RULEBOOK = 3
_PLAYERS = (2, 3, 4, 2, 3, 4, 2, 3, 4, 2)

SEED_PERIOD = len(_PLAYERS) * _EVERY_THIRD_IS_RULEBOOK
"""After so many seeds the kinds of games repeat."""


class Fact(NamedTuple):
    """The columns of `Examples.facts`; `turns_left` counts the turns that follow in the game."""

    players: int = 0
    seat: int = 1
    vikings_in_hand: int = 2
    score: int = 3
    final_score: int = 4
    turns_left: int = 5


FACT = Fact()


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of seats at the starts of turns.

    Attributes
    ----------
    features : numpy.ndarray
        float16[rows, FEATURES].
    facts : numpy.ndarray
        int16[rows, 6]: see `Fact`. As games are played, the seats of a turn follow each other
        from seat 0, and the turns of a game.
    """

    features: NDArray[np.float16]
    facts: NDArray[np.int16]

    def save(self, path: Path) -> None:
        """Write an .npz file; it is whole or not there."""
        write_arrays(path, {"features": self.features, "facts": self.facts})

    @staticmethod
    def load(path: Path) -> Examples:
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            If the file is none of examples.
        OSError
            If it cannot be read.
        """
        arrays = read_arrays(path, "features", "facts")
        return Examples(arrays["features"], arrays["facts"])

    @staticmethod
    def join(parts: Sequence[Examples]) -> Examples:
        """Put examples behind each other."""
        return Examples(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.facts for part in parts]),
        )

    @staticmethod
    def count(path: Path) -> int:
        """Tell how many rows a file has that `save` wrote."""
        return len(read_arrays(path, "facts")["facts"])


Player = Callable[[lc.State, int], tuple[NDArray[np.float32], NDArray[np.int32]]]


def play_games(player: Player, first_seed: int, games: int) -> Examples:
    """Play games on random set-ups: of ten, four of 2 players, three of 3, three of 4.

    Every third game is of the rulebook edition, the others of the printed one.
    """
    features: list[NDArray[np.float16]] = []
    facts: list[NDArray[np.int16]] = []
    for seed in range(first_seed, first_seed + games):
        setup = lc.GameSetup.random(
            players=_PLAYERS[seed % len(_PLAYERS)],
            edition="rulebook" if seed % _EVERY_THIRD_IS_RULEBOOK == 0 else "printed",
            seed=seed,
        )
        seen, known = player(lc.State(setup), seed)
        features.append(seen.astype(np.float16))
        players = np.full(len(known), setup.players)
        turns_left = np.repeat(np.arange(len(known) // setup.players)[::-1], setup.players)
        facts.append(np.column_stack([players, known, turns_left]).astype(np.int16))
    return Examples(np.concatenate(features), np.concatenate(facts))
