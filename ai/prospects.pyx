"""What a seat could win with its next vikings: by a landing, at castles and watchtowers."""

from libc.stdint cimport uint64_t

from ai.groups cimport Groups, find_groups, landing_gain
from looot_core.bits cimport lowest
from looot_core.rules cimport GameState, Seat, landing_spaces
from looot_core.state cimport State

cdef enum:
    CASTLE_LEVELS = 3        # R10: for groups of 4, 8 and 12
    VIKINGS_A_LEVEL = 4


def best_landing(State state not None, int player):
    """Give the landing space of most points for an ordinary viking of a seat (R6-R10).

    Returns
    -------
    tuple of int or None
        The number of the space, the lowest among equals, and the points of the tiles won there at
        the seat's values, an axe counting 1. None if it has no viking in hand, or no space.
    """
    cdef const GameState *game = &state.game
    cdef const Seat *seat
    cdef Groups groups
    cdef uint64_t spaces[2]
    cdef int word, space, gain, best = -1, best_gain = -1
    if not 0 <= player < game.players:
        raise ValueError(f"player: {player} is not a seat of the game")
    seat = &game.seats[player]
    if not seat.in_hand:
        return None
    find_groups(game, player, &groups)
    landing_spaces(game, spaces)
    for word in range(2):
        while spaces[word]:
            space = 64 * word + lowest(spaces[word])
            spaces[word] &= spaces[word] - 1
            gain = landing_gain(game, seat, &groups, space)
            if gain > best_gain:
                best, best_gain = space, gain
    return None if best < 0 else (best, best_gain)


def castles_of(State state not None, int player):
    """Give what a seat lacks for its next castles (R10).

    Returns
    -------
    dict of int to tuple of int
        For each castle space that a group of the seat touches and that still has a tile to win, by
        its number among the building spaces: the level reached, up to 2, and how many spaces the
        largest group that touches it lacks for the next.
    """
    cdef const GameState *game = &state.game
    cdef Groups groups
    cdef int castle, n, size, level, field
    cdef dict found = {}
    if not 0 <= player < game.players:
        raise ValueError(f"player: {player} is not a seat of the game")
    find_groups(game, player, &groups)
    for castle in range(game.tables.castle_count):
        size = 0
        for n in range(groups.count):
            if groups.castles[n] >> castle & 1:
                size = max(size, groups.size[n])
        level = game.seats[player].castle_levels >> (2 * castle) & 3
        field = game.tables.castle_field[castle]
        if size and level < CASTLE_LEVELS and game.stacks >> field & 3:
            found[field >> 1] = (level, VIKINGS_A_LEVEL * (level + 1) - size)
    return found


def joinable_watchtowers(State state not None, int player):
    """Give the pairs of watchtowers that a seat touches with groups apart, and may still join (R9).

    Returns
    -------
    list of tuple of int
        Pairs of numbers among the building spaces, of which at least one still has a tile.
    """
    cdef const GameState *game = &state.game
    cdef Groups groups
    cdef int first, second, n, touched = 0
    cdef list found = []
    if not 0 <= player < game.players:
        raise ValueError(f"player: {player} is not a seat of the game")
    find_groups(game, player, &groups)
    for n in range(groups.count):
        touched |= groups.towers[n]
    for first in range(game.tables.tower_count):
        for second in range(first + 1, game.tables.tower_count):
            if (
                touched >> first & touched >> second & 1
                and not game.seats[player].connected >> (8 * first + second) & 1
                and (
                    game.stacks >> game.tables.tower_field[first]
                    | game.stacks >> game.tables.tower_field[second]
                ) & 3
            ):
                found.append(
                    (game.tables.tower_field[first] >> 1, game.tables.tower_field[second] >> 1)
                )
    return found
