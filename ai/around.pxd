"""What lies around the cells of a fjord, and what pieces need there (R12)."""

from libc.stdint cimport uint32_t, uint64_t

from looot_core.bits cimport population
from looot_core.rules cimport Seat
from looot_core.tables cimport RESOURCE_KINDS, TILE_KINDS

cdef struct Around:
    # Fjord cells by how many tiles of a resource lie beside them: at least 1, 2 and 3.
    uint64_t least[RESOURCE_KINDS][4]   # [kind][0] is every cell


cdef inline void find_around(const Seat *seat, uint64_t cells, Around *around) noexcept nogil:
    """Count the tiles beside all cells at once, by adding the six shifted sets bit by bit."""
    cdef int kind, n
    cdef uint64_t tiles, ones, twos, fours, carry, beside
    cdef uint64_t shifted[6]
    for kind in range(RESOURCE_KINDS):
        tiles = seat.tiles[kind]
        shifted[0] = tiles << 1
        shifted[1] = tiles >> 1
        shifted[2] = tiles << 7
        shifted[3] = tiles >> 7
        shifted[4] = tiles << 8
        shifted[5] = tiles >> 8
        ones = twos = fours = 0
        for n in range(6):
            beside = shifted[n]
            carry = ones & beside
            ones ^= beside
            fours |= twos & carry
            twos ^= carry
        around.least[kind][0] = cells
        around.least[kind][1] = (ones | twos | fours) & cells
        around.least[kind][2] = (twos | fours) & cells
        around.least[kind][3] = (twos & ones | fours) & cells


cdef inline uint64_t filling_cells(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which everything lies that a longship needs."""
    return (
        around.least[0][needs & 3] & around.least[1][needs >> 4 & 3]
        & around.least[2][needs >> 8 & 3] & around.least[3][needs >> 12 & 3]
    )


cdef inline uint64_t lacking_cells(const Around *around, uint64_t needs, int kind) noexcept nogil:
    """Cells around which everything but one tile of a needed kind lies."""
    return filling_cells(around, needs - (1 << 4 * kind)) & ~filling_cells(around, needs)


cdef inline uint64_t lacking_any(const Around *around, uint64_t needs) noexcept nogil:
    """Cells around which a longship would be filled by one tile more, or is already."""
    cdef uint64_t cells = 0
    cdef int kind
    for kind in range(RESOURCE_KINDS):
        if needs >> (4 * kind) & 3:
            cells |= filling_cells(around, needs - (1 << 4 * kind))
    return cells


cdef inline int missing_of(
    const Seat *seat, uint64_t around, uint32_t needs, int *by_kind
) noexcept nogil:
    """Tiles that a requirement still lacks, in all and by kind."""
    cdef int kind, lacking, total = 0
    for kind in range(TILE_KINDS):
        lacking = <int>(needs >> (4 * kind) & 15)
        if lacking:
            lacking = max(0, lacking - population(seat.tiles[kind] & around))
            total += lacking
        by_kind[kind] = lacking
    return total
