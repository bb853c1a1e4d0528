"""The features of the evaluation; `features.pxd` documents the blocks."""

from libc.string cimport memset
from libc.stdint cimport uint64_t

import numpy as np

from ai.around cimport Around, filling_cells, find_around, lacking_any, missing_of
from ai.groups cimport Groups, find_groups, landing_gain, tiles_on
from looot_core.bits cimport bit, lowest, population
from looot_core.rules cimport OVER, GameState, Seat, landing_spaces
from looot_core.state cimport State
from looot_core.tables cimport (
    AXE, CASTLE, CELLS, HOUSE, NOTHING, RESOURCE_KINDS, SITES, SLOTS, TILE_KINDS,
    WATCHTOWER, Tables,
)

cdef enum:
    MOST_MISSING = 3     # a longship needs three tiles
    BEST_GAINS = 3       # landing spaces of most gain that are told apart

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


# The fjord block

cdef inline int best_trophy(const GameState *state, int axes) noexcept nogil:
    """Points of the best trophy still there that so many axes suffice for (R14)."""
    cdef int trophies
    if axes < 2:
        return 0
    trophies = state.trophies & ((1 << (axes - 1)) - 1)
    if not trophies:
        return 0
    return state.tables.trophy_points[63 - __builtin_clzll(trophies) + 2]


cdef extern from *:
    int __builtin_clzll(unsigned long long set) noexcept nogil


cdef void fjord_features(const GameState *state, int player, float *features) noexcept nogil:
    """Write the FJORD_FEATURES numbers of a seat's own board, and of the longships there are."""
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[player]
    cdef float *x = features
    cdef float left = seat.in_hand / <float>13.0
    cdef int tiles[TILE_KINDS]
    cdef int by_kind[TILE_KINDS]
    cdef Around around
    cdef uint64_t unfilled, neighbours, open_cells, needs, ocean, pool
    cdef int kind, at, piece, missing, room, gain, n, cell
    cdef int best = 0, second = 0, filling = 0, near_best = 0, near = 0, bonus = 0, near_bonus = 0
    cdef int unseen_filling = 0, unseen_gain = 0, unseen_near = 0, empty = population(seat.empty)
    cdef uint64_t by_resources
    memset(features, 0, FJORD_FEATURES * sizeof(float))
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
    if seat.trophy:
        x[2] = 1.0
    else:
        for n in range(4):
            x[3 + n] = best_trophy(state, tiles[AXE] + n) / <float>21.0
    x[7] = empty / <float>34.0
    x[8] = empty * left / <float>34.0
    x += 9

    unfilled = seat.unfilled
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        cell = tables.bit_cell[at]
        piece = seat.piece[cell]
        neighbours = tables.neighbours[at]
        room = population(neighbours & seat.empty)
        missing = missing_of(seat, neighbours, tables.needs[piece], by_kind)
        if cell < CELLS:
            if missing > room:
                x[9] += <float>0.33
            else:
                kind = tables.bonus_kind[piece]
                n = 3 * (min(missing, MOST_MISSING) - 1)
                x[n] += <float>0.33
                x[n + 1] += (
                    tables.unfilled_penalty + tables.bonus[piece] * tiles[kind]
                ) / <float>20.0
                x[n + 2] += tables.bonus[piece] * left / <float>3.0
                if missing == room:
                    x[10] += <float>0.33
        else:
            n = 11 + 7 * (cell - CELLS)
            if missing > room:
                x[n + 6] = 1.0
            else:
                x[n] = 1.0
                x[n + 1] = (by_kind[0] + by_kind[1] + by_kind[2] + by_kind[AXE]) / <float>2.0
                x[n + 2] = by_kind[HOUSE] / <float>2.0
                x[n + 3] = by_kind[WATCHTOWER] / <float>2.0
                x[n + 4] = by_kind[CASTLE] / <float>2.0
                x[n + 5] = min(room - missing, 3) / <float>3.0
    x += 11 + 7 * SITES

    open_cells = seat.empty
    find_around(seat, open_cells, &around)
    if open_cells and seat.in_hand:
        ocean = 0
        for n in range(SLOTS):
            if state.ocean[n] != NOTHING:
                ocean |= bit(state.ocean[n])
        pool = ocean | state.unseen
        while pool:
            piece = lowest(pool)
            pool &= pool - 1
            needs = tables.needs[piece]
            kind = tables.bonus_kind[piece]
            gain = tables.bonus[piece] * tiles[kind]
            if filling_cells(&around, needs):
                if ocean >> piece & 1:
                    filling += 1
                    bonus = max(bonus, tables.bonus[piece])
                    if gain > best:
                        second = best
                        best = gain
                    elif gain > second:
                        second = gain
                else:
                    unseen_filling += 1
                    unseen_gain += gain
            elif lacking_any(&around, needs):
                if ocean >> piece & 1:
                    near += 1
                    near_best = max(near_best, gain)
                    near_bonus = max(near_bonus, tables.bonus[piece])
                else:
                    unseen_near += 1
        x[0] = best / <float>20.0
        x[1] = second / <float>20.0
        x[2] = filling / <float>5.0
        x[3] = bonus * left / <float>2.0
        x[4] = near_best / <float>20.0
        x[5] = near / <float>5.0
        n = population(state.unseen)
        if n:
            x[6] = unseen_filling / <float>n
            x[7] = unseen_gain / <float>n / <float>10.0
            x[8] = unseen_near / <float>n
    by_resources = (
        around.at_least[0][1 + 1] | around.at_least[1][1 + 1] | around.at_least[2][1 + 1] | around.at_least[3][1 + 1]
    )
    x[9] = population(by_resources) / <float>10.0
    by_resources = (
        around.at_least[0][2 + 1] | around.at_least[1][2 + 1] | around.at_least[2][2 + 1] | around.at_least[3][2 + 1]
        | around.at_least[0][1 + 1] & (around.at_least[1][1 + 1] | around.at_least[2][1 + 1] | around.at_least[3][1 + 1])
        | around.at_least[1][1 + 1] & (around.at_least[2][1 + 1] | around.at_least[3][1 + 1])
        | around.at_least[2][1 + 1] & around.at_least[3][1 + 1]
    )
    x[10] = population(by_resources) / <float>10.0
    n = 0
    while open_cells:
        neighbours = tables.neighbours[lowest(open_cells)]
        open_cells &= open_cells - 1
        n += population(
            neighbours & (seat.tiles[0] | seat.tiles[1] | seat.tiles[2] | seat.tiles[3])
        ) >= 3
    x[11] = n / <float>10.0
    x[12] = max(0, 2 * seat.in_hand - empty) / <float>13.0
    x[13] = near_bonus * left / <float>2.0


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
    memset(features, 0, MAP_FEATURES * sizeof(float))
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
    if not seat.trophy and state.trophies:
        x[46] = tables.trophy_points[63 - __builtin_clzll(state.trophies) + 2] / <float>21.0
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
