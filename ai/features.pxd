"""What the evaluation knows of a seat: numbers that the boards and the map are summed up in.

The features come in two blocks, so that a search can combine many ways of placing vikings with
many ways of laying tiles without computing either again. `features.FEATURE_NAMES` names them all.
"""

from looot_core.rules cimport GameState

cdef enum:
    FJORD_FEATURES = 85
    MAP_FEATURES = 56
    FEATURES = 141               # FJORD_FEATURES + MAP_FEATURES

cdef void fjord_features(const GameState *state, int player, float *features) noexcept nogil
cdef void map_features(const GameState *state, int player, float *features) noexcept nogil
