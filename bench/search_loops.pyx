"""Loops over what the searches are made of, so that the time of one step can be told."""

from libc.stdlib cimport free

from ai.evaluation cimport Evaluation, Forecast, evaluate
from ai.turns cimport find_turns, new_workspace, width_of
from ai.workspace cimport EVERY_TILE, Width, Workspace
from looot_core.state cimport State


def evaluate_states(list states, Evaluation evaluation, int rounds):
    """Evaluate states for all seats, each as often as there are rounds."""
    cdef Forecast forecast
    cdef State state
    cdef int _round
    for state in states:
        with nogil:
            for _round in range(rounds):
                evaluate(&evaluation.weights, &state.game, &forecast)


def find_turns_of(list states, Evaluation evaluation, int level):
    """Find the turns of states; give how many there are."""
    cdef Workspace *workspace = new_workspace()
    cdef Width width
    cdef State state
    cdef long found = 0
    if workspace == NULL:
        raise MemoryError
    width_of(level, &width)
    for state in states:
        with nogil:
            find_turns(workspace, &evaluation.weights, &state.game, &width, EVERY_TILE)
        found += workspace.turn_count
    free(workspace)
    return found
