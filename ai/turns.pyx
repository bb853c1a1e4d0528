"""Find whole turns; `turns.pxd` tells how."""

from libc.stdlib cimport calloc
from libc.string cimport memcpy, memmove
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.evaluation cimport (
    Forecast, Part, Weights, evaluate, expected_lead, fjord_part, gain_of,
)
from ai.openings cimport find_openings, rate_opening
from ai.pieces cimport MOST_LONGSHIP_OPTIONS
from ai.plans cimport find_plans
from ai.steps cimport action_of, key_of, named_action, play
from ai.workspace cimport (
    EVERY_TILE, MOST_BEAM, MOST_PLANS, MOST_TURNS, Opening, Plan, Turn, Width, Workspace,
    interrupted,
)
from looot_core cimport rules
from looot_core.rules cimport ACTION_COUNT, END, GameState


cdef enum:
    MANY_PLANS = 24          # from where on an opening takes 0.01 ms and more
    HOPE = 1                 # points by which a plan may be better than one that ranked above it


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


cdef void narrow_width(Width *width) noexcept nogil:
    """Less widely than level 0: for a longship that a deal shows and a node does not know yet."""
    width_of(0, width)
    width.multisets = 2
    width.beam = 1
    width.longships = 1
    width.plans = 1
    width.turns = 4


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
        if leader == NULL or group and interrupted(workspace):
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
                if (
                    width.plans > MANY_PLANS and workspace.turn_count and interrupted(workspace)
                ):
                    return
                opening.group = group
                if opening == leader:
                    add_best_turns(workspace, opening, width)
                else:
                    add_turns(workspace, weights, opening, width)


cdef void find_turns_after(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    int action
) noexcept nogil:
    """Find the best turns that begin with a legal action, best first."""
    cdef GameState after
    cdef Forecast forecast
    cdef Turn *turn
    cdef uint64_t generator = 0
    cdef int n
    rules.copy(&after, state)
    play(&after, action, &generator)
    if action == END:
        evaluate(weights, &after, &forecast)
        workspace.turn_count = 1
        workspace.turns[0].forecast = <float>forecast.scores[state.player]
        workspace.turns[0].length = 0
    else:
        find_turns(workspace, weights, &after, width, EVERY_TILE)
    for n in range(workspace.turn_count):
        turn = &workspace.turns[n]
        memmove(turn.steps + 1, turn.steps, turn.length * sizeof(uint16_t))
        turn.steps[0] = <uint16_t>key_of(state, action)
        turn.length += 1


cdef int read_first_actions(object given, FirstActions *first) except -1:
    """Take a list of indices, or None for any."""
    cdef int action
    first.count = 0
    for action in given or ():
        first.actions[first.count] = <uint16_t>action
        first.count += 1
    return 0


cdef void find_first_turns(
    Workspace *workspace, const Weights *weights, const GameState *state, const Width *width,
    const FirstActions *first
) noexcept nogil:
    """Find the best turns that begin with one of some legal actions, best first.

    Of each at least one, unless the search is to end; together about twice as many as without.
    """
    cdef const Turn *turn
    cdef Turn *kept = workspace.kept
    cdef int n, number, i, most, found = 0
    if first.count == 0:
        find_turns(workspace, weights, state, width, EVERY_TILE)
        return
    most = min(max(2, 2 * width.turns // first.count), <int>MOST_TURNS // first.count)
    for n in range(first.count):
        if n and interrupted(workspace):
            break
        find_turns_after(workspace, weights, state, width, first.actions[n])
        for number in range(min(most, workspace.turn_count)):
            turn = &workspace.turns[number]
            i = found
            while i > 0 and kept[i - 1].forecast < turn.forecast:
                kept[i] = kept[i - 1]
                i -= 1
            kept[i] = turn[0]
            found += 1
    memcpy(workspace.turns, kept, found * sizeof(Turn))
    workspace.turn_count = found


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


cdef void add_best_turns(
    Workspace *workspace, const Opening *leader, const Width *width
) noexcept nogil:
    """Add the turns of the opening that the plans were ranked with."""
    cdef const Plan *plan
    cdef int n
    for n in range(min(width.plans, workspace.plan_count)):
        plan = &workspace.plans[workspace.ranks[n]]
        add_turn(workspace, leader, plan, plan.forecast, width.turns)


cdef void add_turns(
    Workspace *workspace, const Weights *weights, const Opening *opening, const Width *width
) noexcept nogil:
    """Add the turns of an opening with the best plans: with some more than asked for, as their
    order may be another one than with the opening that they were ranked with. Where the first is
    more than HOPE below the turns that there are already, the others are not looked at, though one
    of them may be better still than that."""
    cdef float forecasts[MOST_PLANS]
    cdef Plan *plan
    cdef int n, _rank, best, count = min(width.plans + 2, workspace.plan_count)
    for n in range(count):
        plan = &workspace.plans[workspace.ranks[n]]
        forecasts[n] = plan.score + gain_of(weights, &plan.fjord, &opening.map)
        if n == 0 and workspace.turn_count == width.turns and (
            forecasts[0] + HOPE < workspace.turns[width.turns - 1].forecast
        ):
            return
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
    cdef int n, action
    if state.unseen:  # then the deals differ only in the longships that lie there
        for n in range(length - 1, -1, -1):
            if steps[n] >= ACTION_COUNT:
                return named_action(state, steps[n]) >= 0
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
    cdef int n
    for n in range(length):
        play(state, named_action(state, steps[n]), generator)


cdef double forecast_after(
    const Weights *weights, const GameState *state, const Workspace *workspace, int number,
    uint64_t *generator, Forecast *forecast,
) noexcept nogil:
    """Forecast the end after a turn, some longship being revealed; give the mover's lead."""
    cdef GameState after
    rules.copy(&after, state)
    play_turn(&after, workspace.turns[number].steps, workspace.turns[number].length, generator)
    evaluate(weights, &after, forecast)
    return expected_lead(forecast, state.players, state.player)


cdef void rank_by_lead(
    Workspace *workspace, const Weights *weights, const GameState *state
) noexcept nogil:
    """Forecast the mover's lead at the ends of the turns that were found, and put them in order.

    If the search is to end, only of the first, which are the best by the mover's own forecast; the
    others are left out.
    """
    cdef Forecast forecast
    cdef Turn turn
    cdef uint64_t generator = 0
    cdef int n, i
    for n in range(workspace.turn_count):
        if n and interrupted(workspace):
            workspace.turn_count = n
            break
        turn = workspace.turns[n]
        turn.forecast = <float>forecast_after(
            weights, state, workspace, n, &generator, &forecast
        )
        i = n
        while i > 0 and workspace.turns[i - 1].forecast < turn.forecast:
            workspace.turns[i] = workspace.turns[i - 1]
            i -= 1
        workspace.turns[i] = turn
