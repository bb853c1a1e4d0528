"""What it is worth to fill a piece, which longships to take, and where to lay them."""

from libc.stdint cimport uint32_t

from looot_core.rules cimport GameState, Seat

cdef enum:
    MOST_LONGSHIP_OPTIONS = 64

cdef double worth_of(const GameState *state, const Seat *seat, int piece) noexcept nogil
cdef uint32_t promising_tiles(const GameState *state, uint32_t tiles) noexcept nogil
cdef int longship_options(
    const GameState *state, uint32_t tiles, int most, int *actions
) noexcept nogil
