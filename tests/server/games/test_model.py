"""The hosted games against a simple model: a list of what was done, and plain rules of who may."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Coroutine
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from server.errors import Refusal
from server.games import HostedGames
from server.searches import Searches
from tests.server.conftest import LIMITS
from tests.server.games.hosting import Guest, new_game, random_turn, reason, state_of

SEATS = st.integers(0, 1)
CHANCES = st.integers(0, 2**32 - 1)


class HostedGameMachine(RuleBasedStateMachine):
    """Two humans play, take back, repeat, try what they may not, and resign; servers restart."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._folder = tempfile.TemporaryDirectory()
        self._open()
        self.guest = self._do(Guest.of(self.games, new_game("hh", undo_allowed=True)))
        # The model: the log, where each turn begins, and the requests that were answered.
        self.log: list[pb.GameEvent] = []
        self.turns: list[tuple[int, int, bool]] = []  # seat, version before, anything revealed
        self.boards: dict[int, bytes] = {0: self._board()}
        self.answered: list[tuple[str, Any, Any]] = []

    def _open(self) -> None:
        self.searches = Searches(LIMITS)
        url = f"sqlite:///{self._folder.name}/games.db"
        # One game in memory at most, so that it is often read from the log again.
        settings = LIMITS.model_copy(update={"database_url": url, "games_in_memory": 1})
        self.games = HostedGames(settings, self.searches)
        self._do(self.games.open())

    def _do(self, call: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(call)

    def _board(self) -> bytes:
        game = self._do(self.guest.game())
        return bytes(game.position.SerializeToString(deterministic=True))

    def _try(self, method: str, request: Any) -> Any:
        """Give the answer, or the reason of the refusal."""
        try:
            answer = self._do(getattr(self.games, method)(request))
        except Refusal as refusal:
            return reason(refusal)
        self.answered.append((method, request, answer))
        return answer

    @property
    def version(self) -> int:
        return len(self.log)

    @rule(seat=SEATS, seed=CHANCES, behind=st.integers(0, 2))
    def submit(self, seat: int, seed: int, behind: int) -> None:
        game = self._do(self.guest.game())
        state = state_of(game)
        if state.is_over:
            return
        chance = random.Random(seed)
        turn = random_turn(state, chance, longship=chance.random() < 0.3)
        expected = self.version - behind
        answer = self._try("submit_actions", self.guest.submission(seat, expected, turn))
        if behind:
            assert answer == "VERSION_MISMATCH"
        elif seat != state.current_player:
            assert answer == "NOT_YOUR_TURN"
        else:
            revealed = any(event.HasField("draw") for event in answer.events)
            self.turns.append((seat, self.version, revealed))
            self.log.extend(answer.events)
            assert answer.version == self.version
            self.boards[self.version] = self._board()

    @rule(seat=SEATS)
    def undo(self, seat: int) -> None:
        over = state_of(self._do(self.guest.game())).is_over
        answer = self._try("undo_turn", self.guest.undo(seat, self.version))
        last = self.turns[-1] if self.turns else None
        if over:
            assert answer == "GAME_OVER"
        elif last is None or last[2] or last[0] != seat:
            assert answer == "UNDO_NOT_POSSIBLE"
        else:
            self.turns.pop()
            self.log.extend(answer.events)
            assert answer.events[0].undo.to_version == last[1]
            assert self._board() == self.boards[last[1]]
            self.boards[self.version] = self.boards[last[1]]

    @precondition(lambda self: self.answered)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        method, request, answer = data.draw(st.sampled_from(self.answered))
        assert self._do(getattr(self.games, method)(request)) == answer

    @rule(seat=SEATS, seed=CHANCES)
    def submit_what_is_illegal(self, seat: int, seed: int) -> None:
        state = state_of(self._do(self.guest.game()))
        if state.is_over or state.current_player != seat:
            return
        turn = random_turn(state, random.Random(seed))
        chance = random.Random(seed)
        turn.insert(chance.randrange(len(turn)), lc.Action.parse("end", state))
        answer = self._try("submit_actions", self.guest.submission(seat, self.version, turn))
        assert answer == "ILLEGAL_ACTION"

    @rule()
    def restart(self) -> None:
        self._do(self.games.close())
        self.searches.close()
        self._open()
        self.guest.games = self.games

    @invariant()
    def the_log_is_that_of_the_model(self) -> None:
        game = self._do(self.guest.game())
        assert game.version == self.version
        if self.version:
            assert self._do(self.guest.watch(after=0, until=self.version)) == self.log

    def teardown(self) -> None:
        self._do(self.games.close())
        self.searches.close()
        self._loop.close()
        self._folder.cleanup()


HostedGameMachine.TestCase.settings = settings(max_examples=8, stateful_step_count=20)
TestHostedGame = HostedGameMachine.TestCase
