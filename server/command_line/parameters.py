"""Kinds of values that several commands take."""

from __future__ import annotations

import math
from typing import Any

import click

import looot_core as lc
from ai.limits import LARGEST_SIMULATIONS, LARGEST_TIME_S

SEED = click.IntRange(0, 2**64 - 1)
EDITION = click.Choice(list(lc.EDITIONS))
PLAYERS = click.IntRange(2, 4)
SIMULATIONS = click.IntRange(1, LARGEST_SIMULATIONS)


class Seconds(click.FloatRange):
    """A time: more than 0, and finite, which the limits of a range do not see to."""

    name = "seconds"

    def __init__(self, longest: float = LARGEST_TIME_S) -> None:
        super().__init__(0, longest, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number of seconds."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds
