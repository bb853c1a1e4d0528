# cython: boundscheck=True
"""Build the tables of a set-up; `tables.pxd` documents the struct.

What comes out of Python objects is checked against the size of the tables that it goes into.
"""

cimport cython
from libc.string cimport memset
from libc.stdint cimport uint64_t

from looot_core.bits cimport bit
from looot_core.components import (
    BUILDING_TILES, EDITIONS, FJORD_CELLS, FJORD_SITES, RESOURCES, SITE_KINDS,
    SITE_VALUES, STARTING_VALUES, TILE_LETTERS, TILES, TROPHIES,
    UNFILLED_LONGSHIP_PENALTY, VIKINGS_PER_PLAYER, Longship, fjord_neighbours,
)
from looot_core.errors import InvalidSetupError, shorten
from looot_core.hexes import from_even_q, neighbours
from looot_core.landscape import Landscape

CASTLE_LEVEL_SPACES = SPACES_PER_LEVEL
CASTLE_LEVELS = HIGHEST_LEVEL

cdef enum:
    LARGEST_FJORD_BIT = 63


cdef int at_most(value, int most) except -1:
    """Give an integer that must be one from 0 to `most`, whatever is said of where it is from."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{shorten(value)} is not an integer from 0 to {most}")
    return value


@cython.final
cdef class Layout:
    """What all states on the same landscape and of the same edition share.

    `looot_core.actions.layout_of` makes them and adds the `Action` objects.
    """

    def __cinit__(self, landscape, edition):
        memset(&self.tables, 0, sizeof(Tables))
        if type(landscape) is not Landscape:
            raise InvalidSetupError(f"landscape: {shorten(landscape)} is not a Landscape (R1)")
        if type(edition) is not str or edition not in EDITIONS:
            raise InvalidSetupError(f"edition: {shorten(edition)} is not an edition")
        # Laid anew, whatever was done to the fields of the one given.
        placed = [getattr(landscape, n, None) for n in ("boards", "ocean", "trophy_board")]
        landscape = Landscape(*placed)
        self.landscape = landscape
        self.edition = EDITIONS[edition]
        self.resource_places = places_of(landscape.resource_spaces)
        self.building_places = places_of(landscape.building_spaces)
        self.longships = tuple([str(tile) for tile in self.edition.longships])
        self.space_numbers = numbered(self.resource_places, MAX_SPACES)
        self.longship_numbers = numbered(self.longships, LONGSHIPS)
        self.site_numbers = numbered(
            [(kind, needs) for kind in SITE_KINDS for needs in self.edition.sites[kind]],
            SITE_TILES,
        )
        self.tables.players = at_most(len(landscape.boards), MAX_PLAYERS)
        self.tables.vikings = VIKINGS_PER_PLAYER
        self.tables.unfilled_penalty = UNFILLED_LONGSHIP_PENALTY
        self.fill_spaces()
        self.fill_buildings()
        self.fill_fjord()
        self.fill_tiles()
        self.tables.key = key_of(landscape, edition)

    cdef fill_spaces(self):
        cdef Tables *tables = &self.tables
        cdef int n, slot, slots, other
        tables.space_count = len(self.space_numbers)
        tables.words = 1 if tables.space_count <= 64 else 2
        for n, space in enumerate(self.landscape.resource_spaces):
            tables.resource[n] = RESOURCES.index(space.kind)
            for other in self.spaces_beside(space):
                tables.adjacent[n][other >> 6] |= bit(other & 63)
        for slot, space in enumerate(self.landscape.ocean_spaces):
            at_most(slot, SLOTS - 1)
            for other in self.spaces_beside(space):
                for slots in range(1 << SLOTS):
                    if slots >> slot & 1:
                        tables.shore[slots][other >> 6] |= bit(other & 63)

    cdef list spaces_beside(self, space):
        """Numbers of the resource spaces beside a space of the landscape."""
        places = neighbours((space.q, space.r))
        return [self.space_numbers[place] for place in places if place in self.space_numbers]

    cdef fill_buildings(self):
        cdef Tables *tables = &self.tables
        cdef int n, field, space, kind, stack
        for n, building in enumerate(self.landscape.building_spaces):
            field = 2 * at_most(n, MAX_BUILDING_SPACES - 1)
            kind = TILES.index(building.kind)
            tables.fields[kind] |= <uint64_t>MOST_ON_A_STACK << field
            stack = at_most(BUILDING_TILES[building.kind], MOST_ON_A_STACK)
            tables.full_stacks |= <uint64_t>stack << field
            if kind == WATCHTOWER:
                tables.tower_field[at_most(tables.tower_count, MAX_TOWERS - 1)] = field
            elif kind == CASTLE:
                tables.castle_field[at_most(tables.castle_count, MAX_CASTLES - 1)] = field
            for space in self.spaces_beside(building):
                if kind == HOUSE:
                    tables.houses[space] |= bit(field)
                elif kind == WATCHTOWER:
                    tables.towers[space] |= 1 << tables.tower_count
                else:
                    tables.castles[space] |= 1 << tables.castle_count
            tables.tower_count += kind == WATCHTOWER
            tables.castle_count += kind == CASTLE

    cdef fill_fjord(self):
        cdef Tables *tables = &self.tables
        cdef int n, at
        places = [*FJORD_CELLS, *(FJORD_SITES[kind] for kind in SITE_KINDS)]
        memset(tables.bit_cell, NOTHING, sizeof(tables.bit_cell))
        for n, cell in enumerate(places):
            at_most(n, PIECE_CELLS - 1)
            at = fjord_bit(cell)
            tables.cell_bit[n] = at
            tables.bit_cell[at] = n
            if n < CELLS:
                tables.cells |= bit(at)
            for other in fjord_neighbours(cell):
                tables.neighbours[at] |= bit(fjord_bit(other))

    cdef fill_tiles(self):
        cdef Tables *tables = &self.tables
        cdef int n
        for n, kind in enumerate(TILES):
            tables.start_value[n] = STARTING_VALUES.get(kind, 0)
        for n, longship in enumerate(self.longships):
            tile = Longship.parse(longship)
            tables.needs[n] = packed_needs(tile.needs)
            tables.bonus_kind[n] = TILES.index(tile.kind)
            tables.bonus[n] = tile.bonus
        for (kind, needs), n in self.site_numbers.items():
            tables.needs[LONGSHIPS + n] = packed_needs(needs)
            tables.bonus[LONGSHIPS + n] = SITE_VALUES[kind]
        for trophy, points in TROPHIES.items():
            tables.trophy_points[at_most(trophy, sizeof(tables.trophy_points) - 1)] = points


cdef int fjord_bit(cell) except -1:
    """Bit of a cell: columns 8 apart, so that neighbours are shifts by 1, 7 and 8."""
    q, r = from_even_q(cell.column, cell.row)
    return at_most(8 * q + r + 2, LARGEST_FJORD_BIT)


cdef tuple places_of(spaces):
    return tuple([(space.q, space.r) for space in spaces])


cdef dict numbered(items, int most):
    """Number items that are all different, of which there may be only so many."""
    numbers = {item: number for number, item in enumerate(items)}
    at_most(len(items), most)
    return numbers


cdef packed_needs(str letters):
    """A requirement as counts of 4 bits a tile kind."""
    return sum(1 << 4 * TILES.index(TILE_LETTERS[letter]) for letter in <object>letters)


cdef uint64_t key_of(landscape, str edition):
    """A number for the landscape and edition, the same on every machine (FNV-1a)."""
    cdef uint64_t value = 0xCBF29CE484222325ULL
    text = repr((edition, [
        (p.board, p.q, p.r, p.rotation)
        for p in (*landscape.boards, landscape.ocean, landscape.trophy_board)
    ]))
    for byte in text.encode():
        value = (value ^ <uint64_t>byte) * 0x100000001B3ULL
    return value
