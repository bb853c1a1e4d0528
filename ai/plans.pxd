"""Ways of laying what a turn has won, and of taking a longship and a trophy."""

from libc.stdint cimport uint32_t

from ai.evaluation cimport Weights
from ai.workspace cimport Width, Workspace
from looot_core.rules cimport GameState, Seat

cdef enum:
    MOST_LONGSHIP_OPTIONS = 64

cdef void find_plans(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil
cdef double worth_of(const GameState *state, const Seat *seat, int piece) noexcept nogil
cdef void rate_cells(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil
cdef uint32_t promising_tiles(const GameState *state, uint32_t tiles) noexcept nogil
cdef int longship_options(
    const GameState *state, uint32_t tiles, int most, int *actions
) noexcept nogil
