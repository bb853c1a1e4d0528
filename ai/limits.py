"""When a search ends, and among which first actions it chooses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import looot_core as lc
from ai.stop_flag import StopFlag
from looot_core.errors import shorten

LARGEST_TIME_S = 1_000_000
LARGEST_SIMULATIONS = 10**15
LARGEST_MEMORY_MB = 65_536
MOST_OF_CLOCK = 1 / 3
"""The largest share of its clock that a seat uses for one turn."""

_TO_BE_PLACED = (lc.Phase.VIKING, lc.Phase.SECOND_VIKING)


class InvalidLimitsError(lc.LoootError):
    """A limit, or another option of a search, that makes no sense or is not supported."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, at the first limit that is reached; and what it may choose.

    Parameters
    ----------
    time_s : float, optional
        Seconds, more than 0.
    simulations : int, optional
        Games played out, at least 1.
    memory_mb : int, optional
        Mebibytes for the search tree, at least 1; what the agent chooses if it is None. It is not a
        limit that ends a search: `ismcts` makes room in a full tree by discarding what lies below
        its least visited nodes, that of `ismcts_plain` stops growing.
    stop : StopFlag, optional
        Ends the search from another thread.
    processor_time : bool, optional
        Whether `time_s` and `clock_s` are what the searching thread has of a processor, not time of
        the wall: fair between agents on a busy machine.
    early_end : bool, optional
        Whether the search may end as soon as none of the turns that it has visited can overtake
        the best one with the simulations that are left (as many as it would run in the time that
        is left). `ismcts` compares the lower bounds by which it chooses: that of the best turn as
        it is now, with those that the others would reach if each got all these simulations and
        they paid four standard errors more than its mean. The agents that choose by visits compare
        these. An agent that does not search in simulations answers at once anyway.
    only, without : collection of lc.Action, optional
        The first actions to choose among, and those to leave out. All must be legal in the
        position, and one must remain. Later steps of the turn are free: a tile that may not be laid
        first may be laid second.
    clock_s : float, optional
        Seconds that the seat has left for all its turns of the game: `for_turn` gives the time of
        one from it. `time_s` may limit that further.

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
    early_end: bool = False
    only: Collection[lc.Action] | None = None
    without: Collection[lc.Action] = ()
    clock_s: float | None = None

    def __post_init__(self) -> None:
        _check_time("time_s", self.time_s)
        _check_time("clock_s", self.clock_s)
        if self.simulations is not None:
            check_integer("simulations", self.simulations, LARGEST_SIMULATIONS)
        if self.memory_mb is not None:
            check_integer("memory_mb", self.memory_mb, LARGEST_MEMORY_MB)
        if self.stop is not None and type(self.stop) is not StopFlag:
            raise InvalidLimitsError(f"stop: {shorten(self.stop)} is not a StopFlag")
        for field in ("processor_time", "early_end"):
            if type(getattr(self, field)) is not bool:
                raise InvalidLimitsError(
                    f"{field}: {shorten(getattr(self, field))} is neither True nor False"
                )
        if self.only is not None:
            object.__setattr__(self, "only", _actions("only", self.only))
            if not self.only:
                raise InvalidLimitsError("only: there is no action to choose")
        object.__setattr__(self, "without", _actions("without", self.without))

    def first_actions(self, state: lc.State) -> list[int] | None:
        """Give the indices of the first actions to choose among, sorted; None if all are.

        Raises
        ------
        InvalidLimitsError
            If one of `only` or `without` is not legal, or nothing is left to choose.
        """
        if self.only is None and not self.without:
            return None
        legal = state.legal_actions()
        for field, actions in (("only", self.only or ()), ("without", self.without)):
            for action in actions:
                if action not in legal:
                    raise InvalidLimitsError(f"{field}: {action} is not legal in the position")
        left = [
            action.index
            for action in (legal if self.only is None else self.only)
            if action not in self.without
        ]
        if not left:
            raise InvalidLimitsError("without: no first action is left to choose")
        return sorted(left)

    def for_turn(self, position: lc.Position) -> Limits:
        """Give the limits of the turn at hand, with a time in place of the clock.

        The clock is shared out evenly over the n turns that the mover has left, and one more as a
        reserve: this one gets 1 / (n + 1) of it, and never more than `MOST_OF_CLOCK`. n is the
        number of its vikings in hand, and one more once those of this turn are placed. (Who
        places two vikings in one turn will have time to spare.)
        """
        if self.clock_s is None:
            return self
        turns = position.seats[position.current_player].vikings_in_hand
        if position.phase not in _TO_BE_PLACED:
            turns += 1  # its viking is placed
        time_s = self.clock_s * min(1 / (turns + 1), MOST_OF_CLOCK)
        if self.time_s is not None:
            time_s = min(time_s, self.time_s)
        return replace(self, time_s=time_s, clock_s=None)

    def refuse(self, agent: str, *fields: str) -> None:
        """Refuse what an agent does not support.

        Raises
        ------
        InvalidLimitsError
            If one of the fields is given.
        """
        for field in fields:
            if getattr(self, field):
                raise InvalidLimitsError(f"{field}: {agent} does not support it")


def check_integer(field: str, value: Any, largest: int) -> None:
    """Refuse what is not an integer from 1 to the largest."""
    if type(value) is not int or not 1 <= value <= largest:
        raise InvalidLimitsError(f"{field}: {shorten(value)} is not an integer from 1 to {largest}")


def _check_time(field: str, value: Any) -> None:
    if value is not None and not (
        (type(value) is int or type(value) is float) and 0 < value <= LARGEST_TIME_S
    ):
        raise InvalidLimitsError(
            f"{field}: {shorten(value)} is not a number above 0 and up to {LARGEST_TIME_S}"
        )


def _actions(field: str, value: Any) -> tuple[lc.Action, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Collection):
        raise InvalidLimitsError(f"{field}: {shorten(value)} is no collection of actions")
    for action in value:
        if type(action) is not lc.Action:
            raise InvalidLimitsError(f"{field}: {shorten(action)} is not an Action")
    return tuple(dict.fromkeys(value))
