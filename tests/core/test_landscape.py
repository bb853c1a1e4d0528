"""The landscape: R1 and R2 against their wording, counted on the spaces themselves."""

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looot_core import assembly
from looot_core.components import BOARDS, OCEAN_BOARDS, TROPHY_BOARDS, Board
from looot_core.errors import InvalidSetupError
from looot_core.hexes import Hex, neighbours, rotate
from looot_core.landscape import Landscape, Placement, Space
from looot_core.setup import GameSetup

WINDOW = range(-12, 13)  # two boards farther apart than this do not touch


def covered(board: Board, q: int, r: int, rotation: int, letters: str = "") -> set[Hex]:
    turned = (
        rotate((space.q, space.r), rotation)
        for space in board.spaces
        if not letters or space.letter in letters
    )
    return {(q + dq, r + dr) for dq, dr in turned}


def shared_sides(first: set[Hex], second: set[Hex]) -> int:
    return sum(other in second for place in first for other in neighbours(place))


def slots_together(first: Placement, second: Placement) -> bool:
    """R1 for two boards, as it is worded."""
    one, other = (covered(BOARDS[p.board], p.q, p.r, p.rotation) for p in (first, second))
    return not one & other and shared_sides(one, other) >= 11


def lies_along(board: Placement, edge: Placement, faces: Any = OCEAN_BOARDS) -> bool:
    """R2 for one board, as it is worded."""
    one = covered(BOARDS[board.board], board.q, board.r, board.rotation)
    other = covered(faces[edge.board], edge.q, edge.r, edge.rotation)
    resources = covered(faces[edge.board], edge.q, edge.r, edge.rotation, letters="WSGA")
    return not one & other and shared_sides(one, other) >= 6 and shared_sides(one, resources) >= 4


def window(name: str, around: Placement) -> Iterator[Placement]:
    for dq, dr, rotation in product(WINDOW, WINDOW, range(6)):
        yield Placement(name, around.q + dq, around.r + dr, rotation)


def refusal(boards: Any, ocean: Any, trophy_board: Any) -> str:
    with pytest.raises(InvalidSetupError) as caught:
        Landscape(boards, ocean, trophy_board)
    return str(caught.value)


FAR_OCEAN = Placement("A", 900, 900, 0)
FAR_TROPHY_BOARD = Placement("A", -900, -900, 0)


def laid_beside(boards: list[Placement], name: str) -> set[Placement]:
    """Every place of one more board that passes R1, so that only the ocean board is refused."""
    return {
        placement
        for placement in window(name, boards[0])
        if refusal([*boards, placement], FAR_OCEAN, FAR_TROPHY_BOARD).startswith("ocean:")
    }


@pytest.mark.parametrize(
    ("first", "second"), [("1A", "2A"), ("1B", "2A"), ("3A", "4B"), ("3B", "1B"), ("4A", "2B")]
)
@pytest.mark.parametrize("rotation", [0, 1])
def test_r1_two_boards_slot_together_in_14_ways(first: str, second: str, rotation: int) -> None:
    board = Placement(first, -3, 7, rotation)
    ways = laid_beside([board], second)
    assert len(ways) == 14
    assert ways == {p for p in window(second, board) if slots_together(board, p)}


def test_r1_14_ways_for_every_pair_of_faces() -> None:
    for first, second in permutations(BOARDS, 2):
        if first[0] != second[0]:
            board = Placement(first, 0, 0, 0)
            legal = assembly.next_board_spots([board.spot])
            assert len(legal) == 14
            for code, rotation in legal:
                assert slots_together(board, Placement(second, *assembly.place(code), rotation))


@pytest.mark.parametrize(
    ("board", "faces", "face"),
    [("1A", OCEAN_BOARDS, "A"), ("2B", OCEAN_BOARDS, "B"), ("3A", TROPHY_BOARDS, "A"),
     ("4B", TROPHY_BOARDS, "B")],
)  # fmt: skip
@pytest.mark.parametrize("rotation", range(6))
def test_r2_an_edge_board_lies_along_one_board_in_10_ways(
    board: str, faces: Any, face: str, rotation: int
) -> None:
    laid = Placement(board, 5, -2, rotation)
    ways = {p.spot for p in window(face, laid) if lies_along(laid, p, faces)}
    assert len(ways) == 10
    assert sorted(ways) == assembly.next_edge_spots([laid.spot])


