"""The components against the numbers of the rules, and that nothing of them can be changed."""

from collections import Counter
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from looot_core import components
from looot_core.components import (
    BOARDS,
    BUILDING_TILES,
    EDITIONS,
    FJORD_CELLS,
    FJORD_SITES,
    OCEAN_BOARDS,
    SITE_KINDS,
    SITE_VALUES,
    STARTING_VALUES,
    TILES,
    TROPHIES,
    TROPHY_BOARDS,
    Board,
    FjordCell,
    Longship,
    fjord_neighbours,
)
from looot_core.errors import LoootError


def letters_of(board: Board) -> Counter[str]:
    return Counter(space.letter for space in board.spaces)


def test_eight_board_faces_of_one_outline() -> None:
    assert list(BOARDS) == ["1A", "1B", "2A", "2B", "3A", "3B", "4A", "4B"]
    outlines = {frozenset((s.q, s.r) for s in board.spaces) for board in BOARDS.values()}
    assert len(outlines) == 1
    assert len(next(iter(outlines))) == 25


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_board_has_twenty_resource_and_five_building_spaces(board: Board) -> None:
    letters = letters_of(board)
    assert sum(letters[letter] for letter in "WSGA") == 20
    assert letters["T"] == 2
    assert letters["H"] + letters["C"] == 3


def test_the_fourth_board_has_no_castle() -> None:
    castles = {name: letters_of(board)["C"] for name, board in BOARDS.items()}
    assert castles == {name: 0 if name[0] == "4" else 1 for name in BOARDS}


def test_a_board_is_read_as_drawn() -> None:
    kinds = {(space.q, space.r): space.kind for space in BOARDS["1A"].spaces}
    # "..WGS..": columns 2, 3 and 4 of row 0; odd columns lie half a hex higher.
    assert (kinds[2, -1], kinds[3, -2], kinds[4, -2]) == ("wood", "gold", "sheep")
    # "WSSAAWS": columns 0 to 6 of row 4.
    assert [kinds[q, 4 - (q + q % 2) // 2] for q in range(7)] == [
        "wood", "sheep", "sheep", "axe", "axe", "wood", "sheep",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("boards", "letter", "kind"), [(OCEAN_BOARDS, "~", "ocean"), (TROPHY_BOARDS, "*", "trophy")]
)
def test_edge_boards_have_five_spaces_and_two_resources(
    boards: dict[str, Board], letter: str, kind: str
) -> None:
    assert list(boards) == ["A", "B"]
    for board in boards.values():
        assert [space.q for space in board.spaces] == [0, 1, 2, 3, 4, 1, 3]
        assert [space.kind for space in board.spaces[:5]] == [kind] * 5
        assert letters_of(board)[letter] == 5


def test_the_faces_of_an_edge_board_swap_its_resources() -> None:
    for boards in (OCEAN_BOARDS, TROPHY_BOARDS):
        first, second = ([s.letter for s in board.spaces[5:]] for board in boards.values())
        assert first == second[::-1]


@pytest.mark.parametrize("name", ["rulebook", "printed"])
def test_an_edition_has_thirty_different_longships(name: str) -> None:
    edition = EDITIONS[name]
    assert edition.name == name
    assert len(set(edition.longships)) == len(edition.longships) == 30
    assert Counter(longship.kind for longship in edition.longships) == {
        "castle": 4, "gold": 4, "watchtower": 5, "sheep": 6, "wood": 6, "house": 5,
    }  # fmt: skip
    for longship in edition.longships:
        assert Longship.parse(str(longship)) == longship


def test_the_editions_differ_in_one_longship_and_in_the_sites() -> None:
    rulebook, printed = (set(map(str, EDITIONS[n].longships)) for n in ("rulebook", "printed"))
    assert rulebook - printed == {"watchtower+1 WSG"}
    assert printed - rulebook == {"watchtower+1 WWS"}
    for kind in SITE_KINDS:
        assert len(set(EDITIONS["rulebook"].sites[kind])) == 1
        assert len(set(EDITIONS["printed"].sites[kind])) == 5
        assert all(len(edition.sites[kind]) == 5 for edition in EDITIONS.values())


def test_values() -> None:
    assert TROPHIES == {2: 3, 3: 6, 4: 10, 5: 15, 6: 21}
    assert BUILDING_TILES == {"house": 2, "watchtower": 2, "castle": 3}
    assert SITE_VALUES == {"port": 5, "altar": 7, "jarl_palace": 9}
    assert STARTING_VALUES == {
        "castle": 4, "watchtower": 2, "house": 1, "gold": 2, "sheep": 1, "wood": 1,
    }  # fmt: skip
    assert TILES == ("wood", "sheep", "gold", "axe", "house", "watchtower", "castle")
    assert components.VIKINGS_PER_PLAYER == 13
    assert components.UNFILLED_LONGSHIP_PENALTY == 5


def test_the_fjord_has_34_cells_column_by_column() -> None:
    assert len(FJORD_CELLS) == 34
    assert list(FJORD_CELLS) == sorted(FJORD_CELLS, key=lambda cell: (cell.column, cell.row))
    assert {kind: cell.name for kind, cell in FJORD_SITES.items()} == {
        "port": "f2", "altar": "b3", "jarl_palace": "e5",
    }  # fmt: skip
    assert not set(FJORD_CELLS) & set(FJORD_SITES.values())
    assert [cell.name for cell in FJORD_CELLS[:4]] == ["a2", "a3", "a4", "a5"]
    assert FjordCell(3, 2).name == "d3"


def test_fjord_neighbours_are_mutual_and_include_sites() -> None:
    everything = {*FJORD_CELLS, *FJORD_SITES.values()}
    for cell in everything:
        assert set(fjord_neighbours(cell)) <= everything
        assert all(cell in fjord_neighbours(other) for other in fjord_neighbours(cell))
    palace = FJORD_SITES["jarl_palace"]
    assert {c.name for c in fjord_neighbours(palace)} == {"d5", "d6", "e4", "e6", "f5", "f6"}


@pytest.mark.parametrize("cell", [FjordCell(0, 0), FjordCell(-1, 3), None, [], "d3"])
def test_fjord_neighbours_of_something_else_are_refused(cell: Any) -> None:
    with pytest.raises(LoootError, match="not a cell of the fjord"):
        fjord_neighbours(cell)


@pytest.mark.parametrize(
    "text",
    ["", "castle+4", "castle+4 GG", "castle+4 GGH", "castle+0 GGA", "axe+1 GGA", "castle+4 GGA ",
     "castle+10 GGA", "Castle+4 GGA", "castle+4 GGA\n", "castle+٤ GGA", 7, None, ["castle+4 GGA"]],
)  # fmt: skip
def test_texts_that_are_no_longship_are_refused(text: Any) -> None:
    with pytest.raises(LoootError, match="not a longship"):
        Longship.parse(text)


def test_components_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        EDITIONS["printed"].longships[0].bonus = 9  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        BOARDS["1A"].spaces = ()  # type: ignore[misc]
    mappings: list[Any] = [
        BOARDS, OCEAN_BOARDS, TROPHY_BOARDS, EDITIONS, TROPHIES, SITE_VALUES, STARTING_VALUES,
        BUILDING_TILES, FJORD_SITES, components.TILE_LETTERS, EDITIONS["printed"].sites,
    ]  # fmt: skip
    for mapping in mappings:
        with pytest.raises(TypeError):
            mapping[next(iter(mapping))] = None
