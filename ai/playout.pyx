"""Playouts by rules of thumb; `playout.pxd` tells how they play."""

from libc.stdint cimport uint64_t

import numpy as np

from ai.features cimport Groups, find_groups, landing_gain, missing_of
from ai.plans cimport longship_options, rate_cells, worth_of
from ai.steps cimport play
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
from looot_core.tables cimport AXE, CELLS, RESOURCE_KINDS, TILE_KINDS, Tables

cdef enum:
    FINENESS = 8             # parts of a point that landings are compared in
    BLUR = 20                # ... and that chance adds to a landing, less than
    DOUBLE_FROM = 16         # points of a landing that the double shield is spent on
    OCCUPIED_FROM = 6        # points that an occupied space must win more, while there is time
    EARLY = 7                # vikings in hand from which on there is time
    TROPHY_GROWTH = 3        # points that an axe is worth while there is no trophy yet

# Found by hill climbing on the mean score of such players.
cdef double LACK = 0.73      # share of what a piece is worth, spread over the tiles it lacks
# Points, a viking in hand, of touching a watchtower, and a castle, that no group touches yet.
cdef double NEW_TOWER = 0.15
cdef double NEW_CASTLE = 0.25


cdef struct Landing:
    int space                # -1: none
    int gain                 # in parts of a point


cdef int add_demand(const GameState *state, Seat *seat) noexcept nogil:
    """Raise the values of a copy of a seat by what its pieces lack; give what an axe is worth."""
    cdef const Tables *tables = state.tables
    cdef uint64_t unfilled = seat.unfilled, neighbours
    cdef int lacks[TILE_KINDS]
    cdef double worths[TILE_KINDS]
    cdef int kind, at, piece, missing, room
    cdef double worth
    for kind in range(TILE_KINDS):
        worths[kind] = 0.0
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
                worths[kind] += worth
    for kind in range(TILE_KINDS):
        seat.value[kind] = <unsigned char>min(255, seat.value[kind] + <int>(worths[kind] + 0.5))
    return seat.value[AXE] + 1 + (0 if seat.trophy else TROPHY_GROWTH)


cdef void find_landing(
    const GameState *state, const Seat *seat, const Groups *groups, int axe, uint64_t *spaces,
    uint64_t *generator, Landing *landing
) noexcept nogil:
    """Find the space of most gain at the values of a seat, blurred by chance."""
    cdef const Tables *tables = state.tables
    cdef int word, space, gain, n, towers = 0, castles = 0
    for n in range(groups.count):
        towers |= groups.towers[n]
        castles |= groups.castles[n]
    landing.space = landing.gain = -1
    for word in range(2):
        while spaces[word]:
            space = 64 * word + lowest(spaces[word])
            spaces[word] &= spaces[word] - 1
            gain = landing_gain(state, seat, groups, space)
            if tables.resource[space] == AXE:
                gain += axe - 1
            gain = <int>(FINENESS * (
                gain
                + seat.in_hand * NEW_TOWER * population(tables.towers[space] & ~towers)
                + seat.in_hand * NEW_CASTLE * population(tables.castles[space] & ~castles)
            )) + <int>below(generator, BLUR)
            if gain > landing.gain:
                landing.gain = gain
                landing.space = space


cdef int choose_viking(const GameState *state, uint64_t *generator) noexcept nogil:
    """Give the space to land on, or the shield to use first."""
    cdef Seat seat = state.seats[state.player]
    cdef uint64_t spaces[2]
    cdef Groups groups
    cdef Landing landing, occupied
    cdef int axe = add_demand(state, &seat)
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
    if seat.shields & OCCUPIED_SPACE and state.occupied[0] | state.occupied[1]:
        spaces[0] = state.occupied[0] & ~seat.vikings[0]
        spaces[1] = state.occupied[1] & ~seat.vikings[1]
        find_landing(state, &seat, &groups, axe, spaces, generator, &occupied)
        if landing.space < 0 or occupied.gain > landing.gain + (
            FINENESS * OCCUPIED_FROM if seat.in_hand >= EARLY else 0
        ):
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
    cdef int kind, number = action - FIRST_LONGSHIP, piece = state.ocean[number // CELLS]
    cdef uint64_t beside = state.tables.neighbours[state.tables.cell_bit[number % CELLS]]
    for kind in range(RESOURCE_KINDS):
        if population(seat.tiles[kind] & beside) < <int>(
            state.tables.needs[piece] >> (4 * kind) & 15
        ):
            return False
    return True


cdef int choose_trophy(const GameState *state) noexcept nogil:
    """Give the highest trophy that can be claimed, or END if a higher one is still in reach."""
    cdef int action = END - 1
    while action >= FIRST_TROPHY and not rules.is_legal(state, action):
        action -= 1
    if action >= FIRST_TROPHY and (
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
        state.seats[state.player].in_hand >= EARLY or fills_at_once(state, action)
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
