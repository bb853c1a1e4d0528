"""When those come back who were refused because too many search."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_S = 10.0
SHORTEST_S = 0.1
_WEIGHT_OF_THE_LAST = 0.1


class Comebacks:
    """Tells each call that is refused when to come back, as if the refused stood in line.

    So those that do are spread over the time that their searches will take, however many they are;
    told all the same they would come back all at once.

    Parameters
    ----------
    places : int
        How many search at once.
    clock : callable
        Gives the time in seconds.
    """

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._clock = clock
        self._mean_s: float | None = None
        self._line_ends = clock()

    def note_search(self, seconds: float) -> None:
        """Note how long a search has taken."""
        if self._mean_s is None:
            self._mean_s = seconds
        self._mean_s += _WEIGHT_OF_THE_LAST * (seconds - self._mean_s)

    def next_s(self) -> float:
        """Give the seconds after which one more that is refused is to come back."""
        now = self._clock()
        line_s = max(self._line_ends - now, 0.0) + (self._mean_s or 0.0) / self._places
        line_s = min(max(line_s, SHORTEST_S), LONGEST_S)
        self._line_ends = now + line_s
        return line_s
