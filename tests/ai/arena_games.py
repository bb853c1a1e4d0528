"""Matches for the tests of the arena."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ai import arena

PAIR = arena.Match(("random", "random:level=1"), simulations=1, seed=5)
SEARCH = arena.Match(("ismcts_plain", "random"), simulations=5, seed=5)


def play(
    match: arena.Match,
    deals: int,
    path: Path,
    executor: Executor | None = None,
    on_game: Callable[[arena.Games], object] | None = None,
) -> arena.Games:
    """Play in this process unless there is an executor; the results come without their times."""
    with arena.MatchFolder(path, match) as folder:
        if executor is None:
            with ThreadPoolExecutor(1) as thread:
                return untimed(arena.run(match, deals, folder, thread, 1, on_game))
        return untimed(arena.run(match, deals, folder, executor, 2, on_game))


def untimed(games: arena.Games) -> arena.Games:
    return {key: replace(game, seconds=(), longest_turn_s=()) for key, game in games.items()}
