"""A game as its log tells it: the state, and what of it may be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import looot_core as lc
from server.games.entries import Entry


class UndoRefusedError(Exception):
    """Nothing can be taken back; the message says why."""


@dataclass(slots=True)
class _Turn:
    """A turn that has begun.

    Attributes
    ----------
    seat : int
    before : int
        The version before its first action.
    actions : int
        How many were played.
    by_bot : bool
        Whether bots played all of them.
    revealed : bool
        Whether a longship was revealed.
    """

    seat: int
    before: int
    actions: int = 0
    by_bot: bool = True
    revealed: bool = False


class Table:
    """A game that follows its log.

    Parameters
    ----------
    setup : lc.GameSetup
        Without a bag.
    bots : sequence of (str or None)
        The bot of each seat in JSON; None where a human plays. As at the beginning.
    """

    def __init__(self, setup: lc.GameSetup, bots: Sequence[str | None]) -> None:
        self.setup = setup
        self.state = lc.State(setup)
        self.bots = list(bots)
        self.version = 0
        self._turns: list[_Turn] = []
        self._taken: lc.Action | None = None  # a longship whose draw is the next entry

    @property
    def bot_to_move(self) -> str | None:
        """The bot whose turn it is, in JSON; None if it is a human's, or nobody's."""
        return None if self.state.is_over else self.bots[self.state.current_player]

    @property
    def revealed(self) -> int:
        """How many longships the bag has given."""
        bag = len(lc.EDITIONS[self.setup.edition].longships) - len(self.setup.ocean_longships)
        return bag - len(self.state.unseen)

    def follow(self, entries: Iterable[Entry]) -> None:
        """Let happen what the log says; entries that already have are passed over."""
        for entry in entries:
            if entry.version <= self.version:
                continue
            kind, _, rest = entry.text.partition(" ")
            if kind == "undo":
                self._take_back(int(rest))
            elif kind == "resign":
                self.bots[entry.seat] = rest
            elif kind == "draw":
                self._reveal(rest.split(" ", 1)[1])
            else:
                self._play(entry)
            self.version = entry.version

    def undo_target(self, seat: int) -> int:
        """Give the version that an undo by a seat leads back to.

        Raises
        ------
        UndoRefusedError
            If there is none.
        """
        for turn in reversed(self._turns):
            if turn.revealed:
                raise UndoRefusedError("a longship was revealed, and cannot be hidden again")
            if turn.by_bot:
                continue
            if turn.seat != seat:
                raise UndoRefusedError(f"seat {turn.seat} has acted since")
            return turn.before
        raise UndoRefusedError(f"seat {seat} has played nothing that could be taken back")

    def _play(self, entry: Entry) -> None:
        action = lc.Action.parse(entry.text, self.state)
        if not self._turns or self._turn_ended:
            self._turns.append(_Turn(entry.seat, entry.version - 1))
        turn = self._turns[-1]
        turn.actions += 1
        turn.by_bot = turn.by_bot and self.bots[entry.seat] is not None
        if self.state.reveals(action):
            self._taken = action
        else:
            self.state.apply(action)

    @property
    def _turn_ended(self) -> bool:
        return len(self._turns) == self.state.turn_number

    def _reveal(self, longship: str) -> None:
        assert self._taken is not None
        self.state.apply(self._taken, draw=longship)
        self._taken = None
        self._turns[-1].revealed = True

    def _take_back(self, version: int) -> None:
        while self._turns and self._turns[-1].before >= version:
            for _ in range(self._turns.pop().actions):
                self.state.undo()
