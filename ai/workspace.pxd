"""What one thread finds whole turns in."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.clock cimport now
from ai.evaluation cimport Part
from ai.stop_flag cimport RUNNING
from looot_core.rules cimport GameState

cdef enum:
    MOST_LEVEL = 6           # of how widely turns are looked for
    MOST_STEPS = 44          # 3 shields, 2 vikings, 34 tiles, longship, trophy, end, and some room
    MOST_OPENINGS = 384
    MOST_PLANS = 512
    MOST_BEAM = 96
    MOST_TURNS = 1024
    EVERY_TILE = 0x3FFFFFFF  # all longships

cdef struct Turn:
    float forecast           # expected final score of the mover, or lead after `rank_by_lead`
    uint16_t length
    uint16_t steps[MOST_STEPS]   # keys of ai.steps; the last is END

cdef struct Width:
    # How widely each stage looks.
    int shielded             # landings with one shield
    int doubly_shielded      # landings with two or three
    int seconds              # landings of a second viking for each of the first
    int multisets            # different sets of won tiles
    int beam                 # ways of laying them
    int longships            # longships and cells for each of these
    int plans                # plans for an opening
    int turns                # turns in all

cdef struct Opening:
    GameState state
    Part map
    double value
    int length
    uint16_t steps[8]
    int group

cdef struct Plan:
    Part fjord
    float forecast           # with the opening that leads its group
    int score
    int length
    uint16_t steps[MOST_STEPS]
    bint takes_longship

cdef struct Item:
    # A way of laying the tiles so far.
    GameState state
    double merit
    uint64_t mark            # equal for the same tiles on the same cells
    int length
    uint16_t steps[MOST_STEPS]

cdef struct Workspace:
    # When to give up looking for more: NULL and 0 for never.
    const volatile int *stop
    uint64_t end
    bint processor_time
    Opening openings[MOST_OPENINGS]
    int opening_count
    Part before              # of the mover's fjord as it is
    Plan plans[MOST_PLANS]
    int ranks[MOST_PLANS]    # plans, best first
    int plan_count
    Item beams[2][MOST_BEAM]
    Turn turns[MOST_TURNS]
    int turn_count
    Turn kept[MOST_TURNS]    # where turns with several first actions are gathered

cdef inline bint interrupted(const Workspace *workspace) noexcept nogil:
    """Whether the search that turns are looked for is to end."""
    return (
        workspace.stop != NULL and workspace.stop[0] != RUNNING
        or workspace.end != 0 and now(workspace.processor_time) >= workspace.end
    )
