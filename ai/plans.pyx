"""Find plans by a beam search; `plans.pxd` documents them."""

from libc.string cimport memcpy
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.around cimport Around, filling_cells, find_around, lacking_any, lacking_cells
from ai.evaluation cimport Weights, fjord_part_after
from ai.steps cimport key_of
from ai.workspace cimport EVERY_TILE, MOST_PLANS, Item, Plan, Width, Workspace, interrupted
from looot_core cimport rules
from looot_core.bits cimport bit, lowest, population
from looot_core.rules cimport (
    END, FIRST_LONGSHIP, FIRST_TILE, FIRST_TROPHY, NO_DRAW, GameState, Seat,
)
from looot_core.tables cimport (
    CELLS, LONGSHIPS, NOTHING, RESOURCE_KINDS, SLOTS, TILE_KINDS, Tables,
)

cdef enum:
    WIDE_BEAM = 8        # from where on it looks at each step whether to give up

# Merit of a tile beside a piece that needs it, by how many tiles the piece lacks before.
cdef double[8] NEARNESS = [0.0, 1.0, 0.5, 0.33, 0.22, 0.15, 0.1, 0.1]
cdef double READINESS = 0.6     # merit of making a longship of the ocean fill, of its gain
cdef double CROWDING = 0.15     # merit of an empty cell beside a resource; its loss by a building
cdef double GROWTH = 0.25       # tiles of a kind still to come, a viking in hand


cdef inline uint64_t beside(uint64_t cells) noexcept nogil:
    return cells << 1 | cells >> 1 | cells << 7 | cells >> 7 | cells << 8 | cells >> 8


cdef double worth_of(const GameState *state, const Seat *seat, int piece) noexcept nogil:
    """Points that filling a piece will bring, roughly."""
    cdef const Tables *tables = state.tables
    cdef int kind
    if piece >= LONGSHIPS:
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
    """Lay all that is owed in good ways (a beam search); give how many, in beams[0].

    A tile may take 0.1 ms with a wide beam, which looks at each whether to give up.
    """
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
        if width > WIDE_BEAM and interrupted(workspace):  # only the best way is laid to its end
            count = width = 1
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
    cdef int slot, piece, at, i, found = 0, stage
    if state.longship_taken or not seat.empty:
        return 0
    find_around(seat, seat.empty, &around)
    for slot in range(SLOTS):
        piece = state.ocean[slot]
        if piece == NOTHING or not tiles >> piece & 1:
            continue
        needs = tables.needs[piece]
        filling = filling_cells(&around, needs)
        lacking = 0 if filling else lacking_any(&around, needs)
        base = worth_of(state, seat, piece) - tables.unfilled_penalty
        for stage in range(3):
            if stage == 0:
                cells = filling
                merit = base + 10
            elif stage == 1:
                cells = lacking
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
        if n and width.beam > WIDE_BEAM and interrupted(workspace):
            return
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
