"""Games of the greedy player against itself, as examples for the evaluation to learn from."""

from libc.stdlib cimport free
from libc.stdint cimport uint64_t

import numpy as np

from ai.evaluation cimport Evaluation, Weights
from ai.features cimport FEATURES, FJORD_FEATURES, fjord_features, map_features
from ai.greedy cimport greedy_turn
from ai.turns cimport new_workspace, play_turn, width_of
from ai.workspace cimport Width, Workspace
from looot_core cimport rules
from looot_core.generator cimport below
from looot_core.rules cimport GameState
from looot_core.state cimport State

cdef enum:
    MOST_EXAMPLES = 1024      # seats x turns of a game and some room


def play_game(list evaluations, State state not None, seed, double noise):
    """Play a game out and note what each seat saw at the starts of turns.

    Parameters
    ----------
    evaluations : list of Evaluation
        One for each seat.
    state : State
        At the start of a turn; left as it is.
    seed : int
    noise : float
        Share of the turns that are drawn from all that were found, in a first part of the game of
        random length. Only what comes after that is noted: positions of all kinds, and how they
        end in good play.

    Returns
    -------
    tuple
        float32[n, FEATURES], what the seats saw; int32[n, 4]: seat, vikings in hand, score at
        that time, score at the end; the final score of each seat.

    Raises
    ------
    ValueError
        If there is not one evaluation for each seat.
    """
    cdef GameState game
    cdef Workspace *workspace
    cdef Width width
    cdef uint64_t generator = seed
    cdef int n, player, count = 0, chosen, turn = 0, noisy_turns = 0
    cdef float[:, ::1] features = np.zeros((MOST_EXAMPLES, FEATURES), dtype=np.float32)
    cdef int[:, ::1] facts = np.zeros((MOST_EXAMPLES, 4), dtype=np.int32)
    cdef const Weights *weights[4]
    cdef Evaluation evaluation
    if len(evaluations) != state.game.players or None in evaluations:
        raise ValueError(
            f"evaluations: {len(evaluations)} are not one for each of {state.game.players} seats"
        )
    for n, evaluation in enumerate(evaluations):
        weights[n] = &evaluation.weights
    workspace = new_workspace()
    if workspace == NULL:
        raise MemoryError
    width_of(0, &width)
    rules.copy(&game, &state.game)
    with nogil:
        if noise > 0:
            noisy_turns = <int>below(&generator, game.tables.vikings * game.players)
        while game.phase != rules.OVER:
            for player in range(game.players):
                if turn >= noisy_turns and count < MOST_EXAMPLES:
                    fjord_features(&game, player, &features[count, 0])
                    map_features(&game, player, &features[count, FJORD_FEATURES])
                    facts[count, 0] = player
                    facts[count, 1] = game.seats[player].in_hand
                    facts[count, 2] = game.seats[player].score
                    count += 1
            chosen = greedy_turn(workspace, weights[game.player], &game, &width)
            turn += 1
            if turn == noisy_turns or (
                turn < noisy_turns and <double>below(&generator, 1 << 30) < noise * (1 << 30)
            ):
                chosen = <int>below(&generator, workspace.turn_count)
            play_turn(
                &game, workspace.turns[chosen].steps, workspace.turns[chosen].length, &generator
            )
        for n in range(count):
            facts[n, 3] = game.seats[facts[n, 0]].score
    free(workspace)
    return (
        np.asarray(features)[:count].copy(), np.asarray(facts)[:count].copy(),
        [game.seats[player].score for player in range(game.players)],
    )
