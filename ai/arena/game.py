"""One game of a match."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any

import looot_core as lc
from ai.agent import Agent
from ai.arena.errors import ArenaError
from ai.arena.match import AgentSpec, Match
from ai.process_agent import ProcessAgent
from looot_core.errors import shorten

_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended.

    Attributes
    ----------
    deal, seating : int
        Which game of the match it is.
    agents : tuple of str
        By seat, as all that follows.
    shares : tuple of float
        Of the victory. A seat whose agent failed has none, the others share it.
    scores : tuple of int or None
        None if an agent failed, for the game has no end then.
    turns, simulations : tuple of int
    seconds, longest_turn_s : tuple of float
        Processor time: of all turns, and of the longest.
    failed_seat : int or None
    failure : str or None
        What that agent did.
    """

    deal: int
    seating: int
    agents: tuple[str, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...] | None
    turns: tuple[int, ...]
    simulations: tuple[int, ...]
    seconds: tuple[float, ...]
    longest_turn_s: tuple[float, ...]
    failed_seat: int | None = None
    failure: str | None = None

    def seats_of(self, agent: str) -> list[int]:
        """Give the seats of an agent."""
        return [seat for seat, name in enumerate(self.agents) if name == agent]

    def share_of(self, agent: str) -> float:
        """Give the share of an agent that plays; of one with several seats, their mean."""
        seats = self.seats_of(agent)
        return sum(self.shares[seat] for seat in seats) / len(seats)

    @classmethod
    def from_record(cls, record: Any, name: str = "record") -> GameResult:
        """Take it from a record that `play_game` gave; errors call it by the name.

        Raises
        ------
        ArenaError
            If it is not in there.
        """
        try:
            data: dict[str, Any] = record["arena"]
            values: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
            }
            return cls(**values)
        except (TypeError, KeyError, AttributeError) as error:
            raise ArenaError(f"{name}: arena: this is no record of a match's game") from error


Games = dict[tuple[int, int], GameResult]
"""Results by deal and seating."""


@dataclass(slots=True)
class _Player:
    agent: Agent
    clock: Callable[[], float]
    budget: int
    turns: int = 0
    simulations: int = 0
    seconds: float = 0.0
    longest_turn_s: float = 0.0


@dataclass(slots=True)
class _Table:
    """A game in progress, and its events so far."""

    setup: lc.GameSetup
    state: lc.State
    events: list[str] = field(default_factory=list)

    def apply(self, action: lc.Action) -> None:
        hidden = len(self.state.unseen)
        self.state.apply(action)
        self.events.append(str(action))
        if hidden and self.events[-1].startswith("longship "):
            assert self.setup.bag is not None
            slot = self.events[-1].split()[1]
            self.events.append(f"draw {slot} {self.setup.bag[-hidden]}")


def play_game(match: Match, deal: int, seating: int) -> dict[str, Any]:
    """Play one game.

    An agent that raises an error, or gives a turn that is not legal, has lost. An agent cannot be
    interrupted: the processor time of its turns is measured, whatever the limit was.

    Returns
    -------
    dict
        The record of the game (`looot_core.GameRecord`), with the agents by seat under
        ``"agents"`` and the fields of `GameResult` under ``"arena"``.
    """
    setup = lc.GameSetup.random(
        players=len(match.agents), edition=match.edition, seed=match.deal_seed(deal)
    )
    table = _Table(setup, lc.State(setup))
    agents = match.seatings()[seating]
    seats = range(len(agents))
    failed_seat = failure = None
    with ExitStack() as stack:
        players = [
            _create(AgentSpec.parse(agents[seat]), match.agent_seed(deal, seating, seat), stack)
            for seat in seats
        ]
        try:
            while not table.state.is_over:
                _take_turn(table, players[table.state.current_player], match)
        except Exception as error:
            failed_seat = table.state.current_player
            failure = _printable(f"{type(error).__name__}: {error}"[:_LONGEST_REASON])
    if failed_seat is None:
        winners = table.state.winners()
        shares = [float(seat in winners) / len(winners) for seat in seats]
    else:
        shares = [float(seat != failed_seat) / (len(seats) - 1) for seat in seats]
    result = GameResult(
        deal,
        seating,
        agents,
        shares=tuple(shares),
        scores=tuple(table.state.scores()) if failed_seat is None else None,
        turns=tuple(player.turns for player in players),
        simulations=tuple(player.simulations for player in players),
        seconds=tuple(player.seconds for player in players),
        longest_turn_s=tuple(player.longest_turn_s for player in players),
        failed_seat=failed_seat,
        failure=failure,
    )
    record = lc.GameRecord(setup, table.events, {"agents": agents, "arena": asdict(result)})
    return record.to_dict()


def _printable(text: str) -> str:
    """Replace what would move a terminal's cursor or could not be encoded."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _create(spec: AgentSpec, seed: int, stack: ExitStack) -> _Player:
    agent = spec.create(seed)
    if isinstance(agent, ProcessAgent):
        stack.callback(agent.close)
        return _Player(agent, agent.cpu_time, spec.budget)
    # A game runs in one thread of a process that plays nothing else meanwhile; an agent with
    # threads of its own is measured by the whole process.
    clock = time.thread_time if spec.threads == 1 else time.process_time
    return _Player(agent, clock, spec.budget)


def _take_turn(table: _Table, player: _Player, match: Match) -> None:
    before = player.clock()
    analysis = player.agent.analyze(table.state.position(), match.limits(player.budget))
    seconds = player.clock() - before
    player.turns += 1
    player.simulations += analysis.simulations
    player.seconds += seconds
    player.longest_turn_s = max(player.longest_turn_s, seconds)
    turn = list(analysis.turn)
    ends = [n for n, action in enumerate(turn, 1) if str(action) == "end"]
    if ends != [len(turn)]:
        raise lc.IllegalActionError(
            f"turn: {shorten(list(map(str, turn)))} has not its only end at its end (R15)"
        )
    for action in turn:
        table.apply(action)
