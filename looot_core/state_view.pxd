"""What a state shows, as Python values, and the way back from a position."""

from looot_core.game_state cimport GameState
from looot_core.tables cimport Layout

cdef int begin_with_sites(GameState *game, Layout layout, tuple sites) except -1
cdef tuple unseen_longships(const GameState *game, Layout layout)
cdef list landing_hexes(const GameState *game, Layout layout)
cdef object position_of(const GameState *game, Layout layout, tuple sites, state)
cdef int lay_out(GameState *game, Layout layout, position) except -1
cdef dict breakdown_of(const GameState *game, Layout layout, int player)
