"""How far the results of a search may be off, read from its tree."""

from ai.evaluation cimport Weights
from ai.turn_tree cimport Node, Tree
from looot_core.rules cimport GameState

cdef double standard_error_of(
    const Node *node, const Weights *weights, const GameState *root
) noexcept nogil
cdef void find_spreads(
    const Tree *tree, const Weights *weights, const GameState *root, double *spreads
) noexcept nogil
