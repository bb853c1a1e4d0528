"""Flat Monte Carlo on whole turns: no tree, only playouts at random behind each turn.

The turns are those that `ai.turns` finds with an evaluation. Which of them the next playout begins
with is chosen by UCB1 (Auer, Cesa-Bianchi, Fischer, "Finite-time Analysis of the Multiarmed Bandit
Problem", Machine Learning 47, 2002). Each playout deals the bag anew and is uniform over the legal
actions. The payoff is that of `ai.ismcts`.
"""

cimport cython
from libc.math cimport log, sqrt
from libc.stdlib cimport calloc, free
from libc.stdint cimport uint64_t

from ai.evaluation cimport Evaluation
from ai.sliced_search cimport SlicedSearch
from ai.steps cimport action_of, lead_of, payoff_of, play
from ai.turns cimport (
    FirstActions, find_first_turns, new_workspace, play_turn, read_first_actions, width_of,
)
from ai.workspace cimport Turn, Width, Workspace
from looot_core cimport rules
from looot_core.bits cimport population
from looot_core.rules cimport GameState
from looot_core.state cimport State
from looot_core.tables cimport MAX_PLAYERS, Layout

from looot_core.errors import LoootError

cdef enum:
    LEVEL = 1                # how widely turns are looked for

cdef struct Arm:
    # A turn and the sums over its playouts.
    Turn turn
    uint64_t visits
    double payoff            # of the mover
    double share             # ... of the victory
    double lead


@cython.final
cdef class FlatMonteCarlo(SlicedSearch):
    """The search of one position, in one thread at a time.

    Parameters
    ----------
    state : State
        With a player to move; it is not kept.
    evaluation : Evaluation
        Which turns to look at is decided by it.
    seed : int
    first_actions : list of int, optional
        Indices of the legal first actions to choose among.

    Raises
    ------
    LoootError
        If the game is over; by its methods, if another thread is searching.
    """

    cdef GameState root
    cdef Layout layout
    cdef Arm *arms
    cdef int arm_count
    cdef uint64_t generator
    cdef double scores[MAX_PLAYERS]
    cdef double score_squares[MAX_PLAYERS]

    def __cinit__(
        self, State state not None, Evaluation evaluation not None, seed, first_actions=None
    ):
        cdef Workspace *workspace
        cdef FirstActions first
        cdef Width width
        cdef int n
        if state.game.phase == rules.OVER:
            raise LoootError("state: the game is over, so there is nothing to search (R19)")
        rules.copy(&self.root, &state.game)
        self.layout = state.layout
        self.generator = seed
        read_first_actions(first_actions, &first)
        workspace = new_workspace()
        if workspace == NULL:
            raise MemoryError
        width_of(LEVEL, &width)
        find_first_turns(workspace, &evaluation.weights, &self.root, &width, &first)
        self.arms = <Arm *>calloc(workspace.turn_count, sizeof(Arm))
        if self.arms != NULL:
            self.arm_count = workspace.turn_count
        for n in range(self.arm_count):
            self.arms[n].turn = workspace.turns[n]
        free(workspace)
        if self.arms == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.arms)

    cdef bint simulate(self, int thread, uint64_t most) noexcept nogil:
        """Play a turn, play to the end at random and note the result."""
        cdef GameState state
        cdef Arm *arm
        cdef unsigned int winners
        cdef double share, lead, score
        cdef int player
        if self.simulated >= most:
            return False
        arm = &self.arms[self.select()]
        rules.copy(&state, &self.root)
        play_turn(&state, arm.turn.steps, arm.turn.length, &self.generator)
        rules.playout(&state, &self.generator)
        winners = rules.winners(&state)
        share = <double>(winners >> self.root.player & 1) / population(winners)
        lead = lead_of(&state, self.root.player)
        arm.visits += 1
        arm.payoff += payoff_of(share, lead)
        arm.share += share
        arm.lead += lead
        for player in range(state.players):
            score = state.seats[player].score
            self.scores[player] += score
            self.score_squares[player] += score * score
        self.simulated += 1
        return True

    cdef int select(self) noexcept nogil:
        """The first turn not played yet, else the one of the highest upper bound."""
        cdef double value, best_value = -1.0, spread = 2.0 * log(<double>self.simulated)
        cdef int n, best = 0
        cdef const Arm *arm
        if self.simulated < <uint64_t>self.arm_count:
            return <int>self.simulated
        for n in range(self.arm_count):
            arm = &self.arms[n]
            value = arm.payoff / arm.visits + sqrt(spread / arm.visits)
            if value > best_value:
                best_value = value
                best = n
        return best

    cdef list actions_of(self, int number):
        cdef GameState state
        cdef const Turn *turn = &self.arms[number].turn
        cdef uint64_t generator = 0
        cdef list actions = []
        cdef int n, action
        rules.copy(&state, &self.root)
        for n in range(turn.length):
            action = action_of(&state, turn.steps[n])
            actions.append(self.layout.actions[action])
            play(&state, action, &generator)
        return actions

    def turn(self):
        """Give the turn that was played most."""
        return self.candidates()[0][1]

    def candidates(self):
        """Give a tuple of values for each turn played, best first, in `Candidate`'s order."""
        cdef const Arm *arm
        cdef double share
        cdef int number
        self.check_idle()
        ranked = sorted(
            (-self.arms[number].visits, -self.arms[number].payoff, number)
            for number in range(min(<uint64_t>self.arm_count, self.simulated))
        )
        found = []
        for _, _, number in ranked:
            arm = &self.arms[number]
            share = arm.share / arm.visits
            turn = self.actions_of(number)
            found.append((
                turn[0], turn, arm.visits, share, arm.lead / arm.visits, 1.0 / self.arm_count,
                sqrt(max(share * (1.0 - share), 0.0) / arm.visits), turn,
            ))
        return found

    def expected_scores(self):
        """Give the mean final score of each seat."""
        self.check_idle()
        return [self.scores[player] / self.simulated for player in range(self.root.players)]

    def score_spreads(self):
        """Give the standard deviation of the final score of each seat."""
        cdef list means = self.expected_scores()
        return [
            sqrt(max(
                self.score_squares[player] / self.simulated - means[player] * means[player], 0.0
            ))
            for player in range(self.root.players)
        ]

    def is_settled(self, left):
        """Tell whether no turn can be played as often as the first, with so many simulations."""
        cdef list visits
        self.check_idle()
        visits = sorted(
            [self.arms[number].visits for number in range(self.arm_count)], reverse=True
        )
        return self.arm_count == 1 or visits[1] + left < visits[0]

    @property
    def memory_bytes(self):
        """Bytes of the turns."""
        return self.arm_count * sizeof(Arm)

    @property
    def nodes(self):
        """The turns, and the position that they begin in."""
        return self.arm_count + 1

    @property
    def depth(self):
        """Turns of the longest line that was chosen: one."""
        return 1
