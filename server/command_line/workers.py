"""Where games are played: the options, and the executor they stand for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from ai import arena as ai_arena

_Function = TypeVar("_Function", bound=Callable[..., Any])


def worker_options(command: _Function) -> _Function:
    """Add ``--jobs`` and ``--ray``, which `workers` takes."""
    for decorate in (
        click.option("--ray", is_flag=True, help="Play on a Ray cluster (extra: cluster)."),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            show_default="all processors",
            help="Games at a time.",
        ),
    ):
        command = decorate(command)
    return command


@contextmanager
def workers(jobs: int | None, ray: bool) -> Iterator[tuple[Executor, int]]:
    """Give an executor and how many games it plays at the same time."""
    if ray:
        with ai_arena.RayExecutor() as cluster:
            yield cluster, jobs or cluster.jobs
    else:
        jobs = jobs or len(os.sched_getaffinity(0))
        with ai_arena.process_pool(jobs) as pool:
            yield pool, jobs
