"""The search options of a request, validated."""

from __future__ import annotations

from dataclasses import dataclass

import ai
from looot.v1 import analysis_pb2
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.limits import MEBIBYTE, Limits

DEFAULT_AGENT = "ismcts_plain"
MIN_LEVEL = 1
MAX_LEVEL = 10

_NANOSECONDS = 10**9


@dataclass(frozen=True, slots=True)
class Search:
    """What a search is asked for: the search options of a request, validated."""

    agent: str
    level: int
    time_s: float
    simulations: int | None
    memory_mb: int | None
    seed: int | None
    threads: int
    max_candidates: int

    def create_agent(self, field: str) -> ai.Agent:
        """Make the agent; `field` is the path of the search options.

        Raises
        ------
        Refusal
            If the agent cannot search so.
        """
        try:
            return ai.create_agent(
                self.agent, level=self.level, threads=self.threads, seed=self.seed
            )
        except ai.InvalidLimitsError as error:
            raise _refusal(str(error), field) from error


def read_options(options: analysis_pb2.SearchOptions, limits: Limits, field: str) -> Search:
    """Read how to search, filling in what was left out.

    Raises
    ------
    Refusal
        If the agent is unknown or an option is out of its range.
    """
    agent = options.agent or DEFAULT_AGENT
    if agent not in ai.agent_names():
        raise Refusal(
            ErrorReason.ERROR_REASON_UNKNOWN_AGENT,
            f"{agent[:40]!r} is none of {', '.join(ai.agent_names())}",
            f"{field}.agent",
        )
    wanted = options.limits
    simulations = memory_mb = None
    if wanted.HasField("simulations"):
        simulations = _within(
            wanted.simulations, 1, limits.max_simulations, f"{field}.limits.simulations"
        )
    if wanted.HasField("memory_bytes"):
        memory_bytes = _within(
            wanted.memory_bytes, MEBIBYTE, limits.max_memory_bytes, f"{field}.limits.memory_bytes"
        )
        memory_mb = memory_bytes // MEBIBYTE
    return Search(
        agent=agent,
        level=_within(options.level, MIN_LEVEL, MAX_LEVEL, f"{field}.level")
        if options.HasField("level")
        else MAX_LEVEL,
        time_s=_time_s(wanted, limits, f"{field}.limits.time"),
        simulations=simulations,
        memory_mb=memory_mb or limits.max_memory_bytes // MEBIBYTE,
        seed=options.seed if options.HasField("seed") else None,
        threads=_within(options.threads, 0, limits.max_threads, f"{field}.threads") or 1,
        max_candidates=_within(
            options.max_candidates, 0, limits.max_candidates, f"{field}.max_candidates"
        )
        or limits.max_candidates,
    )


def _time_s(wanted: analysis_pb2.SearchLimits, limits: Limits, field: str) -> float:
    if not wanted.HasField("time"):
        return limits.max_time_s if wanted.HasField("simulations") else limits.default_time_s
    time = wanted.time
    if not 0 <= time.nanos < _NANOSECONDS:
        raise _refusal(f"{time.nanos} nanoseconds are not from 0 to 999999999", f"{field}.nanos")
    time_s = time.seconds + time.nanos / _NANOSECONDS
    if not 0 < time_s <= limits.max_time_s:
        raise _refusal(f"{time_s:g} s is not more than 0 and up to {limits.max_time_s:g} s", field)
    return time_s


def _within(number: int, lowest: int, highest: int, field: str) -> int:
    if not lowest <= number <= highest:
        raise _refusal(f"{number} is not from {lowest} to {highest}", field)
    return number


def _refusal(message: str, field: str) -> Refusal:
    return Refusal(ErrorReason.ERROR_REASON_INVALID_LIMITS, message, field)
