"""The one way in which a benchmark here is timed and told."""

from collections.abc import Callable
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

NANOSECONDS = 1e9

Report = Callable[[str, int, float], None]
"""Takes the name with its unit, the number of players and the value."""


def median_seconds(
    benchmark: BenchmarkFixture,
    function: Callable[..., None],
    rounds: int,
    arguments: Callable[[], tuple[Any, ...]] = tuple,
) -> float:
    """Call the function once a round, each time with new arguments that are not timed."""
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        function, setup=lambda: (arguments(), {}), rounds=rounds, warmup_rounds=2
    )
    if benchmark.stats is None:  # --benchmark-disable
        return float("nan")
    seconds: float = benchmark.stats["median"]
    return seconds
