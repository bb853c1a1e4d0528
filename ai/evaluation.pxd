"""The learned evaluation: a small network that forecasts each seat's final score.

The first layer is a sum over features, so the parts of the two blocks are computed apart and added
(`add_fjord`, `add_map`, `forecast_of`). All sums run in a fixed order and without contraction, so
that every build gives the same bits.
"""

from ai.features cimport FEATURES
from looot_core.rules cimport GameState
from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    FIRST_LAYER = 64
    SECOND_LAYER = 32
    MOST_VIKINGS = 13
    MOST_FEATURES = 88           # of a block

cdef struct Weights:
    # Read-only once loaded.
    float first[FEATURES][FIRST_LAYER]
    float first_bias[FIRST_LAYER]
    float second[FIRST_LAYER][SECOND_LAYER]
    float second_bias[SECOND_LAYER]
    float third[SECOND_LAYER]
    float linear[FEATURES]
    float bias
    float spread[MOST_VIKINGS + 1]  # standard deviation of the final score, by vikings in hand
    float scale[MOST_VIKINGS + 1]   # score lead at which the odds of the victory are e to 1

cdef struct Part:
    # What one block of features adds to the first layer and to the linear output.
    float features[MOST_FEATURES]
    float hidden[FIRST_LAYER]
    float linear

cdef struct Forecast:
    double scores[MAX_PLAYERS]      # expected final scores
    double shares[MAX_PLAYERS]      # expected shares of the victory

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
