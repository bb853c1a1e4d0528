# cython: boundscheck=True
"""What a state shows, as Python values, and the way back from a position."""

from libc.stdint cimport uint64_t

from looot_core cimport rules
from looot_core.bits cimport bit, population
from looot_core.game_state cimport GameState, Seat
from looot_core.tables cimport (
    CELLS, LONGSHIPS, MOST_ON_A_STACK, MOST_OWED, NOTHING, SITES, SLOTS, TILE_KINDS, Layout,
    at_most,
)

from looot_core.components import (
    CELL_NAMES, RESOURCES, SCORED_KINDS, SHIELDS, SITE_KINDS, SITE_VALUES, TILES, TROPHIES,
    UNFILLED_LONGSHIP_PENALTY,
)
from looot_core.position import Owed, Phase, Position, SeatPosition

PHASES = tuple(Phase)
TROPHY_NUMBERS = tuple(TROPHIES)
CELL_NUMBERS = {name: number for number, name in enumerate(CELL_NAMES)}


cdef int begin_with_sites(GameState *game, Layout layout, tuple sites) except -1:
    """Lay out the start of a game but for the ocean."""
    cdef int player, site
    rules.begin(game, &layout.tables)
    for player in range(game.players):
        tiles = sites[player]
        for site in range(SITES):
            number = layout.site_numbers[SITE_KINDS[site], tiles[site]]
            game.seats[player].piece[CELLS + site] = LONGSHIPS + number
    return 0


cdef tuple unseen_longships(const GameState *game, Layout layout):
    """Longships not yet revealed, in the edition's order."""
    return tuple([
        longship
        for number, longship in enumerate(layout.longships)
        if game.unseen >> <int>number & 1
    ])


cdef list landing_hexes(const GameState *game, Layout layout):
    """Spaces for an ordinary viking (R6), as (q, r) pairs in ascending order."""
    cdef uint64_t spaces[2]
    rules.landing_spaces(game, spaces)
    return [
        place
        for number, place in enumerate(layout.resource_places)
        if spaces[<int>number >> 6] >> (<int>number & 63) & 1
    ]


cdef object position_of(const GameState *game, Layout layout, tuple sites, state):
    """Give everything a player may see, as a `Position`; `state` is that of the position alone."""
    cdef int number, left
    vikings = {}
    for number in range(layout.tables.space_count):
        if game.occupied[number >> 6] >> (number & 63) & 1:
            vikings[layout.resource_places[number]] = tuple([
                <int>(game.seats[player].vikings[number >> 6] >> (number & 63) & 1)
                + (game.seats[player].stacked_space == number)
                for player in range(game.players)
            ])
    buildings = {}
    owed_buildings = {}
    for number, place in enumerate(layout.building_places):
        buildings[place] = <int>(game.stacks >> 2 * number & 3)
        left = game.owed_spaces >> 2 * number & 3
        if left:
            owed_buildings[place] = left
    owed_resources = {
        kind: <int>(game.owed >> 8 * <int>number & 255)
        for number, kind in enumerate(RESOURCES)
        if game.owed >> 8 * <int>number & 255
    }
    return Position._make(
        edition=layout.edition.name,
        landscape=layout.landscape,
        sites=sites,
        seats=tuple([seat_of(&game.seats[player], layout) for player in range(game.players)]),
        vikings=vikings,
        buildings=buildings,
        ocean_longships=tuple([
            None if game.ocean[number] == NOTHING else layout.longships[game.ocean[number]]
            for number in range(SLOTS)
        ]),
        unseen=unseen_longships(game, layout),
        current_player=game.player,
        turn_number=game.turn_number,
        phase=PHASES[game.phase],
        active_shields=shields_of(game.active_shields),
        owed=Owed(owed_resources, owed_buildings),
        longship_taken=bool(game.longship_taken),
    )._keeping(state)


cdef object seat_of(const Seat *seat, Layout layout):
    cdef int number, kind
    cdef uint64_t mark
    tiles = {}
    longships = {}
    for number in range(CELLS):
        mark = bit(layout.tables.cell_bit[number])
        if seat.piece[number] != NOTHING:
            longships[CELL_NAMES[number]] = layout.longships[seat.piece[number]]
        elif not seat.empty & mark:
            for kind in range(TILE_KINDS):
                if seat.tiles[kind] & mark:
                    tiles[CELL_NAMES[number]] = TILES[kind]
    return SeatPosition(
        vikings_in_hand=seat.in_hand,
        shields=shields_of(seat.shields),
        tiles=tiles,
        longships=longships,
        trophy=seat.trophy,
    )


