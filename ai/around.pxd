"""What lies around the cells of a fjord, and what pieces need there (R12)."""

from libc.stdint cimport uint32_t, uint64_t

from looot_core.bits cimport COUNT_TOPS, population
from looot_core.rules cimport Seat
from looot_core.tables cimport RESOURCE_KINDS, TILE_KINDS

cdef enum:
    RESOURCE_FIELDS = 0xFFFF     # of what a piece lacks, see `lacking_tiles`
    ALL_PLACES = 21          # the sum of the place values of all resources, see `place_value`

cdef struct Counts:
    # How many cells of a set lie beside each cell: the bits of a number from 0 to 6.
    uint64_t ones, twos, fours

cdef struct Around:
    # Fjord cells beside enough tiles of a resource: met[1 + n][kind] beside n or more, n from 0
    # to 3. met[1] is every cell; met[0], of one tile less than none, is no cell.
    uint64_t met[5][RESOURCE_KINDS]


cdef inline uint64_t beside(uint64_t cells) noexcept nogil:
    """Give the places beside some cells: each shift goes to the next cell on one of six sides."""
    return cells << 1 | cells >> 1 | cells << 7 | cells >> 7 | cells << 8 | cells >> 8


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


# Of what is counted, places outside the fjord have some beside them too.

cdef inline uint64_t beside_exactly(const Counts *counts, int count) noexcept nogil:
    """Give the places that have so many beside them, from 0 to 6."""
    return (
        (counts.ones if count & 1 else ~counts.ones)
        & (counts.twos if count & 2 else ~counts.twos)
        & (counts.fours if count & 4 else ~counts.fours)
    )


cdef inline uint64_t beside_any(const Counts *counts) noexcept nogil:
    """Give the places that have one or more beside them."""
    return counts.ones | counts.twos | counts.fours


cdef inline uint64_t beside_two(const Counts *counts) noexcept nogil:
    """Give the places that have two or more beside them."""
    return counts.twos | counts.fours


cdef inline uint64_t beside_three(const Counts *counts) noexcept nogil:
    """Give the places that have three or more beside them."""
    return counts.ones & counts.twos | counts.fours


cdef inline void find_around(const Seat *seat, uint64_t cells, Around *around) noexcept nogil:
    """Find what lies around some cells: for all of them, and for all resources, at once."""
    cdef Counts counts
    cdef int kind
    for kind in range(RESOURCE_KINDS):
        count_beside(seat.tiles[kind], &counts)
        around.met[0][kind] = 0
        around.met[1][kind] = cells
        around.met[2][kind] = beside_any(&counts) & cells
        around.met[3][kind] = beside_two(&counts) & cells
        around.met[4][kind] = beside_three(&counts) & cells


cdef inline uint64_t filling_cells(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which everything lies that a longship needs."""
    return (
        around.met[(needs & 3) + 1][0] & around.met[(needs >> 4 & 3) + 1][1]
        & around.met[(needs >> 8 & 3) + 1][2] & around.met[(needs >> 12 & 3) + 1][3]
    )


cdef inline uint64_t lacking_cells(const Around *around, uint64_t needs, int kind) noexcept nogil:
    """Cells around which everything but one tile of a needed kind lies."""
    cdef uint64_t met = around.met[(needs >> (4 * kind) & 3) + 1][kind]
    return filling_cells(around, needs - (1 << 4 * kind)) & ~met


cdef inline uint64_t lacking_any(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which a longship would be filled by one tile more, or is already."""
    cdef int n = needs & 3
    cdef uint64_t one_a = around.met[n][0], a = around.met[n + 1][0]
    n = needs >> 4 & 3
    cdef uint64_t one_b = around.met[n][1], b = around.met[n + 1][1]
    n = needs >> 8 & 3
    cdef uint64_t one_c = around.met[n][2], c = around.met[n + 1][2]
    n = needs >> 12 & 3
    cdef uint64_t one_d = around.met[n][3], d = around.met[n + 1][3]
    return (one_a & b | a & one_b) & c & d | (one_c & d | c & one_d) & a & b


cdef inline uint32_t lacking_tiles(
    const Seat *seat, uint64_t around, uint32_t needs, int kinds
) noexcept nogil:
    """Give what a requirement still lacks, in its own form: 4 bits a tile kind.

    It must need none but the first so many kinds; a longship needs resources alone. No field
    exceeds 7, as a cell has six neighbours. So the top bit of a field is set before the count is
    taken off, and stays where the count is not more than is needed: 2 needed and 3 there give
    8 + 2 - 3 = 7, whose top bit is gone, and what is left of the field is then put to 0.
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
    # Sets of requirements, a bit each, numbered by `need_number`: those for which there is a cell
    uint64_t filled          # where a longship is filled at once
    uint64_t lacking         # ... or would be by one tile more; with those above


cdef inline int need_number(uint32_t needs) noexcept nogil:
    """Number what a longship needs, from 0 to 48: in base 4, a place a resource but the first.

    No two have the same number, for every longship needs three tiles in all. WSG, say, has 1 for
    the sheep and 4 for the gold: 5.
    """
    return needs >> 4 & 3 | needs >> 6 & 12 | needs >> 8 & 48


cdef inline int place_value(int kind) noexcept nogil:
    """Give what a tile of a resource adds to such a number: 0, 1, 4 or 16."""
    return 1 << 2 * kind >> 2


cdef inline uint64_t bit_if_any(uint64_t cells, int number) noexcept nogil:
    """Give the bit of a number if there is a cell."""
    return <uint64_t>(cells != 0) << number


cdef inline void find_within(const Around *around, Within *within) noexcept nogil:
    """Find whether there is a cell, for all that longships may need at once."""
    cdef const uint64_t *one = around.met[2]
    cdef const uint64_t *two = around.met[3]
    cdef const uint64_t *three = around.met[4]
    cdef uint64_t filled = 0, pairs = 0  # by three tiles and, numbered likewise, by two
    cdef int a, b, c
    for a in range(RESOURCE_KINDS):
        pairs |= bit_if_any(two[a], 2 * place_value(a))
        filled |= bit_if_any(three[a], 3 * place_value(a))
        filled |= bit_if_any(  # one of each resource but this
            one[a ^ 1] & one[a ^ 2] & one[a ^ 3], ALL_PLACES - place_value(a)
        )
        for c in range(1, RESOURCE_KINDS):
            b = a ^ c  # each other one of the four
            pairs |= bit_if_any(one[a] & one[b], place_value(a) + place_value(b))
            filled |= bit_if_any(two[a] & one[b], 2 * place_value(a) + place_value(b))
    within.filled = filled
    within.lacking = pairs | pairs << 1 | pairs << 4 | pairs << 16  # and one tile of any resource
