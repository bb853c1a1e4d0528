"""What is in the box: components.json read as plain dictionaries and lists."""

import json
from pathlib import Path
from typing import Any

DATA_FILE = Path(__file__).parents[2] / "looot_core" / "data" / "components.json"
DATA: dict[str, Any] = json.loads(DATA_FILE.read_text(encoding="utf-8"))

Hex = tuple[int, int]

RESOURCES = ("wood", "sheep", "gold", "axe")
BUILDINGS = ("house", "watchtower", "castle")
KINDS = RESOURCES + BUILDINGS
SHIELDS = ("second", "occupied", "double")
SITES = ("port", "altar", "jarl_palace")
SCORED = ("castle", "watchtower", "house", "gold", "sheep", "wood")

KIND_OF_LETTER: dict[str, str] = DATA["terms"]["tile_letters"]
STACKS: dict[str, int] = DATA["building_tiles_per_space"]
TROPHIES: dict[int, int] = {int(axes): points for axes, points in DATA["trophies"].items()}
STARTING_VALUES: dict[str, int] = DATA["starting_values"]
SITE_VALUES: dict[str, int] = DATA["site_values"]
PENALTY: int = DATA["unfilled_longship_penalty"]
VIKINGS: int = DATA["per_player"]["vikings"]
LONGSHIPS: dict[str, list[str]] = {
    name: edition["longships"] for name, edition in DATA["editions"].items()
}
STEPS: list[Hex] = [(q, r) for q, r in DATA["grid"]["neighbours_axial"]]


def drawn_spaces(rows: list[str]) -> list[tuple[int, int, str]]:
    """Give column, row and letter of every space of a drawn board, column by column."""
    return sorted(
        (column, row, letter)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter != "."
    )


def axial(column: int, row: int) -> Hex:
    """Turn column and row of a drawing into axial coordinates."""
    return column, row - (column + (column & 1)) // 2


def around(space: Hex) -> list[Hex]:
    """Give the six hexes around one."""
    return [(space[0] + q, space[1] + r) for q, r in STEPS]


def _fjord() -> tuple[list[str], dict[str, str], dict[str, list[str]]]:
    """Read the fjord: its empty cells, the cell of each site, the neighbours of both."""
    names: dict[Hex, str] = {}
    cells: list[str] = []
    sites: dict[str, str] = {}
    site_of_letter = {"P": "port", "A": "altar", "J": "jarl_palace"}
    for column, row, letter in drawn_spaces(DATA["fjord"]["cells"]):
        name = "abcdefg"[column] + str(row + 1)
        names[axial(column, row)] = name
        if letter == "#":
            cells.append(name)
        else:
            sites[site_of_letter[letter]] = name
    neighbours = {
        name: [names[place] for place in around(at) if place in names] for at, name in names.items()
    }
    return cells, sites, neighbours


CELLS, SITE_CELLS, CELL_NEIGHBOURS = _fjord()
