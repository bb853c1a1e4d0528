"""Steps of a turn as a search tree names them, whatever was drawn."""

from libc.stdint cimport uint64_t

from looot_core cimport rules
from looot_core.rules cimport ACTION_COUNT, FIRST_LONGSHIP, FIRST_TROPHY, NO_DRAW, GameState
from looot_core.tables cimport CELLS, NOTHING, SLOTS


cdef inline int key_of(const GameState *state, int action) noexcept nogil:
    """Name a legal action in the tree: a longship by its tile."""
    cdef int number = action - FIRST_LONGSHIP
    if FIRST_LONGSHIP <= action < FIRST_TROPHY:
        return ACTION_COUNT + CELLS * state.ocean[number // CELLS] + number % CELLS
    return action


cdef inline int named_action(const GameState *state, int key) noexcept nogil:
    """The action of a name, or -1 if its longship does not lie on the ocean."""
    cdef int slot, number = key - ACTION_COUNT
    if number < 0:
        return key
    for slot in range(SLOTS):
        if state.ocean[slot] != NOTHING and state.ocean[slot] == number // CELLS:
            return FIRST_LONGSHIP + CELLS * slot + number % CELLS
    return -1


cdef inline int action_of(const GameState *state, int key) noexcept nogil:
    """The legal action of a name, or -1 if it is not legal in this game."""
    cdef int action = named_action(state, key)
    return action if rules.is_legal(state, action) else -1


cdef inline void play(GameState *state, int action, uint64_t *generator) noexcept nogil:
    """Play a legal action, dealing what it reveals."""
    cdef int draw = NO_DRAW
    if rules.reveals(state, action):
        draw = rules.random_draw(state, generator)
    rules.apply(state, action, draw)


cdef inline int lead_of(const GameState *state, int player) noexcept nogil:
    """Score of a seat minus that of its best opponent."""
    cdef int other, best = -(1 << 30)
    for other in range(state.players):
        if other != player:
            best = max(best, state.seats[other].score)
    return state.seats[player].score - best


cdef inline double payoff_of(double share, double lead) noexcept nogil:
    """Half the share of the victory and half the score lead, which is squashed into 0 to 1.

    A lead of 20 points lies half-way between none and the most.
    """
    return 0.5 * share + 0.25 * (1.0 + lead / (20.0 + abs(lead)))
