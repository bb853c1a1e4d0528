"""What the search of turns goes by; `TurnSearch` describes the method."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    LONGEST_PATH = 64            # more than a game has turns

cdef struct Parameters:
    double exploration       # weight of the exploration term
    double temperature       # points of forecast at which a prior is e times less
    double share             # weight of the victory in a payoff, the rest is the squashed lead
    double half_lead         # lead whose squashed value lies half-way to a sure victory
    double caution           # standard errors of one visit that a turn's value is lowered by
    double reduction         # by which an unvisited turn is thought worse than its parent
    int root_level           # how widely the root looks at first
    int leaf_level           # ... and any other node
    int widening             # visits after which a node looks wider; four times as many each time
    uint32_t expansion_threshold  # visits of a leaf before turns are looked for there
    int turns_deep           # most turns of a simulation before the leaf is valued
    double playout           # weight of the playout in what a leaf is worth
    uint64_t last_turn_work  # most ways of laying tiles in a last turn met in the tree, 0: none
    bint one_deal            # every simulation draws by the same random numbers

cdef Parameters read_parameters(dict given) except *
