"""The spread of the results of a search; `spread.pxd` declares what others use."""

from libc.math cimport sqrt
from libc.string cimport memset
from libc.stdint cimport uint16_t, uint32_t

from ai.evaluation cimport Weights
from ai.turn_tree cimport ROOT, Node, Tree, at, steps_of
from looot_core.rules cimport FIRST_SHIELD, GameState
from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    PARTS = 256              # a node with less than this part of the visits is not looked into

cdef struct Hands:
    # What of a state says how far the forecast may be off.
    int vikings[MAX_PLAYERS]
    int left                 # the sum of these
    int player
    int players

cdef struct Moments:
    # Sums over simulations, for each seat.
    double scores[MAX_PLAYERS]       # forecasts of the final score
    double squares[MAX_PLAYERS]
    double residuals[MAX_PLAYERS]    # variances of the final score about the forecast
    double count


cdef double standard_error_of(
    const Node *node, const Weights *weights, const GameState *root
) noexcept nogil:
    """How far a much longer search moves the mean share of a turn, as a standard deviation.

    With mean share p, q = p (1 - p), n simulations, and S their squared deviations of the lead in
    units of the scale at which the odds are e to 1 (so that q is the change of p by a unit), it is
    q sqrt((S + 1/9) / n^2 + 1/81). One simulation more is counted, off by a third of a unit, so
    that a few that agree are not thought exact; and what all are off by does not shrink with n.
    The fractions were fitted to 1,600 turns of 36 positions, searched with 30 to 1,600 simulations
    and again with 8,000. Root mean square of the differences, and of this: for turns of one visit
    0.072 and 0.073, of 2 to 4 0.022 and 0.023, of 16 to 50 0.016 and 0.018, of more than 200 0.026
    and 0.023.
    """
    cdef double share = node.share / node.visits, visits = node.visits, scale
    cdef double squares = max(node.lead_squares - node.lead * node.lead / visits, 0.0)
    cdef int player, left = 0
    for player in range(root.players):
        left = max(left, root.seats[player].in_hand)
    scale = weights.scale[left]
    return max(share * (1.0 - share), 0.0) * sqrt(
        (squares / (scale * scale) + 1.0 / 9.0) / (visits * visits) + 1.0 / 81.0
    )


cdef void play_hands(Hands *hands, const uint16_t *steps, int length) noexcept nogil:
    """Play a turn as far as the hands see it: it costs vikings, and the next who has some moves."""
    cdef int n, _seat
    for n in range(length):
        if steps[n] < FIRST_SHIELD:
            hands.vikings[hands.player] -= 1
            hands.left -= 1
    for _seat in range(hands.players):
        hands.player = hands.player + 1 if hands.player + 1 < hands.players else 0
        if hands.vikings[hands.player]:
            return


cdef void add_moments(
    const Tree *tree, uint32_t index, uint32_t least, const Weights *weights, const Hands *hands,
    Moments *moments,
) noexcept nogil:
    """Add the simulations that went through a node, by nodes of less than so many visits each.

    Those that ended at the node itself are what it has noted less what its children have.
    """
    cdef const Node *node = at(tree, index)
    cdef const Node *child
    cdef Hands after
    cdef double own = node.visits, spread
    cdef double scores[MAX_PLAYERS]
    cdef int player
    for player in range(hands.players):
        scores[player] = node.scores[player]
    if node.visits >= least:
        index = node.first_child
        while index != ROOT:
            child = at(tree, index)
            if child.visits:
                own -= child.visits
                for player in range(hands.players):
                    scores[player] -= child.scores[player]
                after = hands[0]
                play_hands(&after, steps_of(tree, child), child.length)
                add_moments(tree, index, least, weights, &after, moments)
            index = child.next_sibling
    if own < 0.5:
        return
    moments.count += own
    for player in range(hands.players):
        moments.scores[player] += scores[player]
        moments.squares[player] += scores[player] * scores[player] / own
        if hands.left > 1:  # else the last turn was solved or played: the result is exact
            spread = weights.spread[hands.vikings[player]]
            moments.residuals[player] += own * spread * spread


cdef void find_spreads(
    const Tree *tree, const Weights *weights, const GameState *root, double *spreads
) noexcept nogil:
    """Write the standard deviation of each seat's final score.

    By the law of total variance: the variance of the forecasts at the nodes where simulations ended
    or were not looked into any more, and the mean of the squared errors that the evaluation makes
    in forecasting from there (`Weights.spread`, by the vikings that the seat has in hand there).
    """
    cdef Moments moments
    cdef Hands hands
    cdef double mean, between
    cdef int player
    memset(&moments, 0, sizeof(Moments))
    hands.player = root.player
    hands.players = root.players
    hands.left = 0
    for player in range(root.players):
        hands.vikings[player] = root.seats[player].in_hand
        hands.left += hands.vikings[player]
    add_moments(tree, ROOT, at(tree, ROOT).visits // PARTS, weights, &hands, &moments)
    for player in range(root.players):
        mean = moments.scores[player] / moments.count
        between = moments.squares[player] / moments.count - mean * mean
        spreads[player] = sqrt(
            max(between, 0.0) + moments.residuals[player] / moments.count
        )
