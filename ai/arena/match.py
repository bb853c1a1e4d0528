"""What a match is: who plays, with which limits, and what each game is seeded with."""

from __future__ import annotations

import hashlib
import pkgutil
import shlex
import shutil
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import Any

import looot_core as lc
from ai.agent import Agent, create_agent
from ai.arena.errors import ArenaError
from ai.arena.statistics import SequentialTest
from ai.limits import Limits
from ai.process_agent import ProcessAgent
from ai.weights import learned_evaluation
from looot_core.errors import shorten
from looot_core.generator import check_seed

FORMAT = 1
"""The number of the form of a match's description and of results."""

_PROCESS = "process:"
_OPTIONS = ("level", "threads", "budget")
_LONGEST_NUMBER = 4


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent as text.

    - ``ismcts`` or ``ismcts:level=5,threads=2``: a registered agent. A name that was registered
      by a module that the workers do not import is unknown to them; hence
    - ``package.module.Class``, with options or without: a class made like a registered one;
    - ``ismcts:budget=5``: with five times the match's time or simulations;
    - ``process:COMMAND``: a process that speaks the protocol of `ai.process_agent`. All that
      follows the colon is the command, with quotes as in a shell.
    """

    text: str
    name: str = ""
    level: int = 10
    threads: int = 1
    budget: int = 1
    command: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Read a text.

        Raises
        ------
        ArenaError
            If it has another form, or names a program that is not there.
        """
        if text.startswith(_PROCESS):
            return cls(text, command=_read_command(text))
        name, _, options = text.partition(":")
        values: dict[str, Any] = {}
        for option in options.split(",") if options else ():
            key, _, value = option.partition("=")
            if (
                key not in _OPTIONS
                or key in values
                or not 0 < len(value) <= _LONGEST_NUMBER
                or (not value.isdecimal() or int(value) == 0)
            ):
                raise ArenaError(
                    f"agent: {shorten(text)}: {shorten(option)} is not "
                    f"{', '.join(f'{name}=N' for name in _OPTIONS)} with an N above 0"
                )
            values[key] = int(value)
        return cls(text, name, **values)

    def create(self, seed: int) -> Agent:
        """Make the agent.

        Raises
        ------
        LoootError
            If there is none of that name, or it does not take the options, or it is a process
            that cannot be started.
        """
        if self.command:
            return ProcessAgent(self.command, seed=seed)
        if "." not in self.name:
            return create_agent(self.name, level=self.level, threads=self.threads, seed=seed)
        try:
            factory = pkgutil.resolve_name(self.name)
        except (ImportError, AttributeError, ValueError) as error:
            raise ArenaError(f"agent: {shorten(self.name)}: {error}") from error
        agent: Agent = factory(level=self.level, threads=self.threads, seed=seed)
        return agent


def _read_command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text.removeprefix(_PROCESS)))
    except ValueError as error:
        raise ArenaError(f"agent: {shorten(text)}: {error}") from error
    if not command:
        raise ArenaError(f"agent: {shorten(text)} has no command")
    if shutil.which(command[0]) is None:
        raise ArenaError(f"agent: {shorten(text)}: there is no program {shorten(command[0])}")
    return command


@dataclass(frozen=True, slots=True)
class Match:
    """Agents that meet, every deal in all their seatings.

    Parameters
    ----------
    agents : sequence of str
        One a seat (`AgentSpec`), not all the same; ``("ours", "greedy", "greedy")`` is one
        against many.
    time_s : float, optional
        Seconds of a processor that an agent's thread has for a turn, so that a busy machine is
        fair. The agent watches the clock; the arena measures what it used.
    simulations : int, optional
        A turn; exactly one of the two must be given.
    edition : str, optional
    seed : int, optional
        From 0 to 2^64 - 1. Set-ups, bags and the agents' seeds derive from it.
    stop : SequentialTest, optional
        Ends the match when it has decided on the share of the first agent.

    Raises
    ------
    LoootError
        If a value makes no sense, or an agent cannot be made.
    """

    agents: tuple[str, ...]
    time_s: float | None = None
    simulations: int | None = None
    edition: str = "printed"
    seed: int = 0
    stop: SequentialTest | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))  # the class is frozen
        if not 2 <= len(self.agents) <= 4:
            raise ArenaError(f"agents: {len(self.agents)} are not 2, 3 or 4 (R1)")
        if len(set(self.agents)) == 1:
            raise ArenaError(f"agents: all are {shorten(self.agents[0])}; there is nothing to tell")
        if self.edition not in lc.EDITIONS:
            raise ArenaError(
                f"edition: {shorten(self.edition)} is not one of {', '.join(lc.EDITIONS)}"
            )
        check_seed(self.seed)
        if (self.time_s is None) == (self.simulations is None):
            raise ArenaError("limits: give one of time_s and simulations")
        self.limits()
        for text in dict.fromkeys(self.agents):
            spec = AgentSpec.parse(text)
            if not spec.command:
                spec.create(0)

    def limits(self, budget: int = 1) -> Limits:
        """Give the limits of every turn of an agent whose budget is so many times the match's."""
        return Limits(
            time_s=None if self.time_s is None else budget * self.time_s,
            simulations=None if self.simulations is None else budget * self.simulations,
            processor_time=self.time_s is not None,
        )

    def seatings(self) -> list[tuple[str, ...]]:
        """Give all orders of the agents around the table, as given first.

        One against many has as many as there are seats; n different agents have n!.
        """
        return list(dict.fromkeys(permutations(self.agents)))

    def deal_seed(self, deal: int) -> int:
        """Give the seed of a deal's set-up and bag, the same in all its seatings.

        It depends on nothing else but the seed of the match, so that matches of one seed share
        their deals.
        """
        return _derive(self.seed, deal)

    def agent_seed(self, deal: int, seating: int, seat: int) -> int:
        """Give the seed of the agent on a seat of one game."""
        return _derive(self.seed, deal, seating, seat)

    def description(self) -> dict[str, Any]:
        """Give all that decides what is played, ready for JSON; not how many deals."""
        return {
            "format": FORMAT,
            "engine": lc.__version__,
            "weights": learned_evaluation().hash,
            "agents": list(self.agents),
            "edition": self.edition,
            "time_s": self.time_s,
            "simulations": self.simulations,
            "seed": self.seed,
            "stop": None if self.stop is None else asdict(self.stop),
        }


def _derive(*numbers: int) -> int:
    """Hash numbers into 64 bits: BLAKE2b of their decimal digits, with spaces between them."""
    text = " ".join(map(str, numbers)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
