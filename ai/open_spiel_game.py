"""Looot as a game of OpenSpiel, for its algorithms written in Python (extra ``openspiel``).

Importing this module registers it with ``pyspiel``::

    import pyspiel
    import ai.open_spiel_game

    game = pyspiel.load_game("looot", {"players": 3, "edition": "printed", "seed": 7})

- A move is a step of a turn, of the 501 of `looot_core.Action`. After a longship is taken comes a
  chance node, where the one that is revealed is drawn: outcome n is the n-th longship of the
  edition. So a state holds no hidden order: what a player cannot know is not there yet.
- The returns are shares of the victory, 1 in all.
- An information state names the start and the moves since; an observation is a position in JSON.
  There are no tensors.

OpenSpiel's bots written in C++ do not work with games written in Python.
"""

from __future__ import annotations

import json
from typing import Any

import pyspiel

import looot_core as lc
from looot_core.components import EDITIONS

_LONGEST_GAME = 64  # steps of a seat: 13 vikings and ends, 34 cells, 3 shields, a trophy

GAME_TYPE = pyspiel.GameType(
    short_name="looot",
    long_name="Looot",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"players": 2, "edition": "rulebook", "seed": 0},
)


class LoootGame(pyspiel.Game):  # type: ignore[misc]
    """The game on one set-up, or from one position on.

    Parameters
    ----------
    params : dict, optional
        ``players``, ``edition`` and the ``seed`` of the set-up.
    position : Position, optional
        Where the game begins, in place of a set-up's start.

    Raises
    ------
    InvalidSetupError
        If there is no such set-up.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, position: lc.Position | None = None
    ) -> None:
        params = params or {}
        if position is None:
            setup = lc.GameSetup.random(
                players=params.get("players", 2),
                edition=params.get("edition", "rulebook"),
                seed=params.get("seed", 0),
            )
            position = lc.State(setup).position()
        self.start = lc.State.from_position(position, seed=0)
        self.longships = [str(tile) for tile in EDITIONS[self.start.edition].longships]
        info = pyspiel.GameInfo(
            num_distinct_actions=lc.ACTION_COUNT,
            max_chance_outcomes=len(self.longships),
            num_players=self.start.players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=_LONGEST_GAME * self.start.players,
        )
        super().__init__(GAME_TYPE, info, params)

    def new_initial_state(self) -> LoootState:
        """Give the state that the game begins in."""
        return LoootState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LoootObserver:
        """Give what makes the strings of states."""
        return LoootObserver(iig_obs_type is not None and iig_obs_type.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        """Give how many longships can be revealed."""
        return len(self.start.unseen)


class _Table:
    """A state of the core, and the longship action that waits for its draw; copied as a whole."""

    __slots__ = ("state", "taken")

    def __init__(self, state: lc.State, taken: lc.Action | None = None) -> None:
        self.state = state
        self.taken = taken

    def __deepcopy__(self, memo: Any) -> _Table:
        return _Table(self.state.clone(), self.taken)


class LoootState(pyspiel.State):  # type: ignore[misc]
    """A state of the game; OpenSpiel documents its methods.

    Attributes
    ----------
    table : object
        Its `state` is a `looot_core.State`; at a chance node, from before the longship is taken.
    """

    def __init__(self, game: LoootGame) -> None:
        super().__init__(game)
        self.table = _Table(game.start.clone())

    def current_player(self) -> int:
        """Give the seat to move, or that chance does, or that the game is over."""
        if self.table.state.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.table.taken is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.table.state.current_player

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.table.state.is_over

    def returns(self) -> list[float]:
        """Give the shares of the victory; none before the end."""
        state = self.table.state
        winners = state.winners() if state.is_over else []
        return [(seat in winners) / max(1, len(winners)) for seat in range(state.players)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Give the longships that may be revealed, all equally likely."""
        unseen = self.table.state.unseen
        numbers = [n for n, text in enumerate(self.get_game().longships) if text in unseen]
        return [(number, 1 / len(unseen)) for number in numbers]

    def resample_from_infostate(self, player: int, sampler: object) -> LoootState:
        """Give a state that a player cannot tell from this one: a copy, for no state hides more."""
        copy: LoootState = self.clone()
        return copy

    def _legal_actions(self, player: int) -> list[int]:
        return [action.index for action in self.table.state.legal_actions()]

    def _apply_action(self, number: int) -> None:
        state, taken = self.table.state, self.table.taken
        if taken is not None:
            self.table.taken = None
            state.apply(taken, draw=self.get_game().longships[number])
            return
        action = lc.Action.from_index(number, state)
        if str(action).startswith("longship") and state.unseen:
            self.table.taken = action
        else:
            state.apply(action)

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {self.get_game().longships[number]}"
        return str(lc.Action.from_index(number, self.table.state))

    def __str__(self) -> str:
        """Draw the table."""
        text = str(self.table.state)
        return text if self.table.taken is None else f"{text}\n{self.table.taken}"


class LoootObserver:
    """What makes the strings of states; all seats see the same.

    Parameters
    ----------
    perfect_recall : bool
        Whether they tell the moves since the start, or the table as it is.
    """

    tensor = None

    def __init__(self, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.dict: dict[str, object] = {}

    def set_from(self, state: LoootState, player: int) -> None:
        """Write no tensors."""

    def string_from(self, state: LoootState, player: int) -> str:
        """Give the information state, or the observation."""
        if self.perfect_recall:
            moves = " ".join(map(str, state.history()))
            return f"{state.get_game().start.hash():016x} {moves}"
        table = state.table
        seen: dict[str, Any] = table.state.position().to_dict()
        if table.taken is not None:
            seen["taken"] = str(table.taken)
        return json.dumps(seen)


pyspiel.register_game(GAME_TYPE, LoootGame)
