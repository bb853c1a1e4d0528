"""Find plans by a beam search; `plans.pxd` documents them."""

from libc.string cimport memcpy
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.around cimport Around, beside, find_around, lacking_cells, lacking_tiles, sum_of
from ai.evaluation cimport Weights, fjord_part_after
from ai.pieces cimport MOST_LONGSHIP_OPTIONS, longship_options, worth_of
from ai.steps cimport key_of
from ai.trophies cimport action_of_trophy
from ai.workspace cimport (
    EVERY_TILE, MOST_BEAM, MOST_PLANS, Item, Plan, Width, Workspace, interrupted,
)
from looot_core cimport rules
from looot_core.bits cimport bit, lowest, population
from looot_core.rules cimport FIRST_TILE, NO_DRAW, GameState, Seat
from looot_core.tables cimport CELLS, NOTHING, RESOURCE_KINDS, SLOTS, TILE_KINDS, Tables

cdef enum:
    WIDE_BEAM = 8        # from where on it looks at each step whether to give up

# Merit of a tile beside a piece that needs it, by how many tiles the piece lacks before.
cdef double[8] NEARNESS = [0.0, 1.0, 0.5, 0.33, 0.22, 0.15, 0.1, 0.1]
# Share of that for a tile which the piece does not need, by how many cells it has to spare.
cdef double[3] SPOILING = [-1.0, -0.25, -0.05]
cdef double READINESS = 0.6     # merit of making a longship of the ocean fill, of its gain
cdef double CROWDING = 0.15     # merit of an empty cell beside a resource; its loss by a building


cdef inline void add_merit(double *merits, uint64_t cells, double merit) noexcept nogil:
    while cells:
        merits[lowest(cells)] += merit
        cells &= cells - 1


