"""The rules of the game in C (R6-R21); `rules.pxd` documents the structs."""

from libc.string cimport memcpy, memset
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from looot_core.bits cimport bit, lowest, population, select
from looot_core.generator cimport below
from looot_core.tables cimport (
    AXE, CASTLE, CELLS, HOUSE, LONGSHIPS, MAX_PLAYERS, NOTHING, PIECE_CELLS, SITES, SLOTS,
    TILE_KINDS, WATCHTOWER, Tables,
)


# One bit a byte, and a one in each byte.
cdef uint64_t BYTE_TOPS = 0x8080808080808080ULL
cdef uint64_t BYTE_ONES = 0x0101010101010101ULL
# The lower bit of each 2-bit field.
cdef uint64_t FIELD_ONES = 0x5555555555555555ULL
# The top bit of each 4-bit count of a requirement.
cdef uint32_t COUNT_TOPS = 0x88888888U

if sizeof(GameState) != HEAD_WORDS * 8 + MAX_PLAYERS * sizeof(Seat):
    raise ImportError("HEAD_WORDS does not fit the struct GameState of this compiler")


cdef size_t state_size(const GameState *state) noexcept nogil:
    """Bytes in use: the head and the seats that play."""
    return HEAD_WORDS * 8 + state.players * sizeof(Seat)


cdef void copy(GameState *target, const GameState *source) noexcept nogil:
    """Copy the bytes in use."""
    memcpy(target, source, state_size(source))


cdef uint64_t state_hash(const GameState *state) noexcept nogil:
    """Hash of the bytes in use, the landscape by its key and not by its address."""
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
    state.trophies = 31
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


cdef void landing_spaces(const GameState *state, uint64_t *spaces) noexcept nogil:
    """Write the two words of the spaces for an ordinary viking (R6)."""
    cdef const Tables *tables = state.tables
    cdef uint64_t low = state.reach[0], high = state.reach[1]
    cdef int slot
    if state.unseen:  # then no slot is empty (R13)
        low |= tables.ocean_any[0]
        high |= tables.ocean_any[1]
    else:
        for slot in range(SLOTS):
            if state.ocean[slot] != NOTHING:
                low |= tables.ocean_adjacent[slot][0]
                high |= tables.ocean_adjacent[slot][1]
    spaces[0] = low & ~state.occupied[0]
    spaces[1] = high & ~state.occupied[1]


cdef inline void viking_spaces(const GameState *state, uint64_t *spaces) noexcept nogil:
    """Spaces for the next viking, with the shields that are active for it (R6, R17)."""
    if state.active_shields & OCCUPIED_SPACE:
        spaces[0] = state.occupied[0]
        spaces[1] = state.occupied[1]
    else:
        landing_spaces(state, spaces)


cdef inline int usable_shields(const GameState *state) noexcept nogil:
    """Shields that the mover may use now, as bits (R16-R18)."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int shields = seat.shields
    if seat.in_hand < 2 or state.phase == PLACE_SECOND_VIKING:
        shields &= ~SECOND_VIKING
    if not (state.occupied[0] | state.occupied[1]):
        shields &= ~OCCUPIED_SPACE
    return shields


cdef inline uint64_t owed_kinds(const GameState *state) noexcept nogil:
    """The kinds of tile still to be placed: the top bit of each kind's byte."""
    return (state.owed + (BYTE_TOPS - BYTE_ONES)) & BYTE_TOPS


cdef inline int affordable_trophies(const GameState *state) noexcept nogil:
    """Trophies the mover may take, bit 0 for trophy 2 (R14)."""
    cdef const Seat *seat = &state.seats[state.player]
    cdef int axes = population(seat.tiles[AXE])
    if seat.trophy or axes < 2:
        return 0
    return state.trophies & ((1 << (axes - 1)) - 1)


cdef inline uint64_t longship_cells(const GameState *state) noexcept nogil:
    """Cells where the mover may lay a longship now (R13)."""
    return 0 if state.longship_taken else state.seats[state.player].empty


cdef inline int laid_slots(const GameState *state) noexcept nogil:
    """Ocean slots that hold a longship, as bits."""
    cdef int slot, slots = 0
    if state.unseen:  # then no slot is empty (R13)
        return 31
    for slot in range(SLOTS):
        slots |= (state.ocean[slot] != NOTHING) << slot
    return slots


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
        viking_spaces(state, spaces)
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
        viking_spaces(state, spaces)
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
            viking_spaces(state, spaces)
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


cdef inline int random_viking(const GameState *state, uint64_t *generator) noexcept nogil:
    cdef uint64_t spaces[2]
    cdef int low, high, chosen, shields = usable_shields(state)
    viking_spaces(state, spaces)
    low = population(spaces[0])
    high = population(spaces[1])
    chosen = <int>below(generator, low + high + population(shields))
    if chosen < low:
        return select(spaces[0], chosen)
    if chosen < low + high:
        return 64 + select(spaces[1], chosen - low)
    return FIRST_SHIELD + select(shields, chosen - low - high)


