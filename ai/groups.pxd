"""The groups of vikings of a seat, and what a landing wins by them (R7-R10)."""

from libc.stdint cimport uint64_t

from looot_core.bits cimport lowest, population
from looot_core.rules cimport GameState, Seat
from looot_core.tables cimport AXE, CASTLE, HOUSE, WATCHTOWER, Tables

cdef enum:
    MOST_GROUPS = 13             # a group has at least one viking

cdef struct Groups:
    # The groups of one seat.
    uint64_t spaces[MOST_GROUPS][2]
    int towers[MOST_GROUPS]      # watchtowers a group touches, a bit each
    int castles[MOST_GROUPS]
    int size[MOST_GROUPS]
    int count


cdef inline void find_groups(const GameState *state, int player, Groups *groups) noexcept nogil:
    """Find the groups of a seat."""
    cdef const Tables *tables = state.tables
    cdef uint64_t low = state.seats[player].vikings[0], high = state.seats[player].vikings[1]
    cdef uint64_t fresh_low, fresh_high, before_low, before_high
    cdef int space, towers, castles, n = 0
    while low | high:  # flood fill: low and high are not yet found, fresh not yet looked at
        before_low = low
        before_high = high
        fresh_low = low & (0 - low)
        fresh_high = 0 if low else high & (0 - high)
        low ^= fresh_low
        high ^= fresh_high
        towers = castles = 0
        while fresh_low | fresh_high:
            if fresh_low:
                space = lowest(fresh_low)
                fresh_low &= fresh_low - 1
            else:
                space = 64 + lowest(fresh_high)
                fresh_high &= fresh_high - 1
            fresh_low |= tables.adjacent[space][0] & low
            fresh_high |= tables.adjacent[space][1] & high
            low &= ~fresh_low
            high &= ~fresh_high
            towers |= tables.towers[space]
            castles |= tables.castles[space]
        groups.spaces[n][0] = before_low & ~low
        groups.spaces[n][1] = before_high & ~high
        groups.towers[n] = towers
        groups.castles[n] = castles
        groups.size[n] = population(groups.spaces[n][0]) + population(groups.spaces[n][1])
        n += 1
    groups.count = n


cdef inline int joined_groups(
    const GameState *state, const Seat *seat, const Groups *groups, int space
) noexcept nogil:
    """Give the groups of a seat that a viking on a space would join, a bit each."""
    cdef const uint64_t *adjacent = state.tables.adjacent[space]
    cdef int n, joined = 0
    if not (adjacent[0] & seat.vikings[0] | adjacent[1] & seat.vikings[1]):
        return 0
    for n in range(groups.count):
        joined |= (
            (groups.spaces[n][0] & adjacent[0] | groups.spaces[n][1] & adjacent[1]) != 0
        ) << n
    return joined


cdef inline int tiles_on(const GameState *state, int field) noexcept nogil:
    """Tiles left on a building space, which is a field of the stacks."""
    return state.stacks >> field & 3


cdef inline int landing_gain(
    const GameState *state, const Seat *seat, const Groups *groups, int space
) noexcept nogil:
    """Points that a viking's tiles (R7-R10) are worth at the seat's values, an axe counting 1."""
    return joining_gain(
        state, seat, groups, space, joined_groups(state, seat, groups, space)
    )


cdef inline int joining_gain(
    const GameState *state, const Seat *seat, const Groups *groups, int space, int joined
) noexcept nogil:
    """The same where it is known which groups the viking joins, a bit each."""
    cdef const Tables *tables = state.tables
    cdef int kind = tables.resource[space], towers = tables.towers[space]
    cdef int castles = tables.castles[space], size = 1, points, n, first, second, others, reached
    cdef int level, won
    points = 1 if kind == AXE else seat.value[kind]
    points += seat.value[HOUSE] * population(
        (state.stacks | state.stacks >> 1) & tables.houses[space]
    )
    while joined:
        n = lowest(joined)
        joined &= joined - 1
        towers |= groups.towers[n]
        castles |= groups.castles[n]
        size += groups.size[n]
    while towers & (towers - 1):
        first = lowest(towers)
        towers &= towers - 1
        others = towers & ~<int>(seat.connected >> (8 * first))
        while others:
            second = lowest(others)
            others &= others - 1
            points += seat.value[WATCHTOWER] * (
                (tiles_on(state, tables.tower_field[first]) != 0)
                + (tiles_on(state, tables.tower_field[second]) != 0)
            )
    reached = min(3, size >> 2)
    if reached:
        while castles:
            n = lowest(castles)
            castles &= castles - 1
            level = seat.castle_levels >> (2 * n) & 3
            won = min(reached - level, tiles_on(state, tables.castle_field[n]))
            if won > 0:
                points += won * seat.value[CASTLE]
    return points
