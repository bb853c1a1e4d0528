"""Axial coordinates: turning, neighbours, the drawn grid and the notation."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looot_core.errors import LoootError
from looot_core.hexes import (
    DIRECTIONS,
    Hex,
    format_hex,
    from_even_q,
    neighbours,
    parse_hex,
    rotate,
)

coordinates = st.integers(-9999, 9999)
hexes = st.tuples(coordinates, coordinates)


@given(hexes)
def test_neighbours_are_six_and_mutual(place: Hex) -> None:
    assert len(set(neighbours(place))) == 6
    assert place not in neighbours(place)
    assert all(place in neighbours(other) for other in neighbours(place))


def test_directions_go_round_clockwise() -> None:
    for direction, following in zip(DIRECTIONS, (*DIRECTIONS[1:], DIRECTIONS[0]), strict=True):
        assert rotate(direction, 1) == following


@given(hexes, st.integers(0, 5), st.integers(0, 5))
def test_rotations_add_up(place: Hex, first: int, second: int) -> None:
    assert rotate(rotate(place, first), second) == rotate(place, first + second)
    assert rotate(place, 6) == place
    assert rotate(place, 3) == (-place[0], -place[1])


@given(hexes, st.integers(0, 5))
def test_rotation_keeps_neighbours(place: Hex, turns: int) -> None:
    turned = {rotate(other, turns) for other in neighbours(place)}
    assert turned == set(neighbours(rotate(place, turns)))


def test_even_columns_lie_half_a_hex_lower() -> None:
    # The hex at the lower right of an even column's is in the next row of the odd column.
    assert from_even_q(0, 0) == (0, 0)
    assert neighbours((0, 0))[0] == from_even_q(1, 1)
    assert neighbours((0, 0))[5] == from_even_q(1, 0)


@given(hexes)
def test_text_there_and_back(place: Hex) -> None:
    assert parse_hex(format_hex(place)) == place


@pytest.mark.parametrize(
    "text",
    ["", "3", "3,", ",2", "3,-2,1", "3, -2", " 3,-2", "3,-2\n", "+3,2", "03,2", "-0,1", "3.0,1",
     "٣,2", "10000,0", "1" * 10_000 + ",1", "nan,1", None, 3, (3, -2), b"3,-2"],
)  # fmt: skip
def test_other_texts_are_refused(text: Any) -> None:
    with pytest.raises(LoootError, match="is not a space") as caught:
        parse_hex(text)
    assert len(str(caught.value)) < 200