cdef tuple shields_of(int shields):
    return tuple([name for number, name in enumerate(SHIELDS) if shields >> <int>number & 1])


cdef int lay_out(GameState *game, Layout layout, position) except -1:
    """Turn a game that was begun with sites into that of a position that was checked."""
    game.stacks = 0
    lay_out_seats(game, layout, position)
    lay_out_shared(game, layout, position)
    rules.score_from_scratch(game)
    return 0


cdef int lay_out_seats(GameState *game, Layout layout, position) except -1:
    cdef Seat *seat
    cdef int player, number
    cdef uint64_t mark
    for player in range(game.players):
        public = position.seats[player]
        seat = &game.seats[player]
        seat.in_hand = at_most(public.vikings_in_hand, layout.tables.vikings)
        seat.shields = shield_bits(public.shields)
        seat.trophy = at_most(public.trophy, max(TROPHIES))
        if seat.trophy:
            game.trophies ^= 1 << TROPHY_NUMBERS.index(seat.trophy)
        for name, kind in public.tiles.items():
            mark = bit(layout.tables.cell_bit[cell_number(name)])
            seat.tiles[<int>TILES.index(kind)] |= mark
            seat.empty ^= mark
        for name, longship in public.longships.items():
            number = cell_number(name)
            seat.piece[number] = layout.longship_numbers[longship]
            seat.empty ^= bit(layout.tables.cell_bit[number])
    for space, counts in position.vikings.items():
        number = layout.space_numbers[space]
        for player in range(game.players):
            rules.restore_vikings(game, player, number, counts[player])
    return 0


cdef int lay_out_shared(GameState *game, Layout layout, position) except -1:
    cdef int number, owed
    for number, space in enumerate(layout.landscape.building_spaces):
        place = layout.building_places[number]
        owed = at_most(position.owed.buildings.get(place, 0), MOST_ON_A_STACK)
        game.stacks |= <uint64_t>at_most(position.buildings[place], MOST_ON_A_STACK) << 2 * number
        game.owed_spaces |= <uint64_t>owed << 2 * number
        game.owed += <uint64_t>owed << 8 * <int>TILES.index(space.kind)
    for kind, count in position.owed.resources.items():
        game.owed += <uint64_t>at_most(count, MOST_OWED) << 8 * <int>TILES.index(kind)
    for number in range(SLOTS):
        longship = position.ocean_longships[number]
        if longship is not None:
            game.ocean[number] = layout.longship_numbers[longship]
    for longship in position.unseen:
        game.unseen |= 1 << <int>layout.longship_numbers[longship]
    game.player = at_most(position.current_player, game.players - 1)
    game.turn_number = position.turn_number
    game.phase = PHASES.index(position.phase)
    game.active_shields = shield_bits(position.active_shields)
    game.longship_taken = position.longship_taken
    return 0


cdef int cell_number(name) except -1:
    return at_most(CELL_NUMBERS[name], CELLS - 1)


cdef int shield_bits(shields) except -1:
    return sum(1 << SHIELDS.index(shield) for shield in shields)


cdef dict breakdown_of(const GameState *game, Layout layout, int player):
    """Say what the score of a seat is made of (R20), as `State.score_breakdown` documents it."""
    cdef const Seat *seat = &game.seats[player]
    cdef int number, count
    breakdown = {}
    for kind in SCORED_KINDS:
        number = TILES.index(kind)
        count = population(seat.tiles[number])
        breakdown[kind] = {
            "count": count, "value": seat.value[number], "points": count * seat.value[number]
        }
    breakdown["sites"] = sum(
        SITE_VALUES[kind]
        for number, kind in enumerate(SITE_KINDS)
        if not seat.unfilled & bit(layout.tables.cell_bit[CELLS + number])
    )
    breakdown["trophy"] = TROPHIES.get(seat.trophy, 0)
    breakdown["penalty"] = UNFILLED_LONGSHIP_PENALTY * population(
        seat.unfilled & layout.tables.cells
    )
    breakdown["total"] = seat.score
    return breakdown
