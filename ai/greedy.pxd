"""The best turn by the evaluation, without looking further."""

from ai.evaluation cimport Weights
from ai.workspace cimport Width, Workspace
from looot_core.rules cimport GameState

cdef enum:
    COMPARED = 12            # turns of the highest own forecast that are valued for all seats

cdef int greedy_turn(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width
) noexcept nogil
