# cython: boundscheck=True
"""The state of a game: the Python class around the compiled rules, and the only one that checks."""

import numpy as np

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from looot_core cimport rules
from looot_core.actions cimport Action
from looot_core.rules cimport ACTION_COUNT, GameState, NO_DRAW
from looot_core.state_view cimport (
    begin_with_sites, breakdown_of, landing_hexes, lay_out, position_of, unseen_longships,
)
from looot_core.tables cimport LONGSHIPS, SLOTS

from looot_core.actions import layout_of
from looot_core.components import Longship, SCORED_KINDS  # no-cython-lint: is asked for here
from looot_core.errors import (
    IllegalActionError, InvalidPositionError, LoootError, shorten,
)
from looot_core.generator import check_seed, fresh_seed
from looot_core.plain import text_of
from looot_core.position import Position
from looot_core.position_parsing import parse_position
from looot_core.position_rules import check_position
from looot_core.refusals import explain
from looot_core.setup import checked_anew
from looot_core.state_view import PHASES
from looot_core.text import draw_text

LARGEST_BATCH = 100_000_000

cdef enum:
    GAMES_UNINTERRUPTED = 1000  # some milliseconds

# In place of a set-up: the maker fills the state. Not to be reached from Python, where no state may
# be without its tables.
cdef object BARE = object()


