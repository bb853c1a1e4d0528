"""Single-observer information set Monte Carlo tree search, on the steps of turns.

Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, IEEE Transactions on
Computational Intelligence and AI in Games 4 (2), 2012. Every move is public and the order of the
bag is hidden from all alike, so one tree serves all seats.

- Each simulation deals the bag anew: a longship is drawn uniformly from the unseen ones when it is
  revealed. A node stands for the steps from the root, whatever was drawn; a longship is named by
  its tile, for the draws decide on which slot it lies.
- A child competes only when it is legal in the game at hand, and its exploration term counts the
  visits at which it was (`Node.available`).
- Values are vectors over seats; the seat to move looks at its own (max^n). The payoff of a seat is
  half its share of the victory and half its score lead, squashed.
- Every other simulation begins further down the mover's best turn so far, so that the whole turn
  is searched and not its first step only; the step it begins behind and those before it learn
  nothing from these, for it was not chosen.
"""

cimport cython
from libc.math cimport log, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ai.sliced_search cimport SlicedSearch
from ai.steps cimport action_of, key_of, lead_of, payoff_of, play
from ai.tree cimport ROOT, Node, Tree, add_child, at, bytes_of, fell, plant
from ai.turns cimport FirstActions, read_first_actions
from looot_core cimport rules
from looot_core.bits cimport population
from looot_core.generator cimport below
from looot_core.rules cimport ACTION_COUNT, END, FIRST_LONGSHIP, FIRST_TROPHY, GameState
from looot_core.state cimport State
from looot_core.tables cimport CELLS, LONGSHIPS, MAX_PLAYERS, Layout

from looot_core.errors import LoootError

cdef enum:
    KEYS = 1521              # ACTION_COUNT + LONGSHIPS * CELLS
    LONGEST_PATH = 512       # more than a game has steps
    LONGEST_TURN = 64
    LINE_PERIOD = 16         # simulations between two looks for the best turn
    LONGEST_VARIATION = 32

cdef double EXPLORATION = 0.5

if KEYS != ACTION_COUNT + LONGSHIPS * CELLS:
    raise ImportError("KEYS does not fit the action space")


