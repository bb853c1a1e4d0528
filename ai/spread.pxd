"""How widely the results of a search lie apart, read from its tree.

A simulation ends at one node, with the forecast there: what a node has noted, less what its
children have, is its own. So the variances below need no sums of squares in the nodes.
"""

from libc.stdint cimport uint32_t

from ai.evaluation cimport Weights
from ai.turn_tree cimport Tree
from looot_core.rules cimport GameState
from looot_core.tables cimport MAX_PLAYERS

cdef struct Moments:
    # Sums over simulations.
    double shares                       # of the root mover's shares of the victory
    double share_squares
    double scores[MAX_PLAYERS]          # of the forecasts of each seat's final score
    double score_squares[MAX_PLAYERS]
    double residuals[MAX_PLAYERS]       # of the variances of the final scores about the forecasts
    unsigned long long count

cdef void add_root_moments(
    const Tree *tree, uint32_t child, const Weights *weights, const GameState *root,
    Moments *moments,
) noexcept nogil
cdef double standard_error_of(const Moments *moments) noexcept nogil
cdef double spread_of(const Moments *moments, int player) noexcept nogil