TWO_BOARDS = [Placement("3B", -3, -1, 0), Placement("2A", 5, -8, 1)]
OCEAN = Placement("A", 9, -8, 2)
TROPHY_BOARD = Placement("B", 5, 0, 3)


def test_r2_edge_boards_beside_two_boards() -> None:
    """Exactly the places that lie along one of the boards and overlap nothing are accepted."""
    cells = [covered(BOARDS[p.board], p.q, p.r, p.rotation) for p in TWO_BOARDS]
    everything = set().union(*cells)
    for face in OCEAN_BOARDS:
        places = {p for board in TWO_BOARDS for p in window(face, board)}
        accepted = {
            p
            for p in places
            if refusal(TWO_BOARDS, p, FAR_TROPHY_BOARD).startswith("trophy_board:")
        }
        assert accepted == {
            p
            for p in places
            if any(lies_along(board, p) for board in TWO_BOARDS)
            and not covered(OCEAN_BOARDS[face], p.q, p.r, p.rotation) & everything
        }


def test_r2_the_edge_boards_may_touch_but_not_overlap() -> None:
    spots = assembly.next_edge_spots([p.spot for p in TWO_BOARDS])
    places = [Placement("A", *assembly.place(code), rotation) for code, rotation in spots]
    touching = 0
    for ocean, trophy_board in product(places, places):
        one, other = (
            covered(OCEAN_BOARDS["A"], p.q, p.r, p.rotation) for p in (ocean, trophy_board)
        )
        if one & other:
            message = refusal(TWO_BOARDS, ocean, trophy_board)
            assert message.startswith("trophy_board: board 'A' at")
            assert message.endswith("overlaps the ocean board (R2)")
        else:
            Landscape(TWO_BOARDS, ocean, trophy_board)
            touching += shared_sides(one, other) > 0
    assert touching


def test_r1_boards_may_be_named_in_any_order() -> None:
    setup = GameSetup.random(players=4, seed=3)
    landscape = setup.landscape
    for boards in permutations(landscape.boards):
        again = Landscape(boards, landscape.ocean, landscape.trophy_board)
        assert again.resource_spaces == landscape.resource_spaces
        assert again.boards == boards


def test_r1_two_pairs_apart_are_refused() -> None:
    pairs = [*TWO_BOARDS, Placement("1A", 97, -1, 0), Placement("4A", 105, -8, 1)]
    assert refusal(pairs, OCEAN, TROPHY_BOARD) == (
        "landscape[2]: board '1A' at 97,-1 with rotation 0 does not slot together with '3B', '2A':"
        " it shares at most 0 hex sides with one board, 11 are needed (R1)"
    )


def test_r1_a_board_that_slots_together_with_none_is_named() -> None:
    boards = [TWO_BOARDS[0], TWO_BOARDS[1]._replace(q=6)]
    message = refusal(boards, OCEAN, TROPHY_BOARD)
    assert message.startswith("landscape[1]: board '2A' at 6,-8 with rotation 1 does not slot")
    assert message.endswith("(R1)")


def test_r1_overlapping_boards_are_refused() -> None:
    boards = [TWO_BOARDS[0], TWO_BOARDS[1]._replace(q=3)]
    assert refusal(boards, OCEAN, TROPHY_BOARD) == (
        "landscape[1]: board '2A' at 3,-8 with rotation 1 overlaps the board '3B' in"
        " landscape[0] (R1)"
    )


@pytest.mark.parametrize(("name", "words"), [("3A", "the other face"), ("3B", "the same face")])
def test_r1_a_physical_board_is_used_once(name: str, words: str) -> None:
    message = refusal([TWO_BOARDS[0], TWO_BOARDS[1]._replace(board=name)], OCEAN, TROPHY_BOARD)
    assert message.startswith(f"landscape[1]: board '{name}' is {words}")
    assert message.endswith("(R1)")


