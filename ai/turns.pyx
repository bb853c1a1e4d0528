"""Find whole turns; `turns.pxd` documents the structs."""

from libc.stdlib cimport calloc
from libc.string cimport memcpy
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.evaluation cimport Part, Weights, fjord_part, fjord_part_after, gain_of, map_part
from ai.features cimport (
    Around, Groups, filling_cells, find_around, find_groups, lacking_cells, landing_gain,
)
from ai.steps cimport action_of, key_of, play
from looot_core cimport rules
from looot_core.bits cimport bit, lowest, population
from looot_core.rules cimport (
    ACTION_COUNT, END, FIRST_LONGSHIP, FIRST_SHIELD, FIRST_TILE, FIRST_TROPHY, NO_DRAW, GameState,
    Seat,
)
from looot_core.tables cimport (
    CELLS, NOTHING, RESOURCE_KINDS, SLOTS, TILE_KINDS, Tables,
)

cdef enum:
    MOST_LANDINGS = 84
    MOST_LONGSHIP_OPTIONS = 64

# Merit of a tile beside a piece that needs it, by how many tiles the piece lacks before.
cdef double[8] NEARNESS = [0.0, 1.0, 0.5, 0.33, 0.22, 0.15, 0.1, 0.1]
cdef double READINESS = 0.6     # merit of making a longship of the ocean fill, of its gain
cdef double CROWDING = 0.15     # merit of an empty cell beside a resource; its loss by a building
cdef double GROWTH = 0.25       # tiles of a kind still to come, a viking in hand


cdef Workspace *new_workspace() noexcept nogil:
    """Give memory for one thread to find turns in, or NULL; `free` gives it back."""
    return <Workspace *>calloc(1, sizeof(Workspace))


cdef void width_of(int level, Width *width) noexcept nogil:
    """How widely to look: level 0 costs some 0.05 ms, each one more about twice as much."""
    width.shielded = min(3 << level, 84)
    width.doubly_shielded = min(level << level, 84)
    width.seconds = min(4 << level, 84)
    width.multisets = min(6 << level, 384)
    width.beam = min(2 << level, <int>MOST_BEAM)
    width.longships = min(3 << level, <int>MOST_LONGSHIP_OPTIONS)
    width.plans = min(3 << level, <int>MOST_PLANS)
    width.turns = min(24 << level, <int>MOST_TURNS)


# Openings

cdef void add_opening(
    Workspace *workspace, const GameState *state, const uint16_t *steps, int length
) noexcept nogil:
    cdef Opening *opening
    if workspace.opening_count < MOST_OPENINGS:
        opening = &workspace.openings[workspace.opening_count]
        workspace.opening_count += 1
        rules.copy(&opening.state, state)
        memcpy(opening.steps, steps, length * sizeof(uint16_t))
        opening.length = length


cdef void add_landings(
    Workspace *workspace, const GameState *state, const uint16_t *steps, int length, int most,
    const Width *width
) noexcept nogil:
    """Add the landings of most gain; where a second viking follows, with its own of most gain."""
    cdef GameState after
    cdef Groups groups
    cdef const Seat *seat = &state.seats[state.player]
    cdef uint16_t longer[8]
    cdef uint16_t legal[ACTION_COUNT]
    cdef int gains[MOST_LANDINGS]
    cdef int n, best, count = rules.legal_actions(state, legal)
    memcpy(longer, steps, length * sizeof(uint16_t))
    while count and legal[count - 1] >= FIRST_SHIELD:
        count -= 1
    if count > most:
        find_groups(state, state.player, &groups)
        for n in range(count):
            gains[n] = landing_gain(state, seat, &groups, legal[n])
    for _ in range(min(most, count)):
        best = 0
        if count > most:
            for n in range(1, count):
                if gains[n] > gains[best]:
                    best = n
            gains[best] = -1
        else:
            best = _
        rules.copy(&after, state)
        rules.apply(&after, legal[best], NO_DRAW)
        longer[length] = legal[best]
        if after.phase == rules.PLACE_SECOND_VIKING:
            add_landings(workspace, &after, longer, length + 1, width.seconds, width)
        else:
            add_opening(workspace, &after, longer, length + 1)


