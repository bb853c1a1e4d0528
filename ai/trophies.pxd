"""The best trophy there is (R14)."""

from looot_core cimport rules
from looot_core.bits cimport population
from looot_core.rules cimport FIRST_TROPHY, GameState, Seat
from looot_core.tables cimport AXE

cdef extern from *:
    int __builtin_clzll(unsigned long long set) noexcept nogil

cdef enum:
    MOST_AXES = 6            # that a trophy takes


cdef inline int best_trophy(const GameState *state, int axes) noexcept nogil:
    """Give the number of the best trophy left that so many axes suffice for, or 0."""
    cdef int trophies = state.trophies & ((1 << (axes - 1)) - 1) if axes >= 2 else 0
    return 65 - __builtin_clzll(trophies) if trophies else 0


cdef inline int action_of_trophy(const GameState *state) noexcept nogil:
    """Give the action of the best trophy that can be claimed, after a longship too, or -1."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int trophy = 0
    if state.phase == rules.END_OF_TURN and not seat.trophy:
        trophy = best_trophy(state, population(seat.tiles[AXE]))
    return FIRST_TROPHY + trophy - 2 if trophy else -1
