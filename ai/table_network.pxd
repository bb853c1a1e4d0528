"""The large network of the evaluation: it sees all seats, and values the ends of turns.

Each seat's forecast is made from its own features and the mean of its opponents'. Both are summed
up by the first layer seat by seat, so that the features of a state are computed once. All sums run
in a fixed order and without contraction, so that every build gives the same bits.
"""

from ai.features cimport FEATURES
from looot_core.rules cimport GameState

cdef enum:
    TABLE_FIRST_LAYER = 256
    TABLE_SECOND_LAYER = 64

cdef struct TableWeights:
    # Read-only once loaded. The rows for the opponents' features follow those for one's own.
    float first[2 * FEATURES][TABLE_FIRST_LAYER]
    float first_bias[TABLE_FIRST_LAYER]
    float second[TABLE_FIRST_LAYER][TABLE_SECOND_LAYER]
    float second_bias[TABLE_SECOND_LAYER]
    float third[TABLE_SECOND_LAYER]
    float linear[2 * FEATURES]
    float bias

cdef void table_gains(
    const TableWeights *weights, const GameState *state, float *gains
) noexcept nogil