@cython.final
cdef class Search(SlicedSearch):
    """The search of one position, in one thread at a time.

    Parameters
    ----------
    state : State
        With a player to move; it is not kept.
    seed : int
    memory : int
        Most bytes of the tree.
    first_actions : list of int, optional
        Indices of the legal first actions to choose among.

    Raises
    ------
    LoootError
        If the game is over; by its methods, if another thread is searching.
    """

    cdef GameState root
    cdef Layout layout
    cdef Tree tree
    cdef uint64_t generator
    cdef int deepest
    cdef double scores[MAX_PLAYERS]
    cdef double score_squares[MAX_PLAYERS]
    cdef FirstActions first
    # The steps that are legal at hand: those whose stamp is the last one.
    cdef uint64_t stamp
    cdef uint64_t stamps[KEYS]
    cdef uint16_t actions[KEYS]
    # The mover's best turn so far, up to its last choice.
    cdef int line_length
    cdef int line_focus
    cdef int line_actions[LONGEST_TURN]
    cdef uint32_t line_nodes[LONGEST_TURN]

    def __cinit__(self, State state not None, seed, memory, first_actions=None):
        if state.game.phase == rules.OVER:
            raise LoootError("state: the game is over, so there is nothing to search (R19)")
        rules.copy(&self.root, &state.game)
        self.layout = state.layout
        self.generator = seed
        read_first_actions(first_actions, &self.first)
        if not plant(&self.tree, memory):
            raise MemoryError

    def __dealloc__(self):
        fell(&self.tree)

    # Searching

    cdef bint simulate(self, int thread, uint64_t most) noexcept nogil:
        """Go down the tree, add a node, play to the end and note the result on the way."""
        cdef GameState state
        cdef uint32_t path[LONGEST_PATH]
        cdef int n, action, length = 1, above = 0
        cdef bint grown = False
        cdef uint32_t child
        if self.simulated >= most:
            return False
        rules.copy(&state, &self.root)
        path[0] = ROOT
        if self.simulated % LINE_PERIOD == 0:
            self.find_line()
        if self.simulated & 1 and self.line_length:
            self.line_focus = self.line_focus % self.line_length + 1
            above = self.line_focus
            for n in range(above):
                play(&state, self.line_actions[n], &self.generator)
            path[0] = self.line_nodes[above - 1]
        while not grown and state.phase != rules.OVER and length < LONGEST_PATH:
            child = self.descend(&state, path[length - 1], &grown)
            if child == ROOT:
                break
            action = self.actions[at(&self.tree, child).key]
            play(&state, action, &self.generator)
            path[length] = child
            length += 1
        self.deepest = max(self.deepest, above + length - 1)
        rules.playout(&state, &self.generator)
        self.note_result(&state, path, length)
        self.simulated += 1
        return True

    cdef uint32_t descend(
        self, const GameState *state, uint32_t parent, bint *grown
    ) noexcept nogil:
        """Give the child to go to, a new one while there are any, or ROOT to go no further."""
        cdef uint16_t legal[ACTION_COUNT]
        cdef int n, chosen, key = 0, count, fresh
        cdef uint64_t expanded
        cdef uint32_t index, best = ROOT
        cdef double value, best_value = -1.0
        cdef Node *node
        if parent == ROOT and self.first.count:
            count = self.first.count
            memcpy(legal, self.first.actions, count * sizeof(uint16_t))
        else:
            count = rules.legal_actions(state, legal)
        fresh = count
        self.stamp += 2
        expanded = self.stamp - 1
        for n in range(count):
            key = key_of(state, legal[n])
            self.stamps[key] = self.stamp
            self.actions[key] = legal[n]
        index = at(&self.tree, parent).first_child
        while index != ROOT:
            node = at(&self.tree, index)
            if self.stamps[node.key] == self.stamp:
                self.stamps[node.key] = expanded
                node.available += 1
                fresh -= 1
            index = node.next_sibling
        if fresh:
            chosen = <int>below(&self.generator, fresh)
            for n in range(count):
                key = key_of(state, legal[n])
                if self.stamps[key] == self.stamp:
                    if chosen == 0:
                        break
                    chosen -= 1
            index = add_child(&self.tree, parent, key)
            if index != ROOT:
                at(&self.tree, index).available = 1
                grown[0] = True
            return index
        index = at(&self.tree, parent).first_child
        while index != ROOT:
            node = at(&self.tree, index)
            if self.stamps[node.key] == expanded:
                value = node.payoffs[state.player] / node.visits + EXPLORATION * sqrt(
                    log(<double>node.available) / node.visits
                )
                if value > best_value:
                    best_value = value
                    best = index
            index = node.next_sibling
        return best

    cdef void note_result(
        self, const GameState *state, const uint32_t *path, int length
    ) noexcept nogil:
        """Add the result of a finished game to the nodes of a path that were chosen."""
        cdef double payoffs[MAX_PLAYERS]
        cdef double share, lead, score, wins = 0.0, leads = 0.0
        cdef uint32_t winners = rules.winners(state)
        cdef int player, n
        cdef Node *node
        for player in range(state.players):
            share = <double>(winners >> player & 1) / population(winners)
            lead = lead_of(state, player)
            payoffs[player] = payoff_of(share, lead)
            if player == self.root.player:
                wins = share
                leads = lead
            if path[0] == ROOT:
                score = state.seats[player].score
                self.scores[player] += score
                self.score_squares[player] += score * score
        for n in range(0 if path[0] == ROOT else 1, length):
            node = at(&self.tree, path[n])
            node.visits += 1
            node.wins += wins
            node.leads += leads
            for player in range(state.players):
                node.payoffs[player] += payoffs[player]

    # What was found

    cdef uint32_t best_child(self, const GameState *state, uint32_t parent) noexcept nogil:
        """The most visited legal child (among equals of most value, then the newest), or ROOT."""
        cdef uint32_t index = at(&self.tree, parent).first_child
        cdef uint32_t best = ROOT
        cdef Node *node
        cdef Node *leader = NULL
        while index != ROOT:
            node = at(&self.tree, index)
            if (
                leader == NULL or node.visits > leader.visits
                or node.visits == leader.visits
                and node.payoffs[state.player] > leader.payoffs[state.player]
            ) and action_of(state, node.key) >= 0:
                leader = node
                best = index
            index = node.next_sibling
        return best

    cdef void find_line(self) noexcept nogil:
        """Find the mover's best turn so far, down to the last node where it chooses."""
        cdef GameState state
        cdef uint64_t generator = self.generator
        cdef uint32_t node = ROOT
        cdef int action
        rules.copy(&state, &self.root)
        self.line_length = 0
        while self.line_length < LONGEST_TURN:
            node = self.best_child(&state, node)
            if node == ROOT:
                return
            action = action_of(&state, at(&self.tree, node).key)
            if action == END:
                return
            play(&state, action, &generator)
            self.line_actions[self.line_length] = action
            self.line_nodes[self.line_length] = node
            self.line_length += 1

    cdef list turn_from(self, uint32_t node):
        """The best rest of the turn that begins with a child of the root, or with any for ROOT."""
        cdef GameState state
        cdef uint64_t generator = self.generator
        cdef uint16_t legal[ACTION_COUNT]
        cdef int action = -1
        cdef bint known = True
        cdef list turn = []
        rules.copy(&state, &self.root)
        if node == ROOT:
            node = self.best_child(&state, ROOT)
        while action != END:
            known = known and node != ROOT
            if known:
                action = action_of(&state, at(&self.tree, node).key)
            elif rules.is_legal(&state, END):
                action = END
            else:
                rules.legal_actions(&state, legal)
                action = legal[0]
            turn.append(self.layout.actions[action])
            play(&state, action, &generator)
            if known:
                node = self.best_child(&state, node)
        return turn

    cdef list variation_from(self, uint32_t node):
        """The most visited line from a child of the root on, until a draw decides."""
        cdef GameState state
        cdef uint64_t generator = self.generator
        cdef int action
        cdef bint drawn = False
        cdef list line = []
        rules.copy(&state, &self.root)
        while node != ROOT and len(line) < LONGEST_VARIATION:
            action = action_of(&state, at(&self.tree, node).key)
            if drawn and FIRST_LONGSHIP <= action < FIRST_TROPHY:
                break
            drawn = drawn or rules.reveals(&state, action)
            line.append(self.layout.actions[action])
            play(&state, action, &generator)
            node = self.best_child(&state, node) if state.phase != rules.OVER else <uint32_t>ROOT
        return line

    def turn(self):
        """Give the best rest of the turn; where nothing was searched, the first legal steps."""
        self.check_idle()
        return self.turn_from(ROOT)

    def candidates(self):
        """Give a tuple of values for each child of the root, best first, in `Candidate`'s order."""
        cdef uint32_t index = at(&self.tree, ROOT).first_child
        cdef int action, count = self.first.count or rules.legal_count(&self.root)
        cdef double chance
        cdef Node *node
        self.check_idle()
        ranked = []
        while index != ROOT:
            node = at(&self.tree, index)
            ranked.append((node.visits, node.payoffs[self.root.player], index))
            index = node.next_sibling
        found = []
        for _, _, index in sorted(ranked, reverse=True):
            node = at(&self.tree, index)
            action = action_of(&self.root, node.key)
            chance = node.wins / node.visits
            found.append((
                self.layout.actions[action], self.turn_from(index), node.visits, chance,
                node.leads / node.visits, 1.0 / count,
                sqrt(max(chance * (1.0 - chance), 0.0) / node.visits), self.variation_from(index),
            ))
        return found

    def is_settled(self, left):
        """Tell whether no other step of the best turn can be chosen after so many simulations.

        At each of its nodes the most visited step is compared with the others.
        """
        cdef GameState state
        cdef uint64_t generator = self.generator
        cdef uint32_t node = ROOT, best, index
        self.check_idle()
        rules.copy(&state, &self.root)
        while state.player == self.root.player and state.phase != rules.OVER:
            best = self.best_child(&state, node)
            if best == ROOT:
                return False
            index = at(&self.tree, node).first_child
            while index != ROOT:
                if index != best and at(&self.tree, index).visits + left >= (
                    at(&self.tree, best).visits
                ):
                    return False
                index = at(&self.tree, index).next_sibling
            if at(&self.tree, best).key == END:
                return True
            play(&state, action_of(&state, at(&self.tree, best).key), &generator)
            node = best
        return True

    def expected_scores(self):
        """Give the mean final score of each seat."""
        cdef uint64_t visits = at(&self.tree, ROOT).visits
        self.check_idle()
        return [self.scores[player] / visits for player in range(self.root.players)]

    def score_spreads(self):
        """Give the standard deviation of the final score of each seat."""
        cdef uint64_t visits = at(&self.tree, ROOT).visits
        cdef list means = self.expected_scores()
        return [
            sqrt(max(self.score_squares[player] / visits - means[player] * means[player], 0.0))
            for player in range(self.root.players)
        ]

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
        """Steps of the longest line in the tree."""
        return self.deepest
