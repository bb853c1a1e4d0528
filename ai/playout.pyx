"""Playouts by rules of thumb; `playout.pxd` tells how they play."""

from libc.stdint cimport uint64_t

import numpy as np

from ai.around cimport (
    Around, filling_cells, find_around, lacking_cells, lacking_tiles, missing_of,
)
from ai.groups cimport Groups, find_groups, joined_groups, joining_gain
from ai.pieces cimport longship_options, worth_of
from ai.plans cimport rate_cells
from ai.steps cimport play
from ai.trophies cimport action_of_trophy
from ai.workspace cimport EVERY_TILE
from looot_core cimport rules
from looot_core.bits cimport lowest, population
from looot_core.generator cimport below
from looot_core.generator import check_seed
from looot_core.rules cimport (
    DOUBLE_GAIN, END, FIRST_LONGSHIP, FIRST_SHIELD, FIRST_TILE, FIRST_TROPHY,
    OCCUPIED_SPACE, SECOND_VIKING, GameState, Seat, landing_spaces,
)
from looot_core.state cimport State
from looot_core.tables cimport (
    AXE, CELLS, NOTHING, RESOURCE_KINDS, SLOTS, TILE_KINDS, Tables,
)

# The constants but OCCUPIED_LATE, which saves time, were found by hill climbing on how well
# playouts, together with the forecast, foretell the scores of greedy games from 2,500 positions
# (2 to 4 players).
cdef enum:
    FINENESS = 8             # parts of a point that landings are compared in
    BLUR = 35                # ... and that chance adds to a landing, less than
    DOUBLE_FROM = 17         # points of a landing that the double shield is spent on
    OCCUPIED_LATE = 8        # vikings in hand down from which an occupied space is thought of
    UNFILLED_EARLY = 5       # ... and up from which a longship is taken that is not filled at once
    TROPHY_GROWTH = 4        # points that an axe is worth while there is no trophy yet

cdef double LACK = 0.47          # share of what a piece is worth, spread over the tiles it lacks
cdef double OCEAN_LACK = 0.34    # ... of a longship that lies on the ocean, for its last tile
# Points for each viking in hand:
cdef double LATER = -0.13        # of winning a resource
cdef double NEW_TOWER = 0.3      # of touching a watchtower that no group touches yet
cdef double NEW_CASTLE = 0.2     # ... and a castle
cdef double OPENED = 0.11        # of each free space beside
cdef double JOINING = 0.15       # of joining a group
cdef double MERGING = -0.2       # ... and each further one


cdef struct Landing:
    int space                # -1: none
    int gain                 # in parts of a point


cdef void raise_values(Seat *seat, const double *points) noexcept nogil:
    """Change the values of a copy of a seat."""
    cdef int kind, value
    for kind in range(TILE_KINDS):
        value = seat.value[kind] + <int>(points[kind] + 0.5)
        seat.value[kind] = <unsigned char>max(0, min(255, value))


cdef void add_demand_of_fjord(const GameState *state, Seat *seat) noexcept nogil:
    """Raise the values of a copy of a seat by what its pieces lack."""
    cdef const Tables *tables = state.tables
    cdef uint64_t unfilled = seat.unfilled, neighbours
    cdef int lacks[TILE_KINDS]
    cdef double points[TILE_KINDS]
    cdef double worth
    cdef int kind, at, piece, missing, room
    for kind in range(TILE_KINDS):
        points[kind] = 0.0
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        neighbours = tables.neighbours[at]
        room = population(neighbours & seat.empty)
        if not room:
            continue
        piece = seat.piece[tables.bit_cell[at]]
        missing = missing_of(seat, neighbours, tables.needs[piece], lacks)
        if missing > room:
            continue
        worth = LACK * worth_of(state, seat, piece) / missing
        for kind in range(TILE_KINDS):
            if lacks[kind]:
                points[kind] += worth
    raise_values(seat, points)


cdef void add_demand_of_ocean(const GameState *state, Seat *seat) noexcept nogil:
    """Raise the values of a copy of a seat by what would let a longship be filled at once."""
    cdef const Tables *tables = state.tables
    cdef Around around
    cdef double points[TILE_KINDS]
    cdef double worth
    cdef uint64_t needs
    cdef int kind, slot, piece
    for kind in range(TILE_KINDS):
        points[kind] = 0.0
    find_around(seat, seat.empty, &around)
    for slot in range(SLOTS):
        piece = state.ocean[slot]
        if piece == NOTHING:
            continue
        needs = tables.needs[piece]
        if filling_cells(&around, needs):
            continue
        worth = OCEAN_LACK * (worth_of(state, seat, piece) - tables.unfilled_penalty)
        for kind in range(RESOURCE_KINDS):
            if needs >> (4 * kind) & 3 and lacking_cells(&around, needs, kind):
                points[kind] = max(points[kind], worth)
    for kind in range(AXE):
        points[kind] += LATER * seat.in_hand
    raise_values(seat, points)


cdef void find_landing(
    const GameState *state, const Seat *seat, const Groups *groups, int axe, uint64_t *spaces,
    uint64_t *generator, Landing *landing
) noexcept nogil:
    """Find the space of most gain at the values of a seat, blurred by chance."""
    cdef const Tables *tables = state.tables
    cdef const uint64_t *adjacent
    cdef int word, space, gain, n, joined, towers = 0, castles = 0
    cdef double new_tower = FINENESS * NEW_TOWER * seat.in_hand
    cdef double new_castle = FINENESS * NEW_CASTLE * seat.in_hand
    cdef double opened = FINENESS * OPENED * seat.in_hand
    cdef double joining = FINENESS * JOINING * seat.in_hand
    cdef double merging = FINENESS * MERGING * seat.in_hand
    cdef double later
    for n in range(groups.count):
        towers |= groups.towers[n]
        castles |= groups.castles[n]
    landing.space = landing.gain = -1
    for word in range(2):
        while spaces[word]:
            space = 64 * word + lowest(spaces[word])
            spaces[word] &= spaces[word] - 1
            adjacent = tables.adjacent[space]
            later = opened * (
                population(adjacent[0] & ~state.occupied[0])
                + population(adjacent[1] & ~state.occupied[1])
            )
            if tables.towers[space] & ~towers:
                later += new_tower * population(tables.towers[space] & ~towers)
            if tables.castles[space] & ~castles:
                later += new_castle * population(tables.castles[space] & ~castles)
            joined = joined_groups(state, seat, groups, space)
            if joined:
                later += joining + merging * (population(joined) - 1)
            gain = joining_gain(state, seat, groups, space, joined)
            if tables.resource[space] == AXE:
                gain += axe - 1
            gain = FINENESS * gain + <int>later + <int>below(generator, BLUR)
            if gain > landing.gain:
                landing.gain = gain
                landing.space = space


cdef int choose_viking(const GameState *state, uint64_t *generator) noexcept nogil:
    """Give the space to land on, or the shield to use first."""
    cdef Seat seat = state.seats[state.player]
    cdef uint64_t spaces[2]
    cdef Groups groups
    cdef Landing landing, occupied
    cdef int axe
    add_demand_of_fjord(state, &seat)
    add_demand_of_ocean(state, &seat)
    axe = seat.value[AXE] + 1 + (0 if seat.trophy else TROPHY_GROWTH)
    find_groups(state, state.player, &groups)
    if state.active_shields & OCCUPIED_SPACE:
        spaces[0] = state.occupied[0]
        spaces[1] = state.occupied[1]
    else:
        landing_spaces(state, spaces)
    find_landing(state, &seat, &groups, axe, spaces, generator, &landing)
    if state.phase == rules.PLACE_SECOND_VIKING or state.active_shields or not seat.shields:
        return landing.space
    if seat.shields & DOUBLE_GAIN and landing.space >= 0 and (
        seat.in_hand <= 2 or landing.gain >= FINENESS * DOUBLE_FROM
    ):
        return FIRST_SHIELD + 2
    if seat.shields & OCCUPIED_SPACE and (landing.space < 0 or seat.in_hand <= OCCUPIED_LATE):
        spaces[0] = state.occupied[0] & ~seat.vikings[0]
        spaces[1] = state.occupied[1] & ~seat.vikings[1]
        find_landing(state, &seat, &groups, axe, spaces, generator, &occupied)
        if occupied.gain > landing.gain:
            return FIRST_SHIELD + 1
    if seat.shields & SECOND_VIKING and landing.space >= 0 and (
        seat.in_hand == 2 or below(generator, 2)
    ):
        return FIRST_SHIELD
    return landing.space


