"""What requests may ask of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from looot.v1 import engine_service_pb2
from server.conversion import duration_to_message

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """The limits that ``EngineLimits`` of the protocol tells, in its words.

    Attributes
    ----------
    max_request_bytes : int
        Of a request message.
    max_events : int
        Of an ``ApplyActionsRequest``.
    max_threads : int
        Of a search; an agent may be able to use fewer.
    max_candidates : int
        Of an analysis.
    default_time_s, max_time_s : float
        Seconds of a search that states no limit, and of any.
    max_simulations : int
        Of a search.
    max_memory_bytes : int
        Of a search tree.
    max_searches : int
        That run at the same time; by default as many as there are processors.
    max_waiting : int
        Searches that wait for their turn.
    """

    max_request_bytes: int = 256 * 1024
    max_events: int = 2_000
    max_threads: int = 1
    max_candidates: int = 100
    default_time_s: float = 1.0
    max_time_s: float = 60.0
    max_simulations: int = 1_000_000_000
    max_memory_bytes: int = 256 * MEBIBYTE
    max_searches: int = field(default_factory=lambda: os.cpu_count() or 1)
    max_waiting: int = 100

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
        )
