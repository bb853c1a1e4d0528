"""What the mover may do now (R6, R11, R13-R18), as bit sets, and uniform choices from them.

`words` is how many words of 64 bits the spaces of the landscape take, 1 or 2. Callers give it as a
constant, so that the compiler leaves out what the smaller landscapes do not need.
"""

from libc.stdint cimport uint32_t, uint64_t

from looot_core.bits cimport BYTE_ONES, BYTE_TOPS, population, select
from looot_core.game_state cimport (
    END, FIRST_SHIELD, FIRST_TROPHY, NO_DRAW, OCCUPIED_SPACE, PLACE_SECOND_VIKING, SECOND_VIKING,
    GameState, Seat,
)
from looot_core.generator cimport below, below_pair
from looot_core.tables cimport ALL_SLOTS, AXE, NOTHING, SLOTS


cdef inline int laid_slots(const GameState *state) noexcept nogil:
    """Ocean slots that hold a longship, as bits."""
    cdef int slot, slots = 0
    if state.unseen:  # then no slot is empty (R13)
        return ALL_SLOTS
    for slot in range(SLOTS):
        slots |= (state.ocean[slot] != NOTHING) << slot
    return slots


cdef inline void open_spaces(const GameState *state, uint64_t *spaces, int words) noexcept nogil:
    """Write the spaces for an ordinary viking (R6)."""
    cdef const uint64_t *shore = state.tables.shore[laid_slots(state)]
    cdef int word
    for word in range(words):
        spaces[word] = (state.reach[word] | shore[word]) & ~state.occupied[word]


cdef inline void landing_spaces(const GameState *state, uint64_t *spaces) noexcept nogil:
    """Write the two words of the spaces for an ordinary viking (R6)."""
    open_spaces(state, spaces, 2)


cdef inline bint any_open(const GameState *state, int words) noexcept nogil:
    """Whether an ordinary viking has a space (R6)."""
    cdef uint64_t spaces[2]
    open_spaces(state, spaces, words)
    return (spaces[0] | (spaces[1] if words > 1 else 0)) != 0


cdef inline void viking_spaces(const GameState *state, uint64_t *spaces, int words) noexcept nogil:
    """Spaces for the next viking, with the shields that are active for it (R6, R17)."""
    cdef int word
    if state.active_shields & OCCUPIED_SPACE:
        for word in range(words):
            spaces[word] = state.occupied[word]
    else:
        open_spaces(state, spaces, words)


cdef inline int usable_shields(const GameState *state) noexcept nogil:
    """Shields that the mover may use now, as bits (R16-R18)."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int shields = seat.shields
    if seat.in_hand < 2 or state.phase == PLACE_SECOND_VIKING:
        shields &= ~SECOND_VIKING
    if not (state.occupied[0] | state.occupied[1]):
        shields &= ~OCCUPIED_SPACE
    return shields


cdef inline uint64_t owed_kinds(const GameState *state) noexcept nogil:
    """The kinds of tile still to be placed: the top bit of each kind's byte."""
    return (state.owed + (BYTE_TOPS - BYTE_ONES)) & BYTE_TOPS


cdef inline int affordable_trophies(const GameState *state) noexcept nogil:
    """Trophies the mover may take, bit 0 for trophy 2 (R14)."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int axes = population(seat.tiles[AXE])
    if seat.trophy or axes < 2:
        return 0
    return state.trophies & ((1 << (axes - 1)) - 1)


cdef inline uint64_t longship_cells(const GameState *state) noexcept nogil:
    """Cells where the mover may lay a longship now (R13)."""
    return 0 if state.longship_taken else state.seats[state.player].empty


cdef inline int random_viking(
    const GameState *state, uint64_t *generator, int words
) noexcept nogil:
    """Draw a space or, behind those, the action of a shield."""
    cdef uint64_t spaces[2]
    cdef int low, high = 0, chosen, shields = usable_shields(state)
    viking_spaces(state, spaces, words)
    low = population(spaces[0])
    if words > 1:
        high = population(spaces[1])
    chosen = <int>below(generator, low + high + population(shields))
    if chosen < low:
        return select(spaces[0], chosen)
    if chosen < low + high:
        return 64 + select(spaces[1], chosen - low)
    return FIRST_SHIELD + select(shields, chosen - low - high)


cdef inline int random_tile(
    const GameState *state, uint64_t *generator, int *cell_bit
) noexcept nogil:
    """Draw a kind and the bit of a cell."""
    cdef uint64_t empty = state.seats[state.player].empty, kinds = owed_kinds(state)
    cdef uint64_t cell
    cdef int kind = <int>below_pair(generator, population(kinds), population(empty), &cell)
    cell_bit[0] = select(empty, <int>cell)
    return select(kinds, kind) >> 3


cdef inline int random_ending(
    const GameState *state, uint64_t *generator, int *cell_bit
) noexcept nogil:
    """Draw a slot and the bit of a cell for its longship, or the action of a trophy or the end."""
    cdef uint64_t empty = longship_cells(state)
    cdef uint32_t slots = laid_slots(state), trophies = affordable_trophies(state)
    cdef uint32_t cells = population(empty), longships = population(slots) * cells
    cdef uint32_t claims = population(trophies)
    cdef uint32_t chosen = <uint32_t>below(generator, longships + claims + 1)
    if chosen < longships:
        cell_bit[0] = select(empty, chosen % cells)
        return select(slots, chosen // cells)
    chosen -= longships
    return FIRST_TROPHY + select(trophies, chosen) if chosen < claims else END


cdef inline int random_draw(const GameState *state, uint64_t *generator) noexcept nogil:
    """Draw a longship uniformly from the unseen ones, or NO_DRAW when there is none."""
    if not state.unseen:
        return NO_DRAW
    return select(state.unseen, <int>below(generator, population(state.unseen)))
