"""Plays chunks of games on an executor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait

from ai.evaluation import Evaluation
from ai.training.arrays import Weights
from ai.training.errors import TrainingError
from ai.training.examples import Examples, play_games
from ai.training.plan import Chunk
from ai.training.players import greedy_player, search_player


def play_chunk(weights: Weights, simulations: int, noise: float, chunk: Chunk) -> Examples:
    """Play a chunk; see `Stage` for the parameters."""
    evaluation = Evaluation(weights)
    player = (
        search_player(evaluation, simulations, noise)
        if simulations
        else greedy_player(evaluation, noise)
    )
    return play_games(player, chunk.first_seed, chunk.games)


def play_chunks(
    weights: Weights,
    simulations: int,
    noise: float,
    chunks: Sequence[Chunk],
    executor: Executor,
    jobs: int,
) -> Iterator[tuple[Chunk, Examples]]:
    """Play chunks and give each as it ends.

    What its games are depends on its seeds alone, so that they are the same with any executor.

    Parameters
    ----------
    weights, simulations, noise
        See `play_chunk`.
    chunks : sequence of Chunk
    executor : Executor
        As for `ai.arena.run`.
    jobs : int
        How many it plays at the same time.

    Raises
    ------
    TrainingError
        If a worker died.
    """
    left = iter(chunks)
    running: dict[Future[Examples], Chunk] = {}
    try:
        while True:
            # One chunk more than is played waits for each worker, lest it wait for us.
            while len(running) < 2 * jobs and (chunk := next(left, None)):
                future = executor.submit(play_chunk, dict(weights), simulations, noise, chunk)
                running[future] = chunk
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenExecutor as error:
        raise TrainingError("a worker died") from error
