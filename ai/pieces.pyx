"""What filling pieces is worth, and longships to take; `pieces.pxd` tells more."""

from libc.stdint cimport uint32_t, uint64_t

from ai.around cimport (
    Around, Counts, Within, beside_exactly, count_beside, filling_cells, find_around, find_within,
    lacking_any, need_number,
)
from looot_core.bits cimport lowest, population
from looot_core.rules cimport FIRST_LONGSHIP, GameState, Seat
from looot_core.tables cimport CELLS, LONGSHIPS, NOTHING, SLOTS, Tables

cdef enum:
    MOST_BESIDE = 6      # cells beside a cell

cdef double GROWTH = 0.25       # tiles of a kind still to come, a viking in hand


cdef double worth_of(const GameState *state, const Seat *seat, int piece) noexcept nogil:
    """Points that filling a piece will bring, roughly."""
    cdef const Tables *tables = state.tables
    cdef int kind
    if piece >= LONGSHIPS:
        return tables.bonus[piece]
    kind = tables.bonus_kind[piece]
    return tables.unfilled_penalty + tables.bonus[piece] * (
        population(seat.tiles[kind]) + GROWTH * seat.in_hand
    )


cdef struct Options:
    # The most promising actions so far, best first, and among equals the one found first.
    double merits[MOST_LONGSHIP_OPTIONS]
    int *actions
    int count
    int most


cdef inline bint wanted(const Options *options, double merit) noexcept nogil:
    """Whether an action of a merit would be among the most promising."""
    return options.count < options.most or merit > options.merits[options.most - 1]


cdef inline void add_options(
    Options *options, double merit, int first_action, uint64_t cells, const Tables *tables
) noexcept nogil:
    """Add the actions of a longship, from its first one on, on cells that are all of one merit."""
    cdef int i
    while cells and wanted(options, merit):
        if options.count < options.most:
            options.count += 1
        i = options.count - 1
        while i > 0 and options.merits[i - 1] < merit:
            options.merits[i] = options.merits[i - 1]
            options.actions[i] = options.actions[i - 1]
            i -= 1
        options.merits[i] = merit
        options.actions[i] = first_action + tables.bit_cell[lowest(cells)]
        cells &= cells - 1


cdef inline void sort_by_count(
    uint64_t cells, uint64_t counted_cells, uint64_t *by_count
) noexcept nogil:
    """Sort cells by how many of the counted ones lie beside them."""
    cdef Counts counts
    cdef int n
    count_beside(counted_cells, &counts)
    for n in range(MOST_BESIDE + 1):
        by_count[n] = cells & beside_exactly(&counts, n)


cdef inline void add_roomy(
    Options *options, double merit, int fewest, int first_action, uint64_t cells,
    const uint64_t *by_room, const Tables *tables
) noexcept nogil:
    """Add the actions on cells with a fewest number of empty cells beside them or more.

    The roomiest come first, for each empty cell adds to the merit.
    """
    cdef double rated
    cdef int n
    for n in range(MOST_BESIDE, fewest - 1, -1):
        if cells & by_room[n]:
            rated = merit + 0.3 * n
            if not wanted(options, rated):
                return
            add_options(options, rated, first_action, cells & by_room[n], tables)


cdef uint32_t promising_tiles(const GameState *state, uint32_t tiles) noexcept nogil:
    """Give those of some longships that the mover's fjord would fill, with one tile more at most.

    That is the fjord as it is, before a turn adds to it.
    """
    cdef const Seat *seat = &state.seats[state.player]
    cdef Around around
    cdef Within within
    cdef uint32_t promising = 0
    cdef int piece
    find_around(seat, seat.empty, &around)
    find_within(&around, &within)
    while tiles:
        piece = lowest(tiles)
        tiles &= tiles - 1
        if within.lacking >> need_number(state.tables.needs[piece]) & 1:
            promising |= <uint32_t>1 << piece
    return promising


cdef int longship_options(
    const GameState *state, uint32_t tiles, int most, int *actions
) noexcept nogil:
    """Find the most promising longships and cells to lay them on, best first.

    Cells for a longship differ only in how many neighbours are empty, or for one that is filled at
    once, free of tiles; so they are taken by that, best first: most need no look once enough that
    are better are found.
    """
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[state.player]
    cdef Around around
    cdef Options options
    cdef double merit, base
    cdef uint64_t filling, lacking, others, needs
    cdef uint64_t[MOST_BESIDE + 1] by_room
    cdef uint64_t[MOST_BESIDE + 1] by_crowd
    cdef int slot, piece, first, n
    if state.longship_taken or not seat.empty:
        return 0
    options.actions = actions
    options.count = 0
    options.most = most
    find_around(seat, seat.empty, &around)
    sort_by_count(seat.empty, seat.empty, by_room)
    for slot in range(SLOTS):
        piece = state.ocean[slot]
        if piece == NOTHING or not tiles >> piece & 1:
            continue
        first = FIRST_LONGSHIP + CELLS * slot
        needs = tables.needs[piece]
        filling = filling_cells(&around, needs)
        lacking = 0
        base = worth_of(state, seat, piece) - tables.unfilled_penalty
        if filling:
            sort_by_count(filling, seat.empty | seat.unfilled, by_crowd)
            for n in range(MOST_BESIDE + 1):
                if by_crowd[n]:
                    merit = base + 10 - 0.5 * n
                    if not wanted(&options, merit):
                        break
                    add_options(&options, merit, first, by_crowd[n], tables)
        else:
            lacking = lacking_any(&around, needs)
            add_roomy(&options, 0.5 * base, 1, first, lacking, by_room, tables)
        if seat.in_hand > 3:
            others = seat.empty & ~(filling | lacking)
            add_roomy(&options, 0.25 * base - 3, 2, first, others, by_room, tables)
    return options.count
