"""What a set-up fixes for the whole game, as read-only tables for the compiled rules."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    # Tile kinds, as numbered in the action space.
    AXE = 3
    HOUSE = 4
    WATCHTOWER = 5
    CASTLE = 6
    TILE_KINDS = 7
    RESOURCE_KINDS = 4
    # Sizes.
    MAX_PLAYERS = 4
    MAX_SPACES = 84
    CELLS = 34
    SITES = 3
    PIECE_CELLS = 37  # the cells, then the three sites
    SLOTS = 5
    ALL_SLOTS = 31  # a bit each
    LONGSHIPS = 30
    SITE_TILES = 15
    MAX_BUILDING_SPACES = 32
    MAX_TOWERS = 8
    MAX_CASTLES = 8
    SPACES_PER_LEVEL = 4  # of a group, for a level of a castle (R10)
    HIGHEST_LEVEL = 3
    NOTHING = 255
    # What fits the fields of 2 bits a building space and of a byte a tile kind.
    MOST_ON_A_STACK = 3
    MOST_OWED = 15

cdef struct Tables:
    uint64_t key                         # equal for the same landscape and edition
    uint64_t adjacent[MAX_SPACES][2]     # resource spaces beside a resource space
    uint64_t shore[1 << SLOTS][2]        # resource spaces beside an ocean space, by set of slots
    uint64_t houses[MAX_SPACES]          # house spaces beside it: low bits of their stack fields
    uint64_t fields[TILE_KINDS]          # both bits of the stack fields of a kind of building
    uint64_t full_stacks                 # every stack as it is at the start (R3)
    uint64_t cells                       # the 34 cells of a fjord, as bits
    uint64_t neighbours[64]              # cells beside the cell or site of a bit
    uint32_t needs[LONGSHIPS + SITE_TILES]   # 4 bits a tile kind: how many must lie beside it
    uint8_t bonus_kind[LONGSHIPS]
    uint8_t bonus[LONGSHIPS + SITE_TILES]    # raise of the value, or points of the site
    uint8_t resource[MAX_SPACES]         # kind of resource
    uint8_t towers[MAX_SPACES]           # watchtowers beside it, a bit each
    uint8_t castles[MAX_SPACES]          # castles beside it, a bit each
    uint8_t tower_field[MAX_TOWERS]      # shift of its stack field
    uint8_t castle_field[MAX_CASTLES]
    uint8_t cell_bit[PIECE_CELLS]        # cell number to bit
    uint8_t bit_cell[64]                 # and back
    uint8_t start_value[TILE_KINDS]      # value of each kind before any longship (axes: 0)
    uint8_t trophy_points[8]             # by the number of the trophy; 0 for none
    uint8_t space_count
    uint8_t words                        # of 64 spaces: 1 or 2
    uint8_t tower_count
    uint8_t castle_count
    uint8_t players
    uint8_t vikings                      # of each player at the start (R5)
    uint8_t unfilled_penalty             # for a longship (R20)


@cython.final
cdef class Layout:
    # All of it is set once and out of Python's reach.
    cdef Tables tables
    cdef object landscape        # a Landscape
    cdef object edition          # an Edition
    cdef tuple actions           # Action by index; None where the landscape has no such space
    cdef tuple resource_places   # (q, r) by space number
    cdef tuple building_places   # (q, r) by field of `stacks`
    cdef tuple longships         # texts by number
    cdef dict space_numbers      # and back
    cdef dict longship_numbers
    cdef dict site_numbers       # from (kind, needs)
    cdef fill_spaces(self)
    cdef list spaces_beside(self, space)
    cdef fill_buildings(self)
    cdef fill_fjord(self)
    cdef fill_tiles(self)

cdef int at_most(value, int most) except -1
