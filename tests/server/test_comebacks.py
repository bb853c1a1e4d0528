"""Who is refused is told to come back when it will be his turn."""

from __future__ import annotations

import pytest

from server.comebacks import LONGEST_S, SHORTEST_S, Comebacks


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_that_is_refused_comes_back_a_search_after_the_one_before() -> None:
    clock = Clock()
    comebacks = Comebacks(2, clock)
    comebacks.note_search(1.0)
    assert [comebacks.next_s() for _ in range(4)] == pytest.approx([0.5, 1.0, 1.5, 2.0])
    clock.now += 1.5  # three of them have come
    assert comebacks.next_s() == pytest.approx(1.0)
    clock.now += 60
    assert comebacks.next_s() == pytest.approx(0.5)


def test_the_delay_is_bounded_both_ways() -> None:
    comebacks = Comebacks(1, Clock())
    assert comebacks.next_s() == SHORTEST_S  # nothing has searched yet
    comebacks.note_search(3.0)
    assert [comebacks.next_s() for _ in range(20)][-1] == LONGEST_S


def test_clients_that_come_back_as_told_come_as_fast_as_searches_end() -> None:
    clock = Clock()
    comebacks = Comebacks(1, clock)
    comebacks.note_search(0.2)
    clients = 40
    due = [comebacks.next_s() + clock.now for _ in range(clients)]
    calls = 0
    while clock.now < 160.0:
        clock.now = min(due)
        calls += 1
        due[due.index(clock.now)] = clock.now + comebacks.next_s()
    assert calls / 60 == pytest.approx(1 / 0.2, rel=0.1)


def test_the_mean_follows_the_searches() -> None:
    comebacks = Comebacks(1, Clock())
    comebacks.note_search(1.0)
    for _ in range(100):
        comebacks.note_search(2.0)
    assert comebacks.next_s() == pytest.approx(2.0, rel=0.01)
