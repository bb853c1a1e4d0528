"""Greedy play; `greedy.pxd` documents it."""

from libc.stdlib cimport free
from libc.stdint cimport uint64_t

from ai.evaluation cimport Evaluation, Forecast, Weights
from ai.steps cimport action_of, play
from ai.turns cimport (
    FirstActions, find_first_turns, find_turns, forecast_after, new_workspace, read_first_actions,
    width_of,
)
from ai.workspace cimport EVERY_TILE, MOST_LEVEL, Width, Workspace
from looot_core cimport rules
from looot_core.rules cimport GameState
from looot_core.state cimport State


cdef int greedy_turn(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width
) noexcept nogil:
    """Find turns, and give the number of the one with the best lead."""
    cdef Forecast forecast
    cdef int n, best = 0
    cdef uint64_t generator
    cdef double lead, best_lead = -1e30
    find_turns(workspace, weights, state, width, EVERY_TILE)
    for n in range(min(<int>COMPARED, workspace.turn_count)):
        generator = 0
        lead = forecast_after(weights, state, workspace, n, &generator, &forecast)
        if lead > best_lead:
            best_lead = lead
            best = n
    return best


def ranked_turns(
    State state not None, Evaluation evaluation not None, int level=1, int most=COMPARED,
    first_actions=None,
):
    """Give turns by the mover's expected lead, best first.

    Parameters
    ----------
    state : State
        With a player to move.
    evaluation : Evaluation
    level : int, optional
        How widely to look, from 0 to 6.
    most : int, optional
        Turns of the highest own forecast whose lead is compared.
    first_actions : list of int, optional
        Indices of the legal first actions to choose among; then all turns found are compared.

    Returns
    -------
    list of tuple
        The turn as a list of actions, the mover's expected share of the victory, its expected
        lead, and the expected final score of each seat.

    Raises
    ------
    ValueError
        If the game is over, or the level is none, or no turn is to be compared.
    """
    cdef Workspace *workspace
    cdef Width width
    cdef Forecast forecast
    cdef GameState after
    cdef uint64_t generator
    cdef FirstActions first
    cdef int n, i, action, player = state.game.player
    cdef double lead
    cdef list turn, ranked = []
    if state.game.phase == rules.OVER:
        raise ValueError("state: the game is over, so there is nothing to choose (R19)")
    if not 0 <= level <= MOST_LEVEL:
        raise ValueError(f"level: {level} is not from 0 to {MOST_LEVEL}")
    if most < 1:
        raise ValueError(f"most: {most} is not at least 1")
    workspace = new_workspace()
    if workspace == NULL:
        raise MemoryError
    width_of(level, &width)
    read_first_actions(first_actions, &first)
    find_first_turns(workspace, &evaluation.weights, &state.game, &width, &first)
    if first.count:
        most = workspace.turn_count
    for n in range(min(most, workspace.turn_count)):
        generator = 0
        lead = forecast_after(
            &evaluation.weights, &state.game, workspace, n, &generator, &forecast
        )
        rules.copy(&after, &state.game)
        generator = 0
        turn = []
        for i in range(workspace.turns[n].length):
            action = action_of(&after, workspace.turns[n].steps[i])
            turn.append(state.layout.actions[action])
            play(&after, action, &generator)
        ranked.append((
            turn, forecast.shares[player], lead,
            [forecast.scores[i] for i in range(state.game.players)],
        ))
    free(workspace)
    ranked.sort(key=lambda values: -values[2])
    return ranked
