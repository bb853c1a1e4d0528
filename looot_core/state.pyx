"""The state of a game: the Python class around the compiled rules, and the only one that checks."""

import numpy as np

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from looot_core cimport rules
from looot_core.actions cimport Action
from looot_core.bits cimport bit, population
from looot_core.rules cimport ACTION_COUNT, GameState, NO_DRAW, Seat
from looot_core.tables cimport CELLS, LONGSHIPS, NOTHING, SLOTS, TILE_KINDS

from looot_core.actions import layout_of
from looot_core.components import (
    FJORD_CELLS, Longship, RESOURCES, SHIELDS, SITE_KINDS, SITE_VALUES, TILES, TROPHIES,
    UNFILLED_LONGSHIP_PENALTY,
)
from looot_core.errors import (
    IllegalActionError, InvalidPositionError, InvalidSetupError, LoootError, shorten,
)
from looot_core.generator import check_seed, fresh_seed
from looot_core.legality import explain
from looot_core.plain import text_of
from looot_core.position import Owed, Phase, Position, SeatPosition
from looot_core.setup import GameSetup
from looot_core.tables import site_tiles
from looot_core.text import draw_text

PHASES = tuple(Phase)
CELL_NAMES = [cell.name for cell in FJORD_CELLS]
CELL_NUMBERS = {name: number for number, name in enumerate(CELL_NAMES)}
SCORED_KINDS = ("castle", "watchtower", "house", "gold", "sheep", "wood")
LARGEST_BATCH = 100_000_000

