"""Find openings; `openings.pxd` documents them."""

from libc.string cimport memcpy
from libc.stdint cimport uint16_t

from ai.evaluation cimport Part, Weights, gain_of, map_part
from ai.groups cimport Groups, find_groups, landing_gain
from ai.workspace cimport MOST_OPENINGS, Opening, Width, Workspace
from looot_core cimport rules
from looot_core.rules cimport ACTION_COUNT, END, FIRST_SHIELD, NO_DRAW, GameState, Seat
from looot_core.tables cimport RESOURCE_KINDS, TILE_KINDS

cdef enum:
    MOST_LANDINGS = 84


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
