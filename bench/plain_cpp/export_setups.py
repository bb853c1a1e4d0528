"""Write set-ups and recorded games as the flat text that the plain C++ program reads.

Each line of the input is a record (or only a set-up) in the record format. The landscape is put
together here, from the components alone and not by ``looot_core``, so that the program and the
core stay independent of each other.

Usage: ``python export_setups.py RECORDS.jsonl… [-o FLAT.txt] [--components components.json]``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Hex = tuple[int, int]

COMPONENTS = Path(__file__).parents[2] / "looot_core" / "data" / "components.json"
TILES = ("wood", "sheep", "gold", "axe", "house", "watchtower", "castle")
SHIELDS = ("second", "occupied", "double")
SCORED = ("castle", "watchtower", "house", "gold", "sheep", "wood")
SHIELD_BASE, TILE_BASE, LONGSHIP_BASE, TROPHY_BASE, END = 84, 87, 325, 495, 500
CELLS = 34
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def _near(space: Hex) -> list[Hex]:
    return [(space[0] + q, space[1] + r) for q, r in NEIGHBOURS]


class FlatWriter:
    """Turns records into blocks of the flat text.

    Parameters
    ----------
    components : dict
        The contents of ``components.json``.
    """

    def __init__(self, components: dict[str, Any]) -> None:
        self._components = components
        self._letters: dict[str, str] = components["terms"]["tile_letters"]
        drawn: list[str] = components["fjord"]["cells"]
        cells = [(c, r) for c in range(7) for r in range(7) if drawn[r][c] == "#"]
        self._cells = {f"{'abcdefg'[c]}{r + 1}": i for i, (c, r) in enumerate(cells)}

    def block(self, record: dict[str, Any]) -> str:
        """Return the block of one record.

        Parameters
        ----------
        record : dict
            A set-up, with or without actions and checks.

        Returns
        -------
        str
            Lines that start with ``setup`` and stop with ``stop``.
        """
        return "\n".join(" ".join(map(str, line)) for line in self._lines(record)) + "\n"

    def _lines(self, record: dict[str, Any]) -> Iterator[Iterable[object]]:
        resources, buildings, ocean = self._spaces(record)
        resource_number = {space: i for i, space in enumerate(resources)}
        building_number = {space: i for i, space in enumerate(buildings)}

        def numbers(space: Hex, among: dict[Hex, int]) -> list[int]:
            found = sorted(among[other] for other in _near(space) if other in among)
            return [len(found), *found]

        yield ("setup", record["players"])
        yield ("spaces", len(resources))
        for space, kind in resources.items():
            near = numbers(space, resource_number)
            yield (TILES.index(kind), *near, *numbers(space, building_number))
        yield ("buildings", len(buildings), *(TILES.index(kind) for kind in buildings.values()))
        yield ("ocean",)
        for space in ocean:
            yield numbers(space, resource_number)
        longships: list[str] = self._components["editions"][record["edition"]]["longships"]
        yield ("longships", len(longships))
        for longship in longships:
            kind, rest = longship.split("+")
            yield (TILES.index(kind), int(rest.split()[0]), *self._needs(rest.split()[1])[:4])
        yield ("sites",)
        for seat in record["sites"]:
            for site in seat:
                yield self._needs(site)
        yield ("open", *(longships.index(longship) for longship in record["ocean_longships"]))
        yield from self._history(record, longships, resource_number, buildings)
        yield ("stop",)

    def _needs(self, letters: str) -> list[int]:
        kinds = [self._letters[letter] for letter in letters]
        return [kinds.count(kind) for kind in TILES]

    def _spaces(self, record: dict[str, Any]) -> tuple[dict[Hex, str], dict[Hex, str], list[Hex]]:
        drawings: list[tuple[Sequence[str], Sequence[Any]]] = [
            (self._components["landscape_boards"][board[0]], board) for board in record["landscape"]
        ]
        for name in ("ocean", "trophy_board"):
            key = f"{name.removesuffix('_board')}_board"
            drawings.append((self._components[key][record[name][0]], record[name]))
        kinds: dict[Hex, str] = {}
        ocean: dict[int, Hex] = {}
        for drawn, (_, to_q, to_r, turns) in drawings:
            for row, letters in enumerate(drawn):
                for column, letter in enumerate(letters):
                    q, r = column, row - (column + (column & 1)) // 2
                    for _ in range(turns):
                        q, r = -r, q + r
                    if letter == "~":
                        ocean[column] = (q + to_q, r + to_r)
                    elif letter in self._letters:
                        kinds[q + to_q, r + to_r] = self._letters[letter]
        resources = {space: kinds[space] for space in sorted(kinds) if kinds[space] in TILES[:4]}
        buildings = {space: kinds[space] for space in sorted(kinds) if kinds[space] in TILES[4:]}
        return resources, buildings, [ocean[slot] for slot in range(5)]

    def _history(
        self,
        record: dict[str, Any],
        longships: list[str],
        resource_number: dict[Hex, int],
        buildings: dict[Hex, str],
    ) -> Iterator[Iterable[object]]:
        players = record["players"]
        steps: list[str] = []
        atomic_index: list[int] = []  # place in the record -> number of actions before it
        for text in record.get("actions", []):
            atomic_index.append(len(steps))
            kind, *rest = text.split(maxsplit=2)
            if kind == "draw":
                steps[-1] = f"{steps[-1].split(':')[0]}:{longships.index(rest[1])}"
            else:
                steps.append(f"{self._action_number(kind, rest, resource_number)}:-1")
        yield ("actions", len(steps), *steps)
        turns = record.get("turns", [])
        yield ("turns", len(turns))
        for turn in turns:
            legal = [resource_number[self._hex(text)] for text in turn["legal"]]
            stacks = [turn["buildings"].get(f"{q},{r}", 0) for q, r in buildings]
            at = atomic_index[turn["at"]]
            yield (turn["player"], at, len(legal), *legal, *turn["scores"], *stacks)
        final = record.get("final", [])
        yield ("final", len(final))
        for seat in final:
            counts = [number for kind in SCORED for number in seat[kind]]
            yield (*counts, *(seat[name] for name in ("sites", "trophy", "penalty", "total")))
        winners = record.get("winners", [])
        if any(not 0 <= seat < players for seat in winners):
            raise ValueError(f"winners: {winners} with {players} players")
        yield ("winners", len(winners), *winners)

    @staticmethod
    def _hex(text: str) -> Hex:
        q, r = text.split(",")
        return int(q), int(r)

    def _action_number(self, kind: str, rest: list[str], resource_number: dict[Hex, int]) -> int:
        match kind, rest:
            case "viking", [space]:
                return resource_number[self._hex(space)]
            case "shield", [shield]:
                return SHIELD_BASE + SHIELDS.index(shield)
            case "tile", [tile, cell]:
                return TILE_BASE + CELLS * TILES.index(tile) + self._cells[cell]
            case "longship", [slot, cell]:
                return LONGSHIP_BASE + CELLS * int(slot) + self._cells[cell]
            case "trophy", [trophy]:
                return TROPHY_BASE + int(trophy) - 2
            case "end", []:
                return END
        raise ValueError(f"action {kind!r} {rest} is not in the notation")


def export(records: Iterable[dict[str, Any]], components: Path = COMPONENTS) -> str:
    """Return the flat text of many records.

    Parameters
    ----------
    records : iterable of dict
        Records or set-ups in the record format.
    components : Path
        The components file.

    Returns
    -------
    str
        One block a record, in the same order.
    """
    writer = FlatWriter(json.loads(components.read_text(encoding="utf-8")))
    return "".join(map(writer.block, records))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Records to flat text for the plain C++ program.")
    parser.add_argument("records", type=Path, nargs="+", help="JSON Lines files of records")
    parser.add_argument("-o", "--output", type=Path, help="default: standard output")
    parser.add_argument("--components", type=Path, default=COMPONENTS)
    options = parser.parse_args()
    lines = (line for path in options.records for line in path.read_text("utf-8").splitlines())
    text = export((json.loads(line) for line in lines if line.strip()), options.components)
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
