"""The rules of the game in C (R6-R21).

`game_state.pxd` documents the structs, `choices.pxd` says what may be done, and `effects.pxd` what
that changes.
"""

from libc.string cimport memcpy, memset
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from looot_core.bits cimport bit, lowest, population
from looot_core.choices cimport (
    affordable_trophies, laid_slots, longship_cells, owed_kinds, random_ending, random_tile,
    random_viking, usable_shields, viking_spaces,
)
from looot_core.effects cimport (
    end_turn, fill, place_tile, place_viking, take_longship, take_trophy, use_shield,
    win_by_group,
)
from looot_core.game_state cimport ALL_TROPHIES, SEAT_WORDS
from looot_core.tables cimport (
    CELLS, MAX_PLAYERS, NOTHING, PIECE_CELLS, SITES, SLOTS, TILE_KINDS, Tables,
)

if sizeof(GameState) != HEAD_WORDS * 8 + MAX_PLAYERS * sizeof(Seat):
    raise ImportError("HEAD_WORDS does not fit the struct GameState of this compiler")
if sizeof(Seat) != SEAT_WORDS * 8:
    raise ImportError("SEAT_WORDS does not fit the struct Seat of this compiler: it has gaps")


cdef size_t state_size(const GameState *state) noexcept nogil:
    """Bytes in use: the head and the seats that play."""
    return HEAD_WORDS * 8 + state.players * sizeof(Seat)


cdef void copy(GameState *target, const GameState *source) noexcept nogil:
    """Copy the bytes in use."""
    memcpy(target, source, state_size(source))


