# cython: boundscheck=True
"""Actions: atomic steps, numbered in one space of 501 that is the same for all set-ups.

====== ============================================================
0-83   a viking on the n-th resource space, in space-number order
84-86  shield second, occupied, double
87-324 tile kind (wood, sheep, gold, axe, house, watchtower, castle)
       x 34 fjord cells, column by column
325-494 longship of ocean slot 0-4 x 34 fjord cells
495-499 trophy 2-6
500    end
====== ============================================================
"""

import operator
from functools import lru_cache

cimport cython

from looot_core cimport game_state
from looot_core.game_state cimport END, FIRST_LONGSHIP, FIRST_SHIELD, FIRST_TILE, FIRST_TROPHY
from looot_core.tables cimport CELLS, SLOTS, Layout

from looot_core.components import CELL_NAMES, SHIELDS, TILES, TROPHIES
from looot_core.errors import IllegalActionError, InvalidSetupError, LoootError, shorten
from looot_core.hexes import parse_hex
from looot_core.plain import text_of
from looot_core.position import Position
from looot_core.setup import GameSetup

ACTION_COUNT = game_state.ACTION_COUNT


def _fixed_texts():
    """Texts of the actions that mean the same on every landscape."""
    texts = {}
    for n, shield in enumerate(SHIELDS):
        texts[FIRST_SHIELD + n] = f"shield {shield}"
    for kind, tile in enumerate(TILES):
        for cell, name in enumerate(CELL_NAMES):
            texts[FIRST_TILE + CELLS * kind + cell] = f"tile {tile} {name}"
    for slot in range(SLOTS):
        for cell, name in enumerate(CELL_NAMES):
            texts[FIRST_LONGSHIP + CELLS * slot + cell] = f"longship {slot} {name}"
    for n, trophy in enumerate(TROPHIES):
        texts[FIRST_TROPHY + n] = f"trophy {trophy}"
    texts[END] = "end"
    return texts


FIXED_TEXTS = _fixed_texts()
FIXED_INDICES = {text: index for index, text in FIXED_TEXTS.items()}


cdef bint is_action(index, Layout layout) except -1:
    """Whether the layout has an action of this number."""
    return 0 <= index <= END and not layout.tables.space_count <= index < FIRST_SHIELD


@cython.final
cdef class Action:
    """One step of a turn. It knows its landscape, so that it can be written as text.

    Made by `State.legal_actions`, `parse` or `from_index`; immutable. Two actions are equal when
    they have the same index and belong to the same landscape and edition.

    Attributes
    ----------
    index : int
        Its number, from 0 to 500.
    """

    def __cinit__(self, int index, Layout layout not None):
        if not is_action(index, layout):
            raise IllegalActionError(f"action: index {index} is no action on this landscape")
        self.index = index
        self.layout = layout

    @staticmethod
    def from_index(index, game):
        """Give the action of a number.

        Parameters
        ----------
        index : int
            From 0 to 500; of 0-83 only as many as the landscape has resource spaces.
        game : State, Position or GameSetup
            Whose landscape the action is on.

        Returns
        -------
        Action

        Raises
        ------
        IllegalActionError
            If the landscape has no such action.
        """
        cdef Layout layout = layout_of_game(game)
        try:
            if isinstance(index, bool):
                raise TypeError
            number = int.__index__(operator.index(index))  # plain, though it be a subclass
        except Exception:  # whatever an index of somebody else's class raises
            raise IllegalActionError(f"action: {shorten(index)} is not an action index") from None
        if not is_action(number, layout):
            raise IllegalActionError(
                f"action: index {shorten(number)} is none of this landscape's actions: 0-"
                f"{len(layout.resource_places) - 1} vikings, {FIRST_SHIELD}-{END} the rest"
            )
        return layout.actions[number]

    @staticmethod
    def parse(text, game):
        """Read an action as written in a record, ``tile wood d3``.

        Parameters
        ----------
        text : str
            The notation: ``shield second|occupied|double``, ``viking 3,-2``, ``tile wood d3``,
            ``longship 2 d4``, ``trophy 4``, ``end``.
        game : State, Position or GameSetup
            Whose landscape the action is on.

        Returns
        -------
        Action

        Raises
        ------
        IllegalActionError
            If the text is no action on this landscape. Whether it is legal now is not looked at.
        """
        cdef Layout layout = layout_of_game(game)
        plain = text_of(text)
        if plain is not None:
            index = FIXED_INDICES.get(plain)
            if index is not None:
                return layout.actions[index]
            if plain.startswith("viking "):
                try:
                    number = layout.space_numbers[parse_hex(plain[7:])]
                except LoootError as error:
                    raise IllegalActionError(f"action: {error}") from None
                except KeyError:
                    raise IllegalActionError(
                        f"action: {shorten(text)} names no resource space of this landscape (R6)"
                    ) from None
                return layout.actions[number]
        raise IllegalActionError(
            f"action: {shorten(text)} is not an action, as 'shield second', 'viking 3,-2', "
            "'tile wood d3', 'longship 2 d4', 'trophy 4' and 'end' are (R6-R18)"
        )

    def __str__(self):
        if self.index >= FIRST_SHIELD:
            return FIXED_TEXTS[self.index]
        q, r = self.layout.resource_places[self.index]
        return f"viking {q},{r}"

    def __repr__(self):
        return f"<Action {self.index} '{self}'>"

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, Action):
            return NotImplemented
        cdef Action action = other
        return self.index == action.index and (
            self.layout is action.layout
            or (
                self.layout.landscape == action.layout.landscape
                and self.layout.edition.name == action.layout.edition.name
            )
        )

    def __hash__(self):
        return self.index

    def __reduce__(self):
        return _action, (self.index, self.layout.landscape, self.layout.edition.name)


def _action(index, landscape, edition):
    """Give the action again that was pickled."""
    if type(index) is not int:
        raise IllegalActionError(f"action: {shorten(index)} is not an action index")
    cdef Layout layout = layout_of(landscape, edition)
    return layout.actions[Action(index, layout).index]


def layout_of(landscape, edition):
    """Give the shared layout, with its actions, of a landscape and the name of an edition.

    Raises
    ------
    InvalidSetupError
        If they are none, or the landscape was not made by its constructor.
    """
    try:
        return _kept_layout(landscape, edition)
    except Exception:  # whatever comes of fields that were tampered with when it is looked up
        return _new_layout(landscape, edition)


def _new_layout(landscape, edition):
    cdef Layout layout = Layout(landscape, edition)
    layout.actions = tuple([
        Action(index, layout) if is_action(index, layout) else None
        for index in range(ACTION_COUNT)
    ])
    return layout


_kept_layout = lru_cache(maxsize=256)(_new_layout)


cdef Layout layout_of_game(game):
    from looot_core.state import State  # which needs this module first

    cdef Layout layout = game._layout if type(game) is State else None
    if layout is not None:  # however many others are kept
        return layout
    if type(game) is State or type(game) is Position or type(game) is GameSetup:
        try:
            return layout_of(getattr(game, "landscape", None), getattr(game, "edition", None))
        except InvalidSetupError as error:
            raise IllegalActionError(f"game: {error}") from None
    raise IllegalActionError(f"game: {shorten(game)} is not a State, Position or GameSetup")
