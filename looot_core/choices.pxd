"""What the mover may do now (R6, R11, R13-R18), as bit sets, and uniform choices from them."""

from libc.stdint cimport uint64_t

from looot_core.bits cimport BYTE_ONES, BYTE_TOPS, population, select
from looot_core.game_state cimport (
    FIRST_SHIELD, NO_DRAW, OCCUPIED_SPACE, PLACE_SECOND_VIKING, SECOND_VIKING, GameState, Seat,
)
from looot_core.generator cimport below
from looot_core.tables cimport AXE, NOTHING, SLOTS, Tables


cdef inline void landing_spaces(const GameState *state, uint64_t *spaces) noexcept nogil:
    """Write the two words of the spaces for an ordinary viking (R6)."""
    cdef const Tables *tables = state.tables
    cdef uint64_t low = state.reach[0], high = state.reach[1]
    cdef int slot
    if state.unseen:  # then no slot is empty (R13)
        low |= tables.ocean_any[0]
        high |= tables.ocean_any[1]
    else:
        for slot in range(SLOTS):
            if state.ocean[slot] != NOTHING:
                low |= tables.ocean_adjacent[slot][0]
                high |= tables.ocean_adjacent[slot][1]
    spaces[0] = low & ~state.occupied[0]
    spaces[1] = high & ~state.occupied[1]


cdef inline void viking_spaces(const GameState *state, uint64_t *spaces) noexcept nogil:
    """Spaces for the next viking, with the shields that are active for it (R6, R17)."""
    if state.active_shields & OCCUPIED_SPACE:
        spaces[0] = state.occupied[0]
        spaces[1] = state.occupied[1]
    else:
        landing_spaces(state, spaces)


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


cdef inline int laid_slots(const GameState *state) noexcept nogil:
    """Ocean slots that hold a longship, as bits."""
    cdef int slot, slots = 0
    if state.unseen:  # then no slot is empty (R13)
        return 31
    for slot in range(SLOTS):
        slots |= (state.ocean[slot] != NOTHING) << slot
    return slots


cdef inline int random_viking(const GameState *state, uint64_t *generator) noexcept nogil:
    cdef uint64_t spaces[2]
    cdef int low, high, chosen, shields = usable_shields(state)
    viking_spaces(state, spaces)
    low = population(spaces[0])
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
    cdef int cells = population(empty), kind = 0
    cdef int chosen = <int>below(generator, cells * population(kinds))
    while chosen >= cells:
        chosen -= cells
        kind += 1
    cell_bit[0] = select(empty, chosen)
    return select(kinds, kind) >> 3


cdef inline int random_draw(const GameState *state, uint64_t *generator) noexcept nogil:
    """Draw a longship uniformly from the unseen ones, or NO_DRAW when there is none."""
    if not state.unseen:
        return NO_DRAW
    return select(state.unseen, <int>below(generator, population(state.unseen)))
