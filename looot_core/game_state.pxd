"""The state of a game as one plain C struct, its parts and its numbers."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from looot_core.tables cimport (
    MAX_PLAYERS, PIECE_CELLS, SLOTS, TILE_KINDS, Tables,
)

cdef enum:
    ACTION_COUNT = 501
    FIRST_SHIELD = 84
    FIRST_TILE = 87
    FIRST_LONGSHIP = 325
    FIRST_TROPHY = 495
    END = 500
    ALL_TROPHIES = 31    # 2-6, a bit each
    HEAD_WORDS = 10      # size of a GameState without its seats
    SEAT_WORDS = 19      # size of a Seat, which has no gaps between its fields
    NO_DRAW = -1         # what `apply` is told where nothing is drawn
    # Shields, a bit each, in the order of their actions.
    SECOND_VIKING = 1
    OCCUPIED_SPACE = 2
    DOUBLE_GAIN = 4

cdef enum Phase:
    PLACE_VIKING         # shields or the first viking
    PLACE_SECOND_VIKING
    PLACE_TILES
    END_OF_TURN
    OVER

cdef struct Seat:
    uint64_t vikings[2]          # spaces with a viking of this seat
    uint64_t tiles[TILE_KINDS]   # fjord cells by the kind of tile on them
    uint64_t empty               # fjord cells with nothing on them
    uint64_t unfilled            # cells of longships and sites not yet filled
    uint64_t connected           # pairs of watchtowers (R9): 8 x 8 bits, row < column
    int16_t score
    uint16_t castle_levels       # 2 bits a castle (R10)
    uint8_t piece[PIECE_CELLS]   # longship or (30 + site tile) on a cell or site, or NOTHING
    uint8_t value[TILE_KINDS]    # points a tile of the kind
    uint8_t in_hand              # vikings
    uint8_t shields              # not yet used
    uint8_t trophy               # its number, 0 for none
    uint8_t stacked_space        # where two vikings of this seat stand, or NOTHING
    uint8_t reserved[4]          # always 0, so that every byte that is copied and hashed is set

cdef struct GameState:
    const Tables *tables
    uint64_t occupied[2]         # spaces with a viking
    uint64_t reach[2]            # spaces beside one
    uint64_t stacks              # 2 bits a building space: tiles left
    uint64_t owed_spaces         # 2 bits a building space: tiles it still owes (R11)
    uint64_t owed                # a byte a tile kind: tiles still to be placed
    uint32_t unseen              # longships that have not been revealed
    uint8_t ocean[SLOTS]         # longship on each slot, or NOTHING
    uint8_t trophies             # still there; bit 0 is trophy 2
    uint8_t phase
    uint8_t player
    uint8_t active_shields       # for the next viking
    uint8_t longship_taken       # in this turn
    uint8_t players
    uint8_t turn_number          # turns begun before this one
    Seat seats[MAX_PLAYERS]      # only those that play are copied

cdef struct Undo:
    # All that an action may change: what comes before the seats, and the seat of the mover.
    uint64_t head[HEAD_WORDS]
    Seat seat
