"""The rules of the game on one plain C struct; every function here is ``noexcept nogil``.

Actions are the integers of `looot_core.actions`. Nothing here checks its arguments: an action must
be legal, a draw unseen. `looot_core.State` is the class that checks.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from looot_core.choices cimport landing_spaces, random_draw
from looot_core.game_state cimport (
    ACTION_COUNT, DOUBLE_GAIN, END, END_OF_TURN, FIRST_LONGSHIP, FIRST_SHIELD, FIRST_TILE,
    FIRST_TROPHY, HEAD_WORDS, NO_DRAW, OCCUPIED_SPACE, OVER, PLACE_SECOND_VIKING, PLACE_TILES,
    PLACE_VIKING, SECOND_VIKING, GameState, Phase, Seat, Undo,
)
from looot_core.tables cimport Tables

cdef size_t state_size(const GameState *state) noexcept nogil
cdef void copy(GameState *target, const GameState *source) noexcept nogil
cdef uint64_t state_hash(const GameState *state) noexcept nogil
cdef void begin(GameState *state, const Tables *tables) noexcept nogil
cdef int legal_actions(const GameState *state, uint16_t *actions) noexcept nogil
cdef int legal_count(const GameState *state) noexcept nogil
cdef bint is_legal(const GameState *state, int action) noexcept nogil
cdef int random_action(const GameState *state, uint64_t *generator) noexcept nogil
cdef bint reveals(const GameState *state, int action) noexcept nogil
cdef void apply(GameState *state, int action, int draw) noexcept nogil
cdef void apply_recorded(GameState *state, int action, int draw, Undo *record) noexcept nogil
cdef void undo(GameState *state, const Undo *record) noexcept nogil
cdef void playout(GameState *state, uint64_t *generator) noexcept nogil
cdef void restore_vikings(GameState *state, int player, int space, int count) noexcept nogil
cdef void score_from_scratch(GameState *state) noexcept nogil
cdef uint32_t winners(const GameState *state) noexcept nogil
