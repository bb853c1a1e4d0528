"""Plays the games of a match on an executor: processes of this machine, or a Ray cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from ai.arena.errors import ArenaError
from ai.arena.folder import MatchFolder
from ai.arena.game import Games, play_game
from ai.arena.match import Match
from ai.arena.results import decide


def run(
    match: Match,
    deals: int,
    folder: MatchFolder,
    executor: Executor,
    jobs: int,
    on_game: Callable[[Games], object] | None = None,
) -> Games:
    """Play the games that the folder does not hold yet.

    What a game is depends on the match, the deal and the seating alone, so that with limits in
    simulations the results are the same with any executor, in whatever order games end.

    Parameters
    ----------
    match : Match
    deals : int
        Each is played in all seatings.
    folder : MatchFolder
        Of the match; gets each game as it ends.
    executor : Executor
        `process_pool`, a `RayExecutor`, or any other.
    jobs : int
        How many games it plays at the same time.
    on_game : callable, optional
        Called at the beginning and after each game with all games so far.

    Returns
    -------
    dict
        All results of the folder, by deal and seating.

    Raises
    ------
    ArenaError
        If a worker died.
    LoootError
        If a worker cannot make an agent.
    OSError
        If a game cannot be kept.
    """
    games = folder.results
    left = _games_left(match, deals, games)
    running: set[Future[dict[str, Any]]] = set()
    if on_game is not None:
        on_game(games)
    while True:
        decided = decide(match, games) is not None
        # One game more than is played waits for each worker, lest it wait for us.
        while not decided and len(running) < 2 * jobs and (game := next(left, None)):
            running.add(executor.submit(play_game, match, *game))
        if decided:
            running = {future for future in running if not future.cancel()}
        if not running:
            return games
        done, running = wait(running, return_when=FIRST_COMPLETED)
        # Games that ended are kept before an error ends the run.
        for future in sorted(done, key=lambda future: future.exception() is not None):
            try:
                record = future.result()
            except BrokenExecutor as error:
                raise ArenaError("a worker died; an agent may have crashed it") from error
            folder.append(record)
            if on_game is not None:
                on_game(games)


def _games_left(match: Match, deals: int, games: Games) -> Iterator[tuple[int, int]]:
    for deal in range(deals):
        for seating in range(len(match.seatings())):
            if (deal, seating) not in games:
                yield deal, seating


@contextmanager
def process_pool(jobs: int) -> Iterator[Executor]:
    """Give an executor of `jobs` processes.

    If the block ends with an exception (as by Ctrl-C), or this process dies, the workers and the
    agents they started are killed at once.
    """
    tied, held = get_context("spawn").Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_tie, initargs=(tied,)
    )
    try:
        yield pool
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        held.close()
        tied.close()


def _tie(tied: Connection) -> None:
    """Let this worker and its children live no longer than the other end of the pipe.

    They become a process group of their own, which Ctrl-C at the terminal does not reach.
    """
    os.setpgrp()

    def watch() -> None:
        tied.poll(None)  # nothing is ever sent: this is the end of the pipe
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


class RayExecutor(Executor):
    """Plays on a Ray cluster: that of the environment (``RAY_ADDRESS``), else one made here.

    Needs the extra ``cluster``, and this package on every machine of the cluster. Each game takes
    one processor.

    Raises
    ------
    ArenaError
        If Ray is not installed.
    """

    def __init__(self) -> None:
        try:
            import ray
        except ImportError as error:
            raise ArenaError("Ray is not installed; it is the extra 'cluster'") from error
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # reports nothing unless told to
        ray.init(log_to_driver=False, include_dashboard=False)
        self._ray = ray
        self._call = ray.remote(_call)  # once: each remote function stays with the cluster

    @property
    def jobs(self) -> int:
        """How many games the cluster plays at the same time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the function somewhere on the cluster."""
        future: Future[Any] = self._call.remote(function, *args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; one that was made here ends with all that it runs."""
        self._ray.shutdown()


def _call(function: Any, *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)
