"""What every agent takes and gives, and the registry of agents by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import looot_core as lc
from ai.stop_flag import StopFlag
from looot_core.errors import shorten
from looot_core.generator import check_seed

LARGEST_TIME_S = 1_000_000
LARGEST_SIMULATIONS = 10**15
LARGEST_MEMORY_MB = 65_536
LARGEST_LEVEL = 10
LARGEST_THREADS = 256


class InvalidLimitsError(lc.LoootError):
    """A limit, or another option of a search, that makes no sense or is not supported."""


class UnknownAgentError(lc.LoootError):
    """A name under which no agent is registered."""


class SearchAborted(Exception):
    """The search was told to end without an answer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first limit that is reached.

    Parameters
    ----------
    time_s : float, optional
        Seconds, more than 0.
    simulations : int, optional
        Games played out, at least 1.
    memory_mb : int, optional
        Mebibytes for the search tree, at least 1. A full tree stops growing; the search goes on.
    stop : StopFlag, optional
        Ends the search from another thread.

    Raises
    ------
    InvalidLimitsError
        If a limit is none.
    """

    time_s: float | None = None
    simulations: int | None = None
    memory_mb: int | None = None
    stop: StopFlag | None = None

    def __post_init__(self) -> None:
        time_s: Any = self.time_s
        if time_s is not None and not (
            type(time_s) in (int, float)
            and math.isfinite(min(time_s, LARGEST_TIME_S + 1))
            and 0 < time_s <= LARGEST_TIME_S
        ):
            raise InvalidLimitsError(
                f"time_s: {shorten(time_s)} is not a number above 0 and up to {LARGEST_TIME_S}"
            )
        if self.simulations is not None:
            _check_integer("simulations", self.simulations, LARGEST_SIMULATIONS)
        if self.memory_mb is not None:
            _check_integer("memory_mb", self.memory_mb, LARGEST_MEMORY_MB)
        if self.stop is not None and not isinstance(self.stop, StopFlag):
            raise InvalidLimitsError(f"stop: {shorten(self.stop)} is not a StopFlag")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A first action of the mover, and what the search found behind it.

    Attributes
    ----------
    action : Action
    turn : list of Action
        The best rest of the turn that begins with the action; ends with ``end``.
    visits : int
        Simulations that began with the action.
    win_probability : float
        Of the mover; a shared victory counts its share.
    score_lead : float
        Expected final score of the mover minus that of its best opponent.
    prior : float
        Probability the action had before any simulation.
    standard_error : float
        Of `win_probability`, as if its simulations were independent games.
    principal_variation : list of Action
        The most visited line from the action on, through the turns that follow as far as no
        draw decides what is legal.
    """

    action: lc.Action
    turn: list[lc.Action]
    visits: int
    win_probability: float
    score_lead: float
    prior: float
    standard_error: float
    principal_variation: list[lc.Action]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an agent found in a position.

    Attributes
    ----------
    turn : list of Action
        The best rest of the turn; ends with ``end``.
    candidates : list of Candidate
        First actions, best first.
    simulations, nodes : int
        Games played out; nodes of the tree.
    depth : int
        Steps of the longest line in the tree.
    time_s : float
    expected_scores : list of float
        Final score of each seat; empty if the agent estimates none.
    stopped_by : str
        ``"time"``, ``"simulations"``, ``"stop"``, ``"only_move"`` (nothing to choose),
        ``"complete"`` (nothing left to search).
    """

    turn: list[lc.Action]
    candidates: list[Candidate]
    simulations: int
    nodes: int
    depth: int
    time_s: float
    expected_scores: list[float]
    stopped_by: str


class Agent(Protocol):
    """Something that chooses a turn."""

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Find the best rest of the turn.

        Parameters
        ----------
        position : Position
            With a player to move.
        limits : Limits
        on_update : callable, optional
            Called about every 0.1 s with the analysis so far.

        Raises
        ------
        LoootError
            If the game is over, or the limits do not do.
        SearchAborted
            If the stop flag said so.
        """


class AgentFactory(Protocol):
    """Makes an agent; the class of an agent does."""

    def __call__(self, *, level: int, threads: int, seed: int | None) -> Agent:
        """Make an agent from checked options."""


_factories: dict[str, AgentFactory] = {}


def register(name: str, factory: AgentFactory) -> None:
    """Let `create_agent` know an agent; a known name is given to the new one.

    Parameters
    ----------
    name : str
    factory : callable
        Takes ``level``, ``threads`` and ``seed`` by keyword and gives an `Agent`.
    """
    _factories[name] = factory


def agent_names() -> tuple[str, ...]:
    """Give the names of the agents, sorted."""
    return tuple(sorted(_factories))


def create_agent(name: str, level: int = 10, threads: int = 1, seed: int | None = None) -> Agent:
    """Make an agent.

    Parameters
    ----------
    name : str
        One of `agent_names()`.
    level : int, optional
        From 1 to 10. The agents of this version play alike at all levels.
    threads : int, optional
        The agents of this version search in one thread.
    seed : int, optional
        From 0 to 2^64 - 1: makes an analysis that ends by its number of simulations depend on the
        position, the limits and the seed only.

    Raises
    ------
    UnknownAgentError
        If there is no such agent.
    InvalidLimitsError
        If the level or the threads are out of range or not supported.
    LoootError
        If the seed is none.
    """
    if type(name) is not str or name not in _factories:
        raise UnknownAgentError(f"name: {shorten(name)} is none of {', '.join(agent_names())}")
    _check_integer("level", level, LARGEST_LEVEL)
    _check_integer("threads", threads, LARGEST_THREADS)
    if seed is not None:
        check_seed(seed)
    return _factories[name](level=level, threads=threads, seed=seed)


def check_one_thread(threads: int) -> None:
    """Refuse more than one thread, for agents that search in one."""
    if threads != 1:
        raise InvalidLimitsError(f"threads: {threads} is not 1: this agent searches in one thread")


def start(position: lc.Position, limits: Limits) -> lc.State:
    """Check what `Agent.analyze` is given, and give a state of the position."""
    if not isinstance(position, lc.Position):
        raise lc.InvalidPositionError(f"position: {shorten(position)} is not a Position")
    if not isinstance(limits, Limits):
        raise InvalidLimitsError(f"limits: {shorten(limits)} is not a Limits")
    if position.phase == lc.Phase.OVER:
        raise lc.LoootError("position: the game is over, so there is nothing to choose (R19)")
    return lc.State.from_position(position, seed=0)


def _check_integer(field: str, value: Any, largest: int) -> None:
    if type(value) is not int or not 1 <= value <= largest:
        raise InvalidLimitsError(f"{field}: {shorten(value)} is not an integer from 1 to {largest}")