# In place of a set-up: the maker fills the state. Not to be reached from Python, where no state may
# be without its tables.
cdef object BARE = object()


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
        memset(&self.game, 0, sizeof(GameState))
        self.history = NULL
        if setup is BARE:
            return
        if type(setup) is not GameSetup:
            raise InvalidSetupError(f"setup: {shorten(setup)} is not a GameSetup")
        self._begin(setup.landscape, setup.edition, setup.sites)
        numbers = self.layout.longship_numbers
        self.game.unseen = (1 << LONGSHIPS) - 1
        for slot, text in enumerate(setup.ocean_longships):
            self.game.ocean[slot] = numbers[text]
            self.game.unseen ^= 1 << <int>numbers[text]
        if setup.bag is not None:
            self.bag = tuple([numbers[text] for text in setup.bag])
        self.generator = fresh_seed() if setup.seed is None else setup.seed

    def __dealloc__(self):
        free(self.history)

    def _begin(self, landscape, edition, sites):
        cdef int number
        self.layout = layout_of(landscape, edition)
        self.site_tiles = sites
        rules.begin(&self.game, &self.layout.tables)
        numbered = {tile: number for number, tile in enumerate(site_tiles(self.layout.edition))}
        for player, tiles in enumerate(sites):
            for number, tile in enumerate(zip(SITE_KINDS, tiles)):
                self.game.seats[<int>player].piece[CELLS + number] = LONGSHIPS + <int>numbered[tile]

    # What everybody sees

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
        return tuple([
            str(longship)
            for number, longship in enumerate(self.layout.edition.longships)
            if self.game.unseen >> <int>number & 1
        ])

    def landing_spaces(self):
        """Spaces for an ordinary viking now (R6), as sorted axial (q, r) pairs."""
        cdef uint64_t spaces[2]
        rules.landing_spaces(&self.game, spaces)
        return [
            (space.q, space.r)
            for number, space in enumerate(self.layout.landscape.resource_spaces)
            if spaces[<int>number >> 6] >> (<int>number & 63) & 1
        ]

    def legal_actions(self):
        """Give the legal actions, sorted by index; none when the game is over."""
        cdef uint16_t actions[ACTION_COUNT]
        cdef int n, count = rules.legal_actions(&self.game, actions)
        cdef list known = self.layout.actions
        return [known[actions[n]] for n in range(count)]

    def legal_mask(self):
        """Give the legal actions as numpy uint8 of shape (501,): 1 where the index is legal."""
        cdef uint16_t actions[ACTION_COUNT]
        cdef int n, count = rules.legal_actions(&self.game, actions)
        mask = np.zeros(ACTION_COUNT, dtype=np.uint8)
        cdef uint8_t[::1] view = mask
        for n in range(count):
            view[actions[n]] = 1
        return mask

    # Playing

    cdef int next_draw(self, int action, draw) except -2:
        """The longship that a legal action reveals, or NO_DRAW."""
        if not rules.reveals(&self.game, action):
            if draw is not None:
                raise IllegalActionError(
                    f"draw: {shorten(draw)} was given, but this action reveals no longship (R13)"
                )
            return NO_DRAW
        cdef int number
        if draw is not None:
            text = str(draw) if type(draw) is Longship else text_of(draw)
            number = self.layout.longship_numbers.get(text, -1)
            if number < 0:
                raise IllegalActionError(
                    f"draw: {shorten(draw)} is no longship of the edition {self.edition} (R4)"
                )
            if not self.game.unseen >> number & 1:
                raise IllegalActionError(
                    f"draw: {shorten(draw)} is not in the bag any more (R13)"
                )
            return number
        if self.bag is None:
            return rules.random_draw(&self.game, &self.generator)
        for number in self.bag:  # what was entered out of order is left out
            if self.game.unseen >> number & 1:
                return number
        raise AssertionError("the bag of the set-up does not hold what is unseen")

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
        if type(action) is not Action:
            raise IllegalActionError(f"action: {shorten(action)} is not an Action")
        cdef Action chosen = action
        if chosen.layout is not self.layout and chosen != self.layout.actions[chosen.index]:
            raise IllegalActionError(f"action: '{chosen}' belongs to another landscape or edition")
        if not rules.is_legal(&self.game, chosen.index):
            raise IllegalActionError(explain(self, chosen))
        self.remember_room()
        cdef Step *step = &self.history[self.history_length]
        step.generator = self.generator
        cdef int drawn = self.next_draw(chosen.index, draw)
        rules.apply_recorded(&self.game, chosen.index, drawn, &step.undo)
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

    def clone(self):
        """Give an independent copy with the same source of draws and without the history."""
        cdef State twin = State.__new__(State, BARE)
        rules.copy(&twin.game, &self.game)
        twin.layout = self.layout
        twin.site_tiles = self.site_tiles
        twin.bag = self.bag
        twin.generator = self.generator
        return twin

    def hash(self):
        """64-bit hash: equal for equal positions, the same on every machine."""
        return rules.state_hash(&self.game)

    def random_playout(self, seed):
        """Play a copy to the end, uniform over legal actions and draws, and give the scores.

        Parameters
        ----------
        seed : int
            From 0 to 2^64 - 1.

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

    def random_playouts(self, n, seed):
        """Play `n` games to the end like `random_playout`, one after another from one generator.

        Parameters
        ----------
        n : int
            From 0 to 100,000,000.
        seed : int
            From 0 to 2^64 - 1.

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
        cdef uint64_t generator = check_seed(seed)
        cdef Py_ssize_t game, count = n
        cdef int player
        cdef GameState playing
        scores = np.empty((n, self.game.players), dtype=np.int32)
        cdef int32_t[:, ::1] view = scores
        with nogil:
            for game in range(count):
                rules.copy(&playing, &self.game)
                rules.playout(&playing, &generator)
                for player in range(playing.players):
                    view[game, player] = playing.seats[player].score
        return scores

    # Scores

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
        cdef const Seat *seat = &self.game.seats[<int>player]
        cdef int number, count
        breakdown = {}
        for kind in SCORED_KINDS:
            number = TILES.index(kind)
            count = population(seat.tiles[number])
            breakdown[kind] = {
                "count": count, "value": seat.value[number], "points": count * seat.value[number]
            }
        breakdown["sites"] = sum(
            SITE_VALUES[kind]
            for number, kind in enumerate(SITE_KINDS)
            if not seat.unfilled & bit(self.layout.tables.cell_bit[CELLS + number])
        )
        breakdown["trophy"] = TROPHIES.get(seat.trophy, 0)
        breakdown["penalty"] = UNFILLED_LONGSHIP_PENALTY * population(
            seat.unfilled & self.layout.tables.cells
        )
        breakdown["total"] = seat.score
        return breakdown

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
        cdef int number, shift
        cdef GameState *game = &self.game
        landscape = self.layout.landscape
        spaces = landscape.resource_spaces
        longships = self.layout.edition.longships
        vikings = {}
        for number in range(self.layout.tables.space_count):
            if game.occupied[number >> 6] >> (number & 63) & 1:
                vikings[spaces[number].q, spaces[number].r] = tuple([
                    <int>(game.seats[player].vikings[number >> 6] >> (number & 63) & 1)
                    + (game.seats[player].stacked_space == number)
                    for player in range(game.players)
                ])
        buildings = {}
        owed_buildings = {}
        for shift, space in enumerate(landscape.building_spaces):
            buildings[space.q, space.r] = <int>(game.stacks >> 2 * shift & 3)
            if game.owed_spaces >> 2 * shift & 3:
                owed_buildings[space.q, space.r] = <int>(game.owed_spaces >> 2 * shift & 3)
        owed_resources = {
            kind: <int>(game.owed >> 8 * <int>number & 255)
            for number, kind in enumerate(RESOURCES)
            if game.owed >> 8 * <int>number & 255
        }
        return Position._make(
            edition=self.edition,
            landscape=landscape,
            sites=self.site_tiles,
            seats=tuple([self._seat(player) for player in range(game.players)]),
            vikings=vikings,
            buildings=buildings,
            ocean_longships=tuple([
                None if game.ocean[number] == NOTHING else str(longships[game.ocean[number]])
                for number in range(SLOTS)
            ]),
            unseen=self.unseen,
            current_player=game.player,
            turn_number=game.turn_number,
            phase=self.phase,
            active_shields=_shields(game.active_shields),
            owed=Owed(owed_resources, owed_buildings),
            longship_taken=bool(game.longship_taken),
        )

    def _seat(self, int player):
        cdef Seat *seat = &self.game.seats[player]
        cdef int number, kind
        cdef uint64_t mark
        tiles = {}
        longships = {}
        for number in range(CELLS):
            mark = bit(self.layout.tables.cell_bit[number])
            if seat.piece[number] != NOTHING:
                longships[CELL_NAMES[number]] = str(
                    self.layout.edition.longships[seat.piece[number]]
                )
            elif not seat.empty & mark:
                for kind in range(TILE_KINDS):
                    if seat.tiles[kind] & mark:
                        tiles[CELL_NAMES[number]] = TILES[kind]
        return SeatPosition(
            vikings_in_hand=seat.in_hand,
            shields=_shields(seat.shields),
            tiles=tiles,
            longships=longships,
            trophy=seat.trophy,
        )

    @staticmethod
    def from_position(position, seed=None):
        """Make a state from what everybody sees; its draws are uniform over what is unseen.

        Parameters
        ----------
        position : Position
        seed : int, optional
            Of the generator that draws, from 0 to 2^64 - 1; without it, a fresh one.

        Raises
        ------
        InvalidPositionError
            If `position` is not a `Position`.
        LoootError
            If the seed is no such number.
        """
        if type(position) is not Position:
            raise InvalidPositionError(f"position: {shorten(position)} is not a Position")
        cdef State state = State.__new__(State, BARE)
        state.generator = fresh_seed() if seed is None else check_seed(seed)
        state._begin(position.landscape, position.edition, position.sites)
        state.game.stacks = 0
        state._place_seats(position)
        state._place_shared(position)
        rules.score_from_scratch(&state.game)
        return state

    def _place_seats(self, position):
        cdef Seat *seat
        cdef int player, number
        cdef uint64_t mark
        for player, public in enumerate(position.seats):
            seat = &self.game.seats[player]
            seat.in_hand = public.vikings_in_hand
            seat.shields = sum(1 << SHIELDS.index(shield) for shield in public.shields)
            seat.trophy = public.trophy
            if seat.trophy:
                self.game.trophies ^= 1 << (seat.trophy - 2)
            for name, kind in public.tiles.items():
                mark = bit(self.layout.tables.cell_bit[<int>CELL_NUMBERS[name]])
                seat.tiles[<int>TILES.index(kind)] |= mark
                seat.empty ^= mark
            for name, longship in public.longships.items():
                number = CELL_NUMBERS[name]
                seat.piece[number] = self.layout.longship_numbers[longship]
                seat.empty ^= bit(self.layout.tables.cell_bit[number])
        for space, counts in position.vikings.items():
            number = self.layout.space_numbers[space]
            for player, count in enumerate(counts):
                rules.restore_vikings(&self.game, <int>player, number, count)

    def _place_shared(self, position):
        cdef GameState *game = &self.game
        cdef int shift, number
        for shift, space in enumerate(self.layout.landscape.building_spaces):
            place = (space.q, space.r)
            game.stacks |= <uint64_t>position.buildings[place] << 2 * shift
            number = position.owed.buildings.get(place, 0)
            game.owed_spaces |= <uint64_t>number << 2 * shift
            game.owed += <uint64_t>number << 8 * <int>TILES.index(space.kind)
        for kind, owed in position.owed.resources.items():
            game.owed += <uint64_t>owed << 8 * <int>TILES.index(kind)
        for number, longship in enumerate(position.ocean_longships):
            if longship is not None:
                game.ocean[number] = self.layout.longship_numbers[longship]
        for longship in position.unseen:
            game.unseen |= 1 << <int>self.layout.longship_numbers[longship]
        game.player = position.current_player
        game.turn_number = position.turn_number
        game.phase = PHASES.index(position.phase)
        game.active_shields = sum(1 << SHIELDS.index(shield) for shield in position.active_shields)
        game.longship_taken = position.longship_taken

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


cdef _shields(int shields):
    return tuple([name for number, name in enumerate(SHIELDS) if shields >> <int>number & 1])


def _restore(position, seed, bag):
    cdef State state = State.from_position(position, seed)
    state.bag = bag
    return state
