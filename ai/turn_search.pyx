"""Information set Monte Carlo tree search on whole turns, led by the learned evaluation.

- One tree serves all seats, for every move is public; each simulation deals the bag anew. A turn
  names a longship by its tile, and competes only where that tile lies on the ocean in the deal at
  hand; its exploration term counts those visits (`Node.available`; Cowling, Powley, Whitehouse,
  "Information Set Monte Carlo Tree Search", 2012).
- Turns are found by `ai.turns`. A node begins with few of them and looks wider the more often it is
  visited. Where the deal shows a longship that it has not been looked at with, and that the mover
  fills at once or nearly, it is looked at for that one, less widely: deals show new ones often.
- A turn is looked beyond after a few visits only: to look for turns takes longer than to value a
  leaf, and each visit draws and plays out anew.
- Selection is PUCT (Rosin, "Multi-armed bandits with episode context", 2011): the prior of a turn
  is a softmax over the final scores that the seat network forecasts at the turns' ends, and at
  the root over the leads that the table network forecasts.
- A leaf lies at a turn's end. What it is worth to select by is the mean of the evaluation's
  forecast and one playout by rules of thumb (`ai.playout`), whose errors are others; what the
  search tells of it is the forecast alone, which is unbiased. The last turn of a game is solved.
- Values are vectors over seats; the seat to move looks at its own (max^n).
- Threads share the tree (tree parallelism with one lock, and virtual loss to spread them): the lock
  is held on the way down and for the note on the way up, not while turns are found, a last turn is
  solved or a state is valued.
- Memory is bounded: a full tree is pruned (`ai.turn_tree.prune`). A later position of the game may
  become the root (`TurnSearch.follow`).
"""

from libc.math cimport sqrt
from libc.stdlib cimport free
from libc.string cimport memcmp
from libc.stdint cimport uint16_t, uint32_t, uint64_t

cimport cython

from looot_core.errors import LoootError

from ai.evaluation cimport (
    Evaluation, Forecast, evaluate, expected_lead, exponential, shares_of,
)
from ai.later cimport NOWHERE, find_later
from ai.last_turn cimport Solution, is_last_turn, solve_last_turn
from ai.pieces cimport promising_tiles
from ai.playout cimport play_out
from ai.search_parameters cimport LONGEST_PATH, read_parameters
from ai.turn_answers cimport TurnAnswers
from ai.turn_tree cimport (
    ROOT, Node, add_child, at, depth_below, fell, plant, prune, steps_of, take_root,
)
from ai.turns cimport (
    FirstActions, can_play, find_first_turns, find_turns, narrow_width, new_workspace, play_turn,
    rank_by_lead, read_first_actions, width_of,
)
from ai.workspace cimport EVERY_TILE, MOST_LEVEL, Turn, Width, Workspace
from looot_core cimport rules
from looot_core.rules cimport GameState
from looot_core.state cimport State
from looot_core.tables cimport MAX_PLAYERS, NOTHING, SLOTS

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_mutex_t:
        pass
    int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
    int pthread_mutex_destroy(pthread_mutex_t *mutex)
    int pthread_mutex_lock(pthread_mutex_t *mutex)
    int pthread_mutex_unlock(pthread_mutex_t *mutex)

cdef enum:
    MOST_THREADS = 64

GOLDEN = 0x9E3779B97F4A7C15  # sets the generators of the threads apart

cdef struct Worker:
    # What one thread searches with.
    Workspace *workspace
    uint64_t generator