cdef inline void rate_for_fjord(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil:
    """Add the merits of a tile of a kind beside the pieces of the fjord."""
    cdef const Tables *tables = state.tables
    cdef uint64_t cells, neighbours, unfilled = seat.unfilled
    cdef uint32_t lacking
    cdef double share
    cdef int at, piece, missing, room
    while unfilled:
        at = lowest(unfilled)
        unfilled &= unfilled - 1
        neighbours = tables.neighbours[at]
        cells = neighbours & seat.empty
        if not cells:
            continue
        piece = seat.piece[tables.bit_cell[at]]
        lacking = lacking_tiles(seat, neighbours, tables.needs[piece], TILE_KINDS)
        missing = sum_of(lacking)
        room = population(cells)
        if missing > room:
            continue
        share = 1.0 if lacking >> (4 * kind) & 15 else SPOILING[min(room - missing, 2)]
        add_merit(merits, cells, worth_of(state, seat, piece) * NEARNESS[min(missing, 7)] * share)


cdef inline void rate_for_ocean(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil:
    """Add the merit of a resource that makes room to fill a longship of the ocean, the best one."""
    cdef const Tables *tables = state.tables
    cdef Around around
    cdef double[SLOTS] worths
    cdef uint64_t[SLOTS] ready
    cdef uint64_t needs, cells
    cdef double worth
    cdef int slot, piece, i, count = 0
    find_around(seat, seat.empty, &around)
    for slot in range(SLOTS):
        piece = state.ocean[slot]
        if piece == NOTHING:
            continue
        needs = tables.needs[piece]
        if not needs >> (4 * kind) & 3:
            continue
        cells = beside(lacking_cells(&around, needs, kind)) & seat.empty
        if not cells:
            continue
        worth = READINESS * (worth_of(state, seat, piece) - tables.unfilled_penalty + 1)
        i = count
        while i > 0 and worths[i - 1] < worth:
            worths[i] = worths[i - 1]
            ready[i] = ready[i - 1]
            i -= 1
        worths[i] = worth
        ready[i] = cells
        count += 1
    cells = seat.empty
    for i in range(count):
        add_merit(merits, ready[i] & cells, worths[i])
        cells &= ~ready[i]


cdef void rate_cells(
    const GameState *state, const Seat *seat, int kind, double *merits
) noexcept nogil:
    """Rate the empty cells for a tile of a kind."""
    cdef const Tables *tables = state.tables
    cdef uint64_t cells = seat.empty
    cdef double crowding = CROWDING if kind < RESOURCE_KINDS else -CROWDING
    cdef int at
    while cells:
        at = lowest(cells)
        cells &= cells - 1
        merits[at] = crowding * population(tables.neighbours[at] & seat.empty)
    rate_for_fjord(state, seat, kind, merits)
    if kind < RESOURCE_KINDS and not state.longship_taken:
        rate_for_ocean(state, seat, kind, merits)


cdef struct Step:
    # A tile that may be laid next on what an item has laid, and what makes an item of it.
    double merit
    uint64_t mark            # as in Item
    int parent               # in the beam before
    int action


cdef inline int add_step(Step *steps, int count, int most, const Step *step) noexcept nogil:
    """Keep a step if it is among the best and new; give how many there are."""
    cdef int i
    if count == most and step.merit <= steps[most - 1].merit:
        return count
    for i in range(count):
        if steps[i].mark == step.mark:
            return count
    if count < most:
        count += 1
    i = count - 1
    while i > 0 and steps[i - 1].merit < step.merit:
        steps[i] = steps[i - 1]
        i -= 1
    steps[i] = step[0]
    return count


cdef inline int add_steps(
    Step *steps, int count, int most, const Item *item, int parent
) noexcept nogil:
    """Add the ways of laying one more tile on what an item has laid; give how many there are."""
    cdef const Seat *seat = &item.state.seats[item.state.player]
    cdef double merits[64]
    cdef uint64_t cells, kinds = 0, tile
    cdef int kind, at, owed, place = 0
    cdef bint overflow
    cdef Step step
    step.parent = parent
    for kind in range(TILE_KINDS):
        owed = item.state.owed >> (8 * kind) & 255
        place += owed
        if owed:
            kinds |= bit(kind)
    overflow = place > population(seat.empty)
    if not overflow:
        kinds &= ~kinds + 1  # the first kind only, as all will be laid
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        rate_cells(&item.state, seat, kind, merits)
        cells = seat.empty
        while cells:
            at = lowest(cells)
            cells &= cells - 1
            step.merit = item.merit + merits[at]
            if overflow:
                step.merit += seat.value[kind]
            tile = <uint64_t>(kind + 1) << 6 | at
            step.mark = item.mark + tile * <uint64_t>0x9E3779B97F4A7C15ULL * (tile | 1)
            step.action = FIRST_TILE + CELLS * kind + item.state.tables.bit_cell[at]
            count = add_step(steps, count, most, &step)
    return count


cdef inline void take_step(Item *item, const Item *parent, const Step *step) noexcept nogil:
    """Make an item of a step from another."""
    rules.copy(&item.state, &parent.state)
    rules.apply(&item.state, step.action, NO_DRAW)
    memcpy(item.steps, parent.steps, parent.length * sizeof(uint16_t))
    item.steps[parent.length] = <uint16_t>step.action
    item.length = parent.length + 1
    item.merit = step.merit
    item.mark = step.mark


cdef const Item *lay_tiles(
    Workspace *workspace, const GameState *state, int width, int *count
) noexcept nogil:
    """Lay all that is owed in good ways (a beam search); give them, best first.

    A tile may take 0.1 ms with a wide beam, which looks at each whether to give up.
    """
    cdef Item *old = workspace.beams[0]
    cdef Item *fresh = workspace.beams[1]
    cdef Step steps[MOST_BEAM]
    cdef int n, found
    rules.copy(&old.state, state)
    old.merit = 0
    old.mark = 0
    old.length = 0
    count[0] = 1
    while old.state.phase == rules.PLACE_TILES:
        if width > WIDE_BEAM and interrupted(workspace):  # only the best way is laid to its end
            count[0] = width = 1
        found = 0
        for n in range(count[0]):
            found = add_steps(steps, found, width, &old[n], n)
        for n in range(found):
            take_step(&fresh[n], &old[steps[n].parent], &steps[n])
        count[0] = found
        old, fresh = fresh, old
    return old


cdef void add_plan(
    Workspace *workspace, const Weights *weights, const Item *item, int longship, int trophy
) noexcept nogil:
    """Add the plan of an item, then the actions of a longship and a trophy, or -1 for none."""
    cdef GameState after
    cdef Plan *plan
    cdef int player = item.state.player
    if workspace.plan_count == MOST_PLANS:
        return
    plan = &workspace.plans[workspace.plan_count]
    rules.copy(&after, &item.state)
    memcpy(plan.steps, item.steps, item.length * sizeof(uint16_t))
    plan.length = item.length
    plan.takes_longship = longship >= 0
    if longship >= 0:
        plan.steps[plan.length] = <uint16_t>key_of(&after, longship)
        plan.length += 1
        rules.apply(&after, longship, NO_DRAW)
    if trophy >= 0:
        rules.apply(&after, trophy, NO_DRAW)
        plan.steps[plan.length] = <uint16_t>trophy
        plan.length += 1
    fjord_part_after(weights, &after, player, &workspace.before, &plan.fjord)
    plan.score = after.seats[player].score
    workspace.plan_count += 1


cdef void find_plans(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    uint32_t tiles
) noexcept nogil:
    """Find plans for what is owed; for some tiles only, those that take one of them."""
    cdef int actions[MOST_LONGSHIP_OPTIONS]
    cdef const Item *item
    cdef int n, i, options, trophy, count
    cdef const Item *items = lay_tiles(workspace, state, width.beam, &count)
    workspace.plan_count = 0
    for n in range(count):
        if n and width.beam > WIDE_BEAM and interrupted(workspace):
            return
        item = &items[n]
        trophy = action_of_trophy(&item.state)
        if tiles == EVERY_TILE:
            add_plan(workspace, weights, item, -1, -1)
            if trophy >= 0:
                add_plan(workspace, weights, item, -1, trophy)
        options = longship_options(&item.state, tiles, width.longships, actions)
        for i in range(options):
            add_plan(workspace, weights, item, actions[i], -1)
            if trophy >= 0:
                add_plan(workspace, weights, item, actions[i], trophy)