cdef void find_openings(
    Workspace *workspace, const GameState *state, const Width *width
) noexcept nogil:
    """Find ways of placing the vikings, from any phase of a turn."""
    cdef GameState after
    cdef uint16_t steps[8]
    cdef int shields, shield, length, most
    workspace.opening_count = 0
    if state.phase > rules.PLACE_SECOND_VIKING:
        add_opening(workspace, state, steps, 0)
        return
    for shields in range(8):
        rules.copy(&after, state)
        length = 0
        for shield in range(3):
            if shields >> shield & 1:
                if not rules.is_legal(&after, FIRST_SHIELD + shield):
                    break
                rules.apply(&after, FIRST_SHIELD + shield, NO_DRAW)
                steps[length] = <uint16_t>(FIRST_SHIELD + shield)
                length += 1
        else:
            if length == 0:
                most = MOST_LANDINGS
            elif length == 1:
                most = width.shielded
            else:
                most = width.doubly_shielded
            add_landings(workspace, &after, steps, length, most, width)


cdef void rate_opening(
    const Weights *weights, Opening *opening, const Part *before, int player
) noexcept nogil:
    """Compute the map's part, and value the opening with its tiles still in the air."""
    cdef GameState after
    cdef const Seat *seat = &opening.state.seats[player]
    cdef int kind, count
    rules.copy(&after, &opening.state)
    after.phase = rules.END_OF_TURN
    rules.apply(&after, END, NO_DRAW)
    map_part(weights, &after, player, &opening.map)
    opening.value = gain_of(weights, before, &opening.map)
    for kind in range(TILE_KINDS):
        count = opening.state.owed >> (8 * kind) & 255
        opening.value += count * (seat.value[kind] + (1.5 if kind < RESOURCE_KINDS else 1.0))


# Plans

cdef inline uint64_t beside(uint64_t cells) noexcept nogil:
    return cells << 1 | cells >> 1 | cells << 7 | cells >> 7 | cells << 8 | cells >> 8


cdef inline double worth_of(const GameState *state, const Seat *seat, int piece) noexcept nogil:
    """Points that filling a piece will bring, roughly."""
    cdef const Tables *tables = state.tables
    cdef int kind
    if piece >= 30:
        return tables.bonus[piece]
    kind = tables.bonus_kind[piece]
    return tables.unfilled_penalty + tables.bonus[piece] * (
        population(seat.tiles[kind]) + GROWTH * seat.in_hand
    )