@cython.final
cdef class TurnSearch(TurnAnswers):
    """The search of one position; one call at a time, which may use several threads.

    Parameters
    ----------
    state : State
        With a player to move; it is not kept.
    evaluation : Evaluation
    seed : int
    memory : int
        Most bytes of the tree.
    threads : int, optional
        Threads that search the one tree.
    first_actions : list of int, optional
        Indices of the legal first actions to choose among.
    **parameters
        Values for `Parameters` (`ai/search_parameters.pxd`), for those who measure them.

    Raises
    ------
    LoootError
        If the game is over, or there are too many threads; by its methods, during another call.
    """

    cdef FirstActions first
    cdef pthread_mutex_t mutex       # held while the tree is read or changed
    cdef uint64_t started            # simulations, finished or not
    cdef Worker workers[MOST_THREADS]

    def __cinit__(
        self, State state not None, Evaluation evaluation not None, seed, memory, threads=1,
        first_actions=None, **given,
    ):
        cdef int n
        pthread_mutex_init(&self.mutex, NULL)
        if state.game.phase == rules.OVER:
            raise LoootError("state: the game is over, so there is nothing to search (R19)")
        if not 1 <= threads <= MOST_THREADS:
            raise LoootError(f"threads: {threads} is not from 1 to {MOST_THREADS}")
        rules.copy(&self.root, &state.game)
        self.layout = state.layout
        self.evaluation = evaluation
        self.parameters = read_parameters(given)
        read_first_actions(first_actions, &self.first)
        if not plant(&self.tree, memory):
            raise MemoryError
        for n in range(threads):
            self.workers[n].generator = (seed + n * GOLDEN) & ((1 << 64) - 1)
            self.workers[n].workspace = new_workspace()
            if self.workers[n].workspace == NULL:
                raise MemoryError
            self.thread_count = n + 1

    def __dealloc__(self):
        cdef int n
        fell(&self.tree)
        for n in range(self.thread_count):
            free(self.workers[n].workspace)
        pthread_mutex_destroy(&self.mutex)

    def follow(self, State state not None):
        """Go on from a later position of the game, with what the tree knows of it.

        The mover must be the same, for some sums of a node are from its side. What was found out
        below the position before its longships were revealed stays, for better or worse: those
        simulations drew others as well.

        Returns
        -------
        int
            The visits that are kept; 0 if there are none, and then the search is as it was.
        """
        cdef long long index
        self.check_idle()
        if state.layout is not self.layout or state.game.player != self.root.player:
            return 0
        index = find_later(&self.tree, &self.root, &state.game)
        if (
            index == NOWHERE or index == ROOT and self.first.count
            or not at(&self.tree, <uint32_t>index).visits
        ):
            return 0
        if index != ROOT:
            take_root(&self.tree, <uint32_t>index)
            rules.copy(&self.root, &state.game)
            self.first.count = 0
            at(&self.tree, ROOT).level = 0  # it is looked at anew, with the longships now there
        self.started = self.simulated = 0
        self.deepest = depth_below(&self.tree, ROOT)
        return at(&self.tree, ROOT).visits

    cdef void begin(
        self, int thread, const volatile int *flag, uint64_t end, bint processor_time
    ) noexcept nogil:
        """Let a wide look for turns be given up when the search is to end."""
        self.workers[thread].workspace.stop = flag
        self.workers[thread].workspace.end = end
        self.workers[thread].workspace.processor_time = processor_time

    cdef bint simulate(self, int thread, uint64_t most) noexcept nogil:
        """Go down the tree to a turn seldom visited yet, value it and note that on the way.

        The tree is locked on the way down and for the note; turns are found and states valued
        while other threads use it. A turn on the way of another thread counts as one more visit
        that lost, so that threads spread out (virtual loss; Chaslot, Winands, van den Herik,
        "Parallel Monte-Carlo Tree Search", 2008). False if there have been enough simulations.
        """
        cdef Worker *worker = &self.workers[thread]
        cdef GameState state
        cdef Forecast forecast, judged
        cdef Solution solution
        cdef Width width
        cdef uint32_t path[LONGEST_PATH]
        cdef uint32_t child, tiles
        cdef uint64_t deal = worker.generator
        cdef int length = 1
        cdef bint last = False
        cdef Node *node
        pthread_mutex_lock(&self.mutex)
        if self.started >= most:
            pthread_mutex_unlock(&self.mutex)
            return False
        self.started += 1
        rules.copy(&state, &self.root)
        path[0] = ROOT
        while state.phase != rules.OVER and length <= self.parameters.turns_deep:
            node = at(&self.tree, path[length - 1])
            if length > 1:
                last = self.parameters.last_turn_work > 0 and is_last_turn(&state)
                if last or node.visits < self.parameters.expansion_threshold:
                    break
            tiles = self.due(node, path[length - 1], &state, &width)
            while tiles:
                pthread_mutex_unlock(&self.mutex)
                if length == 1:
                    find_first_turns(
                        worker.workspace, &self.evaluation.weights, &state, &width, &self.first
                    )
                    rank_by_lead(worker.workspace, &self.evaluation.weights, &state)
                else:
                    find_turns(worker.workspace, &self.evaluation.weights, &state, &width, tiles)
                pthread_mutex_lock(&self.mutex)
                self.add_turns(path[length - 1], worker.workspace)
                tiles = self.due(node, path[length - 1], &state, &width)
            child = self.select(path[length - 1], &state)
            if child == ROOT:
                break
            node = at(&self.tree, child)
            node.pending += 1
            play_turn(&state, steps_of(&self.tree, node), node.length, &worker.generator)
            path[length] = child
            length += 1
        self.deepest = max(self.deepest, length - 1)
        pthread_mutex_unlock(&self.mutex)
        if last:
            solve_last_turn(
                &state, self.parameters.last_turn_work, worker.workspace, &solution
            )
            play_turn(&state, solution.steps, solution.length, &worker.generator)
        evaluate(&self.evaluation.weights, &state, &forecast)
        judged = forecast
        if self.parameters.playout > 0 and state.phase != rules.OVER:
            self.mix_with_playout(&state, &judged, &worker.generator)
        if self.parameters.one_deal:
            worker.generator = deal
        pthread_mutex_lock(&self.mutex)
        self.note_result(&state, &forecast, &judged, path, length)
        self.simulated += 1
        pthread_mutex_unlock(&self.mutex)
        return True

    cdef void mix_with_playout(
        self, const GameState *state, Forecast *forecast, uint64_t *generator
    ) noexcept nogil:
        """Move the forecast of a leaf towards the end of one playout by rules of thumb."""
        cdef GameState end
        cdef int player
        rules.copy(&end, state)
        play_out(&end, generator)
        for player in range(state.players):
            forecast.scores[player] += self.parameters.playout * (
                end.seats[player].score - forecast.scores[player]
            )
        shares_of(&self.evaluation.weights, state, forecast.scores, forecast.shares)

    cdef uint32_t due(
        self, Node *node, uint32_t index, const GameState *state, Width *width
    ) noexcept nogil:
        """Give the longships with which turns are to be looked for now, or 0.

        EVERY_TILE at first and when it is time to look wider. Else one that the node does not know
        and that is promising, for a look less wide than the last one; others are passed over.
        """
        cdef uint32_t tiles = 0, fresh, promising, tile
        cdef int slot, level
        for slot in range(SLOTS):
            if state.ocean[slot] != NOTHING:
                tiles |= <uint32_t>1 << state.ocean[slot]
        fresh = tiles & ~node.known
        if not node.level:
            level = self.parameters.root_level if index == ROOT else self.parameters.leaf_level
        elif node.level <= MOST_LEVEL and node.visits >= (
            <uint64_t>self.parameters.widening << (2 * (node.level - 1))
        ):
            level = node.level
        elif fresh:
            promising = promising_tiles(state, fresh)
            tile = promising & (0 - promising)  # one at a time
            node.known |= fresh & ~promising | tile
            if node.level == 1:
                narrow_width(width)
            else:
                width_of(node.level - 2, width)
            return tile
        else:
            return 0
        width_of(level, width)
        node.level = <unsigned char>(level + 1)
        node.known |= tiles
        return EVERY_TILE

    cdef void add_turns(self, uint32_t parent, const Workspace *workspace) noexcept nogil:
        """Add the turns that were found and are not there yet; at the root, rate all anew."""
        cdef const Turn *turn
        cdef Node *node
        cdef uint32_t index, oldest = at(&self.tree, parent).first_child
        cdef double reference
        cdef int n
        if workspace.turn_count == 0:
            return
        reference = workspace.turns[0].forecast
        index = oldest
        while index != ROOT and parent != ROOT:
            node = at(&self.tree, index)
            if node.next_sibling == ROOT:
                reference = node.forecast  # the first that was added was the best then
            index = node.next_sibling
        for n in range(workspace.turn_count):
            turn = &workspace.turns[n]
            index = oldest
            while index != ROOT:
                node = at(&self.tree, index)
                if node.length == turn.length and memcmp(
                    steps_of(&self.tree, node), turn.steps, turn.length * sizeof(uint16_t)
                ) == 0:
                    break
                index = node.next_sibling
            if index != ROOT and parent != ROOT:
                continue
            if index == ROOT:
                index = add_child(&self.tree, parent, turn.steps, turn.length)
                if index == ROOT and prune(&self.tree, workspace):
                    index = add_child(&self.tree, parent, turn.steps, turn.length)
                if index == ROOT:
                    return
            node = at(&self.tree, index)
            node.forecast = turn.forecast
            node.weight = self.weight_of(turn.forecast - reference)

    cdef float weight_of(self, double difference) noexcept nogil:
        """The prior of a turn, undivided, by its forecast less that of the best at first."""
        difference /= self.parameters.temperature
        if difference <= 0:
            return <float>exponential(difference)
        return <float>(1.0 / exponential(-min(difference, 3.0)))

    cdef uint32_t select(self, uint32_t parent, const GameState *state) noexcept nogil:
        """Give the child to go to, or ROOT if there is none."""
        cdef Node *above = at(&self.tree, parent)
        cdef uint32_t index = above.first_child, best = ROOT
        cdef Node *node
        cdef double total = 0.0, seen = 0.0, value, best_value = -1e30, unvisited, average
        cdef double exploration = self.parameters.exploration
        cdef uint32_t visits
        cdef int player = state.player
        while index != ROOT:
            node = at(&self.tree, index)
            node.length = node.length & 0x7FFF
            if can_play(state, steps_of(&self.tree, node), node.length):
                node.available += 1
                total += node.weight
                if node.visits:
                    seen += node.weight
            else:
                node.length |= 0x8000  # marks what is not legal in this deal
            index = node.next_sibling
        if total == 0.0:
            index = above.first_child
            while index != ROOT:
                at(&self.tree, index).length &= 0x7FFF
                index = at(&self.tree, index).next_sibling
            return ROOT
        average = above.payoffs[player] / max(above.visits, <uint32_t>1)
        unvisited = average - self.parameters.reduction * sqrt(seen / total)
        index = above.first_child
        while index != ROOT:
            node = at(&self.tree, index)
            if node.length & 0x8000:
                node.length &= 0x7FFF
            else:
                visits = node.visits + node.pending
                value = node.payoffs[player] / visits if visits else unvisited
                value += exploration * (node.weight / total) * sqrt(<double>node.available) / (
                    1.0 + visits
                )
                if value > best_value:
                    best_value = value
                    best = index
            index = node.next_sibling
        return best

    cdef void note_result(
        self, const GameState *state, const Forecast *forecast, const Forecast *judged,
        const uint32_t *path, int length
    ) noexcept nogil:
        """Add a forecast to the nodes of a path, and the payoffs of what it was judged to be."""
        cdef double payoffs[MAX_PLAYERS]
        cdef double lead = expected_lead(forecast, state.players, self.root.player), judged_lead
        cdef int player, n
        cdef Node *node
        for player in range(state.players):
            judged_lead = expected_lead(judged, state.players, player)
            payoffs[player] = self.parameters.share * judged.shares[player] + (
                1.0 - self.parameters.share
            ) * 0.5 * (
                1.0 + judged_lead / (self.parameters.half_lead + abs(judged_lead))
            )
        for n in range(length):
            node = at(&self.tree, path[n])
            node.visits += 1
            node.pending -= n > 0
            node.share += forecast.shares[self.root.player]
            node.lead += lead
            node.lead_squares += lead * lead
            for player in range(state.players):
                node.payoffs[player] += payoffs[player]
                node.scores[player] += forecast.scores[player]
