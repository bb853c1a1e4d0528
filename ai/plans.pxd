"""Ways of laying what a turn has won, and of taking a longship and a trophy."""

from libc.stdint cimport uint32_t

from ai.evaluation cimport Weights
from ai.workspace cimport Width, Workspace
from looot_core.rules cimport GameState

cdef enum:
    MOST_LONGSHIP_OPTIONS = 64

cdef void find_plans(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil
