"""Solve the last turn of a game; `last_turn.pxd` documents the struct.

All opponents are done, so the mover wants the highest score and, for a tie, the higher trophy
(R21): both at once, for a higher trophy is also worth more. Every way of placing the viking, every
way of laying what each different set of tiles allows, and the best longship are looked at; a branch
is left as soon as its upper bound does not pass the best result so far. The bound fills each piece
as if it alone were served by all that is owed.
"""

from libc.string cimport memcpy, memset
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.around cimport Around, filling_cells, find_around
from ai.steps cimport action_of, key_of, play
from ai.trophies cimport best_trophy
from ai.workspace cimport Workspace, interrupted
from looot_core cimport rules
from looot_core.bits cimport bit, lowest, population
from looot_core.rules cimport (
    ACTION_COUNT, END, FIRST_LONGSHIP, FIRST_SHIELD, FIRST_TILE, FIRST_TROPHY, NO_DRAW, GameState,
    Seat,
)
from looot_core.state cimport State
from looot_core.tables cimport (
    AXE, CELLS, LONGSHIPS, NOTHING, RESOURCE_KINDS, SLOTS, TILE_KINDS, Tables,
)

cdef enum:
    MOST_SETS = 384
    LOOKS_AT_ONCE = 256      # between two looks whether to give up
    MOST_WORK = 200000       # some 0.02 s


cdef struct Search:
    Solution *solution
    const Workspace *workspace
    uint16_t steps[MOST_STEPS]


cdef struct Start:
    GameState state
    uint16_t steps[4]
    int length
    int bound


cdef bint is_last_turn(const GameState *state) noexcept nogil:
    """Whether the game ends with the turn of the mover, whatever it does."""
    cdef int player, left = 1 if state.phase <= rules.PLACE_SECOND_VIKING else 0
    if state.phase == rules.OVER:
        return False
    for player in range(state.players):
        if state.seats[player].in_hand != (left if player == state.player else 0):
            return False
    return True


cdef inline bint can_fill(
    const GameState *state, const Seat *seat, uint64_t neighbours, uint32_t needs
) noexcept nogil:
    """Whether enough is owed, and enough of the neighbours are empty, to fill a piece yet."""
    cdef int kind, lacking, total = 0
    for kind in range(TILE_KINDS):
        lacking = <int>(needs >> (4 * kind) & 15)
        if lacking:
            lacking -= population(seat.tiles[kind] & neighbours)
            if lacking > 0:
                if lacking > <int>(state.owed >> (8 * kind) & 255):
                    return False
                total += lacking
    return total <= population(neighbours & seat.empty)


cdef int bound_of(const GameState *state) noexcept nogil:
    """An upper bound of the result after all that is still owed is laid."""
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[state.player]
    cdef uint64_t unfilled = seat.unfilled
    cdef Around around
    cdef int counts[TILE_KINDS]
    cdef int kind, at, piece, count, trophy, slot, gain, best = 0, score = seat.score
    for kind in range(TILE_KINDS):
        count = state.owed >> (8 * kind) & 255
        counts[kind] = population(seat.tiles[kind]) + count
        score += count * seat.value[kind]
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        piece = seat.piece[tables.bit_cell[at]]
        if can_fill(state, seat, tables.neighbours[at], tables.needs[piece]):
            score += tables.bonus[piece]
            if piece < LONGSHIPS:
                score += tables.unfilled_penalty - tables.bonus[piece]
                score += tables.bonus[piece] * counts[tables.bonus_kind[piece]]
    if not state.longship_taken and seat.empty:
        find_around(seat, seat.empty, &around)
        for slot in range(SLOTS):
            piece = state.ocean[slot]
            if piece != NOTHING:
                gain = tables.bonus[piece] * counts[tables.bonus_kind[piece]]
                if gain > best and filling_cells(&around, still_needed(state, tables.needs[piece])):
                    best = gain
        score += best
    trophy = seat.trophy
    if not trophy:
        trophy = best_trophy(state, counts[AXE])
        score += tables.trophy_points[trophy]
    return 8 * score + trophy


cdef inline uint32_t still_needed(const GameState *state, uint32_t needs) noexcept nogil:
    """What is needed if all that is owed may come to lie there."""
    cdef uint32_t need, left = 0
    cdef int kind
    for kind in range(RESOURCE_KINDS):
        need = needs >> (4 * kind) & 3
        left |= <uint32_t>max(<int>need - <int>(state.owed >> (8 * kind) & 255), 0) << (4 * kind)
    return left


cdef void finish(Search *search, const GameState *state, int length) noexcept nogil:
    """Take the best longship and trophy, and keep the turn if it is the best."""
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[state.player]
    cdef Solution *solution = search.solution
    cdef Around around
    cdef uint64_t cells
    cdef int slot, piece, gain, best = 0, longship = -1, trophy, score = seat.score
    if not state.longship_taken and seat.empty:
        find_around(seat, seat.empty, &around)
        for slot in range(SLOTS):
            piece = state.ocean[slot]
            if piece != NOTHING:
                gain = tables.bonus[piece] * population(seat.tiles[tables.bonus_kind[piece]])
                if gain > best:
                    cells = filling_cells(&around, tables.needs[piece])
                    if cells:
                        best = gain
                        longship = FIRST_LONGSHIP + CELLS * slot + tables.bit_cell[lowest(cells)]
    trophy = seat.trophy
    if not trophy:
        trophy = best_trophy(state, population(seat.tiles[AXE]))
        best += tables.trophy_points[trophy]
    if 8 * (score + best) + trophy > solution.result:
        solution.result = 8 * (score + best) + trophy
        memcpy(solution.steps, search.steps, length * sizeof(uint16_t))
        if longship >= 0:
            solution.steps[length] = <uint16_t>key_of(state, longship)
            length += 1
        if not seat.trophy and trophy:
            solution.steps[length] = <uint16_t>(FIRST_TROPHY + trophy - 2)
            length += 1
        solution.steps[length] = END
        solution.length = length + 1


cdef void lay(
    Search *search, const GameState *state, int length, int last_kind, uint64_t allowed
) noexcept nogil:
    """Lay what is owed in every way.

    Tiles of a kind go to cells in ascending order, after those of the kinds before. If not all
    that is owed finds a cell, every cell will have a tile: then the lowest empty cell is next, and
    gets each kind in turn.
    """
    cdef GameState after
    cdef const Seat *seat = &state.seats[state.player]
    cdef uint64_t cells, kinds
    cdef int kind, count, total = 0, at
    cdef bint overflow
    search.solution.looked += 1
    if search.solution.length and (
        search.solution.looked > search.solution.most
        or search.solution.looked % LOOKS_AT_ONCE == 0 and search.workspace != NULL
        and interrupted(search.workspace)
    ):
        search.solution.exact = False
        return
    if state.phase != rules.PLACE_TILES:
        finish(search, state, length)
        return
    if bound_of(state) <= search.solution.result:
        return
    kinds = 0
    for kind in range(TILE_KINDS):
        count = state.owed >> (8 * kind) & 255
        if count:
            total += count
            kinds |= bit(kind)
    overflow = total > population(seat.empty)
    if not overflow:
        kinds &= ~kinds + 1
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        cells = seat.empty
        if overflow:
            cells &= ~cells + 1
        elif kind == last_kind:
            cells &= allowed
        while cells:
            at = lowest(cells)
            cells &= cells - 1
            rules.copy(&after, state)
            search.steps[length] = <uint16_t>(
                FIRST_TILE + CELLS * kind + state.tables.bit_cell[at]
            )
            rules.apply(&after, search.steps[length], NO_DRAW)
            lay(search, &after, length + 1, kind, cells)


cdef int find_starts(
    const Search *search, const GameState *state, Start *starts
) noexcept nogil:
    """Place the viking in every way that wins another set of tiles; give how many there are."""
    cdef GameState shielded
    cdef uint16_t legal[ACTION_COUNT]
    cdef uint16_t steps[4]
    cdef int shields, shield, n, i, length, actions, count = 0
    if state.phase > rules.PLACE_SECOND_VIKING:
        rules.copy(&starts[0].state, state)
        starts[0].length = 0
        return 1
    for shields in range(8):
        rules.copy(&shielded, state)
        length = 0
        for shield in range(3):
            if shields >> shield & 1:
                if not rules.is_legal(&shielded, FIRST_SHIELD + shield):
                    break
                rules.apply(&shielded, FIRST_SHIELD + shield, NO_DRAW)
                steps[length] = <uint16_t>(FIRST_SHIELD + shield)
                length += 1
        else:
            actions = rules.legal_actions(&shielded, legal)
            for n in range(actions):
                if legal[n] >= FIRST_SHIELD or count == MOST_SETS:
                    break
                rules.copy(&starts[count].state, &shielded)
                rules.apply(&starts[count].state, legal[n], NO_DRAW)
                for i in range(count):
                    if (
                        starts[i].state.owed == starts[count].state.owed
                        and starts[i].state.phase == starts[count].state.phase
                    ):
                        break
                else:
                    memcpy(starts[count].steps, steps, length * sizeof(uint16_t))
                    starts[count].steps[length] = legal[n]
                    starts[count].length = length + 1
                    count += 1
    return count


cdef void solve_last_turn(
    const GameState *state, uint64_t most, const Workspace *workspace, Solution *solution
) noexcept nogil:
    """Find the turn with the highest score, looking at so many ways of laying tiles at most.

    It is given up, with the best turn so far, when the search of the workspace is to end; without
    a workspace it never is.
    """
    cdef Search search
    cdef Start starts[MOST_SETS]
    cdef int n, best, count
    memset(&search, 0, sizeof(Search))
    search.solution = solution
    search.workspace = workspace
    solution.result = -(1 << 30)
    solution.length = 0
    solution.looked = 0
    solution.most = most
    solution.exact = True
    count = find_starts(&search, state, starts)
    for n in range(count):
        starts[n].bound = bound_of(&starts[n].state)
    while True:  # those of the highest bound first
        best = -1
        for n in range(count):
            if starts[n].bound > solution.result and (
                best < 0 or starts[n].bound > starts[best].bound
            ):
                best = n
        if best < 0:
            return
        memcpy(search.steps, starts[best].steps, starts[best].length * sizeof(uint16_t))
        lay(&search, &starts[best].state, starts[best].length, -1, 0)
        starts[best].bound = -(1 << 30)
        if not solution.exact:
            return


def is_last(State state not None):
    """Tell whether the game ends with the turn of the player to move, whatever it does."""
    return is_last_turn(&state.game)


def solved_turn(State state not None, uint64_t most=MOST_WORK):
    """Solve the last turn of a game.

    Parameters
    ----------
    state : State
        In which the turn of the player to move ends the game.
    most : int, optional
        Ways of laying tiles to look at; where there are more, the best of these is taken.

    Returns
    -------
    tuple
        The best turn as a list of actions, and how many ways of laying tiles were looked at: more
        than `most` if some were left out.

    Raises
    ------
    ValueError
        If the game does not end with this turn.
    """
    cdef Solution solution
    cdef GameState game
    cdef uint64_t generator = 0
    cdef list turn = []
    cdef int n, action
    if not is_last_turn(&state.game):
        raise ValueError("state: the game does not end with this turn")
    with nogil:
        solve_last_turn(&state.game, most, NULL, &solution)
    rules.copy(&game, &state.game)
    for n in range(solution.length):
        action = action_of(&game, solution.steps[n])
        turn.append(state.layout.actions[action])
        play(&game, action, &generator)
    return turn, solution.looked
