"""The set-up of a game (R1-R5): drawn at random, or a client's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from looot_core import assembly
from looot_core.components import (
    BOARDS,
    EDITIONS,
    OCEAN_BOARDS,
    OCEAN_SLOTS,
    PLAYER_COUNTS,
    SITE_KINDS,
    TROPHY_BOARDS,
)
from looot_core.errors import InvalidSetupError, shorten
from looot_core.generator import Generator, check_seed, fresh_seed
from looot_core.landscape import Landscape, Placement
from looot_core.plain import fields_of, is_sequence, text_of

FORMAT = 1
"""The number of the record format that is written and read."""

_LONGSHIPS = {
    name: frozenset(str(longship) for longship in edition.longships)
    for name, edition in EDITIONS.items()
}
_FACES = {
    number: [n for n in BOARDS if n[0] == number] for number in sorted({n[0] for n in BOARDS})
}


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A legal set-up.

    Parameters
    ----------
    edition : str
        ``"rulebook"`` or ``"printed"``.
    players : int
        2, 3 or 4.
    landscape : Landscape
        With one landscape board a player.
    sites : sequence of sequence of str
        For each seat its port, altar and jarl palace, each as the letters of what fills it.
    ocean_longships : sequence of str
        The longship on each of the five ocean slots, as ``castle+4 GGA``.
    bag : sequence of str, optional
        The other 25 in the order in which they will be drawn, if it is known.
    seed : int, optional
        From 0 to 2^64 - 1; where draws come from if there is no bag. A set-up made by `random`
        keeps the seed it was made with here.

    Raises
    ------
    InvalidSetupError
        If a value is malformed or breaks a rule; names the field, the value and the rule.
    """

    edition: str
    players: int
    landscape: Landscape
    sites: tuple[tuple[str, str, str], ...]
    ocean_longships: tuple[str, ...]
    bag: tuple[str, ...] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        """Check every field, and turn texts into plain ones and lists into tuples."""
        # The class is frozen, so that its own assignment is closed to it too.
        assign = object.__setattr__
        assign(self, "edition", _read_edition(self.edition))
        _check_players(self.players)
        if type(self.landscape) is not Landscape:
            raise InvalidSetupError(f"landscape: {shorten(self.landscape)} is not a Landscape (R1)")
        boards = getattr(self.landscape, "boards", ())  # it may have been made without
        count = len(boards) if type(boards) is tuple else 0
        if count != self.players:
            raise InvalidSetupError(
                f"landscape: {count} boards for {self.players} players; each player adds one (R1)"
            )
        assign(self, "sites", _read_sites(self.sites, self.players, self.edition))
        ocean = _read_longships(self.ocean_longships, "ocean_longships", OCEAN_SLOTS, self.edition)
        assign(self, "ocean_longships", ocean)
        if self.bag is not None:
            size = len(_LONGSHIPS[self.edition]) - OCEAN_SLOTS
            bag = _read_longships(self.bag, "bag", size, self.edition, frozenset(ocean))
            assign(self, "bag", bag)
        if self.seed is not None:
            check_seed(self.seed, InvalidSetupError)

    @classmethod
    def random(
        cls, players: int = 2, edition: str = "rulebook", seed: int | None = None
    ) -> GameSetup:
        """Draw a set-up at random.

        What is drawn, in this order, each time uniformly over all that is possible then:

        1. For each player a landscape board: one of the physical boards not yet laid, then one of
           its two faces, then where it goes. The first lies at (0, 0) in one of the 6 rotations;
           each further one in one of all the places (q, r and rotation, counted once however many
           boards it slots together with) that R1 allows beside those already laid.
        2. The ocean board: a face, then one of all the places that R2 allows.
        3. The trophy board likewise, the ocean board being in its place.
        4. For each site kind a shuffle of the five tiles; seat n gets the n-th.
        5. A shuffle of the 30 longships: the first five go to the ocean slots 0 to 4, the others
           into the bag in the order in which they will be drawn.

        So every legal arrangement can come up (but for being moved or turned as a whole, which
        changes nothing). Physical boards are listed by number, faces A before B, places in
        ascending order of (q, r, rotation), tiles as in the data file; `looot_core.generator`
        says how a seed picks from a list. Equal arguments give equal set-ups on every machine.

        Parameters
        ----------
        players : int
            2, 3 or 4.
        edition : str
            ``"rulebook"`` or ``"printed"``.
        seed : int, optional
            From 0 to 2^64 - 1; by default a fresh one from the operating system. The set-up
            keeps it as `seed`.

        Returns
        -------
        GameSetup

        Raises
        ------
        InvalidSetupError
            If an argument is none of those.

        Examples
        --------
        >>> setup = GameSetup.random(players=3, edition="printed", seed=7)
        >>> setup == GameSetup.random(players=3, edition="printed", seed=7)
        True
        """
        _check_players(players)
        edition = _read_edition(edition)
        seed = fresh_seed() if seed is None else check_seed(seed, InvalidSetupError)
        generator = Generator(seed)
        landscape = _random_landscape(players, generator)
        tiles = EDITIONS[edition]
        columns = []
        for kind in SITE_KINDS:
            column = list(tiles.sites[kind])
            generator.shuffle(column)
            columns.append(column)
        longships = [str(longship) for longship in tiles.longships]
        generator.shuffle(longships)
        return cls(
            edition=edition,
            players=players,
            landscape=landscape,
            sites=tuple(zip(*columns, strict=True))[:players],
            ocean_longships=tuple(longships[:OCEAN_SLOTS]),
            bag=tuple(longships[OCEAN_SLOTS:]),
            seed=seed,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameSetup:
        """Read a set-up in the record format; the inverse of `to_dict`.

        ``bag`` and ``seed`` may be missing. Keys that a set-up does not have are ignored, so that
        a whole record is accepted too.

        Returns
        -------
        GameSetup

        Raises
        ------
        InvalidSetupError
            For anything that is not a legal set-up, whatever it is.
        """
        fields = fields_of(data)
        if fields is None:
            raise InvalidSetupError(f"set-up: {shorten(data)} is not a dict with texts as keys")
        for key in ("format", *_REQUIRED):
            if key not in fields:
                raise InvalidSetupError(f"{key}: missing")
        if type(fields["format"]) is not int or fields["format"] != FORMAT:
            raise InvalidSetupError(f"format: {shorten(fields['format'])} is not {FORMAT}")
        return cls(
            edition=fields["edition"],
            players=fields["players"],
            landscape=Landscape(fields["landscape"], fields["ocean"], fields["trophy_board"]),
            sites=fields["sites"],
            ocean_longships=fields["ocean_longships"],
            bag=fields.get("bag"),
            seed=fields.get("seed"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the set-up in the record format, ready for JSON."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "edition": self.edition,
            "players": self.players,
            "landscape": [list(placement) for placement in self.landscape.boards],
            "ocean": list(self.landscape.ocean),
            "trophy_board": list(self.landscape.trophy_board),
            "sites": [list(seat) for seat in self.sites],
            "ocean_longships": list(self.ocean_longships),
        }
        if self.bag is not None:
            data["bag"] = list(self.bag)
        if self.seed is not None:
            data["seed"] = self.seed
        return data

    def public(self) -> GameSetup:
        """Give the set-up as every player sees it: without the bag and without the seed."""
        return replace(self, bag=None, seed=None)

    def __reduce__(self) -> tuple[type[GameSetup], tuple[object, ...]]:
        """Pickle as the arguments, so that a copy is checked too."""
        return GameSetup, tuple(getattr(self, name) for name in self.__slots__)


def checked_anew(setup: Any) -> GameSetup:
    """Give an equal set-up of plain values, whatever was done to the fields of this one.

    Raises
    ------
    InvalidSetupError
        If it is no set-up, or not a legal one.
    """
    if type(setup) is not GameSetup:
        raise InvalidSetupError(f"setup: {shorten(setup)} is not a GameSetup")
    try:
        return replace(setup)
    except AttributeError:
        raise InvalidSetupError("setup: a GameSetup without fields") from None


_REQUIRED = (
    "edition", "players", "landscape", "ocean", "trophy_board", "sites", "ocean_longships",
)  # fmt: skip


def _random_landscape(players: int, generator: Generator) -> Landscape:
    def place(name: str, spots: list[assembly.Spot]) -> Placement:
        code, rotation = spots[generator.below(len(spots))]
        return Placement(name, *assembly.place(code), rotation)

    def face(faces: Sequence[str]) -> str:
        return faces[generator.below(len(faces))]

    unused = list(_FACES)
    spots = [assembly.spot(0, 0, rotation) for rotation in assembly.ROTATIONS]
    boards: list[Placement] = []
    for _ in range(players):
        number = unused.pop(generator.below(len(unused)))
        boards.append(place(face(_FACES[number]), spots))
        laid = [board.spot for board in boards]
        spots = assembly.next_board_spots(laid)
    ocean = place(face(list(OCEAN_BOARDS)), assembly.next_edge_spots(laid))
    trophy_board = place(face(list(TROPHY_BOARDS)), assembly.next_edge_spots(laid, [ocean.spot]))
    return Landscape(boards, ocean, trophy_board)


def _read_edition(value: Any) -> str:
    edition = text_of(value)
    if edition is None or edition not in EDITIONS:
        raise InvalidSetupError(f"edition: {shorten(value)} is not one of {', '.join(EDITIONS)}")
    return edition


def _check_players(players: Any) -> None:
    if type(players) is not int or players not in PLAYER_COUNTS:
        raise InvalidSetupError(f"players: {shorten(players)} is not 2, 3 or 4 (R1)")


def _read_sites(values: Any, players: int, edition: str) -> tuple[tuple[str, ...], ...]:
    if not is_sequence(values) or len(values) != players:
        raise InvalidSetupError(
            f"sites: {shorten(values)} is not a list of {players} seats, one a player (R5)"
        )
    for seat, sites in enumerate(values):
        if not is_sequence(sites) or len(sites) != len(SITE_KINDS):
            raise InvalidSetupError(
                f"sites[{seat}]: {shorten(sites)} is not a list of a port, an altar and"
                " a jarl palace (R5)"
            )
    columns = []
    for i, kind in enumerate(SITE_KINDS):
        tiles = EDITIONS[edition].sites[kind]
        column: list[str] = []
        for seat, sites in enumerate(values):
            tile = text_of(sites[i])
            if tile is None or tile not in tiles:
                raise InvalidSetupError(
                    f"sites[{seat}]: {shorten(sites[i])} is no {kind} of the edition"
                    f" {edition!r} (R5)"
                )
            if column.count(tile) == tiles.count(tile):
                raise InvalidSetupError(
                    f"sites[{seat}]: {kind} {tile!r} is used twice, there is only"
                    f" {tiles.count(tile)} (R5)"
                )
            column.append(tile)
        columns.append(column)
    return tuple(zip(*columns, strict=True))


def _read_longships(
    values: Any, path: str, size: int, edition: str, elsewhere: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    if not is_sequence(values) or len(values) != size:
        raise InvalidSetupError(f"{path}: {shorten(values)} is not a list of {size} longships (R4)")
    known = _LONGSHIPS[edition]
    longships: list[str] = []
    for i, value in enumerate(values):
        text = text_of(value)
        if text is None or text not in known:
            raise InvalidSetupError(
                f"{path}[{i}]: {shorten(value)} is no longship of the edition {edition!r} (R4)"
            )
        if text in elsewhere or text in longships:
            raise InvalidSetupError(f"{path}[{i}]: {text!r} lies elsewhere too; there is one (R4)")
        longships.append(text)
    return tuple(longships)
