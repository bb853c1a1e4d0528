"""Agents that tell when a search began and how it ended."""

from __future__ import annotations

import threading
from collections.abc import Callable

import ai
import looot_core as lc

PATIENCE_S = 20.0  # less than the searches that must not run to their end


class Recorder:
    """Stands for ``ai.create_agent`` and watches the searches of what it makes."""

    def __init__(self) -> None:
        self._create = ai.create_agent
        self._began = threading.Semaphore(0)
        self._ended = threading.Semaphore(0)
        self.outcomes: list[str] = []
        self.limits: list[ai.Limits] = []

    @property
    def times_s(self) -> list[float | None]:
        return [limits.time_s for limits in self.limits]

    def create_agent(
        self, name: str, *, level: int, threads: int, seed: int | None
    ) -> RecordedAgent:
        return RecordedAgent(self._create(name, level=level, threads=threads, seed=seed), self)

    def wait_for_begin(self) -> None:
        assert self._began.acquire(timeout=PATIENCE_S), "no search began"

    def wait_for_end(self) -> str:
        """Give how the search that ended next did so."""
        assert self._ended.acquire(timeout=PATIENCE_S), "no search ended"
        return self.outcomes[-1]

    def began(self, limits: ai.Limits) -> None:
        self.limits.append(limits)
        self._began.release()

    def ended(self, outcome: str) -> None:
        self.outcomes.append(outcome)
        self._ended.release()


class RecordedAgent:
    def __init__(self, agent: ai.Agent, recorder: Recorder) -> None:
        self._agent = agent
        self._recorder = recorder

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        self._recorder.began(limits)
        try:
            analysis = self._agent.analyze(position, limits, on_update)
        except BaseException as error:
            self._recorder.ended(type(error).__name__)
            raise
        self._recorder.ended(analysis.stopped_by)
        return analysis
