"""The answers of a search of turns; `turn_answers.pxd` declares its base."""

from libc.math cimport sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.spread cimport find_spreads, standard_error_of
from ai.steps cimport action_of, play
from ai.turn_tree cimport ROOT, Node, at, bytes_of, steps_of
from ai.turns cimport can_play
from looot_core cimport rules
from looot_core.rules cimport GameState
from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    LONGEST_VARIATION = 64

# Standard errors that a turn may gain; these are of forecasts, and payoffs with playouts vary twice
# as much. See `is_settled`.
cdef double DOUBT = 4.0


cdef class TurnAnswers(SlicedSearch):
    """What is known of the turns of a position; `ai.turn_search` finds it out."""

    cdef uint32_t best_child(self, const GameState *state, uint32_t parent) noexcept nogil:
        """The legal turn of most merit, the older among equals, or ROOT if none was visited."""
        cdef uint32_t index = at(&self.tree, parent).first_child
        cdef uint32_t best = ROOT
        cdef Node *node
        cdef double merit, best_merit = -1e30
        while index != ROOT:
            node = at(&self.tree, index)
            if node.visits:
                merit = self.merit_of(node, state.player)
                if merit >= best_merit and can_play(
                    state, steps_of(&self.tree, node), node.length
                ):
                    best_merit = merit
                    best = index
            index = node.next_sibling
        return best

    cdef double merit_of(self, const Node *node, int player) noexcept nogil:
        """A lower bound of a turn's value: what few visits have shown is trusted less."""
        return node.payoffs[player] / node.visits - self.parameters.caution / sqrt(
            <double>node.visits
        )

    cdef list actions_of(self, GameState *state, uint32_t index):
        """Play a turn and give its actions."""
        cdef Node *node = at(&self.tree, index)
        cdef const uint16_t *steps = steps_of(&self.tree, node)
        cdef uint64_t generator = 0
        cdef list actions = []
        cdef int n, action
        for n in range(node.length):
            action = action_of(state, steps[n])
            actions.append(self.layout.actions[action])
            play(state, action, &generator)
        return actions

    cdef list variation_after(self, GameState *state, uint32_t index, list turn):
        """The turn to a child of the root and the best ones that follow, until a draw decides."""
        cdef list line = list(turn)
        while (
            state.phase != rules.OVER and state.unseen == self.root.unseen
            and len(line) < LONGEST_VARIATION
        ):
            index = self.best_child(state, index)
            if index == ROOT:
                break
            line += self.actions_of(state, index)
        return line

    def candidates(self):
        """Give a tuple of values for each visited turn, best first, in `Candidate`'s order."""
        cdef uint32_t index = at(&self.tree, ROOT).first_child
        cdef GameState state
        cdef double total = 0.0
        cdef Node *node
        cdef int age = 0
        self.check_idle()
        ranked = []
        while index != ROOT:
            node = at(&self.tree, index)
            if can_play(&self.root, steps_of(&self.tree, node), node.length):
                total += node.weight
                if node.visits:
                    ranked.append((self.merit_of(node, self.root.player), age, index))
            age += 1
            index = node.next_sibling
        found = []
        for _, _, index in sorted(ranked, reverse=True):  # the older first among equals
            node = at(&self.tree, index)
            rules.copy(&state, &self.root)
            turn = self.actions_of(&state, index)
            found.append((
                turn[0], turn, node.visits, node.share / node.visits, node.lead / node.visits,
                node.weight / total,
                standard_error_of(node, &self.evaluation.weights, &self.root),
                self.variation_after(&state, index, turn),
            ))
        return found

    def is_settled(self, left):
        """Tell whether no visited turn can overtake the best one with so many simulations.

        Compared are the bounds by which the best turn is chosen: its own as it is now, and that
        which another would have if it got all the simulations and they paid `DOUBT` standard
        errors (`ai.spread`) more than its mean, 1 at most.
        """
        cdef uint32_t best, index = at(&self.tree, ROOT).first_child
        cdef int player = self.root.player
        cdef double bound, mean, visits, coming = left
        cdef Node *node
        self.check_idle()
        best = self.best_child(&self.root, ROOT)
        if best == ROOT:
            return False
        bound = self.merit_of(at(&self.tree, best), player)
        while index != ROOT:
            node = at(&self.tree, index)
            if index != best and node.visits and can_play(
                &self.root, steps_of(&self.tree, node), node.length
            ):
                visits = node.visits
                mean = node.payoffs[player] / visits
                mean += coming / (visits + coming) * (min(1.0, mean + DOUBT * standard_error_of(
                    node, &self.evaluation.weights, &self.root
                )) - mean)
                if mean - self.parameters.caution / sqrt(visits + coming) >= bound:
                    return False
            index = node.next_sibling
        return True

    def turn(self):
        """Give the best turn."""
        cdef GameState state
        cdef uint32_t best
        self.check_idle()
        best = self.best_child(&self.root, ROOT)
        rules.copy(&state, &self.root)
        return self.actions_of(&state, best)

    def expected_scores(self):
        """Give the mean final score of each seat."""
        cdef Node *node = at(&self.tree, ROOT)
        return [node.scores[player] / node.visits for player in range(self.root.players)]

    def score_spreads(self):
        """Give the standard deviation of the final score of each seat; see `ai.spread`."""
        cdef double spreads[MAX_PLAYERS]
        self.check_idle()
        find_spreads(&self.tree, &self.evaluation.weights, &self.root, spreads)
        return [spreads[player] for player in range(self.root.players)]

    @property
    def visits(self):
        """Simulations of the position, with those before it was the root."""
        return at(&self.tree, ROOT).visits

    @property
    def memory_bytes(self):
        """Bytes of the tree."""
        return bytes_of(&self.tree)

    @property
    def nodes(self):
        """Nodes of the tree."""
        return self.tree.count

    @property
    def depth(self):
        """Turns of the longest line in the tree."""
        return self.deepest
