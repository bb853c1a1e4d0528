"""What moves a forecast: the change that a turn makes, shared out among the parts of the turn.

The state after the turn differs from the one before in a few `FACTORS`. A seat's forecast is taken
for every mixture of both states, and each factor gets its Shapley value (Shapley, "A value for
n-person games", 1953): its mean effect over all orders of changing the factors one by one. The
values of a seat add up to the change of its forecast.

Forecasts are the seat network's. The table network, which values the leaves of a search, would be
too slow for up to 256 mixtures a seat, and what one seat changes would move all forecasts.
"""

from libc.string cimport memset
from libc.stdint cimport uint32_t, uint64_t

from ai.evaluation cimport Evaluation, Weights, score_of
from looot_core cimport rules
from looot_core.bits cimport bit, lowest, population
from looot_core.effects cimport fill
from looot_core.rules cimport GameState, Seat
from looot_core.state cimport State
from looot_core.tables cimport CELLS, NOTHING, SLOTS, TILE_KINDS

cdef enum:
    HAND = 1
    SHIELDS = 2
    GROUPS = 4
    SPACES = 8
    BUILDINGS = 16
    TILES = 32
    LONGSHIP = 64
    TROPHY = 128
    FACTOR_COUNT = 8
    MIXTURES = 256
    SHARED = HAND | SPACES | BUILDINGS | LONGSHIP | TROPHY  # what other seats' features see

FACTORS = ("hand", "shields", "groups", "spaces", "buildings", "tiles", "longship", "trophy")
"""Names of what a turn changes.

``hand``: vikings spent, and whose turn it is; ``shields``: spent; ``groups``: the mover's groups,
pairs of watchtowers and castle levels; ``spaces``: which spaces are occupied and beside a viking;
``buildings``: tiles left on the landscape; ``tiles``: those laid on the fjord and what they fill;
``longship``: the one taken, and what the ocean then holds, as a mean over what may be revealed;
``trophy``: the one claimed, and those left.
"""

cdef struct Turn:
    # The states before and after, and what lies between.
    const GameState *before
    const GameState *after
    Seat fjords[4]           # the mover's fjord before, with the tiles, the longship, with both
    int mover
    int slot                 # the ocean slot that a longship was taken from, or -1


cdef void lay_tiles(const GameState *state, Seat *seat, const Seat *after) noexcept nogil:
    """Lay the tiles of a later fjord, with what they fill (R12); the state lends its tables."""
    cdef uint64_t fresh
    cdef int kind
    for kind in range(TILE_KINDS):
        fresh = after.tiles[kind] & ~seat.tiles[kind]
        seat.tiles[kind] |= fresh
        seat.empty &= ~fresh
        seat.score += seat.value[kind] * population(fresh)
    fill(<GameState *>state, seat, seat.unfilled)


cdef void lay_longship(
    const GameState *state, Seat *seat, const Seat *after, int cell
) noexcept nogil:
    """Lay the longship on a cell of a later fjord (R13)."""
    cdef uint64_t mark = bit(state.tables.cell_bit[cell])
    seat.piece[cell] = after.piece[cell]
    seat.empty &= ~mark
    seat.unfilled |= mark
    seat.score -= state.tables.unfilled_penalty
    fill(<GameState *>state, seat, mark)


cdef int begin(Turn *turn, const GameState *before, const GameState *after) noexcept nogil:
    """Find what lies between two states; give the factors in which they differ, as bits."""
    cdef int mover = before.player, number, cell = -1, changed = HAND
    cdef const Seat *old = &before.seats[mover]
    cdef const Seat *new = &after.seats[mover]
    turn.before = before
    turn.after = after
    turn.mover = mover
    turn.slot = -1
    for number in range(CELLS):
        if old.piece[number] != new.piece[number]:
            cell = number
    for number in range(4):
        turn.fjords[number] = old[0]
        if number & 1:
            lay_tiles(before, &turn.fjords[number], new)
        if number & 2 and cell >= 0:
            lay_longship(before, &turn.fjords[number], new, cell)
    if cell >= 0:
        changed |= LONGSHIP
        for number in range(SLOTS):
            if before.ocean[number] == new.piece[cell]:
                turn.slot = number
    for number in range(TILE_KINDS):
        if old.tiles[number] != new.tiles[number]:
            changed |= TILES
    if old.shields != new.shields:
        changed |= SHIELDS
    if old.in_hand != new.in_hand:
        changed |= GROUPS
        if (
            before.occupied[0] != after.occupied[0] or before.occupied[1] != after.occupied[1]
        ):
            changed |= SPACES
    if before.stacks != after.stacks:
        changed |= BUILDINGS
    if old.trophy != new.trophy:
        changed |= TROPHY
    return changed


cdef void mix(const Turn *turn, int factors, GameState *mixed) noexcept nogil:
    """Write the state before with some factors as they are after; nothing is revealed yet."""
    cdef const GameState *after = turn.after
    cdef const Seat *new = &after.seats[turn.mover]
    cdef Seat *seat = &mixed.seats[turn.mover]
    rules.copy(mixed, turn.before)
    seat[0] = turn.fjords[(factors & TILES != 0) + 2 * (factors & LONGSHIP != 0)]
    if factors & HAND:
        seat.in_hand = new.in_hand
        mixed.player = after.player
        mixed.phase = after.phase
        mixed.turn_number = after.turn_number
    if factors & SHIELDS:
        seat.shields = new.shields
    if factors & GROUPS:
        seat.vikings[0] = new.vikings[0]
        seat.vikings[1] = new.vikings[1]
        seat.connected = new.connected
        seat.castle_levels = new.castle_levels
        seat.stacked_space = new.stacked_space
    if factors & SPACES:
        mixed.occupied[0] = after.occupied[0]
        mixed.occupied[1] = after.occupied[1]
        mixed.reach[0] = after.reach[0]
        mixed.reach[1] = after.reach[1]
    if factors & BUILDINGS:
        mixed.stacks = after.stacks
    if factors & LONGSHIP and turn.slot >= 0:
        mixed.ocean[turn.slot] = NOTHING
    if factors & TROPHY and seat.trophy != new.trophy:
        seat.trophy = new.trophy
        seat.score += mixed.tables.trophy_points[new.trophy]
        mixed.trophies = after.trophies


cdef double revealed_mean(
    const Turn *turn, const Weights *weights, int player
) noexcept nogil:
    """A seat's forecast after the turn, as a mean over the longships that may be revealed."""
    cdef GameState state
    cdef uint32_t unseen = turn.before.unseen, left = unseen
    cdef double total = 0.0
    rules.copy(&state, turn.after)
    if turn.slot < 0 or not unseen or state.phase == rules.OVER:
        return score_of(weights, &state, player)
    while left:
        state.ocean[turn.slot] = lowest(left)
        state.unseen = unseen ^ <uint32_t>bit(lowest(left))
        left &= left - 1
        total += score_of(weights, &state, player)
    return total / population(unseen)


cdef void share_out(
    const Turn *turn, const Weights *weights, int player, int factors, double *shares
) noexcept nogil:
    """Write the Shapley value of each factor for a seat's forecast; the others count nothing."""
    cdef double values[MIXTURES]
    cdef double orders[FACTOR_COUNT]  # by the number of factors changed before: share of the orders
    cdef GameState mixed
    cdef int n, factor, subset = 0, count = population(factors)
    while True:  # every subset of the factors, up from none
        mix(turn, subset, &mixed)
        values[subset] = score_of(weights, &mixed, player)
        subset = (subset - factors) & factors
        if not subset:
            break
    orders[0] = 1.0 / count
    for n in range(1, count):
        orders[n] = orders[n - 1] * n / (count - n)
    for n in range(FACTOR_COUNT):
        shares[n] = 0.0
        factor = 1 << n
        if factors & factor:
            subset = 0
            while True:
                if not subset & factor:
                    shares[n] += orders[population(subset)] * (
                        values[subset | factor] - values[subset]
                    )
                subset = (subset - factors) & factors
                if not subset:
                    break
    # What the ocean is filled up with belongs to the longship taken.
    shares[6] += revealed_mean(turn, weights, player) - values[factors]


def attribute(State before not None, State after not None, Evaluation evaluation not None):
    """Share out what a turn changes in the seat network's forecasts of final scores.

    Parameters
    ----------
    before : State
        With a player to move.
    after : State
        The same after the rest of the turn, whatever was revealed.
    evaluation : Evaluation

    Returns
    -------
    list of tuple
        For each seat its forecast before, its forecast after, as a mean over what may be revealed,
        and the share of each of `FACTORS` in the difference, in points.
    """
    cdef Turn turn
    cdef double shares[FACTOR_COUNT]
    cdef double first, last
    cdef int player, n, changed
    cdef list found = []
    changed = begin(&turn, &before.game, &after.game)
    for player in range(before.game.players):
        memset(shares, 0, sizeof(shares))
        with nogil:
            first = score_of(&evaluation.weights, &before.game, player)
            last = revealed_mean(&turn, &evaluation.weights, player)
            share_out(
                &turn, &evaluation.weights, player,
                changed if player == turn.mover else changed & SHARED, shares,
            )
        found.append((first, last, tuple([shares[n] for n in range(FACTOR_COUNT)])))
    return found
