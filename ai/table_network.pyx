"""The large network's arithmetic; `table_network.pxd` documents it."""

from libc.string cimport memcpy, memset

from ai.features cimport FEATURES, FJORD_FEATURES, fjord_features, map_features
from looot_core.rules cimport GameState
from looot_core.tables cimport MAX_PLAYERS

SHAPES = {
    "table_first": (2 * FEATURES, TABLE_FIRST_LAYER), "table_first_bias": (TABLE_FIRST_LAYER,),
    "table_second": (TABLE_FIRST_LAYER, TABLE_SECOND_LAYER),
    "table_second_bias": (TABLE_SECOND_LAYER,),
    "table_third": (TABLE_SECOND_LAYER,), "table_linear": (2 * FEATURES,), "table_bias": (),
}


cdef extern from "ai/network.h" nogil:
    void add_rows "looot_table_add_rows"(
        float *sums, float *line, const float (*rows)[TABLE_FIRST_LAYER], const float *linear,
        const float *features, const float *before, int count,
    )
    float upper_layers "looot_table_upper_layers"(
        const float *a, const float *b, const float (*second)[TABLE_SECOND_LAYER],
        const float *bias, const float *third,
    )


cdef void table_gains(
    const TableWeights *weights, const GameState *state, float *gains
) noexcept nogil:
    """Write the points that each seat is expected to add to its score until the end."""
    cdef float features[FEATURES]
    cdef float own[MAX_PLAYERS][TABLE_FIRST_LAYER]
    cdef float shown[MAX_PLAYERS][TABLE_FIRST_LAYER]   # what a seat adds as one of the opponents
    cdef float lines[MAX_PLAYERS]
    cdef float shown_lines[MAX_PLAYERS]
    cdef float others[TABLE_FIRST_LAYER]
    cdef float line, part = <float>1.0 / <float>(state.players - 1)
    cdef int player, other, n
    for player in range(state.players):
        fjord_features(state, player, features)
        map_features(state, player, features + FJORD_FEATURES)
        memcpy(own[player], weights.first_bias, sizeof(weights.first_bias))
        memset(shown[player], 0, sizeof(shown[player]))
        lines[player] = weights.bias
        shown_lines[player] = 0
        add_rows(
            own[player], &lines[player], weights.first, weights.linear, features, NULL, FEATURES
        )
        add_rows(
            shown[player], &shown_lines[player], weights.first + FEATURES,
            weights.linear + FEATURES, features, NULL, FEATURES,
        )
    for player in range(state.players):
        memset(others, 0, sizeof(others))
        line = 0
        for other in range(state.players):
            if other != player:
                for n in range(TABLE_FIRST_LAYER):
                    others[n] += shown[other][n]
                line += shown_lines[other]
        for n in range(TABLE_FIRST_LAYER):
            others[n] *= part
        gains[player] = 10 * (
            lines[player] + line * part
            + upper_layers(
                own[player], others, weights.second, weights.second_bias, weights.third
            )
        )
