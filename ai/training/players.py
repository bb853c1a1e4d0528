"""Players whose games the evaluation learns from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import looot_core as lc
from ai.evaluation import Evaluation
from ai.features import features_of
from ai.selfplay import play_game
from ai.training.examples import Player
from ai.turn_search import TurnSearch
from looot_core.generator import Generator

_MEMORY = 1 << 26
_CLOSE_VISITS = 3  # a turn with a third of the most visits may be drawn instead


def greedy_player(evaluation: Evaluation, noise: float) -> Player:
    """Give a player that takes the best turn by an evaluation; see `ai.selfplay.play_game`."""

    def play(state: lc.State, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        seen, facts, _ = play_game([evaluation] * len(state.scores()), state, seed, noise)
        return seen, facts

    return play


def search_player(evaluation: Evaluation, simulations: int, noise: float) -> Player:
    """Give a player that searches each turn.

    Parameters
    ----------
    evaluation : Evaluation
    simulations : int
        A turn.
    noise : float
        Share of the turns that are drawn from all that were visited about as often as the best.
    """

    def play(state: lc.State, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        state = state.clone()
        generator = Generator(seed)
        players = range(len(state.scores()))
        seen: list[NDArray[np.float32]] = []
        facts: list[tuple[int, int, int]] = []
        while not state.is_over:
            position, scores = state.position(), state.scores()
            for player in players:
                seen.append(features_of(state, player))
                facts.append((player, position.seats[player].vikings_in_hand, scores[player]))
            search = TurnSearch(
                lc.State.from_position(position, seed=0),
                evaluation,
                generator.next_uint64(),
                _MEMORY,
            )
            search.run(simulations, None, 3600.0, None)
            turns = [(values[1], values[2]) for values in search.candidates()]
            close = [turn for turn, visits in turns if visits * _CLOSE_VISITS >= turns[0][1]]
            drawn = generator.below(1 << 20) < noise * (1 << 20)
            for action in close[generator.below(len(close))] if drawn else search.turn():
                state.apply(action)
        finals = state.scores()
        known = [(*fact, finals[fact[0]]) for fact in facts]
        return np.array(seen), np.array(known, dtype=np.int32)

    return play
