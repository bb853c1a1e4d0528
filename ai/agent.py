"""What every agent takes and gives, and the registry of agents by name."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

import looot_core as lc
from ai.analysis import Analysis
from ai.limits import InvalidLimitsError, Limits, check_integer
from looot_core.errors import shorten
from looot_core.generator import check_seed, fresh_seed

LEVELS = range(1, 11)
LARGEST_THREADS = 256
ENTRY_POINTS = "looot.agents"
"""The group of entry points under which installed packages tell of their agents."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class UnknownAgentError(lc.LoootError):
    """A name under which no agent is registered."""


class SearchAborted(Exception):
    """The search was told to end without an answer."""


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
            If ``limits.stop`` was aborted, before the search or while it ran: nobody waits for the
            answer any more. A flag that was only stopped gives the best so far.
        """


class SeededAgent:
    """Takes the options that every agent is made with, and keeps the seed.

    Raises
    ------
    LoootError
        If the seed is none.
    """

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        if seed is not None:
            check_seed(seed)
        self._seed = seed

    def _seed_for(self, state: lc.State) -> int:
        """Give the seed of a search: of the agent's seed and the position, or a fresh one."""
        return (fresh_seed() if self._seed is None else self._seed) ^ state.hash()


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

    An installed package need not call it: an entry point of the group ``looot.agents`` does the
    same.

    Parameters
    ----------
    name : str
        Letters, digits, ``_`` and ``-``; a letter first, at most 40.
    factory : callable
        Takes ``level``, ``threads`` and ``seed`` by keyword and gives an `Agent`.

    Raises
    ------
    LoootError
        If the name is none, the factory cannot be called, or what it says of itself makes no sense.
    """
    if type(name) is not str or not _NAME.fullmatch(name):
        raise lc.LoootError(f"name: {shorten(name)} is no name of letters, digits, _ and -")
    if not callable(factory):
        raise lc.LoootError(f"factory: {shorten(factory)} cannot be called to make {name}")
    _read_info(name, factory)
    _factories[name] = factory


def agent_names() -> tuple[str, ...]:
    """Give the names of the agents, sorted."""
    _register_installed()
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
    return _read_info(name, _factory(name))


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
        position, the limits and the seed only, and on what the agent has analysed before if it
        keeps a tree.

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
    check_integer("level", level, LEVELS[-1])
    check_integer("threads", threads, LARGEST_THREADS)
    if threads > info.max_threads:
        raise InvalidLimitsError(
            f"threads: {threads} are more than {info.max_threads}, the most that {name} can use"
        )
    if seed is not None:
        check_seed(seed)
    return _factory(name)(level=level, threads=threads, seed=seed)


def start(
    position: lc.Position,
    limits: Limits,
    on_update: Callable[[Analysis], object] | None = None,
) -> tuple[lc.State, Limits]:
    """Check what `Agent.analyze` is given, and give a state of the position and its turn's limits.

    Returns
    -------
    state : State
    limits : Limits
        With a time in place of a clock.

    Raises
    ------
    InvalidPositionError, InvalidLimitsError
        If the position or the limits are of another type, or the limits name a first action that
        is not legal.
    LoootError
        If the game is over, or the updates go to what cannot be called.
    SearchAborted
        If the stop flag says so already.
    """
    kind: type[object] = type(position)
    if kind is lc.State:
        raise lc.InvalidPositionError("position: a State is not a Position; use state.position()")
    if kind is not lc.Position:
        raise lc.InvalidPositionError(f"position: {shorten(position)} is not a Position")
    if type(limits) is not Limits:
        raise InvalidLimitsError(f"limits: {shorten(limits)} is not a Limits")
    if on_update is not None and not callable(on_update):
        raise lc.LoootError(f"on_update: {shorten(on_update)} cannot be called")
    if position.phase == lc.Phase.OVER:
        raise lc.LoootError("position: the game is over, so there is nothing to choose (R19)")
    state = lc.State.from_position(position, seed=0)
    limits.first_actions(state)
    if limits.stop is not None and limits.stop.aborted:
        raise SearchAborted
    return state, limits.for_turn(position)


def _factory(name: str) -> AgentFactory:
    _register_installed()
    if type(name) is not str or name not in _factories:
        raise UnknownAgentError(f"name: {shorten(name)} is none of {', '.join(agent_names())}")
    return _factories[name]


@cache
def _register_installed() -> None:
    """Register the agents of installed packages, once and not before one is asked for."""
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in _factories:
            continue
        try:
            register(entry.name, entry.load())
        except Exception as error:  # whatever a package of somebody else's raises
            warnings.warn(
                f"{ENTRY_POINTS}: {entry.name} = {entry.value}: {error!r}",
                RuntimeWarning,
                stacklevel=2,
            )


def _read_info(name: str, factory: AgentFactory) -> AgentInfo:
    """Read what an agent says of itself, and fill in what it does not say."""
    default = AgentInfo(name)
    description = getattr(factory, "description", default.description)
    levels = getattr(factory, "levels", default.levels)
    max_threads = getattr(factory, "max_threads", default.max_threads)
    if type(description) is not str:
        raise lc.LoootError(f"description: {shorten(description)} of {name} is not a text")
    if type(levels) is not range or not levels or levels != LEVELS[levels[0] - 1 : levels[-1]]:
        raise lc.LoootError(f"levels: those of {name} are no range of {LEVELS[0]} to {LEVELS[-1]}")
    check_integer("max_threads", max_threads, LARGEST_THREADS)
    return AgentInfo(name, description, levels, max_threads)