def test_r2_an_edge_board_apart_or_on_a_board_is_refused() -> None:
    assert refusal(TWO_BOARDS, OCEAN._replace(q=10), TROPHY_BOARD).startswith(
        "ocean: board 'A' at 10,-8 with rotation 2 lies along no landscape board: it shares at most"
    )
    assert refusal(TWO_BOARDS, OCEAN, TROPHY_BOARD._replace(r=-3)) == (
        "trophy_board: board 'B' at 5,-3 with rotation 3 overlaps the board '3B' in"
        " landscape[0] (R2)"
    )


BAD_PLACEMENTS: list[tuple[Any, str]] = [
    (None, "is not [board, q, r, rotation]"),
    ("3B", "is not [board, q, r, rotation]"),
    ({}, "is not [board, q, r, rotation]"),
    ([], "is not [board, q, r, rotation]"),
    (["3B", 0, 0], "is not [board, q, r, rotation]"),
    (["3B", 0, 0, 0, 0], "is not [board, q, r, rotation]"),
    (["5A", 0, 0, 0], "board '5A' is not one of"),
    ([3, 0, 0, 0], "board 3 is not one of"),
    ([["3B"], 0, 0, 0], "board ['3B'] is not one of"),
    (["3B", 0.0, 0, 0], "q 0.0 is not an integer"),
    (["3B", True, 0, 0], "q True is not an integer"),
    (["3B", "0", 0, 0], "q '0' is not an integer"),
    (["3B", 1001, 0, 0], "q 1001 is not an integer from -1000 to 1000"),
    (["3B", 0, -1001, 0], "r -1001 is not an integer from -1000 to 1000"),
    (["3B", 0, 10**5000, 0], "r an int of 16610 bits is not an integer"),
    (["3B", 0, float("nan"), 0], "r nan is not an integer"),
    (["3B", 0, 0, 6], "rotation 6 is not an integer from 0 to 5"),
    (["3B", 0, 0, -1], "rotation -1 is not an integer from 0 to 5"),
    (["3B", 0, 0, False], "rotation False is not an integer from 0 to 5"),
]


@pytest.mark.parametrize(
    ("value", "words"), BAD_PLACEMENTS, ids=[words for _, words in BAD_PLACEMENTS]
)
def test_malformed_placements_are_refused(value: Any, words: str) -> None:
    message = refusal([TWO_BOARDS[0], value], OCEAN, TROPHY_BOARD)
    assert message.startswith("landscape[1]: ")
    assert words in message
    assert message.endswith("(R1)")
    for path, message in (
        ("ocean", refusal(TWO_BOARDS, value, TROPHY_BOARD)),
        ("trophy_board", refusal(TWO_BOARDS, OCEAN, value)),
    ):
        assert message.startswith(f"{path}: ")
        assert message.endswith("(R2)")


@pytest.mark.parametrize("boards", [None, 3, "3B", {}, [], TWO_BOARDS[:1], TWO_BOARDS * 3])
def test_other_than_two_to_four_boards_are_refused(boards: Any) -> None:
    assert refusal(boards, OCEAN, TROPHY_BOARD).endswith(
        "is not a list of 2, 3 or 4 placed boards (R1)"
    )


def test_the_bound_itself_is_accepted() -> None:
    q, r = TWO_BOARDS[1].q, TWO_BOARDS[1].r
    moved = [p._replace(q=p.q + 1000 - q, r=p.r - 1000 - r) for p in TWO_BOARDS]
    assert moved[1][1:3] == (1000, -1000)
    assert refusal(moved, OCEAN, TROPHY_BOARD).startswith("ocean: ")


@given(st.integers(0, 2**64 - 1), st.sampled_from([2, 3, 4]), st.data())
def test_a_changed_arrangement_is_judged_as_the_wording_does(
    seed: int, players: int, data: st.DataObject
) -> None:
    landscape = GameSetup.random(players=players, seed=seed).landscape
    pieces = [*landscape.boards, landscape.ocean, landscape.trophy_board]
    for _ in range(data.draw(st.integers(1, 2))):
        i = data.draw(st.integers(0, players + 1))
        step = st.integers(-1, 1)
        pieces[i] = pieces[i]._replace(
            q=pieces[i].q + data.draw(step),
            r=pieces[i].r + data.draw(step),
            rotation=data.draw(st.integers(0, 5)),
        )
    try:
        Landscape(pieces[:-2], pieces[-2], pieces[-1])
        accepted = True
    except InvalidSetupError:
        accepted = False
    assert accepted == legal_by_the_wording(pieces[:-2], pieces[-2], pieces[-1])


