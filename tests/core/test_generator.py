"""The random generator against its description, written in Python here."""

import math
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looot_core.errors import LoootError
from looot_core.generator import Generator, fresh_seed

WORD = 2**64


class Described:
    """The algorithm as the module's documentation gives it."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next_uint64(self) -> int:
        self.state = z = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        while True:
            high, low = divmod(self.next_uint64() * n, WORD)
            if low >= WORD % n:
                return high

    def shuffle(self, items: list[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


seeds = st.integers(0, WORD - 1)


def test_published_words_of_splitmix64() -> None:
    generator = Generator(1234567)
    assert [generator.next_uint64() for _ in range(5)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423,
        4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@given(seeds, st.lists(st.integers(1, WORD - 1) | st.integers(1, 100), max_size=20))
def test_draws_are_as_described(seed: int, bounds: list[int]) -> None:
    generator, described = Generator(seed), Described(seed)
    for n in bounds:
        drawn = generator.below(n)
        assert drawn == described.below(n)
        assert 0 <= drawn < n
    assert generator.next_uint64() == described.next_uint64()


@given(seeds)
def test_large_bounds_are_drawn_without_bias(seed: int) -> None:
    """Just above 2^63 almost every second word has to be rejected."""
    generator, described = Generator(seed), Described(seed)
    n = 2**63 + 1
    assert [generator.below(n) for _ in range(20)] == [described.below(n) for _ in range(20)]


@given(seeds, st.integers(0, 40))
def test_shuffles_are_as_described(seed: int, size: int) -> None:
    items, same = list(range(size)), list(range(size))
    Generator(seed).shuffle(items)
    Described(seed).shuffle(same)
    assert items == same
    assert sorted(items) == list(range(size))


def test_all_orders_are_equally_likely() -> None:
    generator = Generator(5)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        generator.shuffle(items)
        orders[tuple(items)] += 1
    assert set(orders) == set(permutations(range(4)))
    mean = 12_000 / math.factorial(4)
    assert all(abs(count - mean) < 5 * mean**0.5 for count in orders.values())


@pytest.mark.parametrize(
    "value",
    [-1, WORD, 10**5000, True, 1.0, float("nan"), "1", None, [1]],
    ids=lambda value: type(value).__name__,
)
def test_other_seeds_and_bounds_are_refused(value: Any) -> None:
    with pytest.raises(LoootError, match=r"^seed: "):
        Generator(value)
    generator = Generator(1)
    with pytest.raises(LoootError, match=r"^n: "):
        generator.below(value)
    with pytest.raises(LoootError, match=r"^n: 0 is not"):
        generator.below(0)
    assert generator.next_uint64() == Generator(1).next_uint64()


def test_fresh_seeds_differ() -> None:
    drawn = {fresh_seed() for _ in range(10)}
    assert len(drawn) == 10
    assert all(0 <= seed < WORD for seed in drawn)
