"""Agents that the tests of the arena name by their classes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import ai
import looot_core as lc

BURNT_S = 0.005


class Illegal(ai.RandomAgent):
    """Leaves out all of its turn but the end."""

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        analysis = super().analyze(position, limits, on_update)
        del analysis.turn[:-1]
        return analysis


class Endless(ai.RandomAgent):
    """Leaves out the end."""

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        analysis = super().analyze(position, limits, on_update)
        del analysis.turn[-1]
        return analysis


class Burning(ai.RandomAgent):
    """Uses processor time."""

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        end = time.thread_time() + BURNT_S
        while time.thread_time() < end:
            pass
        return super().analyze(position, limits, on_update)


class Crashing(ai.RandomAgent):
    """Takes its process with it."""

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        os._exit(3)
