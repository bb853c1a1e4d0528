"""What requests may ask of a server."""

from __future__ import annotations

import os
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from looot.v1 import engine_service_pb2
from server.conversion import duration_to_message

MEBIBYTE = 1 << 20
_LONGEST_S = 86_400.0
_MOST_THREADS = 256
_MOST_WAITING = 100_000


def _processors() -> int:
    """Count the processors that this process may use, which may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ServiceLimits(BaseModel):
    """The limits that ``EngineLimits`` of the protocol tells, in its words, and a few of our own.

    The fields say what they mean. A search takes at most `max_memory_bytes` for its tree, and
    `max_searches` threads search at most, so the trees of all searches together take at most their
    product.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_request_bytes: int = Field(
        default=256 * 1024,
        ge=1024,
        le=64 * MEBIBYTE,
        description="The largest request message, in bytes.",
    )
    max_events: int = Field(
        default=2_000, ge=1, le=100_000, description="The most events of an ApplyActionsRequest."
    )
    max_threads: int = Field(
        default=1,
        ge=1,
        le=_MOST_THREADS,
        description="The most threads of one search, if its agent can use them.",
    )
    max_candidates: int = Field(
        default=100, ge=1, le=1_000, description="The most candidates of an analysis."
    )
    max_time_s: float = Field(
        default=60.0, gt=0, le=_LONGEST_S, description="Seconds of the longest search."
    )
    default_time_s: float = Field(
        default_factory=lambda known: min(1.0, known["max_time_s"]),
        gt=0,
        description="Seconds of a search that states no limit; if not given, 1 or the longest.",
    )
    max_simulations: int = Field(
        default=1_000_000_000, ge=1, le=10**15, description="The most simulations of a search."
    )
    max_memory_bytes: int = Field(
        default=256 * MEBIBYTE,
        ge=MEBIBYTE,
        le=65_536 * MEBIBYTE,
        description="The most memory of a search tree, in bytes.",
    )
    max_searches: int = Field(
        default_factory=lambda known: max(_processors(), known["max_threads"]),
        ge=1,
        le=_MOST_THREADS,
        description="Searching threads at the same time; if not given, as many as processors that"
        " the server may use.",
    )
    max_bulk_searches: int | None = Field(
        default=None,
        ge=1,
        le=_MOST_THREADS,
        description="Searching threads of priority bulk at the same time; if not given, one fewer"
        " than all, but at least one.",
    )
    max_waiting: int = Field(
        default_factory=lambda known: known["max_searches"] // 2,
        ge=0,
        le=_MOST_WAITING,
        description="Interactive searches that wait for their turn; more are refused. If not given,"
        " half as many as search: whoever waits then does so for about half a search.",
    )
    max_bulk_waiting: int = Field(
        default=100,
        ge=0,
        le=_MOST_WAITING,
        description="Searches of priority bulk that wait for their turn; more are refused.",
    )
    min_interval_s: float = Field(
        default=0.1, ge=0.01, le=60, description="Seconds between the answers of Analyze, at least."
    )
    max_interval_s: float = Field(
        default=60.0,
        ge=0.1,
        le=3_600,
        description="Seconds between the answers of Analyze, at most.",
    )
    max_calls: int = Field(
        default=10_000,
        ge=1,
        le=1_000_000,
        description="Calls at the same time, streams included; more are refused. As many streams of"
        " health and reflection may be open beside them.",
    )

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        for smaller, larger in (
            ("default_time_s", "max_time_s"),
            ("max_threads", "max_searches"),
            ("min_interval_s", "max_interval_s"),
        ):
            low, high = getattr(self, smaller), getattr(self, larger)
            if low > high:
                raise ValueError(f"{smaller}: {low:g} is more than {larger}, {high:g}")
        return self

    @property
    def bulk_searches(self) -> int:
        """Searching threads of priority bulk at the same time."""
        if self.max_bulk_searches is None:
            return max(1, self.max_searches - 1)
        return min(self.max_bulk_searches, self.max_searches)

    def within(self, longest_s: float | None) -> Self:
        """Give the limits of a caller whose searches take no longer than that, if it is given."""
        if longest_s is None:
            return self
        longest_s = min(longest_s, self.max_time_s)
        shortened = {
            "max_time_s": longest_s,
            "default_time_s": min(longest_s, self.default_time_s),
        }
        return self.model_copy(update=shortened)

    def message(self, max_threads: int) -> engine_service_pb2.EngineLimits:
        """Give the limits as clients are told them.

        Parameters
        ----------
        max_threads : int
            The most that any agent can use within these limits.

        Returns
        -------
        engine_service_pb2.EngineLimits
        """
        return engine_service_pb2.EngineLimits(
            max_request_bytes=self.max_request_bytes,
            max_events=self.max_events,
            max_threads=max_threads,
            max_candidates=self.max_candidates,
            default_time=duration_to_message(self.default_time_s),
            max_time=duration_to_message(self.max_time_s),
            max_simulations=self.max_simulations,
            max_memory_bytes=self.max_memory_bytes,
            max_searches=self.max_searches,
            max_waiting=self.max_waiting,
            max_bulk_waiting=self.max_bulk_waiting,
            min_interval=duration_to_message(self.min_interval_s),
            max_interval=duration_to_message(self.max_interval_s),
        )
