"""What an action changes (R7-R15, R19), on a state in place.

`words` is as in `choices.pxd`.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from looot_core.bits cimport COUNT_TOPS, FIELD_ONES, UPPER_PAIRS, bit, lowest, population, spread
from looot_core.choices cimport any_open
from looot_core.game_state cimport (
    DOUBLE_GAIN, END_OF_TURN, NO_DRAW, OVER, PLACE_SECOND_VIKING, PLACE_TILES, PLACE_VIKING,
    SECOND_VIKING, GameState, Seat,
)
from looot_core.tables cimport (
    CASTLE, HIGHEST_LEVEL, HOUSE, LONGSHIPS, NOTHING, SPACES_PER_LEVEL, TILE_KINDS, WATCHTOWER,
    Tables,
)


cdef inline bint has_all(const Seat *seat, uint64_t around, uint32_t needs) noexcept nogil:
    """Whether the tiles on the cells around meet a requirement (R12)."""
    cdef uint32_t counts = COUNT_TOPS
    cdef int kind
    for kind in range(TILE_KINDS):
        counts += <uint32_t>population(seat.tiles[kind] & around) << (4 * kind)
    return (counts - needs) & COUNT_TOPS == COUNT_TOPS


cdef inline void fill(GameState *state, Seat *seat, uint64_t candidates) noexcept nogil:
    """Fill those candidates, unfilled longships and sites, whose requirement is met (R12)."""
    cdef const Tables *tables = state.tables
    cdef int cell_bit, piece, kind
    while candidates:
        cell_bit = lowest(candidates)
        candidates &= candidates - 1
        piece = seat.piece[tables.bit_cell[cell_bit]]
        if has_all(seat, tables.neighbours[cell_bit], tables.needs[piece]):
            seat.unfilled ^= bit(cell_bit)
            if piece < LONGSHIPS:
                kind = tables.bonus_kind[piece]
                seat.value[kind] += tables.bonus[piece]
                seat.score += tables.bonus[piece] * population(seat.tiles[kind])
                seat.score += tables.unfilled_penalty
            else:
                seat.score += tables.bonus[piece]


cdef inline void win_tile(GameState *state, int kind, int field) noexcept nogil:
    """Take a building from its stack, if one is left, to be placed by the mover."""
    if state.stacks >> field & 3:
        state.stacks -= bit(field)
        state.owed_spaces += bit(field)
        state.owed += bit(8 * kind)


cdef inline void win_houses(GameState *state, int space) noexcept nogil:
    """A house of each house space beside the viking (R8)."""
    cdef uint64_t fields = (state.stacks | state.stacks >> 1) & state.tables.houses[space]
    state.stacks -= fields
    state.owed_spaces += fields
    state.owed += <uint64_t>population(fields) << (8 * HOUSE)


cdef inline void win_watchtowers(GameState *state, Seat *seat, int touched) noexcept nogil:
    """Two tiles for each pair among the touched watchtowers that is newly connected (R9)."""
    cdef const Tables *tables = state.tables
    cdef uint64_t pairs = spread(touched) * <uint64_t>touched & UPPER_PAIRS & ~seat.connected
    cdef int pair
    seat.connected |= pairs
    while pairs:
        pair = lowest(pairs)
        pairs &= pairs - 1
        win_tile(state, WATCHTOWER, tables.tower_field[pair >> 3])
        win_tile(state, WATCHTOWER, tables.tower_field[pair & 7])


cdef inline void win_castles(GameState *state, Seat *seat, int touched, int size) noexcept nogil:
    """A castle for each level that the touched castles newly reach (R10)."""
    cdef int castle, level, reached = min(HIGHEST_LEVEL, size // SPACES_PER_LEVEL)
    while touched:
        castle = lowest(touched)
        touched &= touched - 1
        level = seat.castle_levels >> (2 * castle) & 3
        while level < reached:
            level += 1
            seat.castle_levels += <uint16_t>(1 << (2 * castle))
            win_tile(state, CASTLE, state.tables.castle_field[castle])


cdef inline void win_by_group(
    GameState *state, Seat *seat, int space, int words
) noexcept nogil:
    """What the group of a newly placed viking wins (R9, R10).

    Only this group has changed, and what other groups reach has been taken before.
    """
    cdef const Tables *tables = state.tables
    cdef int towers = tables.towers[space], castles = tables.castles[space], size = 1
    cdef int word, member
    cdef uint64_t own[2]
    cdef uint64_t found[2]
    found[1] = 0
    for word in range(words):
        found[word] = tables.adjacent[space][word] & seat.vikings[word]
        own[word] = seat.vikings[word] & ~found[word]
    own[space >> 6 if words > 1 else 0] &= ~bit(space & 63)
    while found[0] | found[1]:  # flood fill: found but not yet looked at; own: not yet found
        if words == 1 or found[0]:
            member = lowest(found[0])
            found[0] &= found[0] - 1
        else:
            member = 64 + lowest(found[1])
            found[1] &= found[1] - 1
        size += 1
        towers |= tables.towers[member]
        castles |= tables.castles[member]
        for word in range(words):
            found[word] |= tables.adjacent[member][word] & own[word]
            own[word] &= ~found[word]
    win_watchtowers(state, seat, towers)
    if size >= SPACES_PER_LEVEL:
        win_castles(state, seat, castles, size)


cdef inline void give_back(GameState *state) noexcept nogil:
    """What is owed returns to its spaces: no cell is empty (R11)."""
    state.stacks += state.owed_spaces
    state.owed_spaces = 0
    state.owed = 0


cdef inline void place_viking(
    GameState *state, Seat *seat, int space, int words
) noexcept nogil:
    """A viking and what it wins (R6-R10), up to the choice of a cell for the first tile."""
    cdef const Tables *tables = state.tables
    cdef uint64_t mark = bit(space & 63)
    cdef int word, own_word = space >> 6 if words > 1 else 0
    cdef bint new = not seat.vikings[own_word] & mark
    state.owed += <uint64_t>(2 if state.active_shields & DOUBLE_GAIN else 1) << (
        8 * tables.resource[space]
    )
    state.occupied[own_word] |= mark
    for word in range(words):
        state.reach[word] |= tables.adjacent[space][word]
    seat.in_hand -= 1
    win_houses(state, space)
    if new:
        seat.vikings[own_word] |= mark
        win_by_group(state, seat, space, words)
    else:
        seat.stacked_space = <uint8_t>space
    if state.active_shields & SECOND_VIKING:
        state.active_shields = 0
        if any_open(state, words):  # else it stays in hand (R19)
            state.phase = PLACE_SECOND_VIKING
            return
    state.active_shields = 0
    state.phase = PLACE_TILES
    if not seat.empty:
        give_back(state)
        state.phase = END_OF_TURN


cdef inline void place_tile(
    GameState *state, Seat *seat, int kind, int cell_bit, bint keep_score
) noexcept nogil:
    """Lay a tile on a cell (R11); without `keep_score`, filling and score are left to later."""
    cdef uint64_t mark = bit(cell_bit), fields
    seat.tiles[kind] |= mark
    seat.empty ^= mark
    state.owed -= bit(8 * kind)
    # Buildings are of the lowest-numbered space that owes one; resources have no fields.
    fields = state.owed_spaces & state.tables.fields[kind]
    fields &= <uint64_t>0 - fields
    state.owed_spaces -= (fields | fields >> 1) & FIELD_ONES
    if keep_score:
        seat.score += seat.value[kind]
        fill(state, seat, seat.unfilled & state.tables.neighbours[cell_bit])
    if not state.owed:
        state.phase = END_OF_TURN
    elif not seat.empty:
        give_back(state)
        state.phase = END_OF_TURN


cdef inline void take_longship(
    GameState *state, Seat *seat, int slot, int cell_bit, int draw, bint keep_score
) noexcept nogil:
    """Lay the longship of a slot on a cell, and the drawn one on the slot (R13)."""
    cdef uint64_t mark = bit(cell_bit)
    seat.piece[state.tables.bit_cell[cell_bit]] = state.ocean[slot]
    seat.empty ^= mark
    seat.unfilled |= mark
    state.longship_taken = 1
    if draw == NO_DRAW:
        state.ocean[slot] = NOTHING
    else:
        state.ocean[slot] = <uint8_t>draw
        state.unseen ^= <uint32_t>1 << draw
    if keep_score:
        seat.score -= state.tables.unfilled_penalty
        fill(state, seat, mark)


cdef inline void use_shield(GameState *state, Seat *seat, int shields) noexcept nogil:
    """Use a shield, given as a bit, for the next viking (R16-R18)."""
    state.active_shields |= <uint8_t>shields
    seat.shields ^= <uint8_t>shields


cdef inline void take_trophy(GameState *state, Seat *seat, int trophy) noexcept nogil:
    """Claim a trophy by its number (R14)."""
    seat.trophy = <uint8_t>trophy
    state.trophies ^= <uint8_t>(1 << (trophy - 2))
    seat.score += state.tables.trophy_points[trophy]


cdef inline void end_turn(GameState *state, int words) noexcept nogil:
    """Pass on to the next who has a viking and a space for it, or end the game (R15, R19)."""
    cdef int _step, player = state.player
    state.longship_taken = 0
    if any_open(state, words):
        for _step in range(state.players):
            player = player + 1 if player + 1 < state.players else 0
            if state.seats[player].in_hand:
                state.player = <uint8_t>player
                state.phase = PLACE_VIKING
                state.turn_number += 1
                return
    state.phase = OVER
    state.turn_number += 1
