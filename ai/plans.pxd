"""Ways of laying what a turn has won, with or without a longship and a trophy."""

from libc.stdint cimport uint32_t

from ai.evaluation cimport Weights
from ai.workspace cimport Width, Workspace
from looot_core.rules cimport GameState, Seat

cdef void find_plans(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil
cdef void rate_cells(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil
