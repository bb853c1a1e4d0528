"""The features of the evaluation; `features.pxd` documents the blocks."""

from libc.string cimport memset
from libc.stdint cimport uint32_t, uint64_t

import numpy as np

from ai.around cimport (
    RESOURCE_FIELDS, Around, Counts, Within, beside_any, beside_three, beside_two, count_beside,
    find_around, find_within, lacking_tiles, need_number, sum_of,
)
from ai.groups cimport Groups, find_groups, landing_gain, tiles_on
from ai.trophies cimport MOST_AXES, best_trophy
from looot_core.bits cimport lowest, population
from looot_core.rules cimport OVER, GameState, Seat, landing_spaces
from looot_core.state cimport State
from looot_core.tables cimport (
    AXE, CASTLE, CELLS, HOUSE, NOTHING, RESOURCE_KINDS, SITES, SLOTS, TILE_KINDS,
    WATCHTOWER, Tables,
)

cdef enum:
    MOST_MISSING = 3     # a longship needs three tiles
    BEST_GAINS = 3       # landing spaces of most gain that are told apart
    UNFILLED_FEATURES = 11
    SITE_FEATURES = 7
    PIECE_FEATURES = UNFILLED_FEATURES + SITE_FEATURES * SITES
    LONGSHIP_FEATURES = 9

_KINDS = ("wood", "sheep", "gold", "axe", "house", "watchtower", "castle")
_SITES = ("port", "altar", "jarl_palace")
FJORD_NAMES = (
    *(f"{kind}_{what}" for kind in _KINDS if kind != "axe"
      for what in ("tiles", "value", "points", "value_by_vikings", "tiles_by_vikings")),
    "axes", "axes_by_vikings",
    "trophy_taken", "trophy_now", "trophy_with_1_more", "trophy_with_2_more", "trophy_with_3_more",
    "empty", "empty_by_vikings",
    *(f"longships_lacking_{n}{what}" for n in (1, 2, 3)
      for what in ("", "_gain", "_bonus_by_vikings")),
    "longships_blocked", "longships_tight",
    *(f"{site}_{what}" for site in _SITES
      for what in ("open", "resources", "houses", "watchtowers", "castles", "slack", "blocked")),
    "ocean_best", "ocean_second", "ocean_filling", "ocean_best_bonus_by_vikings",
    "ocean_lacking_1_best", "ocean_lacking_1",
    "unseen_filling", "unseen_gain", "unseen_lacking_1",
    "cells_by_1_resource", "cells_by_2_resources", "cells_by_3_resources",
    "empty_short_of_vikings", "ocean_lacking_1_bonus_by_vikings",
)
MAP_NAMES = (
    "vikings", "vikings_squared", "no_viking", "last_viking", "two_vikings",
    "second_shield", "occupied_shield", "double_shield",
    "second_shield_by_vikings", "occupied_shield_by_vikings", "double_shield_by_vikings",
    "three_players", "four_players", "moves_now", "turns_until_move",
    "vikings_of_opponents", "largest_group", "second_group", "groups",
    "castle_in_1", "castle_in_2", "castle_in_3", "castle_in_4",
    "castle_potential", "castle_potential_by_value", "castles_untouched",
    "towers_of_largest_group", "towers_touched", "towers_joinable", "towers_joinable_by_value",
    "towers_untouched", "houses_left", "watchtowers_left", "castles_left",
    "landings", "landings_by_1_house", "landings_by_2_houses", "landings_by_3_houses",
    "landings_wood", "landings_sheep", "landings_gold", "landings_axe",
    "best_landing", "second_landing", "third_landing", "best_occupied_landing",
    "best_trophy_left", "unseen_longships", "gain_of_landings",
    "best_landing_by_vikings", "houses_by_value", "landings_by_houses_by_vikings",
    "gold_landings_by_value", "wood_landings_by_value", "sheep_landings_by_value",
    "vikings_of_next_opponent",
)
FEATURE_NAMES = (*FJORD_NAMES, *MAP_NAMES)

if len(FJORD_NAMES) != FJORD_FEATURES or len(MAP_NAMES) != MAP_FEATURES:
    raise ImportError(f"features: {len(FJORD_NAMES)} and {len(MAP_NAMES)} have names")
if PIECE_FEATURES % 8 or MAP_FEATURES % 8:
    raise ImportError("features: `clear` writes eight at once, and would write past these")


# The fjord block

cdef inline void clear(float *features, int count) noexcept nogil:
    """Write a multiple of 8 zeros: more at once would be a string instruction, slow to start."""
    cdef int n
    for n in range(0, count, 8):
        memset(features + n, 0, 8 * sizeof(float))


cdef inline void unfilled_features(
    const GameState *state, const Seat *seat, const int *tiles, float *x
) noexcept nogil:
    """Add up the numbers of the longships that lie in the fjord unfilled."""
    cdef const Tables *tables = state.tables
    cdef float left = seat.in_hand / <float>13.0
    cdef uint64_t neighbours, unfilled = seat.unfilled & tables.cells
    cdef int at, piece, missing, room, n
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        piece = seat.piece[tables.bit_cell[at]]
        neighbours = tables.neighbours[at]
        room = population(neighbours & seat.empty)
        missing = sum_of(lacking_tiles(seat, neighbours, tables.needs[piece], RESOURCE_KINDS))
        if missing > room:
            x[9] += <float>0.33
        else:
            n = 3 * (min(missing, MOST_MISSING) - 1)
            x[n] += <float>0.33
            x[n + 1] += (
                tables.unfilled_penalty + tables.bonus[piece] * tiles[tables.bonus_kind[piece]]
            ) / <float>20.0
            x[n + 2] += tables.bonus[piece] * left / <float>3.0
            if missing == room:
                x[10] += <float>0.33


cdef inline void site_features(
    const GameState *state, const Seat *seat, int site, float *x
) noexcept nogil:
    """Write the numbers of a site, which are 0 once it is filled."""
    cdef const Tables *tables = state.tables
    cdef int at = tables.cell_bit[CELLS + site]
    cdef uint64_t neighbours = tables.neighbours[at]
    cdef uint32_t lacking
    cdef int missing, room
    if not seat.unfilled >> at & 1:
        return
    lacking = lacking_tiles(seat, neighbours, tables.needs[seat.piece[CELLS + site]], TILE_KINDS)
    missing = sum_of(lacking)
    room = population(neighbours & seat.empty)
    if missing > room:
        x[6] = 1.0
    else:
        x[0] = 1.0
        x[1] = sum_of(lacking & RESOURCE_FIELDS) / <float>2.0
        x[2] = (lacking >> (4 * HOUSE) & 15) / <float>2.0
        x[3] = (lacking >> (4 * WATCHTOWER) & 15) / <float>2.0
        x[4] = (lacking >> (4 * CASTLE) & 15) / <float>2.0
        x[5] = min(room - missing, 3) / <float>3.0


cdef int longship_features(
    const GameState *state, const Seat *seat, const int *tiles, float *x
) noexcept nogil:
    """Write the LONGSHIP_FEATURES numbers of the ocean's longships and of the unseen ones.

    Give the best bonus of those on the ocean that one tile more would let a cell fill.
    """
    cdef const Tables *tables = state.tables
    cdef Around around
    cdef Within within
    cdef uint32_t unseen = state.unseen
    cdef int piece, number, gain, n, fills, lacks
    cdef int best = 0, second = 0, filling = 0, near_best = 0, near = 0, bonus = 0, near_bonus = 0
    find_around(seat, seat.empty, &around)
    find_within(&around, &within)
    for n in range(SLOTS):
        piece = state.ocean[n]
        if piece == NOTHING:
            continue
        number = need_number(tables.needs[piece])
        gain = tables.bonus[piece] * tiles[tables.bonus_kind[piece]]
        if within.filled >> number & 1:
            filling += 1
            bonus = max(bonus, tables.bonus[piece])
            second = max(second, min(best, gain))
            best = max(best, gain)
        elif within.lacking >> number & 1:
            near += 1
            near_best = max(near_best, gain)
            near_bonus = max(near_bonus, tables.bonus[piece])
    x[0] = best / <float>20.0
    x[1] = second / <float>20.0
    x[2] = filling / <float>5.0
    x[3] = bonus * (seat.in_hand / <float>13.0) / <float>2.0
    x[4] = near_best / <float>20.0
    x[5] = near / <float>5.0
    if unseen:
        n = population(unseen)
        filling = near = gain = 0
        while unseen:  # without branches, which a processor could not foresee
            piece = lowest(unseen)
            unseen &= unseen - 1
            number = need_number(tables.needs[piece])
            fills = within.filled >> number & 1
            lacks = within.lacking >> number & 1
            filling += fills
            near += lacks
            gain += tables.bonus[piece] * tiles[tables.bonus_kind[piece]] & -fills
        x[6] = filling / <float>n
        x[7] = gain / <float>n / <float>10.0
        x[8] = (near - filling) / <float>n  # those that are filled are among both
    return near_bonus


cdef void fjord_features(const GameState *state, int player, float *features) noexcept nogil:
    """Write the FJORD_FEATURES numbers of a seat's own board, and of the longships there are."""
    cdef const Seat *seat = &state.seats[player]
    cdef float *x = features
    cdef float left = seat.in_hand / <float>13.0
    cdef int tiles[TILE_KINDS]
    cdef Counts resources
    cdef const Tables *tables = state.tables
    cdef int kind, n, site, trophy, near_bonus = 0
    cdef int empty = population(seat.empty)
    for kind in range(TILE_KINDS):
        tiles[kind] = population(seat.tiles[kind])
        if kind != AXE:
            x[0] = tiles[kind] / <float>8.0
            x[1] = seat.value[kind] / <float>8.0
            x[2] = tiles[kind] * seat.value[kind] / <float>40.0
            x[3] = seat.value[kind] * left / <float>4.0
            x[4] = tiles[kind] * left / <float>4.0
            x += 5
    x[0] = tiles[AXE] / <float>6.0
    x[1] = tiles[AXE] * left / <float>3.0
    x[2] = seat.trophy != 0
    for n in range(4):
        trophy = 0 if seat.trophy else best_trophy(state, tiles[AXE] + n)
        x[3 + n] = tables.trophy_points[trophy] / <float>21.0
    x[7] = empty / <float>34.0
    x[8] = empty * left / <float>34.0
    x += 9

    clear(x, PIECE_FEATURES)
    unfilled_features(state, seat, tiles, x)
    for site in range(SITES):
        site_features(state, seat, site, x + UNFILLED_FEATURES + SITE_FEATURES * site)
    x += PIECE_FEATURES

    memset(x, 0, LONGSHIP_FEATURES * sizeof(float))
    if seat.empty and seat.in_hand:
        near_bonus = longship_features(state, seat, tiles, x)
    x += LONGSHIP_FEATURES
    count_beside(seat.tiles[0] | seat.tiles[1] | seat.tiles[2] | seat.tiles[AXE], &resources)
    x[0] = population(seat.empty & beside_any(&resources)) / <float>10.0
    x[1] = population(seat.empty & beside_two(&resources)) / <float>10.0
    x[2] = population(seat.empty & beside_three(&resources)) / <float>10.0
    x[3] = max(0, 2 * seat.in_hand - empty) / <float>13.0
    x[4] = near_bonus * left / <float>2.0


# The map block

cdef void map_features(const GameState *state, int player, float *features) noexcept nogil:
    """Write the MAP_FEATURES numbers of the landscape, the seats and the turn for a seat."""
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[player]
    cdef float *x = features
    cdef float left = seat.in_hand / <float>13.0
    cdef Groups groups
    cdef uint64_t spaces[2]
    cdef uint64_t houses
    cdef int largest = 0, runner_up = 0, leader = 0, n, other, size, level, need, tiles
    cdef int sum_left = 0
    cdef int potential = 0, untouched = 0, towers = 0, touched = 0, joinable = 0, first, second
    cdef int tower_tiles = 0, castle_tiles = 0, house_tiles, space, word, gain, gains = 0, rank
    cdef int distance
    cdef int best[BEST_GAINS]
    cdef int counts[RESOURCE_KINDS]
    clear(features, MAP_FEATURES)
    x[0] = left
    x[1] = left * left
    x[2] = seat.in_hand == 0
    x[3] = seat.in_hand == 1
    x[4] = seat.in_hand == 2
    for n in range(3):
        x[5 + n] = seat.shields >> n & 1
        x[8 + n] = x[5 + n] * left
    x[11] = state.players == 3
    x[12] = state.players == 4
    if state.phase != OVER:
        distance = (player - state.player + state.players) % state.players
        x[13] = distance == 0
        x[14] = distance / <float>3.0
    for other in range(state.players):
        if other != player:
            sum_left += state.seats[other].in_hand
    x[15] = sum_left / (<float>13.0 * (state.players - 1))
    x[55] = state.seats[(player + 1) % state.players].in_hand / <float>13.0

    find_groups(state, player, &groups)
    for n in range(groups.count):
        touched |= groups.towers[n]
        if groups.size[n] > largest:
            runner_up = largest
            largest = groups.size[n]
            leader = n
        elif groups.size[n] > runner_up:
            runner_up = groups.size[n]
    if groups.count:
        towers = groups.towers[leader]
    x[16] = largest / <float>8.0
    x[17] = runner_up / <float>8.0
    x[18] = groups.count / <float>5.0

    for n in range(tables.castle_count):
        tiles = tiles_on(state, tables.castle_field[n])
        castle_tiles += tiles
        if tiles:
            size = 0
            for other in range(groups.count):
                if groups.castles[other] >> n & 1:
                    size = max(size, groups.size[other])
            level = seat.castle_levels >> (2 * n) & 3
            if not size:
                untouched += 1
            elif level < 3:
                need = 4 * (level + 1) - size
                if need <= seat.in_hand:
                    x[19 + min(max(need, 1), 4) - 1] += <float>0.5
                    potential += min(min(3, (size + seat.in_hand) >> 2) - level, tiles)
    x[23] = potential / <float>4.0
    x[24] = potential * seat.value[CASTLE] / <float>20.0
    x[25] = untouched / <float>4.0

    for first in range(tables.tower_count):
        tiles = tiles_on(state, tables.tower_field[first])
        tower_tiles += tiles
        if not touched >> first & 1:
            x[30] += <float>0.25 * (tiles != 0)
        elif touched:
            for second in range(first):
                if touched >> second & 1 and not seat.connected >> (8 * second + first) & 1:
                    joinable += (tiles != 0) + (tiles_on(state, tables.tower_field[second]) != 0)
    x[26] = population(towers) / <float>4.0
    x[27] = population(touched) / <float>4.0
    x[28] = joinable / <float>4.0
    x[29] = joinable * seat.value[WATCHTOWER] / <float>16.0

    houses = (state.stacks | state.stacks >> 1) & tables.fields[HOUSE] & 0x5555555555555555ULL
    house_tiles = population(state.stacks & tables.fields[HOUSE])
    x[31] = house_tiles / <float>8.0
    x[32] = tower_tiles / <float>8.0
    x[33] = castle_tiles / <float>12.0

    memset(best, 0, sizeof(best))
    memset(counts, 0, sizeof(counts))
    landing_spaces(state, spaces)
    x[34] = (population(spaces[0]) + population(spaces[1])) / <float>20.0
    if seat.in_hand:
        for word in range(2):
            while spaces[word]:
                space = 64 * word + lowest(spaces[word])
                spaces[word] &= spaces[word] - 1
                counts[tables.resource[space]] += 1
                n = population(houses & tables.houses[space])
                if n:
                    x[35] += <float>0.125
                    if n > 1:
                        x[36] += <float>0.25
                        if n > 2:
                            x[37] += <float>0.5
                gain = landing_gain(state, seat, &groups, space)
                gains += gain
                for rank in range(BEST_GAINS):
                    if gain > best[rank]:
                        n = best[rank]
                        best[rank] = gain
                        gain = n
        for n in range(RESOURCE_KINDS):
            x[38 + n] = counts[n] / <float>6.0
        for n in range(BEST_GAINS):
            x[42 + n] = best[n] / <float>16.0
        if seat.shields & 2:
            gain = 0
            for word in range(2):
                spaces[word] = state.occupied[word] & ~seat.vikings[word]
                while spaces[word]:
                    space = 64 * word + lowest(spaces[word])
                    spaces[word] &= spaces[word] - 1
                    gain = max(gain, landing_gain(state, seat, &groups, space))
            x[45] = gain / <float>16.0
        x[48] = gains / <float>100.0
        x[49] = best[0] * left / <float>16.0
        x[50] = seat.value[HOUSE] * house_tiles * left / <float>16.0
        x[51] = x[35] * left
        x[52] = counts[2] * seat.value[2] / <float>24.0
        x[53] = counts[0] * seat.value[0] / <float>16.0
        x[54] = counts[1] * seat.value[1] / <float>16.0
    if not seat.trophy:
        x[46] = tables.trophy_points[best_trophy(state, MOST_AXES)] / <float>21.0
    x[47] = population(state.unseen) / <float>25.0


def features_of(State state not None, int player):
    """Give the features of a seat.

    Parameters
    ----------
    state : State
    player : int
        A seat that plays.

    Returns
    -------
    numpy.ndarray
        float32[FEATURES], named by `FEATURE_NAMES`.
    """
    cdef float[::1] values = np.zeros(FEATURES, dtype=np.float32)
    if not 0 <= player < state.game.players:
        raise ValueError(f"player: {player} is not a seat of the game")
    fjord_features(&state.game, player, &values[0])
    map_features(&state.game, player, &values[FJORD_FEATURES])
    return np.asarray(values)
