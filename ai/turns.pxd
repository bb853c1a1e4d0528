"""Whole turns worth looking at, as a search tree names them.

A turn is found in three stages. *Openings* place the vikings, with or without shields. *Plans* lay
what was won, take a longship and a trophy; openings that win the same tiles share their plans, for
a plan concerns the fjord only. The evaluation then ranks every opening with every plan of its own,
by adding the parts of the first layer that each has computed once.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.evaluation cimport Forecast, Weights
from ai.workspace cimport Width, Workspace
from looot_core.rules cimport ACTION_COUNT, GameState

cdef struct FirstActions:
    # What a turn may begin with: legal actions; none for any.
    int count
    uint16_t actions[ACTION_COUNT]

cdef Workspace *new_workspace() noexcept nogil
cdef void width_of(int level, Width *width) noexcept nogil
cdef void narrow_width(Width *width) noexcept nogil
cdef void find_turns(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil
cdef int read_first_actions(object given, FirstActions *first) except -1
cdef void find_first_turns(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    const FirstActions *first
) noexcept nogil
cdef bint can_play(const GameState *state, const uint16_t *steps, int length) noexcept nogil
cdef void play_turn(
    GameState *state, const uint16_t *steps, int length, uint64_t *generator
) noexcept nogil
cdef double forecast_after(
    const Weights *weights, const GameState *state, const Workspace *workspace, int number,
    uint64_t *generator, Forecast *forecast,
) noexcept nogil
cdef void rank_by_lead(
    Workspace *workspace, const Weights *weights, const GameState *state
) noexcept nogil
