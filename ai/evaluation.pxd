"""The learned evaluation: two networks that forecast each seat's final score.

The small seat network sees one seat. It is asked for every turn that is thought of, so its first
layer is a sum over features whose two blocks are computed apart and added (`fjord_part`,
`map_part`, `gain_of`). The large table network sees all seats, and is asked once where a turn ends:
see `table_network.pxd`. All sums run in a fixed order and without contraction, so that every build
gives the same bits.
"""

from ai.features cimport FEATURES
from ai.table_network cimport TableWeights
from looot_core.rules cimport GameState
from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    FIRST_LAYER = 64
    SECOND_LAYER = 32
    MOST_VIKINGS = 13
    MOST_FEATURES = 88           # of a block

cdef struct Weights:
    # Read-only once loaded; what is not the table network's, or of both, is the seat network's.
    float first[FEATURES][FIRST_LAYER]
    float first_bias[FIRST_LAYER]
    float second[FIRST_LAYER][SECOND_LAYER]
    float second_bias[SECOND_LAYER]
    float third[SECOND_LAYER]
    float linear[FEATURES]
    float bias
    float spread[MOST_VIKINGS + 1]  # standard deviation of the final score, by vikings in hand
    float scale[MOST_VIKINGS + 1]   # score lead at which the odds of the victory are e to 1
    TableWeights *table

cdef struct Part:
    # What one block of features adds to the first layer and to the linear output.
    float features[MOST_FEATURES]
    float hidden[FIRST_LAYER]
    float linear

cdef struct Forecast:
    double scores[MAX_PLAYERS]      # expected final scores
    double shares[MAX_PLAYERS]      # expected shares of the victory

cdef inline double expected_lead(
    const Forecast *forecast, int players, int player
) noexcept nogil:
    """A seat's expected final score minus that of its best opponent."""
    cdef double best = -1e30
    cdef int other
    for other in range(players):
        if other != player:
            best = max(best, forecast.scores[other])
    return forecast.scores[player] - best

cdef double exponential(double x) noexcept nogil
cdef void fjord_part(
    const Weights *weights, const GameState *state, int player, Part *part
) noexcept nogil
cdef void fjord_part_after(
    const Weights *weights, const GameState *state, int player, const Part *before, Part *part
) noexcept nogil
cdef void map_part(
    const Weights *weights, const GameState *state, int player, Part *part
) noexcept nogil
cdef float gain_of(const Weights *weights, const Part *fjord, const Part *map) noexcept nogil
cdef double score_of(const Weights *weights, const GameState *state, int player) noexcept nogil
cdef void shares_of(
    const Weights *weights, const GameState *state, const double *scores, double *shares
) noexcept nogil
cdef void evaluate(
    const Weights *weights, const GameState *state, Forecast *forecast
) noexcept nogil


cdef class Evaluation:
    cdef Weights weights
    cdef readonly str hash
