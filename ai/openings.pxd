"""Ways of placing the vikings of a turn, with or without shields."""

from ai.evaluation cimport Part, Weights
from ai.workspace cimport Opening, Width, Workspace
from looot_core.rules cimport GameState

cdef void find_openings(
    Workspace *workspace, const GameState *state, const Width *width
) noexcept nogil
cdef void rate_opening(
    const Weights *weights, Opening *opening, const Part *before, int player
) noexcept nogil