cdef uint64_t state_hash(const GameState *state) noexcept nogil:
    """Hash of the bytes in use, the landscape by its key and not by its address.

    The words are taken as the machine has them: equal on all little-endian machines.
    """
    cdef const uint64_t *words = <const uint64_t *>state
    cdef int i, count = <int>(state_size(state) // 8)
    cdef uint64_t value = state.tables.key
    for i in range(1, count):
        value = (value ^ words[i]) * <uint64_t>0x9E3779B97F4A7C15ULL
        value ^= value >> 29
    return value


cdef void begin(GameState *state, const Tables *tables) noexcept nogil:
    """Lay out the start of a game; the caller sets sites, ocean and unseen longships."""
    cdef int player, site
    cdef Seat *seat
    memset(state, 0, sizeof(GameState))
    state.tables = tables
    state.players = tables.players
    state.stacks = tables.full_stacks
    state.trophies = ALL_TROPHIES
    memset(state.ocean, NOTHING, SLOTS)
    for player in range(state.players):
        seat = &state.seats[player]
        seat.empty = tables.cells
        for site in range(SITES):
            seat.unfilled |= bit(tables.cell_bit[CELLS + site])
        memset(seat.piece, NOTHING, PIECE_CELLS)
        memcpy(seat.value, tables.start_value, TILE_KINDS)
        seat.in_hand = tables.vikings
        seat.shields = SECOND_VIKING | OCCUPIED_SPACE | DOUBLE_GAIN
        seat.stacked_space = NOTHING


cdef inline int write_cells(
    uint64_t cells, int first, const Tables *tables, uint16_t *actions, int n
) noexcept nogil:
    """Write the action of each cell, numbered from `first`, behind the n written before."""
    while cells:
        actions[n] = <uint16_t>(first + tables.bit_cell[lowest(cells)])
        cells &= cells - 1
        n += 1
    return n


cdef int legal_actions(const GameState *state, uint16_t *actions) noexcept nogil:
    """Write the legal actions in ascending order, at most ACTION_COUNT; give their number."""
    cdef const Tables *tables = state.tables
    cdef uint64_t spaces[2]
    cdef uint64_t kinds
    cdef int slots, chosen, first, word, n = 0
    if state.phase <= PLACE_SECOND_VIKING:
        viking_spaces(state, spaces, 2)
        for word in range(2):
            while spaces[word]:
                actions[n] = <uint16_t>(64 * word + lowest(spaces[word]))
                spaces[word] &= spaces[word] - 1
                n += 1
        chosen = usable_shields(state)
        while chosen:
            actions[n] = <uint16_t>(FIRST_SHIELD + lowest(chosen))
            chosen &= chosen - 1
            n += 1
    elif state.phase == PLACE_TILES:
        kinds = owed_kinds(state)
        while kinds:
            first = FIRST_TILE + CELLS * (lowest(kinds) >> 3)
            kinds &= kinds - 1
            n = write_cells(state.seats[state.player].empty, first, tables, actions, n)
    elif state.phase == END_OF_TURN:
        slots = laid_slots(state)
        while slots:
            first = FIRST_LONGSHIP + CELLS * lowest(slots)
            slots &= slots - 1
            n = write_cells(longship_cells(state), first, tables, actions, n)
        chosen = affordable_trophies(state)
        while chosen:
            actions[n] = <uint16_t>(FIRST_TROPHY + lowest(chosen))
            chosen &= chosen - 1
            n += 1
        actions[n] = END
        n += 1
    return n


cdef int legal_count(const GameState *state) noexcept nogil:
    """Number of legal actions."""
    cdef uint64_t spaces[2]
    if state.phase <= PLACE_SECOND_VIKING:
        viking_spaces(state, spaces, 2)
        return (
            population(spaces[0]) + population(spaces[1]) + population(usable_shields(state))
        )
    if state.phase == PLACE_TILES:
        return population(owed_kinds(state)) * population(state.seats[state.player].empty)
    if state.phase == END_OF_TURN:
        return (
            population(laid_slots(state)) * population(longship_cells(state))
            + population(affordable_trophies(state)) + 1
        )
    return 0


cdef bint is_legal(const GameState *state, int action) noexcept nogil:
    """Whether an integer, any integer, is a legal action now."""
    cdef uint64_t spaces[2]
    cdef int number
    if state.phase <= PLACE_SECOND_VIKING:
        if 0 <= action < FIRST_SHIELD:
            viking_spaces(state, spaces, 2)
            return spaces[action >> 6] >> (action & 63) & 1
        return (
            FIRST_SHIELD <= action < FIRST_TILE
            and usable_shields(state) >> (action - FIRST_SHIELD) & 1
        )
    if state.phase == PLACE_TILES:
        if not FIRST_TILE <= action < FIRST_LONGSHIP:
            return False
        number = action - FIRST_TILE
        return (
            owed_kinds(state) >> (8 * (number // CELLS) + 7)
            & state.seats[state.player].empty >> state.tables.cell_bit[number % CELLS] & 1
        )
    if state.phase == END_OF_TURN:
        if FIRST_LONGSHIP <= action < FIRST_TROPHY:
            number = action - FIRST_LONGSHIP
            return (
                laid_slots(state) >> number // CELLS
                & longship_cells(state) >> state.tables.cell_bit[number % CELLS] & 1
            )
        if FIRST_TROPHY <= action < END:
            return affordable_trophies(state) >> (action - FIRST_TROPHY) & 1
        return action == END
    return False


cdef int random_action(const GameState *state, uint64_t *generator) noexcept nogil:
    """Draw one of the legal actions uniformly: the below(n)-th; the game must not be over."""
    cdef int chosen, kind, cell_bit
    if state.phase <= PLACE_SECOND_VIKING:
        return random_viking(state, generator, 2)
    if state.phase == PLACE_TILES:
        kind = random_tile(state, generator, &cell_bit)
        return FIRST_TILE + CELLS * kind + state.tables.bit_cell[cell_bit]
    chosen = random_ending(state, generator, &cell_bit)
    if chosen < SLOTS:
        return FIRST_LONGSHIP + CELLS * chosen + state.tables.bit_cell[cell_bit]
    return chosen


cdef bint reveals(const GameState *state, int action) noexcept nogil:
    """Whether a legal action reveals a longship (R13)."""
    return FIRST_LONGSHIP <= action < FIRST_TROPHY and state.unseen != 0


cdef void apply(GameState *state, int action, int draw) noexcept nogil:
    """Play a legal action; `draw` is the longship revealed by it, or NO_DRAW if none is."""
    cdef Seat *seat = &state.seats[state.player]
    cdef int number
    if action < FIRST_SHIELD:
        if state.tables.words == 1:
            place_viking(state, seat, action, 1)
        else:
            place_viking(state, seat, action, 2)
    elif action < FIRST_TILE:
        use_shield(state, seat, 1 << (action - FIRST_SHIELD))
    elif action < FIRST_LONGSHIP:
        number = action - FIRST_TILE
        place_tile(state, seat, number // CELLS, state.tables.cell_bit[number % CELLS], True)
    elif action < FIRST_TROPHY:
        number = action - FIRST_LONGSHIP
        take_longship(
            state, seat, number // CELLS, state.tables.cell_bit[number % CELLS], draw, True
        )
    elif action < END:
        take_trophy(state, seat, action - FIRST_TROPHY + 2)
    else:
        end_turn(state, 2)


cdef void apply_recorded(GameState *state, int action, int draw, Undo *record) noexcept nogil:
    """Play a legal action and note what `undo` needs."""
    memcpy(record.head, state, sizeof(record.head))
    record.seat = state.seats[state.player]
    apply(state, action, draw)


cdef void undo(GameState *state, const Undo *record) noexcept nogil:
    """Take back the last action: every byte is as it was before it."""
    memcpy(state, record.head, sizeof(record.head))
    state.seats[state.player] = record.seat


cdef void restore_vikings(GameState *state, int player, int space, int count) noexcept nogil:
    """Put vikings of a seat on a space where it has none yet, while all stacks are empty.

    Nothing can be won then, so only what the groups have reached (R9, R10) is noted: that never
    shrinks, and does not depend on the order of the vikings.
    """
    cdef const Tables *tables = state.tables
    cdef Seat *seat = &state.seats[player]
    if count == 0:
        return
    state.occupied[space >> 6] |= bit(space & 63)
    state.reach[0] |= tables.adjacent[space][0]
    state.reach[1] |= tables.adjacent[space][1]
    seat.vikings[space >> 6] |= bit(space & 63)
    win_by_group(state, seat, space, 2)
    if count > 1:
        seat.stacked_space = <uint8_t>space


cdef void score_from_scratch(GameState *state) noexcept nogil:
    """Derive what is filled, the values of the tiles and the scores from the boards (R12, R20)."""
    cdef Seat *seat
    cdef int player, cell
    for player in range(state.players):
        seat = &state.seats[player]
        memcpy(seat.value, state.tables.start_value, TILE_KINDS)
        seat.unfilled = 0
        for cell in range(PIECE_CELLS):
            if seat.piece[cell] != NOTHING:
                seat.unfilled |= bit(state.tables.cell_bit[cell])
    score_unfilled(state)


cdef inline void score_unfilled(GameState *state) noexcept nogil:
    """Fill what can be filled of what is not, and score each seat anew (R12, R20)."""
    cdef const Tables *tables = state.tables
    cdef Seat *seat
    cdef int player, kind, site, score
    for player in range(state.players):
        seat = &state.seats[player]
        score = tables.trophy_points[seat.trophy]
        score -= tables.unfilled_penalty * population(seat.unfilled & tables.cells)
        for kind in range(TILE_KINDS):
            score += seat.value[kind] * population(seat.tiles[kind])
        for site in range(CELLS, PIECE_CELLS):
            if not seat.unfilled & bit(tables.cell_bit[site]):
                score += tables.bonus[seat.piece[site]]
        seat.score = <int16_t>score
        fill(state, seat, seat.unfilled)


cdef void playout(GameState *state, uint64_t *generator) noexcept nogil:
    """Play to the end, each action and draw uniform over what is possible.

    The same game as by `random_action` and `random_draw` from the same generator, but what is
    filled decides nothing before the end, so it is looked at only there.
    """
    if state.tables.words == 1:
        play_out(state, generator, 1)
    else:
        play_out(state, generator, 2)
    score_unfilled(state)


cdef inline void play_out(GameState *state, uint64_t *generator, int words) noexcept nogil:
    cdef Seat *seat
    cdef int chosen, kind, cell_bit
    while state.phase != OVER:
        seat = &state.seats[state.player]
        while state.phase <= PLACE_SECOND_VIKING:
            chosen = random_viking(state, generator, words)
            if chosen < FIRST_SHIELD:
                place_viking(state, seat, chosen, words)
            else:
                use_shield(state, seat, 1 << (chosen - FIRST_SHIELD))
        while state.phase == PLACE_TILES:
            kind = random_tile(state, generator, &cell_bit)
            place_tile(state, seat, kind, cell_bit, False)
        while state.phase == END_OF_TURN:
            chosen = random_ending(state, generator, &cell_bit)
            if chosen < SLOTS:
                take_longship(
                    state, seat, chosen, cell_bit, random_draw(state, generator), False
                )
            elif chosen < END:
                take_trophy(state, seat, chosen - FIRST_TROPHY + 2)
            else:
                end_turn(state, words)


cdef uint32_t winners(const GameState *state) noexcept nogil:
    """Seats with the best score, ties broken by the higher trophy, as bits (R21)."""
    cdef int player, result, best = -(1 << 30)
    cdef uint32_t seats = 0
    for player in range(state.players):
        # Equal to comparing score, then trophy: a trophy's number is below 8.
        result = 8 * state.seats[player].score + state.seats[player].trophy
        if result > best:
            best = result
            seats = 0
        if result == best:
            seats |= <uint32_t>1 << player
    return seats
