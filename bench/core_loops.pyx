"""Loops over the compiled rules, so that the time of one step can be told without Python's."""

cimport cython
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport free, malloc

from looot_core cimport rules
from looot_core.rules cimport NO_DRAW, GameState
from looot_core.state cimport State

cdef enum:
    MOST_ACTIONS = 400  # of a game; with 4 players they are about 250
    COPIED = 16         # states copied in turn, as in plain_cpp/measure.hpp

cdef struct Step:
    int16_t action
    int16_t draw


cdef inline Step random_step(GameState *state, uint64_t *generator) noexcept nogil:
    """Choose an action uniformly, and what it reveals; play both."""
    cdef Step step
    step.action = <int16_t>rules.random_action(state, generator)
    step.draw = NO_DRAW
    if rules.reveals(state, step.action):
        step.draw = <int16_t>rules.random_draw(state, generator)
    rules.apply(state, step.action, step.draw)
    return step


def state_bytes(State state):
    """Give the size of what is copied of a state."""
    return rules.state_size(&state.game)


def play(State start, int games, uint64_t seed):
    """Play games to the end action by action, as an agent would; give the number of actions."""
    cdef GameState state
    cdef int _game
    cdef long actions = 0
    with nogil:
        for _game in range(games):
            rules.copy(&state, &start.game)
            while state.phase != rules.OVER:
                random_step(&state, &seed)
                actions += 1
    return actions


@cython.final
cdef class RecordedGames:
    """Random games from one start, played beforehand.

    Parameters
    ----------
    start : State
    games : int
    seed : int
    """

    cdef State start
    cdef Step *steps
    cdef readonly int games
    cdef readonly Py_ssize_t actions

    def __cinit__(self, State start, int games, uint64_t seed):
        cdef GameState state
        cdef int _game
        self.start = start
        self.games = games
        self.steps = <Step *>malloc(games * MOST_ACTIONS * sizeof(Step))
        if self.steps == NULL:
            raise MemoryError
        for _game in range(games):
            rules.copy(&state, &start.game)
            while state.phase != rules.OVER:
                self.steps[self.actions] = random_step(&state, &seed)
                self.actions += 1

    def __dealloc__(self):
        free(self.steps)

    def apply_all(self):
        """Play all of them again; give a sum of the scores of seat 0."""
        cdef GameState state
        cdef int _game
        cdef long scores = 0
        cdef const Step *step = self.steps
        with nogil:
            for _game in range(self.games):
                rules.copy(&state, &self.start.game)
                while state.phase != rules.OVER:
                    rules.apply(&state, step.action, step.draw)
                    step += 1
                scores += state.seats[0].score
        return scores


def copy_states(list states, int rounds):
    """Copy 16 states to 16 others, in so many rounds."""
    cdef GameState sources[COPIED]
    cdef GameState copies[COPIED]
    cdef int n, _turn
    for n in range(COPIED):
        rules.copy(&sources[n], &(<State?>states[n % len(states)]).game)
    with nogil:
        for _turn in range(rounds):
            for n in range(COPIED):
                rules.copy(&copies[n], &sources[n])
    return copies[rounds % COPIED].turn_number