cdef inline int random_tile(
    const GameState *state, uint64_t *generator, int *cell_bit
) noexcept nogil:
    """Draw a kind and the bit of a cell."""
    cdef uint64_t empty = state.seats[state.player].empty, kinds = owed_kinds(state)
    cdef int cells = population(empty), kind = 0
    cdef int chosen = <int>below(generator, cells * population(kinds))
    while chosen >= cells:
        chosen -= cells
        kind += 1
    cell_bit[0] = select(empty, chosen)
    return select(kinds, kind) >> 3


cdef int random_action(const GameState *state, uint64_t *generator) noexcept nogil:
    """Draw one of the legal actions uniformly: the below(n)-th; the game must not be over."""
    cdef int slots, cells, trophies, chosen, kind, cell_bit
    if state.phase <= PLACE_SECOND_VIKING:
        return random_viking(state, generator)
    if state.phase == PLACE_TILES:
        kind = random_tile(state, generator, &cell_bit)
        return FIRST_TILE + CELLS * kind + state.tables.bit_cell[cell_bit]
    slots = laid_slots(state)
    cells = population(longship_cells(state))
    trophies = affordable_trophies(state)
    chosen = <int>below(generator, population(slots) * cells + population(trophies) + 1)
    if chosen < population(slots) * cells:
        return (
            FIRST_LONGSHIP + CELLS * select(slots, chosen // cells)
            + state.tables.bit_cell[select(longship_cells(state), chosen % cells)]
        )
    chosen -= population(slots) * cells
    return FIRST_TROPHY + select(trophies, chosen) if chosen < population(trophies) else END


cdef bint reveals(const GameState *state, int action) noexcept nogil:
    """Whether a legal action reveals a longship (R13)."""
    return FIRST_LONGSHIP <= action < FIRST_TROPHY and state.unseen != 0


cdef int random_draw(const GameState *state, uint64_t *generator) noexcept nogil:
    """Draw a longship uniformly from the unseen ones, or NO_DRAW when there is none."""
    if not state.unseen:
        return NO_DRAW
    return select(state.unseen, <int>below(generator, population(state.unseen)))


cdef inline bint has_all(const Seat *seat, uint64_t around, uint32_t needs) noexcept nogil:
    """Whether the tiles on the cells around meet a requirement (R12)."""
    cdef uint32_t counts = COUNT_TOPS
    cdef int kind
    for kind in range(TILE_KINDS):
        counts += <uint32_t>population(seat.tiles[kind] & around) << (4 * kind)
    return (counts - needs) & COUNT_TOPS == COUNT_TOPS


cdef inline void fill(GameState *state, Seat *seat, uint64_t candidates) noexcept nogil:
    """Fill those candidates, unfilled longships and sites, whose requirement is met (R12)."""
    cdef const Tables *tables = state.tables
    cdef int cell_bit, piece, kind
    while candidates:
        cell_bit = lowest(candidates)
        candidates &= candidates - 1
        piece = seat.piece[tables.bit_cell[cell_bit]]
        if has_all(seat, tables.neighbours[cell_bit], tables.needs[piece]):
            seat.unfilled ^= bit(cell_bit)
            if piece < LONGSHIPS:
                kind = tables.bonus_kind[piece]
                seat.value[kind] += tables.bonus[piece]
                seat.score += tables.bonus[piece] * population(seat.tiles[kind])
                seat.score += tables.unfilled_penalty
            else:
                seat.score += tables.bonus[piece]


cdef inline void win_tile(GameState *state, int kind, int field) noexcept nogil:
    """Take a building from its stack, if one is left, to be placed by the mover."""
    if state.stacks >> field & 3:
        state.stacks -= bit(field)
        state.owed_spaces += bit(field)
        state.owed += bit(8 * kind)


cdef inline void win_houses(GameState *state, int space) noexcept nogil:
    """A house of each house space beside the viking (R8)."""
    cdef uint64_t fields = (state.stacks | state.stacks >> 1) & state.tables.houses[space]
    state.stacks -= fields
    state.owed_spaces += fields
    state.owed += <uint64_t>population(fields) << (8 * HOUSE)


cdef inline void win_watchtowers(GameState *state, Seat *seat, int touched) noexcept nogil:
    """Two tiles for each pair among the touched watchtowers that is newly connected (R9)."""
    cdef const Tables *tables = state.tables
    cdef int first, second, others
    cdef int rest = touched
    while rest & (rest - 1):
        first = lowest(rest)
        rest &= rest - 1
        others = rest & ~<int>(seat.connected >> (8 * first))
        seat.connected |= <uint64_t>others << (8 * first)
        while others:
            second = lowest(others)
            others &= others - 1
            win_tile(state, WATCHTOWER, tables.tower_field[first])
            win_tile(state, WATCHTOWER, tables.tower_field[second])


cdef inline void win_castles(GameState *state, Seat *seat, int touched, int size) noexcept nogil:
    """A castle for each level that the touched castles newly reach (R10)."""
    cdef int castle, level, reached = min(3, size >> 2)
    while touched:
        castle = lowest(touched)
        touched &= touched - 1
        level = seat.castle_levels >> (2 * castle) & 3
        while level < reached:
            level += 1
            seat.castle_levels += <uint16_t>(1 << (2 * castle))
            win_tile(state, CASTLE, state.tables.castle_field[castle])


cdef inline void win_by_group(GameState *state, Seat *seat, int space) noexcept nogil:
    """What the group of a newly placed viking wins (R9, R10).

    Only this group has changed, and what other groups reach has been taken before.
    """
    cdef const Tables *tables = state.tables
    cdef int towers = tables.towers[space], castles = tables.castles[space], size = 1, member
    cdef uint64_t own_low = seat.vikings[0], own_high = seat.vikings[1]
    cdef uint64_t low = tables.adjacent[space][0] & own_low
    cdef uint64_t high = tables.adjacent[space][1] & own_high
    own_low &= ~low
    own_high &= ~high
    if space < 64:
        own_low &= ~bit(space)
    else:
        own_high &= ~bit(space - 64)
    while low | high:  # flood fill: found but not yet looked at; own: not yet found
        if low:
            member = lowest(low)
            low &= low - 1
        else:
            member = 64 + lowest(high)
            high &= high - 1
        size += 1
        towers |= tables.towers[member]
        castles |= tables.castles[member]
        low |= tables.adjacent[member][0] & own_low
        high |= tables.adjacent[member][1] & own_high
        own_low &= ~low
        own_high &= ~high
    win_watchtowers(state, seat, towers)
    if size >= 4:
        win_castles(state, seat, castles, size)


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
    win_by_group(state, seat, space)
    if count > 1:
        seat.stacked_space = <uint8_t>space


cdef inline void give_back(GameState *state) noexcept nogil:
    """What is owed returns to its spaces: no cell is empty (R11)."""
    state.stacks += state.owed_spaces
    state.owed_spaces = 0
    state.owed = 0


cdef inline void place_viking(GameState *state, Seat *seat, int space) noexcept nogil:
    """A viking and what it wins (R6-R10), up to the choice of a cell for the first tile."""
    cdef const Tables *tables = state.tables
    cdef uint64_t open_to_second[2]
    cdef uint64_t mark = bit(space & 63)
    cdef int word = space >> 6
    cdef bint new = not seat.vikings[word] & mark
    state.owed += <uint64_t>(2 if state.active_shields & DOUBLE_GAIN else 1) << (
        8 * tables.resource[space]
    )
    state.occupied[word] |= mark
    state.reach[0] |= tables.adjacent[space][0]
    state.reach[1] |= tables.adjacent[space][1]
    seat.in_hand -= 1
    win_houses(state, space)
    if new:
        seat.vikings[word] |= mark
        win_by_group(state, seat, space)
    else:
        seat.stacked_space = <uint8_t>space
    if state.active_shields & SECOND_VIKING:
        state.active_shields = 0
        landing_spaces(state, open_to_second)
        if open_to_second[0] | open_to_second[1]:  # else it stays in hand (R19)
            state.phase = PLACE_SECOND_VIKING
            return
    state.active_shields = 0
    state.phase = PLACE_TILES
    if not seat.empty:
        give_back(state)
        state.phase = END_OF_TURN


cdef inline void place_tile(
    GameState *state, Seat *seat, int kind, int cell_bit, bint keep_score
) noexcept nogil:
    """Lay a tile on a cell (R11); without `keep_score`, filling and score are left to later."""
    cdef uint64_t mark = bit(cell_bit), fields
    seat.tiles[kind] |= mark
    seat.empty ^= mark
    state.owed -= bit(8 * kind)
    if kind >= HOUSE:  # of the lowest-numbered space that owes one
        fields = state.owed_spaces & state.tables.fields[kind]
        state.owed_spaces -= bit(lowest(fields) & ~1)
    if keep_score:
        seat.score += seat.value[kind]
        fill(state, seat, seat.unfilled & state.tables.neighbours[cell_bit])
    if not state.owed:
        state.phase = END_OF_TURN
    elif not seat.empty:
        give_back(state)
        state.phase = END_OF_TURN


cdef inline void take_longship(
    GameState *state, Seat *seat, int slot, int cell_bit, int draw, bint keep_score
) noexcept nogil:
    """Lay the longship of a slot on a cell, and the drawn one on the slot (R13)."""
    cdef uint64_t mark = bit(cell_bit)
    seat.piece[state.tables.bit_cell[cell_bit]] = state.ocean[slot]
    seat.empty ^= mark
    seat.unfilled |= mark
    state.longship_taken = 1
    if draw == NO_DRAW:
        state.ocean[slot] = NOTHING
    else:
        state.ocean[slot] = <uint8_t>draw
        state.unseen ^= <uint32_t>1 << draw
    if keep_score:
        seat.score -= state.tables.unfilled_penalty
        fill(state, seat, mark)


cdef inline void take_trophy(GameState *state, Seat *seat, int trophy) noexcept nogil:
    """Claim a trophy by its number (R14)."""
    seat.trophy = <uint8_t>trophy
    state.trophies ^= <uint8_t>(1 << (trophy - 2))
    seat.score += state.tables.trophy_points[trophy]


cdef inline void end_turn(GameState *state) noexcept nogil:
    """Pass on to the next who has a viking and a space for it, or end the game (R15, R19)."""
    cdef uint64_t spaces[2]
    cdef int _step, player = state.player
    state.longship_taken = 0
    landing_spaces(state, spaces)
    if spaces[0] | spaces[1]:
        for _step in range(state.players):
            player = player + 1 if player + 1 < state.players else 0
            if state.seats[player].in_hand:
                state.player = <uint8_t>player
                state.phase = PLACE_VIKING
                state.turn_number += 1
                return
    state.phase = OVER
    state.turn_number += 1


cdef void apply(GameState *state, int action, int draw) noexcept nogil:
    """Play a legal action; `draw` is the longship revealed by it, or NO_DRAW if none is."""
    cdef Seat *seat = &state.seats[state.player]
    cdef int number
    if action < FIRST_SHIELD:
        place_viking(state, seat, action)
    elif action < FIRST_TILE:
        state.active_shields |= <uint8_t>(1 << (action - FIRST_SHIELD))
        seat.shields ^= <uint8_t>(1 << (action - FIRST_SHIELD))
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
        end_turn(state)


cdef void apply_recorded(GameState *state, int action, int draw, Undo *record) noexcept nogil:
    """Play a legal action and note what `undo` needs."""
    memcpy(record.head, state, sizeof(record.head))
    record.seat = state.seats[state.player]
    apply(state, action, draw)


cdef void undo(GameState *state, const Undo *record) noexcept nogil:
    """Take back the last action: every byte is as it was before it."""
    memcpy(state, record.head, sizeof(record.head))
    state.seats[state.player] = record.seat


cdef void score_from_scratch(GameState *state) noexcept nogil:
    """Derive what is filled, the values of the tiles and the scores from the boards (R12, R20)."""
    cdef const Tables *tables = state.tables
    cdef Seat *seat
    cdef uint64_t candidates
    cdef int player, kind, cell
    for player in range(state.players):
        seat = &state.seats[player]
        seat.unfilled = 0
        seat.score = tables.trophy_points[seat.trophy]
        for kind in range(TILE_KINDS):
            seat.value[kind] = tables.start_value[kind]
            seat.score += seat.value[kind] * population(seat.tiles[kind])
        for cell in range(PIECE_CELLS):
            if seat.piece[cell] != NOTHING:
                seat.unfilled |= bit(tables.cell_bit[cell])
                if cell < CELLS:
                    seat.score -= tables.unfilled_penalty
        candidates = seat.unfilled
        fill(state, seat, candidates)


cdef void playout(GameState *state, uint64_t *generator) noexcept nogil:
    """Play to the end, each action and draw uniform over what is possible.

    The same game as by `random_action` and `random_draw` from the same generator, but what is
    filled decides nothing before the end, so it is looked at only there.
    """
    cdef Seat *seat
    cdef int action, kind, cell_bit, number
    while state.phase != OVER:
        seat = &state.seats[state.player]
        while state.phase <= PLACE_SECOND_VIKING:
            action = random_viking(state, generator)
            if action < FIRST_SHIELD:
                place_viking(state, seat, action)
            else:
                apply(state, action, NO_DRAW)
        while state.phase == PLACE_TILES:
            kind = random_tile(state, generator, &cell_bit)
            place_tile(state, seat, kind, cell_bit, False)
        while state.phase == END_OF_TURN:
            action = random_action(state, generator)
            if action < FIRST_TROPHY:
                number = action - FIRST_LONGSHIP
                take_longship(
                    state, seat, number // CELLS, state.tables.cell_bit[number % CELLS],
                    random_draw(state, generator), False,
                )
            else:
                apply(state, action, NO_DRAW)
    score_from_scratch(state)


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
