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
LEVELS = range(1, 11)
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
    processor_time : bool, optional
        Whether `time_s` is what the searching thread has of a processor, not time of the wall: fair
        between agents on a busy machine.

    Raises
    ------
    InvalidLimitsError
        If a limit is none.
    """

    time_s: float | None = None
    simulations: int | None = None
    memory_mb: int | None = None
    stop: StopFlag | None = None
    processor_time: bool = False

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
        if type(self.processor_time) is not bool:
            raise InvalidLimitsError(
                f"processor_time: {shorten(self.processor_time)} is neither True nor False"
            )


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
    win_probability : float or None
        Of the mover; a shared victory counts its share. None: the agent estimates none.
    score_lead : float or None
        Expected final score of the mover minus that of its best opponent. None: the agent
        estimates none.
    prior : float or None
        Probability the action had before any simulation. None: it had none.
    standard_error : float or None
        Of `win_probability`, as if its simulations were independent games. None: not known.
    principal_variation : list of Action
        The most visited line from the action on, through the turns that follow as far as no
        draw decides what is legal.
    """

    action: lc.Action
    turn: list[lc.Action]
    visits: int
    win_probability: float | None
    score_lead: float | None
    prior: float | None
    standard_error: float | None
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
        Seconds taken.
    expected_scores : list of float
        Final score of each seat; empty if the agent estimates none.
    stopped_by : str
        ``"time"``, ``"simulations"``, ``"stop"``, ``"only_move"`` (nothing to choose),
        ``"complete"`` (nothing left to search); ``""`` in an update, for the search goes on.
    weights_hash : str
        Of the weights that the agent judged positions with; empty if it has none.
    """

    turn: list[lc.Action]
    candidates: list[Candidate]
    simulations: int
    nodes: int
    depth: int
    time_s: float
    expected_scores: list[float]
    stopped_by: str
    weights_hash: str = ""


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

        Returns
        -------
        Analysis
            Its turn is legal whatever is revealed on the way.

        Raises
        ------
        LoootError
            If the game is over, or the limits do not do.
        SearchAborted
            If the stop flag said so.
        """


class AgentFactory(Protocol):
    """Makes an agent; the class of an agent does.

    It may also have the attributes of `AgentInfo` but for the name, where they differ from the
    defaults there.
    """

    def __call__(self, *, level: int, threads: int, seed: int | None) -> Agent:
        """Make an agent from checked options."""


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """What an agent says of itself.

    Attributes
    ----------
    name : str
        The name it is registered under.
    description : str
        A sentence on how it plays.
    levels : range
        Its levels of strength, the strongest last. One that plays at one strength only has 10.
    max_threads : int
        The most threads it can search in.
    """

    name: str
    description: str = ""
    levels: range = LEVELS[-1:]
    max_threads: int = 1


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


def agent_info(name: str) -> AgentInfo:
    """Give what an agent says of itself.

    Parameters
    ----------
    name : str
        One of `agent_names()`.

    Returns
    -------
    AgentInfo

    Raises
    ------
    UnknownAgentError
        If there is no such agent.
    """
    factory = _factory(name)
    default = AgentInfo(name)
    return AgentInfo(
        name,
        getattr(factory, "description", default.description),
        getattr(factory, "levels", default.levels),
        getattr(factory, "max_threads", default.max_threads),
    )


def create_agent(name: str, level: int = 10, threads: int = 1, seed: int | None = None) -> Agent:
    """Make an agent.

    Parameters
    ----------
    name : str
        One of `agent_names()`.
    level : int, optional
        From 1 to 10. An agent that does not have the level plays at its strongest: see
        `agent_info`.
    threads : int, optional
        From 1 to the most that the agent can use: see `agent_info`.
    seed : int, optional
        From 0 to 2^64 - 1: makes an analysis that ends by its number of simulations depend on the
        position, the limits and the seed only.

    Returns
    -------
    Agent

    Raises
    ------
    UnknownAgentError
        If there is no such agent.
    InvalidLimitsError
        If the level or the threads are out of their range.
    LoootError
        If the seed is none.
    """
    info = agent_info(name)
    _check_integer("level", level, LEVELS[-1])
    _check_integer("threads", threads, LARGEST_THREADS)
    if threads > info.max_threads:
        raise InvalidLimitsError(
            f"threads: {threads} are more than {info.max_threads}, the most that {name} can use"
        )
    if seed is not None:
        check_seed(seed)
    return _factory(name)(level=level, threads=threads, seed=seed)


def _factory(name: str) -> AgentFactory:
    if type(name) is not str or name not in _factories:
        raise UnknownAgentError(f"name: {shorten(name)} is none of {', '.join(agent_names())}")
    return _factories[name]


def start(position: lc.Position, limits: Limits) -> lc.State:
    """Check what `Agent.analyze` is given, and give a state of the position.

    Returns
    -------
    State

    Raises
    ------
    InvalidPositionError, InvalidLimitsError
        If the position or the limits are of another type.
    LoootError
        If the game is over.
    """
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
