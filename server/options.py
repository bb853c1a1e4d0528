"""The search options of a request, validated."""

from __future__ import annotations

from dataclasses import dataclass

import ai
from looot.v1 import analysis_pb2
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.limits import MEBIBYTE, ServiceLimits

DEFAULT_AGENT = "ismcts"

_NANOSECONDS = 10**9


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What a search is asked for: the search options of a request, validated.

    Attributes
    ----------
    agent : str
        Its name.
    level : int
        One of the agent's levels.
    time_s : float
        Seconds.
    simulations : int or None
        None: any number.
    memory_mb : int
        Mebibytes of the search tree.
    seed : int or None
        None: fresh randomness.
    threads : int
        No more than the agent can use.
    max_candidates : int
        How many are answered at most.
    """

    agent: str
    level: int
    time_s: float
    simulations: int | None
    memory_mb: int
    seed: int | None
    threads: int
    max_candidates: int

    def create_agent(self) -> ai.Agent:
        """Make the agent."""
        return ai.create_agent(self.agent, level=self.level, threads=self.threads, seed=self.seed)


def read_options(
    options: analysis_pb2.SearchOptions, limits: ServiceLimits, field: str
) -> SearchRequest:
    """Read how to search, filling in what was left out.

    Parameters
    ----------
    options : analysis_pb2.SearchOptions
    limits : ServiceLimits
    field : str
        The path of the options in their request, for errors.

    Returns
    -------
    SearchRequest

    Raises
    ------
    Refusal
        If the agent is unknown or an option is out of its range.
    """
    name = options.agent if options.HasField("agent") else DEFAULT_AGENT
    if name not in ai.agent_names():
        raise Refusal(
            ErrorReason.ERROR_REASON_UNKNOWN_AGENT,
            f"{name[:40]!r} is none of {', '.join(ai.agent_names())}",
            f"{field}.agent",
        )
    agent = ai.agent_info(name)
    level, threads, max_candidates = agent.levels[-1], 1, limits.max_candidates
    if options.HasField("level"):
        level = _within(options.level, agent.levels[0], level, f"{field}.level")
    if options.HasField("threads"):
        most = min(agent.max_threads, limits.max_threads)
        threads = _within(options.threads, 1, most, f"{field}.threads")
    if options.HasField("max_candidates"):
        max_candidates = _within(
            options.max_candidates, 1, max_candidates, f"{field}.max_candidates"
        )
    wanted = options.limits
    simulations, memory_bytes = None, limits.max_memory_bytes
    if wanted.HasField("simulations"):
        simulations = _within(
            wanted.simulations, 1, limits.max_simulations, f"{field}.limits.simulations"
        )
    if wanted.HasField("memory_bytes"):
        memory_bytes = _within(
            wanted.memory_bytes, MEBIBYTE, memory_bytes, f"{field}.limits.memory_bytes"
        )
    return SearchRequest(
        agent=name,
        level=level,
        time_s=_time_s(wanted, limits, f"{field}.limits.time"),
        simulations=simulations,
        memory_mb=memory_bytes // MEBIBYTE,
        seed=options.seed if options.HasField("seed") else None,
        threads=threads,
        max_candidates=max_candidates,
    )


def _time_s(wanted: analysis_pb2.SearchLimits, limits: ServiceLimits, field: str) -> float:
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
        allowed = f"from {lowest} to {highest}" if lowest < highest else str(lowest)
        raise _refusal(f"{number} is not {allowed}", field)
    return number


def _refusal(message: str, field: str) -> Refusal:
    return Refusal(ErrorReason.ERROR_REASON_INVALID_LIMITS, message, field)
