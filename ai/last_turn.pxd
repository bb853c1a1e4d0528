"""The last turn of a game, solved exhaustively."""

from libc.stdint cimport uint16_t, uint64_t

from ai.workspace cimport MOST_STEPS, Workspace
from looot_core.rules cimport GameState

cdef struct Solution:
    int result               # 8 x score + trophy of the mover: all that counts (R20, R21)
    int length
    uint16_t steps[MOST_STEPS]   # keys of ai.steps; the last is END
    uint64_t looked          # ways of laying tiles that were looked at
    uint64_t most            # ... and how many may be
    bint exact               # none was left out

cdef bint is_last_turn(const GameState *state) noexcept nogil
cdef void solve_last_turn(
    const GameState *state, uint64_t most, const Workspace *workspace, Solution *solution
) noexcept nogil
