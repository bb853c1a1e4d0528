"""What requests may ask of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from looot.v1 import engine_service_pb2
from server.conversion.analyses import duration

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that ``EngineLimits`` of the protocol tells, in its words."""

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

    def message(self) -> engine_service_pb2.EngineLimits:
        """Give the limits as clients are told them."""
        return engine_service_pb2.EngineLimits(
            max_request_bytes=self.max_request_bytes,
            max_events=self.max_events,
            max_threads=self.max_threads,
            max_candidates=self.max_candidates,
            default_time=duration(self.default_time_s),
            max_time=duration(self.max_time_s),
            max_simulations=self.max_simulations,
            max_memory_bytes=self.max_memory_bytes,
            max_searches=self.max_searches,
            max_waiting=self.max_waiting,
        )