cdef void rate_cells(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil:
    """Rate the empty cells for a tile of a kind."""
    cdef const Tables *tables = state.tables
    cdef Around around
    cdef uint64_t cells, neighbours, unfilled = seat.unfilled, empty = seat.empty
    cdef uint64_t needs
    cdef double merit, worth
    cdef double ready[64]
    cdef int at, piece, other, lacking, missing, room, own, slot
    cells = empty
    while cells:
        at = lowest(cells)
        cells &= cells - 1
        merit = CROWDING * population(tables.neighbours[at] & empty)
        merits[at] = merit if kind < RESOURCE_KINDS else -merit
        ready[at] = 0.0
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        neighbours = tables.neighbours[at]
        cells = neighbours & empty
        if not cells:
            continue
        piece = seat.piece[tables.bit_cell[at]]
        missing = own = 0
        for other in range(TILE_KINDS):
            lacking = <int>(tables.needs[piece] >> (4 * other) & 15)
            if lacking:
                lacking -= population(seat.tiles[other] & neighbours)
                if lacking > 0:
                    missing += lacking
                    if other == kind:
                        own = lacking
        room = population(cells)
        if missing > room:
            continue
        worth = worth_of(state, seat, piece) * NEARNESS[min(missing, 7)]
        if own:
            merit = worth
        elif missing == room:
            merit = -worth
        elif missing + 1 == room:
            merit = -0.25 * worth
        else:
            merit = -0.05 * worth
        while cells:
            merits[lowest(cells)] += merit
            cells &= cells - 1
    if kind < RESOURCE_KINDS and not state.longship_taken:
        find_around(seat, empty, &around)
        for slot in range(SLOTS):
            piece = state.ocean[slot]
            if piece == NOTHING:
                continue
            needs = tables.needs[piece]
            if needs >> (4 * kind) & 3:
                cells = beside(lacking_cells(&around, needs, kind)) & empty
                worth = READINESS * (
                    worth_of(state, seat, piece) - tables.unfilled_penalty + 1
                )
                while cells:
                    at = lowest(cells)
                    cells &= cells - 1
                    ready[at] = max(ready[at], worth)
        cells = empty
        while cells:
            at = lowest(cells)
            cells &= cells - 1
            merits[at] += ready[at]


cdef int lay_tiles(
    Workspace *workspace, const GameState *state, int width
) noexcept nogil:
    """Lay all that is owed in good ways (a beam search); give how many, in beams[0]."""
    cdef Item *old
    cdef Item *fresh
    cdef Item *item
    cdef const Seat *seat
    cdef double merits[64]
    cdef double merit
    cdef uint64_t cells, kinds, mark
    cdef int count = 1, found, n, i, kind, at, cell, now = 0, place
    cdef bint overflow
    item = &workspace.beams[0][0]
    rules.copy(&item.state, state)
    item.merit = 0
    item.mark = 0
    item.length = 0
    while workspace.beams[now][0].state.phase == rules.PLACE_TILES:
        old = workspace.beams[now]
        fresh = workspace.beams[1 - now]
        found = 0
        for n in range(count):
            seat = &old[n].state.seats[old[n].state.player]
            kinds = 0
            place = 0
            for kind in range(TILE_KINDS):
                i = old[n].state.owed >> (8 * kind) & 255
                place += i
                if i:
                    kinds |= bit(kind)
            overflow = place > population(seat.empty)
            if not overflow:
                kinds &= ~kinds + 1  # the first kind only, as all will be laid
            while kinds:
                kind = lowest(kinds)
                kinds &= kinds - 1
                rate_cells(&old[n].state, seat, kind, merits)
                cells = seat.empty
                while cells:
                    at = lowest(cells)
                    cells &= cells - 1
                    merit = old[n].merit + merits[at]
                    if overflow:
                        merit += seat.value[kind]
                    if found == width and merit <= fresh[width - 1].merit:
                        continue
                    mark = old[n].mark + (<uint64_t>(kind + 1) << 6 | at) * (
                        <uint64_t>0x9E3779B97F4A7C15ULL
                    ) * ((<uint64_t>(kind + 1) << 6 | at) | 1)
                    for i in range(found):
                        if fresh[i].mark == mark:
                            break
                    else:
                        if found < width:
                            found += 1
                        i = found - 1
                        while i > 0 and fresh[i - 1].merit < merit:
                            fresh[i] = fresh[i - 1]
                            i -= 1
                        item = &fresh[i]
                        rules.copy(&item.state, &old[n].state)
                        memcpy(item.steps, old[n].steps, old[n].length * sizeof(uint16_t))
                        cell = item.state.tables.bit_cell[at]
                        item.steps[old[n].length] = <uint16_t>(FIRST_TILE + CELLS * kind + cell)
                        item.length = old[n].length + 1
                        item.merit = merit
                        item.mark = mark
        for n in range(found):
            rules.apply(&fresh[n].state, fresh[n].steps[fresh[n].length - 1], NO_DRAW)
        count = found
        now = 1 - now
    if now == 1:
        for n in range(count):
            workspace.beams[0][n] = workspace.beams[1][n]
    return count


cdef void add_plan(
    Workspace *workspace, const Weights *weights, const GameState *state, const Item *item,
    int action, bint trophy
) noexcept nogil:
    """Add the plan of an item, then a longship if action is one, then the best trophy or none."""
    cdef GameState after
    cdef Plan *plan
    cdef int number, player = state.player
    if workspace.plan_count == MOST_PLANS:
        return
    plan = &workspace.plans[workspace.plan_count]
    rules.copy(&after, state)
    memcpy(plan.steps, item.steps, item.length * sizeof(uint16_t))
    plan.length = item.length
    plan.takes_longship = action >= 0
    if action >= 0:
        plan.steps[plan.length] = <uint16_t>key_of(&after, action)
        plan.length += 1
        rules.apply(&after, action, NO_DRAW)
    if trophy:
        number = END - 1
        while number >= FIRST_TROPHY and not rules.is_legal(&after, number):
            number -= 1
        if number < FIRST_TROPHY:
            return
        rules.apply(&after, number, NO_DRAW)
        plan.steps[plan.length] = <uint16_t>number
        plan.length += 1
    fjord_part_after(weights, &after, player, &workspace.before, &plan.fjord)
    plan.score = after.seats[player].score
    workspace.plan_count += 1


cdef int longship_options(
    const GameState *state, uint32_t tiles, int most, int *actions
) noexcept nogil:
    """Find the most promising longships and cells to lay them on, best first."""
    cdef const Tables *tables = state.tables
    cdef const Seat *seat = &state.seats[state.player]
    cdef Around around
    cdef double merits[MOST_LONGSHIP_OPTIONS]
    cdef double merit, base, rated
    cdef uint64_t cells, filling, lacking, needs
    cdef int slot, piece, at, kind, i, found = 0, stage
    if state.longship_taken or not seat.empty:
        return 0
    find_around(seat, seat.empty, &around)
    for slot in range(SLOTS):
        piece = state.ocean[slot]
        if piece == NOTHING or not tiles >> piece & 1:
            continue
        needs = tables.needs[piece]
        filling = filling_cells(&around, needs)
        lacking = 0
        if not filling:
            for kind in range(RESOURCE_KINDS):
                if needs >> (4 * kind) & 3:
                    lacking |= lacking_cells(&around, needs, kind)
        base = worth_of(state, seat, piece) - tables.unfilled_penalty
        for stage in range(3):
            if stage == 0:
                cells = filling
                merit = base + 10
            elif stage == 1:
                cells = lacking & ~filling
                merit = 0.5 * base
            else:
                cells = seat.empty & ~(filling | lacking) if seat.in_hand > 3 else 0
                merit = 0.25 * base - 3
            while cells:
                at = lowest(cells)
                cells &= cells - 1
                if stage == 0:
                    i = population(tables.neighbours[at] & (seat.empty | seat.unfilled))
                    rated = merit - 0.5 * i
                else:
                    i = population(tables.neighbours[at] & seat.empty)
                    if i <= stage - 1:
                        continue
                    rated = merit + 0.3 * i
                if found == most:
                    if rated <= merits[most - 1]:
                        continue
                else:
                    found += 1
                i = found - 1
                while i > 0 and merits[i - 1] < rated:
                    merits[i] = merits[i - 1]
                    actions[i] = actions[i - 1]
                    i -= 1
                merits[i] = rated
                actions[i] = FIRST_LONGSHIP + CELLS * slot + tables.bit_cell[at]
    return found


cdef void find_plans(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil:
    """Find plans for what is owed; for some tiles only, those that take one of them."""
    cdef int actions[MOST_LONGSHIP_OPTIONS]
    cdef const Item *item
    cdef int n, i, options, count = lay_tiles(workspace, state, width.beam)
    cdef bint trophy
    workspace.plan_count = 0
    for n in range(count):
        item = &workspace.beams[0][n]
        trophy = rules.legal_count(&item.state) > 1 and can_take_trophy(&item.state)
        if tiles == EVERY_TILE:
            add_plan(workspace, weights, &item.state, item, -1, False)
            if trophy:
                add_plan(workspace, weights, &item.state, item, -1, True)
        options = longship_options(&item.state, tiles, width.longships, actions)
        for i in range(options):
            add_plan(workspace, weights, &item.state, item, actions[i], False)
            if trophy:
                add_plan(workspace, weights, &item.state, item, actions[i], True)


cdef inline bint can_take_trophy(const GameState *state) noexcept nogil:
    cdef int number
    for number in range(FIRST_TROPHY, END):
        if rules.is_legal(state, number):
            return True
    return False


# Turns

cdef void add_turn(
    Workspace *workspace, const Opening *opening, const Plan *plan, float forecast, int most
) noexcept nogil:
    """Keep a turn if it is among the best."""
    cdef Turn *turns = workspace.turns
    cdef int i
    if workspace.turn_count == most:
        if forecast <= turns[most - 1].forecast:
            return
    else:
        workspace.turn_count += 1
    i = workspace.turn_count - 1
    while i > 0 and turns[i - 1].forecast < forecast:
        turns[i] = turns[i - 1]
        i -= 1
    turns[i].forecast = forecast
    memcpy(turns[i].steps, opening.steps, opening.length * sizeof(uint16_t))
    memcpy(turns[i].steps + opening.length, plan.steps, plan.length * sizeof(uint16_t))
    turns[i].length = <uint16_t>(opening.length + plan.length + 1)
    turns[i].steps[turns[i].length - 1] = END


cdef void find_turns(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil:
    """Find the best turns, best first, by the mover's forecast at their end.

    With EVERY_TILE, all turns; with some longships only, the turns that take one of them.
    """
    cdef Opening *opening
    cdef Opening *leader
    cdef int n, player = state.player, group
    workspace.turn_count = 0
    find_openings(workspace, state, width)
    fjord_part(weights, state, player, &workspace.before)
    for n in range(workspace.opening_count):
        opening = &workspace.openings[n]
        rate_opening(weights, opening, &workspace.before, player)
        opening.group = -1
    for group in range(width.multisets):
        leader = NULL
        for n in range(workspace.opening_count):
            opening = &workspace.openings[n]
            if opening.group < 0 and (leader == NULL or opening.value > leader.value):
                leader = opening
        if leader == NULL:
            break
        find_plans(workspace, weights, &leader.state, width, tiles)
        rank_plans(workspace, weights, &leader.map)
        for n in range(workspace.opening_count):
            opening = &workspace.openings[n]
            if (
                opening.group < 0 and opening.state.owed == leader.state.owed
                and opening.state.seats[player].in_hand == leader.state.seats[player].in_hand
                and opening.state.phase == leader.state.phase
            ):
                opening.group = group
                add_turns(workspace, weights, opening, width)


cdef void rank_plans(
    Workspace *workspace, const Weights *weights, const Part *map
) noexcept nogil:
    """Put the plans in the order of the forecasts with one opening, best first."""
    cdef int n, i
    cdef float forecast
    for n in range(workspace.plan_count):
        forecast = workspace.plans[n].score + gain_of(weights, &workspace.plans[n].fjord, map)
        i = n
        while i > 0 and workspace.plans[workspace.ranks[i - 1]].forecast < forecast:
            workspace.ranks[i] = workspace.ranks[i - 1]
            i -= 1
        workspace.ranks[i] = n
        workspace.plans[n].forecast = forecast


cdef void add_turns(
    Workspace *workspace, const Weights *weights, const Opening *opening, const Width *width
) noexcept nogil:
    """Add the turns of an opening with the best plans: with some more than asked for, as their
    order may be another one than with the opening that they were ranked with."""
    cdef float forecasts[MOST_PLANS]
    cdef Plan *plan
    cdef int n, _rank, best, count = min(width.plans + 2, workspace.plan_count)
    for n in range(count):
        plan = &workspace.plans[workspace.ranks[n]]
        forecasts[n] = plan.score + gain_of(weights, &plan.fjord, &opening.map)
    for _rank in range(min(width.plans, count)):
        best = 0
        for n in range(1, count):
            if forecasts[n] > forecasts[best]:
                best = n
        add_turn(
            workspace, opening, &workspace.plans[workspace.ranks[best]], forecasts[best],
            width.turns,
        )
        forecasts[best] = -1e30


cdef bint can_play(const GameState *state, const uint16_t *steps, int length) noexcept nogil:
    """Whether a turn found in another deal of the bag is legal in this one."""
    cdef GameState after
    cdef uint64_t generator = 0
    cdef int n, tile, slot, action
    if state.unseen:  # then the deals differ only in the longships that lie there
        for n in range(length - 1, -1, -1):
            if steps[n] >= ACTION_COUNT:
                tile = (steps[n] - ACTION_COUNT) // CELLS
                for slot in range(SLOTS):
                    if state.ocean[slot] == tile:
                        return True
                return False
        return True
    rules.copy(&after, state)
    for n in range(length):
        action = action_of(&after, steps[n])
        if action < 0:
            return False
        play(&after, action, &generator)
    return True


cdef void play_turn(
    GameState *state, const uint16_t *steps, int length, uint64_t *generator
) noexcept nogil:
    """Play a legal turn, dealing what it reveals."""
    cdef int n, key, slot, action
    for n in range(length):
        key = steps[n]
        action = key
        if key >= ACTION_COUNT:
            for slot in range(SLOTS):
                if state.ocean[slot] == (key - ACTION_COUNT) // CELLS:
                    action = FIRST_LONGSHIP + CELLS * slot + (key - ACTION_COUNT) % CELLS
        play(state, action, generator)