cdef int choose_tile(const GameState *state) noexcept nogil:
    """Give the tile of most value that is owed, on its best cell."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef double merits[64]
    cdef uint64_t cells = seat.empty
    cdef int n, at, kind = -1, best = -1
    for n in range(TILE_KINDS):
        if state.owed >> (8 * n) & 255 and (kind < 0 or seat.value[n] > seat.value[kind]):
            kind = n
    rate_cells(state, seat, kind, merits)
    while cells:
        at = lowest(cells)
        cells &= cells - 1
        if best < 0 or merits[at] > merits[best]:
            best = at
    return FIRST_TILE + CELLS * kind + state.tables.bit_cell[best]


cdef bint fills_at_once(const GameState *state, int action) noexcept nogil:
    """Whether a longship is filled where it is laid (R12)."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int number = action - FIRST_LONGSHIP, piece = state.ocean[number // CELLS]
    cdef uint64_t beside = state.tables.neighbours[state.tables.cell_bit[number % CELLS]]
    return not lacking_tiles(seat, beside, state.tables.needs[piece], RESOURCE_KINDS)


cdef int choose_trophy(const GameState *state) noexcept nogil:
    """Give the highest trophy that can be claimed, or END if a higher one is still in reach."""
    cdef int action = action_of_trophy(state)
    if action >= 0 and (
        state.seats[state.player].in_hand <= 1
        or not state.trophies >> (action - FIRST_TROPHY + 1)
    ):
        return action
    return END


cdef int choose_action(const GameState *state, uint64_t *generator) noexcept nogil:
    """Give the next action of a game that is not over."""
    cdef int action
    if state.phase <= rules.PLACE_SECOND_VIKING:
        action = choose_viking(state, generator)
        if action < 0 or not rules.is_legal(state, action):
            action = rules.random_action(state, generator)
        return action
    if state.phase == rules.PLACE_TILES:
        return choose_tile(state)
    if longship_options(state, EVERY_TILE, 1, &action) and (
        state.seats[state.player].in_hand >= UNFILLED_EARLY or fills_at_once(state, action)
    ):
        return action
    return choose_trophy(state)


cdef void play_out(GameState *state, uint64_t *generator) noexcept nogil:
    """Play a game to its end."""
    while state.phase != rules.OVER:
        play(state, choose_action(state, generator), generator)


def thumb_action(State state not None, seed):
    """Choose an action by the rules of thumb that playouts follow.

    Parameters
    ----------
    state : State
        With a player to move; left as it is.
    seed : int

    Returns
    -------
    Action

    Raises
    ------
    ValueError
        If the game is over.
    LoootError
        If the seed is none.
    """
    cdef uint64_t generator = check_seed(seed)
    if state.game.phase == rules.OVER:
        raise ValueError("state: the game is over, so there is nothing to choose (R19)")
    return state.layout.actions[choose_action(&state.game, &generator)]


def thumb_playouts(State state not None, int number, seed):
    """Play a game out by rules of thumb, many times.

    Parameters
    ----------
    state : State
        Left as it is.
    number : int
        Of playouts.
    seed : int

    Returns
    -------
    numpy.ndarray
        int32[number, players]: the final scores.

    Raises
    ------
    ValueError
        If the number is negative.
    LoootError
        If the seed is none.
    """
    cdef GameState game
    cdef uint64_t generator = check_seed(seed)
    cdef int n, player
    if number < 0:
        raise ValueError(f"number: {number} is negative")
    cdef int[:, ::1] scores = np.empty((number, state.game.players), dtype=np.int32)
    for n in range(number):
        rules.copy(&game, &state.game)
        play_out(&game, &generator)
        for player in range(game.players):
            scores[n, player] = game.seats[player].score
    return np.asarray(scores)
