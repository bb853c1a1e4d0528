"""Build the tables of a set-up; `tables.pxd` documents the struct."""

cimport cython
from libc.string cimport memset
from libc.stdint cimport uint64_t

from looot_core.bits cimport bit
from looot_core.components import (
    BUILDING_TILES, EDITIONS, FJORD_CELLS, FJORD_SITES, RESOURCES, SITE_KINDS,
    SITE_VALUES, STARTING_VALUES, TILE_LETTERS, TILES, TROPHIES,
    UNFILLED_LONGSHIP_PENALTY, VIKINGS_PER_PLAYER, fjord_neighbours,
)
from looot_core.hexes import from_even_q, neighbours


@cython.final
cdef class Layout:
    """What all states on the same landscape and of the same edition share.

    `looot_core.actions.layout_of` makes them and adds the `Action` objects.
    """

    def __cinit__(self, landscape, edition):
        memset(&self.tables, 0, sizeof(Tables))
        self.landscape = landscape
        self.edition = EDITIONS[edition]
        self.space_numbers = {
            (space.q, space.r): n for n, space in enumerate(landscape.resource_spaces)
        }
        self.longship_numbers = {str(tile): n for n, tile in enumerate(self.edition.longships)}
        if not (
            len(landscape.boards) <= MAX_PLAYERS
            and len(landscape.resource_spaces) <= MAX_SPACES
            and len(landscape.building_spaces) <= MAX_BUILDING_SPACES
            and sum(s.kind == "watchtower" for s in landscape.building_spaces) <= MAX_TOWERS
            and sum(s.kind == "castle" for s in landscape.building_spaces) <= MAX_CASTLES
            and len(landscape.ocean_spaces) == SLOTS
        ):
            raise ValueError("the landscape has more spaces than the tables can hold")
        self.tables.players = len(landscape.boards)
        self.tables.vikings = VIKINGS_PER_PLAYER
        self.tables.unfilled_penalty = UNFILLED_LONGSHIP_PENALTY
        self.fill_spaces()
        self.fill_buildings()
        self.fill_fjord()
        self.fill_tiles()
        self.tables.key = key_of(landscape, edition)

    cdef fill_spaces(self):
        cdef Tables *tables = &self.tables
        cdef int n, slot, slots
        tables.space_count = len(self.space_numbers)
        tables.words = 1 if tables.space_count <= 64 else 2
        for n, space in enumerate(self.landscape.resource_spaces):
            tables.resource[n] = RESOURCES.index(space.kind)
            for place in neighbours((space.q, space.r)):
                other = self.space_numbers.get(place)
                if other is not None:
                    tables.adjacent[n][<int>other >> 6] |= bit(<int>other & 63)
        for slot, space in enumerate(self.landscape.ocean_spaces):
            for place in neighbours((space.q, space.r)):
                other = self.space_numbers.get(place)
                if other is not None:
                    for slots in range(1 << SLOTS):
                        if slots >> slot & 1:
                            tables.shore[slots][<int>other >> 6] |= bit(<int>other & 63)

    cdef fill_buildings(self):
        cdef Tables *tables = &self.tables
        cdef int field, space, kind
        for n, building in enumerate(self.landscape.building_spaces):
            field = 2 * n
            kind = TILES.index(building.kind)
            tables.fields[kind] |= <uint64_t>3 << field
            tables.full_stacks |= <uint64_t>BUILDING_TILES[building.kind] << field
            beside = [
                self.space_numbers[place]
                for place in neighbours((building.q, building.r))
                if place in self.space_numbers
            ]
            for space in beside:
                if building.kind == "house":
                    tables.houses[space] |= bit(field)
                elif building.kind == "watchtower":
                    tables.towers[space] |= 1 << tables.tower_count
                else:
                    tables.castles[space] |= 1 << tables.castle_count
            if building.kind == "watchtower":
                tables.tower_field[tables.tower_count] = field
                tables.tower_count += 1
            elif building.kind == "castle":
                tables.castle_field[tables.castle_count] = field
                tables.castle_count += 1
            tables.building_count += 1

    cdef fill_fjord(self):
        cdef Tables *tables = &self.tables
        cdef int n, at
        places = [*FJORD_CELLS, *(FJORD_SITES[kind] for kind in SITE_KINDS)]
        memset(tables.bit_cell, NOTHING, sizeof(tables.bit_cell))
        for n, cell in enumerate(places):
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
        for n, longship in enumerate(self.edition.longships):
            tables.needs[n] = packed_needs(longship.needs)
            tables.bonus_kind[n] = TILES.index(longship.kind)
            tables.bonus[n] = longship.bonus
        for n, (kind, needs) in enumerate(site_tiles(self.edition)):
            tables.needs[LONGSHIPS + n] = packed_needs(needs)
            tables.bonus[LONGSHIPS + n] = SITE_VALUES[kind]
        for n, points in TROPHIES.items():
            tables.trophy_points[n] = points


cdef int fjord_bit(cell):
    """Bit of a cell: columns 8 apart, so that neighbours are shifts by 1, 7 and 8."""
    q, r = from_even_q(cell.column, cell.row)
    return 8 * q + r + 2


cdef packed_needs(str letters):
    """A requirement as counts of 4 bits a tile kind."""
    return sum(1 << 4 * TILES.index(TILE_LETTERS[letter]) for letter in <object>letters)


def site_tiles(edition):
    """Give (kind, needs) of an edition's 15 site tiles, in the order of their numbers."""
    return [(kind, needs) for kind in SITE_KINDS for needs in edition.sites[kind]]


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
