"""What the evaluation knows of a seat: numbers that the boards and the map are summed up in.

The features come in two blocks, so that a search can combine many ways of placing vikings with
many ways of laying tiles without computing either again. `features.FEATURE_NAMES` names them all.
"""

from libc.stdint cimport uint32_t, uint64_t

from looot_core.rules cimport GameState, Seat
from looot_core.tables cimport MAX_TOWERS, RESOURCE_KINDS

cdef enum:
    FJORD_FEATURES = 85
    MAP_FEATURES = 56
    FEATURES = 141               # FJORD_FEATURES + MAP_FEATURES
    MOST_GROUPS = 13             # a group has at least one viking

cdef struct Groups:
    # The groups of one seat.
    uint64_t spaces[MOST_GROUPS][2]
    int towers[MOST_GROUPS]      # watchtowers a group touches, a bit each
    int castles[MOST_GROUPS]
    int size[MOST_GROUPS]
    int count

cdef struct Around:
    # Fjord cells by how many tiles of a resource lie beside them: at least 1, 2 and 3.
    uint64_t least[RESOURCE_KINDS][4]   # [kind][0] is every cell

cdef void find_groups(const GameState *state, int player, Groups *groups) noexcept nogil
cdef void find_around(const Seat *seat, uint64_t cells, Around *around) noexcept nogil
cdef uint64_t filling_cells(const Around *around, uint64_t needs) noexcept nogil
cdef uint64_t lacking_cells(const Around *around, uint64_t needs, int kind) noexcept nogil
cdef int joined_groups(const GameState *state, const Groups *groups, int space) noexcept nogil
cdef int landing_gain(
    const GameState *state, const Seat *seat, const Groups *groups, int space
) noexcept nogil
cdef void fjord_features(const GameState *state, int player, float *features) noexcept nogil
cdef void map_features(const GameState *state, int player, float *features) noexcept nogil
cdef int missing_of(
    const Seat *seat, uint64_t around, uint32_t needs, int *by_kind
) noexcept nogil
