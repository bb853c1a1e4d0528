"""Where a later position of a game lies in a search tree."""

from ai.turn_tree cimport Tree
from looot_core.rules cimport GameState

cdef enum:
    NOWHERE = -1

cdef long long find_later(
    const Tree *tree, const GameState *root, const GameState *later
) noexcept nogil
