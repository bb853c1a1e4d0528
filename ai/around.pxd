"""What lies around the cells of a fjord, and what pieces need there (R12)."""

from libc.stdint cimport uint32_t, uint64_t

from looot_core.bits cimport COUNT_TOPS, population
from looot_core.rules cimport Seat
from looot_core.tables cimport RESOURCE_KINDS, TILE_KINDS

cdef enum:
    ALL_WEIGHTS = 21         # of all four resources, see `weight`

cdef struct Counts:
    # How many cells of a set lie beside each cell: the bits of a number from 0 to 6.
    uint64_t ones, twos, fours

cdef struct Around:
    # Fjord cells beside at least n tiles of a resource, n from 0 to 3, in [n + 1][kind].
    uint64_t at_least[5][RESOURCE_KINDS]   # [0] is no cell, [1] is every cell


cdef inline void count_beside(uint64_t cells, Counts *counts) noexcept nogil:
    """Count the cells of a set beside all cells at once, by adding the six shifted sets."""
    cdef uint64_t a = cells << 1, b = cells >> 1, c = cells << 7
    cdef uint64_t d = cells >> 7, e = cells << 8, f = cells >> 8
    cdef uint64_t first = a ^ b ^ c, second = d ^ e ^ f
    cdef uint64_t carry = first & second
    cdef uint64_t first_carry = a & b | (a ^ b) & c, second_carry = d & e | (d ^ e) & f
    counts.ones = first ^ second
    counts.twos = first_carry ^ second_carry ^ carry
    counts.fours = first_carry & second_carry | (first_carry ^ second_carry) & carry


cdef inline uint64_t counted(const Counts *counts, int count) noexcept nogil:
    """The cells, and places outside the fjord, that have so many beside them."""
    return (
        (counts.ones if count & 1 else ~counts.ones)
        & (counts.twos if count & 2 else ~counts.twos)
        & (counts.fours if count & 4 else ~counts.fours)
    )


cdef inline uint64_t beside_one(const Counts *counts) noexcept nogil:
    """The cells that have at least one beside them, and below two and three."""
    return counts.ones | counts.twos | counts.fours


cdef inline uint64_t beside_two(const Counts *counts) noexcept nogil:
    return counts.twos | counts.fours


cdef inline uint64_t beside_three(const Counts *counts) noexcept nogil:
    return counts.ones & counts.twos | counts.fours


cdef inline void find_around(const Seat *seat, uint64_t cells, Around *around) noexcept nogil:
    """Find what lies around some cells: for all of them, and for all resources, at once."""
    cdef Counts counts
    cdef int kind
    for kind in range(RESOURCE_KINDS):
        count_beside(seat.tiles[kind], &counts)
        around.at_least[0][kind] = 0
        around.at_least[1][kind] = cells
        around.at_least[2][kind] = beside_one(&counts) & cells
        around.at_least[3][kind] = beside_two(&counts) & cells
        around.at_least[4][kind] = beside_three(&counts) & cells


cdef inline uint64_t filling_cells(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which everything lies that a longship needs."""
    return (
        around.at_least[(needs & 3) + 1][0] & around.at_least[(needs >> 4 & 3) + 1][1]
        & around.at_least[(needs >> 8 & 3) + 1][2] & around.at_least[(needs >> 12 & 3) + 1][3]
    )


cdef inline uint64_t lacking_cells(const Around *around, uint64_t needs, int kind) noexcept nogil:
    """Cells around which everything but one tile of a needed kind lies."""
    cdef uint64_t met = around.at_least[(needs >> (4 * kind) & 3) + 1][kind]
    return filling_cells(around, needs - (1 << 4 * kind)) & ~met


cdef inline uint64_t lacking_any(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which a longship would be filled by one tile more, or is already."""
    cdef int n = needs & 3
    cdef uint64_t one_a = around.at_least[n][0], a = around.at_least[n + 1][0]
    n = needs >> 4 & 3
    cdef uint64_t one_b = around.at_least[n][1], b = around.at_least[n + 1][1]
    n = needs >> 8 & 3
    cdef uint64_t one_c = around.at_least[n][2], c = around.at_least[n + 1][2]
    n = needs >> 12 & 3
    cdef uint64_t one_d = around.at_least[n][3], d = around.at_least[n + 1][3]
    return (one_a & b | a & one_b) & c & d | (one_c & d | c & one_d) & a & b


cdef inline uint32_t lacking_tiles(
    const Seat *seat, uint64_t around, uint32_t needs, int kinds
) noexcept nogil:
    """What a requirement still lacks, in its own form: 4 bits a tile kind.

    It must need none but the first so many kinds; a longship needs resources alone. As a cell has
    six neighbours, no field exceeds 7: its top bit is left to tell whether too much lies there.
    """
    cdef uint32_t counts = 0, left
    cdef int kind
    for kind in range(kinds):
        counts |= <uint32_t>population(seat.tiles[kind] & around) << (4 * kind)
    needs = (needs | COUNT_TOPS) - counts
    left = needs & COUNT_TOPS
    return needs & (left - (left >> 3))


cdef inline int sum_of(uint32_t tiles) noexcept nogil:
    """How many tiles such fields hold in all, up to 15."""
    return tiles * 0x11111111U >> 28


cdef inline int missing_of(
    const Seat *seat, uint64_t around, uint32_t needs, int *by_kind
) noexcept nogil:
    """Tiles that a requirement still lacks, in all and by kind."""
    cdef uint32_t lacking = lacking_tiles(seat, around, needs, TILE_KINDS)
    cdef int kind
    for kind in range(TILE_KINDS):
        by_kind[kind] = <int>(lacking >> (4 * kind) & 15)
    return sum_of(lacking)


cdef struct Within:
    # What a longship may need, which is three tiles, a bit each: see `need_number`.
    uint64_t filled          # there is a cell where it is filled at once
    uint64_t lacking         # ... or would be by one tile more, or is already


cdef inline int need_number(uint32_t needs) noexcept nogil:
    """Number what a longship needs, from 0 to 63: 2 bits for each resource but the first."""
    return needs >> 4 & 3 | needs >> 6 & 12 | needs >> 8 & 48


cdef inline int weight(int kind) noexcept nogil:
    """What a tile of a resource adds to such a number: 0, 1, 4 and 16."""
    return 1 << 2 * kind >> 2


cdef inline uint64_t mark(uint64_t cells, int number) noexcept nogil:
    """The bit of a number if there is a cell."""
    return <uint64_t>(cells != 0) << number


cdef inline void find_within(const Around *around, Within *within) noexcept nogil:
    """Find whether there is a cell, for all that longships may need at once."""
    cdef const uint64_t *one = around.at_least[2]
    cdef const uint64_t *two = around.at_least[3]
    cdef uint64_t filled = 0, pairs = 0  # by three tiles and, as numbers of the same kind, by two
    cdef int a, b, c
    for a in range(RESOURCE_KINDS):
        pairs |= mark(two[a], 2 * weight(a))
        filled |= mark(around.at_least[4][a], 3 * weight(a))
        filled |= mark(one[a ^ 1] & one[a ^ 2] & one[a ^ 3], ALL_WEIGHTS - weight(a))
        for c in range(1, RESOURCE_KINDS):
            b = a ^ c  # each other resource
            pairs |= mark(one[a] & one[b], weight(a) + weight(b))
            filled |= mark(two[a] & one[b], 2 * weight(a) + weight(b))
    within.filled = filled
    within.lacking = pairs | pairs << 1 | pairs << 4 | pairs << 16