def legal_by_the_wording(boards: list[Placement], ocean: Placement, trophies: Placement) -> bool:
    pieces = [covered(BOARDS[p.board], p.q, p.r, p.rotation) for p in boards]
    pieces.append(covered(OCEAN_BOARDS[ocean.board], ocean.q, ocean.r, ocean.rotation))
    pieces.append(covered(TROPHY_BOARDS[trophies.board], trophies.q, trophies.r, trophies.rotation))
    return (
        sum(map(len, pieces)) == len(set().union(*pieces))
        and any(
            all(any(slots_together(q, p) for q in order[:i]) for i, p in enumerate(order) if i)
            for order in permutations(boards)
        )
        and any(lies_along(board, ocean, OCEAN_BOARDS) for board in boards)
        and any(lies_along(board, trophies, TROPHY_BOARDS) for board in boards)
    )


def test_every_arrangement_has_room_for_the_next_piece() -> None:
    """Drawing step by step never comes to a dead end; walked through for every arrangement."""
    arrangements: set[tuple[assembly.Spot, ...]] = {((0, 0),)}
    for boards, count in ((2, 14), (3, 195), (4, 2816)):
        arrangements = {
            tuple(sorted((*laid, spot)))
            for laid in arrangements
            for spot in assembly.next_board_spots(laid)
        }
        assert len(arrangements) == count
        assert {len(laid) for laid in arrangements} == {boards}
        for laid in arrangements:
            # An edge board takes away no more than a few of the places for the other.
            assert len(assembly.next_edge_spots(laid)) >= 12
    for laid in sorted(arrangements)[::40]:
        for spot in assembly.next_edge_spots(laid):
            assert assembly.next_edge_spots(laid, [spot])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_number_and_order_of_spaces(players: int) -> None:
    """There are never more resource spaces than the action space has room for."""
    landscape = GameSetup.random(players=players, seed=players).landscape
    assert len(landscape.resource_spaces) == 20 * players + 4 <= 84
    assert len(landscape.building_spaces) == 5 * players
    assert len(landscape.ocean_spaces) == len(landscape.trophy_spaces) == 5
    for spaces in (landscape.resource_spaces, landscape.building_spaces):
        assert list(spaces) == sorted(spaces, key=lambda space: (space.q, space.r))
    everything: Iterable[Space] = (
        *landscape.resource_spaces, *landscape.building_spaces,
        *landscape.ocean_spaces, *landscape.trophy_spaces,
    )  # fmt: skip
    assert len({(space.q, space.r) for space in everything}) == 25 * players + 14


def test_ocean_slots_are_the_columns_of_the_board_as_drawn() -> None:
    landscape = Landscape(TWO_BOARDS, OCEAN, TROPHY_BOARD)
    drawn = [rotate((q, -((q + 1) // 2)), OCEAN.rotation) for q in range(5)]
    assert [(space.q, space.r) for space in landscape.ocean_spaces] == [
        (OCEAN.q + dq, OCEAN.r + dr) for dq, dr in drawn
    ]


def test_landscapes_are_values() -> None:
    landscape = Landscape(TWO_BOARDS, OCEAN, TROPHY_BOARD)
    lists: Any = [list(placement) for placement in (*TWO_BOARDS, OCEAN, TROPHY_BOARD)]
    same = Landscape(lists[:2], lists[2], lists[3])
    assert same == landscape
    assert hash(same) == hash(landscape)
    assert pickle.loads(pickle.dumps(landscape)) == landscape
    other = Landscape(TWO_BOARDS, OCEAN._replace(board="B"), TROPHY_BOARD)
    assert other != landscape
    with pytest.raises(FrozenInstanceError):
        landscape.ocean = TROPHY_BOARD  # type: ignore[misc]
