"""A table to play small, hand-made situations on: one fixed set-up, whole turns at a time.

The landscape, drawn as `q,r` with the letter of its kind (H house, T watchtower, C castle, ~ ocean,
* trophy board):

                ~3,-10          S5,-11
        ~2,-9           H4,-10
                S3,-9           W5,-10
        ~2,-8           A4,-9           G6,-10
~1,-7           H3,-8           T5,-9
        A2,-7           A4,-8           S6,-9
~1,-6           W3,-7           A5,-8           A7,-9
        S2,-6           G4,-7           W6,-8
                T3,-6           C5,-7           W7,-8
        A2,-5           S4,-6           A6,-7           G8,-8
                W3,-5           W5,-6           S7,-7
        S2,-4           S4,-5           S6,-6
A1,-3           W3,-4           W5,-5           G7,-6
        T2,-3           A4,-4           S6,-5
G1,-2           W3,-3           T5,-4
        W2,-2           G4,-3           A6,-4        (and G0,-2 *-1,-2 *-1,-1 *0,-1 *0,0 *1,0
W1,-1           W3,-2           H5,-3                 to the west of these)
        A2,-1           C4,-2
                A3,-1           S5,-2
                        W4,-1
                H3,0
                        A4,0

Of the fjord: the port f2 has the neighbours e1, e2, f3, g2; the cell d4 has c3, c4, d3, d5, e3, e4.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.core.drivers import Game
from tests.reference.components import LONGSHIPS
from tests.reference.game import parse_hex
from tests.reference.landscape import Landscape

OCEAN_LONGSHIPS = [
    "castle+4 GGA",
    "castle+3 WWW",
    "sheep+2 GWS",
    "watchtower+1 WWS",
    "wood+1 AAW",
]
SETUP: dict[str, Any] = {
    "format": 1,
    "edition": "printed",
    "players": 2,
    "landscape": [["3B", 0, 0, 5], ["2B", 4, -4, 4]],
    "ocean": ["A", 1, -6, 5],
    "trophy_board": ["B", 1, 0, 4],
    "sites": [["HHW", "HTWG", "THCCW"], ["HAG", "TTAS", "TTHCS"]],
    "ocean_longships": OCEAN_LONGSHIPS,
    "bag": [text for text in LONGSHIPS["printed"] if text not in OCEAN_LONGSHIPS],
}
KIND = Landscape(SETUP).kind

Cells = Mapping[str, Sequence[str]]


class Table:
    """A game on the fixed set-up, or on another one."""

    def __init__(self, game_class: type[Game], setup: dict[str, Any] = SETUP) -> None:
        self.game = game_class(setup)

    @property
    def position(self) -> dict[str, Any]:
        return self.game.position_dict()

    @property
    def player(self) -> int:
        current: int = self.position["current_player"]
        return current

    @property
    def phase(self) -> str:
        phase: str = self.position["phase"]
        return phase

    def legal(self, verb: str) -> list[str]:
        """Give the legal actions that start with this word, without it."""
        return [
            action.removeprefix(verb).strip()
            for action in self.game.legal_actions()
            if action.split(" ")[0] == verb
        ]

    def stack(self, space: str) -> int:
        number: int = self.position["buildings"][space]
        return number

    def owed(self) -> dict[str, int]:
        """Give the kinds of tiles that are won and not yet placed."""
        owed = self.position["owed"]
        kinds = Counter[str](owed["resources"])
        for space, number in owed["buildings"].items():
            kinds[KIND[parse_hex(space)]] += number
        return dict(kinds)

    def land(self, *vikings: str, shields: Sequence[str] = ()) -> dict[str, int]:
        """Use shields, place one viking or two, and give what is owed then."""
        for shield in shields:
            self.game.apply(f"shield {shield}")
        for space in vikings:
            self.game.apply(f"viking {space}")
        return self.owed()

    def place(self, kind: str, cell: str) -> None:
        self.game.apply(f"tile {kind} {cell}")

    def place_rest(self, cells: Cells | None = None) -> None:
        """Place all that is owed: on the cells wished for, else on the first empty ones."""
        wished = {kind: list(names) for kind, names in (cells or {}).items()}
        while self.phase == "tiles":
            kind, cell = self.legal("tile")[0].split(" ")
            self.place(kind, wished[kind].pop(0) if wished.get(kind) else cell)

    def turn(
        self,
        *vikings: str,
        shields: Sequence[str] = (),
        cells: Cells | None = None,
        longship: str | None = None,
        trophy: int | None = None,
    ) -> dict[str, int]:
        """Play a whole turn, and give what its vikings won."""
        won = self.land(*vikings, shields=shields)
        self.place_rest(cells)
        if longship is not None:
            self.game.apply(f"longship {longship}")
        if trophy is not None:
            self.game.apply(f"trophy {trophy}")
        self.game.apply("end")
        return won
