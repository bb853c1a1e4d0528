"""Find a later position; `later.pxd` declares it.

The turns between are looked for among those of the tree, and what they revealed among the longships
that are unseen at the root and not later. The end of such a line is the position if all is equal.
"""

from libc.stdint cimport uint16_t, uint32_t

from ai.steps cimport action_of
from ai.turn_tree cimport ROOT, Node, Tree, at, steps_of
from looot_core cimport rules
from looot_core.bits cimport lowest
from looot_core.rules cimport NO_DRAW, GameState
from looot_core.tables cimport TILE_KINDS

cdef enum:
    MOST_TURNS_LATER = 8     # each seat moves twice, where four play


cdef bint leads_to(const GameState *state, const GameState *later) noexcept nogil:
    """Whether all that has been placed and laid is there later, too."""
    cdef int player, kind
    for player in range(state.players):
        for n in range(2):
            if state.seats[player].vikings[n] & ~later.seats[player].vikings[n]:
                return False
        for kind in range(TILE_KINDS):
            if state.seats[player].tiles[kind] & ~later.seats[player].tiles[kind]:
                return False
    return True


cdef long long follow(
    const Tree *tree, uint32_t index, const GameState *state, const GameState *later
) noexcept nogil:
    """Look below a node, at which a turn begins."""
    cdef uint32_t child
    cdef long long found
    if state.turn_number >= later.turn_number:
        if state.turn_number == later.turn_number and (
            rules.state_hash(state) == rules.state_hash(later)
        ):
            return index
        return NOWHERE
    child = at(tree, index).first_child
    while child != ROOT:
        found = follow_turn(tree, child, 0, state, later)
        if found != NOWHERE:
            return found
        child = at(tree, child).next_sibling
    return NOWHERE


cdef long long follow_turn(
    const Tree *tree, uint32_t index, int begin, const GameState *state, const GameState *later
) noexcept nogil:
    """Play the turn to a node from one of its steps on, in all ways of what it may reveal."""
    cdef GameState after
    cdef GameState revealed
    cdef const Node *node = at(tree, index)
    cdef const uint16_t *steps = steps_of(tree, node)
    cdef uint32_t draws
    cdef long long found
    cdef int n, action
    rules.copy(&after, state)
    for n in range(begin, node.length):
        action = action_of(&after, steps[n])
        if action < 0:
            return NOWHERE
        if rules.reveals(&after, action):
            draws = after.unseen & ~later.unseen
            while draws:
                rules.copy(&revealed, &after)
                rules.apply(&revealed, action, lowest(draws))
                draws &= draws - 1
                found = follow_turn(tree, index, n + 1, &revealed, later)
                if found != NOWHERE:
                    return found
            return NOWHERE
        rules.apply(&after, action, NO_DRAW)
    return follow(tree, index, &after, later) if leads_to(&after, later) else <long long>NOWHERE


cdef long long find_later(
    const Tree *tree, const GameState *root, const GameState *later
) noexcept nogil:
    """Give the node of a position, ROOT if it is that of the root, or NOWHERE."""
    if root.players != later.players or later.unseen & ~root.unseen or (
        later.turn_number > root.turn_number + MOST_TURNS_LATER
    ):
        return NOWHERE
    return follow(tree, ROOT, root, later)
