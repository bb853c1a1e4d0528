"""The best trophy there is (R14)."""

from looot_core.rules cimport GameState

cdef extern from *:
    int __builtin_clzll(unsigned long long set) noexcept nogil

cdef enum:
    MOST_AXES = 6            # that a trophy takes


cdef inline int best_trophy(const GameState *state, int axes) noexcept nogil:
    """Give the number of the best trophy left that so many axes suffice for, or 0."""
    cdef int trophies = state.trophies & ((1 << (axes - 1)) - 1) if axes >= 2 else 0
    return 65 - __builtin_clzll(trophies) if trophies else 0
