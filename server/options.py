"""The search options of a request, validated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from google.protobuf.duration_pb2 import Duration

import ai
import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.events import legal_action
from server.limits import MEBIBYTE, ServiceLimits

DEFAULT_AGENT = "ismcts"

LONGEST_CLOCK_S = 1_000_000

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
    priority : Priority
        Interactive or bulk.
    clock_s : float or None
        Seconds left for the rest of the game; None: there is no clock.
    end_when_decided : bool
        Whether to end when no candidate can overtake the best one.
    allowed, excluded : tuple of Action
        The only actions that the turn may begin with, if any, and those that it may not.
    """

    agent: str
    level: int
    time_s: float
    simulations: int | None
    memory_mb: int
    seed: int | None
    threads: int
    max_candidates: int
    priority: analysis_pb2.Priority.ValueType = analysis_pb2.PRIORITY_INTERACTIVE
    clock_s: float | None = None
    end_when_decided: bool = False
    allowed: tuple[lc.Action, ...] = ()
    excluded: tuple[lc.Action, ...] = ()

    def limits(self, time_s: float, stop: ai.StopFlag) -> ai.Limits:
        """Give the limits of the search, which gets `time_s` seconds at most."""
        return ai.Limits(
            time_s=time_s,
            simulations=self.simulations,
            memory_mb=self.memory_mb,
            stop=stop,
            early_end=self.end_when_decided,
            only=self.allowed or None,
            without=self.excluded,
            clock_s=self.clock_s,
        )

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
    priority = options.priority or analysis_pb2.PRIORITY_INTERACTIVE
    if priority not in analysis_pb2.Priority.values():
        raise _refusal(f"{priority} is no priority", f"{field}.priority")
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
        priority=priority,
        clock_s=_clock_s(wanted, f"{field}.limits.clock"),
        end_when_decided=wanted.end_when_decided,
    )


def read_search(
    options: analysis_pb2.SearchOptions, position: lc.Position, limits: ServiceLimits, field: str
) -> SearchRequest:
    """Read how to search a position, with the actions that the turn may begin with.

    The arguments and the errors are those of `read_options` and `read_first_actions`.
    """
    search = read_options(options, limits, field)
    if options.allowed_actions or options.excluded_actions:
        state = lc.State.from_position(position, seed=0)
        allowed, excluded = read_first_actions(options, state, field)
        search = replace(search, allowed=allowed, excluded=excluded)
    return search


def read_first_actions(
    options: analysis_pb2.SearchOptions, state: lc.State, field: str
) -> tuple[tuple[lc.Action, ...], tuple[lc.Action, ...]]:
    """Read which actions the turn may begin with.

    Parameters
    ----------
    options : analysis_pb2.SearchOptions
    state : lc.State
        Where the search begins.
    field : str
        The path of the options in their request, for errors.

    Returns
    -------
    allowed, excluded : tuple of Action
        As `SearchRequest` has them.

    Raises
    ------
    Refusal
        If an action is malformed or illegal, or none is left.
    """
    allowed = _actions(options.allowed_actions, state, f"{field}.allowed_actions")
    excluded = _actions(options.excluded_actions, state, f"{field}.excluded_actions")
    if excluded and not set(allowed or state.legal_actions()) - set(excluded):
        raise _refusal("no action is left to begin with", f"{field}.excluded_actions")
    return allowed, excluded


def _actions(
    messages: Sequence[game_pb2.Action], state: lc.State, field: str
) -> tuple[lc.Action, ...]:
    if len(messages) > lc.ACTION_COUNT:
        raise _refusal(f"{len(messages)} actions are more than {lc.ACTION_COUNT}", field)
    return tuple(
        legal_action(message, state, f"{field}[{at}]", ErrorReason.ERROR_REASON_INVALID_LIMITS)
        for at, message in enumerate(messages)
    )


def _time_s(wanted: analysis_pb2.SearchLimits, limits: ServiceLimits, field: str) -> float:
    if wanted.HasField("time"):
        return read_duration(wanted.time, 0, limits.max_time_s, field)
    if wanted.HasField("simulations") or wanted.HasField("clock"):
        return limits.max_time_s
    return limits.default_time_s


def _clock_s(wanted: analysis_pb2.SearchLimits, field: str) -> float | None:
    if not wanted.HasField("clock"):
        return None
    return read_duration(wanted.clock, 0, LONGEST_CLOCK_S, field)


def read_duration(message: Duration, lowest_s: float, highest_s: float, field: str) -> float:
    """Read a time in seconds: more than 0, and from `lowest_s` to `highest_s`.

    Raises
    ------
    Refusal
        If it is out of its range.
    """
    if not 0 <= message.nanos < _NANOSECONDS:
        raise _refusal(f"{message.nanos} nanoseconds are not from 0 to 999999999", f"{field}.nanos")
    time_s = message.seconds + message.nanos / _NANOSECONDS
    if not (time_s > 0 and lowest_s <= time_s <= highest_s):
        lowest = f"from {lowest_s:g} s" if lowest_s else "more than 0"
        raise _refusal(f"{time_s:g} s is not {lowest} and up to {highest_s:g} s", field)
    return time_s


def _within(number: int, lowest: int, highest: int, field: str) -> int:
    if not lowest <= number <= highest:
        allowed = f"from {lowest} to {highest}" if lowest < highest else str(lowest)
        raise _refusal(f"{number} is not {allowed}", field)
    return number


def _refusal(message: str, field: str) -> Refusal:
    return Refusal(ErrorReason.ERROR_REASON_INVALID_LIMITS, message, field)
