"""What the search of turns has found, apart from how it searches."""

from libc.stdint cimport uint32_t

from ai.evaluation cimport Evaluation
from ai.search_parameters cimport Parameters
from ai.sliced_search cimport SlicedSearch
from ai.turn_tree cimport Node, Tree
from looot_core.rules cimport GameState
from looot_core.tables cimport Layout

cdef class TurnAnswers(SlicedSearch):
    cdef GameState root
    cdef Layout layout
    cdef Evaluation evaluation
    cdef Parameters parameters
    cdef Tree tree
    cdef int deepest
    cdef uint32_t best_child(self, const GameState *state, uint32_t parent) noexcept nogil
    cdef double merit_of(self, const Node *node, int player) noexcept nogil
    cdef list actions_of(self, GameState *state, uint32_t index)
    cdef list variation_after(self, GameState *state, uint32_t index, list turn)