@cython.no_gc  # it takes part in no cycle, and cannot be come upon half made
@cython.final
cdef class State:
    """A game in progress.

    Parameters
    ----------
    setup : GameSetup
        Its bag gives the draws in order; without one they are drawn uniformly from what is
        unseen, by a generator with the set-up's seed, or a fresh one where that is missing too.

    Raises
    ------
    InvalidSetupError
        If `setup` is not a `GameSetup`.

    Notes
    -----
    Not to be shared between threads; clones may be used in other threads. Seats count from 0.
    """

    def __cinit__(self, setup):
        cdef int slot, number
        memset(&self.game, 0, sizeof(GameState))
        self.history = NULL
        if setup is BARE:
            return
        setup = checked_anew(setup)
        self.layout = layout_of(setup.landscape, setup.edition)
        self.site_tiles = setup.sites
        begin_with_sites(&self.game, self.layout, self.site_tiles)
        numbers = self.layout.longship_numbers
        self.game.unseen = (1 << LONGSHIPS) - 1
        for slot in range(SLOTS):
            number = numbers[setup.ocean_longships[slot]]
            self.game.ocean[slot] = number
            self.game.unseen ^= 1 << number
        if setup.bag is not None:
            self.bag = tuple([numbers[text] for text in setup.bag])
        self.generator = fresh_seed() if setup.seed is None else setup.seed

    def __dealloc__(self):
        free(self.history)

    # What everybody sees

    @property
    def _layout(self):
        """For `looot_core.actions`, which is compiled without this module."""
        return self.layout

    @property
    def landscape(self):
        """The landscape: a `Landscape`."""
        return self.layout.landscape

    @property
    def edition(self):
        """Name of the edition: ``"rulebook"`` or ``"printed"``."""
        return self.layout.edition.name

    @property
    def players(self):
        """Number of seats, 2 to 4."""
        return self.game.players

    @property
    def current_player(self):
        """Seat whose turn it is; after the end the seat that moved last."""
        return self.game.player

    @property
    def phase(self):
        """What the current player does next, a `Phase`."""
        return PHASES[self.game.phase]

    @property
    def is_over(self):
        """Whether the game has ended (R19)."""
        return self.game.phase == rules.OVER

    @property
    def turn_number(self):
        """Turns of all seats before this one, from 0; after the end, turns played."""
        return self.game.turn_number

    @property
    def sites(self):
        """Construction sites of each seat: what fills its port, altar and jarl palace."""
        return self.site_tiles

    @property
    def unseen(self):
        """Longships not yet revealed, in the edition's order: the set, for the order is hidden."""
        return unseen_longships(&self.game, self.layout)

    def landing_spaces(self):
        """Spaces for an ordinary viking now (R6), as sorted axial (q, r) pairs."""
        return landing_hexes(&self.game, self.layout)

    def legal_actions(self):
        """Give the legal actions, sorted by index; none when the game is over."""
        cdef uint16_t actions[ACTION_COUNT]
        cdef int n, count = rules.legal_actions(&self.game, actions)
        cdef tuple known = self.layout.actions
        return [known[actions[n]] for n in range(count)]

    def legal_mask(self):
        """Give the legal actions as numpy uint8 of shape (501,): 1 where the index is legal."""
        cdef uint16_t actions[ACTION_COUNT]
        cdef int n, count = rules.legal_actions(&self.game, actions)
        cdef bytearray mask = PyByteArray_FromStringAndSize(NULL, ACTION_COUNT)
        cdef char *marks = PyByteArray_AS_STRING(mask)
        memset(marks, 0, ACTION_COUNT)
        for n in range(count):
            marks[actions[n]] = 1
        return np.frombuffer(mask, np.uint8)

    # Playing

    cdef int drawn_by(self, draw) except -2:
        """The number of the longship given as a draw, or NO_DRAW. Runs code of a draw's fields."""
        if draw is None:
            return NO_DRAW
        try:
            text = text_of(str(draw) if type(draw) is Longship else draw)
        except Exception:  # whatever has been made of its fields
            text = None
        number = self.layout.longship_numbers.get(text)
        if number is None:
            raise IllegalActionError(
                f"draw: {shorten(draw)} is no longship of the edition {self.edition} (R4)"
            )
        return number

    cdef int next_draw(self) except -2:
        """The longship that is drawn next, or NO_DRAW when the bag is empty."""
        cdef int number
        if self.bag is None:
            return rules.random_draw(&self.game, &self.generator)
        for number in self.bag:  # what was entered out of order is left out
            if self.game.unseen >> number & 1:
                return number
        raise AssertionError("the bag does not hold what is unseen")

    cdef int index_of(self, action) except -1:
        """The number of an action that must be legal now."""
        if type(action) is not Action:
            raise IllegalActionError(
                f"action: {shorten(action)} is not an Action; make one with"
                " Action.parse(text, state) or Action.from_index(number, state)"
            )
        cdef Action chosen = action
        if chosen.layout is not self.layout and chosen != self.layout.actions[chosen.index]:
            raise IllegalActionError(f"action: '{chosen}' belongs to another landscape or edition")
        if not rules.is_legal(&self.game, chosen.index):
            raise IllegalActionError(explain(self, chosen))
        return chosen.index

    cdef int remember_room(self) except -1:
        """Make room for one more step to undo."""
        cdef Step *history
        cdef Py_ssize_t room
        if self.history_length == self.history_room:
            room = 2 * self.history_room if self.history_room else 16
            history = <Step *>realloc(self.history, room * sizeof(Step))
            if history == NULL:
                raise MemoryError
            self.history = history
            self.history_room = room
        return 0

    def apply(self, action, draw=None):
        """Play an action.

        Parameters
        ----------
        action : Action
            One of `legal_actions()`.
        draw : str or Longship, optional
            The longship that the table revealed, when the action takes one. Without it the
            state draws from its own source.

        Raises
        ------
        IllegalActionError
            If the action is not legal, or the draw not possible; the state is unchanged.
        """
        cdef int drawn = self.drawn_by(draw)
        cdef int index = self.index_of(action)
        # From here on no code runs but the engine's.
        cdef bint reveals = rules.reveals(&self.game, index)
        if drawn != NO_DRAW and not reveals:
            raise IllegalActionError(
                f"draw: {shorten(draw)} was given, but this action reveals no longship (R13)"
            )
        if drawn != NO_DRAW and not self.game.unseen >> drawn & 1:
            raise IllegalActionError(f"draw: {shorten(draw)} is not in the bag any more (R13)")
        self.remember_room()
        cdef Step *step = &self.history[self.history_length]
        step.generator = self.generator
        if reveals and drawn == NO_DRAW:
            drawn = self.next_draw()
        rules.apply_recorded(&self.game, index, drawn, &step.undo)
        self.history_length += 1

    def undo(self):
        """Take back the last action, and the draw it made.

        Raises
        ------
        IllegalActionError
            If nothing has been played in this state (a clone starts without a history).
        """
        if not self.history_length:
            raise IllegalActionError("undo: nothing has been played in this state")
        self.history_length -= 1
        rules.undo(&self.game, &self.history[self.history_length].undo)
        self.generator = self.history[self.history_length].generator

    def reveals(self, action):
        """Say whether a legal action takes a longship whose place is filled from the bag (R13).

        Parameters
        ----------
        action : Action
            One of `legal_actions()`.

        Returns
        -------
        bool
            Whether `apply` draws a longship, or takes the one given as `draw`.

        Raises
        ------
        IllegalActionError
            If the action is not legal.
        """
        return rules.reveals(&self.game, self.index_of(action))

    cdef State bare_copy(self):
        """A copy that draws from no bag, by a generator that the caller is to seed."""
        cdef State twin = State.__new__(State, BARE)
        rules.copy(&twin.game, &self.game)
        twin.layout = self.layout
        twin.site_tiles = self.site_tiles
        return twin

    def clone(self):
        """Give an independent copy with the same source of draws and without the history."""
        cdef State twin = self.bare_copy()
        twin.bag = self.bag
        twin.generator = self.generator
        return twin

    def hash(self):
        """64-bit hash: equal for equal positions, the same on every little-endian machine."""
        return rules.state_hash(&self.game)

    def random_playout(self, seed=None):
        """Play a copy to the end, uniform over legal actions and draws, and give the scores.

        Parameters
        ----------
        seed : int, optional
            From 0 to 2^64 - 1; by default a fresh one.

        Returns
        -------
        list of int
            Final score of each seat.

        Raises
        ------
        LoootError
            If the seed is no such number.
        """
        return self.random_playouts(1, seed)[0].tolist()

    @cython.boundscheck(False)  # every entry of the new array is written once
    def random_playouts(self, n, seed=None):
        """Play `n` games to the end like `random_playout`, one after another from one generator.

        Other threads may run meanwhile. Ctrl-C ends it.

        Parameters
        ----------
        n : int
            From 0 to 100,000,000.
        seed : int, optional
            From 0 to 2^64 - 1; by default a fresh one.

        Returns
        -------
        numpy.ndarray
            int32 of shape (n, players): the final scores.

        Raises
        ------
        LoootError
            If an argument is out of its range.
        """
        if type(n) is not int or not 0 <= n <= LARGEST_BATCH:
            raise LoootError(f"n: {shorten(n)} is not an integer from 0 to {LARGEST_BATCH}")
        cdef uint64_t generator = fresh_seed() if seed is None else check_seed(seed)
        cdef Py_ssize_t game, first, count = n
        cdef int player
        cdef GameState start, playing
        scores = np.empty((n, self.game.players), dtype=np.int32)
        cdef int32_t[:, ::1] view = scores
        # Copied while no other thread can change it.
        rules.copy(&start, &self.game)
        for first in range(0, count, GAMES_UNINTERRUPTED):
            PyErr_CheckSignals()
            with nogil:
                for game in range(first, min(first + GAMES_UNINTERRUPTED, count)):
                    rules.copy(&playing, &start)
                    rules.playout(&playing, &generator)
                    for player in range(playing.players):
                        view[game, player] = playing.seats[player].score
        return scores

    def scores(self):
        """Give the score of each seat as the boards are now (R20)."""
        cdef int player
        return [self.game.seats[player].score for player in range(self.game.players)]

    def score_breakdown(self, player):
        """Say what the score of a seat is made of (R20).

        Parameters
        ----------
        player : int
            The seat.

        Returns
        -------
        dict
            For each of castle, watchtower, house, gold, sheep and wood a dict of ``count``,
            ``value`` (points a tile) and ``points``; ``sites``, ``trophy`` in points; ``penalty``,
            which is subtracted; ``total``.

        Raises
        ------
        LoootError
            If there is no such seat.
        """
        if type(player) is not int or not 0 <= player < self.game.players:
            raise LoootError(
                f"player: {shorten(player)} is not a seat from 0 to {self.game.players - 1}"
            )
        return breakdown_of(&self.game, self.layout, player)

    def winners(self):
        """Give the seats that have won, several for a shared victory (R21); none before the end."""
        if not self.is_over:
            return []
        cdef int player
        cdef uint64_t seats = rules.winners(&self.game)
        return [player for player in range(self.game.players) if seats >> player & 1]

    # Positions

    def position(self):
        """Give everything a player may see, as a `Position`."""
        return position_of(&self.game, self.layout, self.site_tiles, self.bare_copy())

    @staticmethod
    def from_position(position, seed=None):
        """Make a state from what everybody sees; its draws are uniform over what is unseen.

        Parameters
        ----------
        position : Position
        seed : int, optional
            Of the generator that draws, from 0 to 2^64 - 1; without it, a fresh one.

        Returns
        -------
        State

        Raises
        ------
        InvalidPositionError
            If `position` is not a `Position`, made by `position()` or `Position.from_dict`.
        LoootError
            If the seed is no such number.
        """
        if type(position) is not Position:
            hint = "; use state.position()" if type(position) is State else ""
            raise InvalidPositionError(f"position: {shorten(position)} is not a Position{hint}")
        # The position's fields are not read: they are for people, and may have been meddled with.
        kept = getattr(position, "_state", None)
        if type(kept) is not State:
            raise InvalidPositionError("position: made neither from a state nor by from_dict")
        cdef State state = (<State>kept).bare_copy()
        state.generator = fresh_seed() if seed is None else check_seed(seed)
        return state

    def __reduce__(self):
        return _restore, (self.position(), self.generator, self.bag)

    def __str__(self):
        return draw_text(self.position())

    def __repr__(self):
        return (
            f"<State {self.edition}, {self.players} players, turn {self.turn_number}, "
            f"player {self.current_player}, {self.phase}>"
        )

    def _repr_svg_(self):
        from looot_core.svg import svg
        return svg(self)


def _restore(position, seed, bag):
    """Give the state again that was pickled."""
    cdef State state = State.from_position(position, seed)
    if bag is None:
        return state
    whole = type(bag) is tuple and all([type(n) is int and n in range(LONGSHIPS) for n in bag])
    if not whole or state.game.unseen & ~<uint32_t>sum({1 << n for n in bag}):
        raise InvalidPositionError(f"bag: {shorten(bag)} does not hold what is unseen (R4)")
    state.bag = bag
    return state


def read_position(data):
    """Read a position from its JSON form, check it, and give it the state that it stands for."""
    position = parse_position(data)
    check_position(position)
    cdef State state = State.__new__(State, BARE)
    state.layout = layout_of(position.landscape, position.edition)
    state.site_tiles = position.sites
    begin_with_sites(&state.game, state.layout, state.site_tiles)
    lay_out(&state.game, state.layout, position)
    return position._keeping(state)
