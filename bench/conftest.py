"""Collects the figures of the benchmarks and prints them in plain units at the end."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bench.games import EDITION, PLAYER_COUNTS, build_kind
from bench.timing import Report

Figures = dict[str, dict[int, float]]  # "clone, ns" -> players -> value

FIGURES = pytest.StashKey[Figures]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = {}


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Report:
    """Keep a figure for the summary and for the file of --benchmark-json."""

    def keep(name: str, players: int, value: float) -> None:
        request.config.stash[FIGURES].setdefault(name, {})[players] = value
        benchmark.extra_info.update({name: value, "players": players, "build": build_kind()})

    return keep


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    figures = config.stash[FIGURES]
    if not figures:
        return
    terminalreporter.section(f"figures (medians; {build_kind()} build, {EDITION} edition)")
    heading = "".join(f"{players:>9} pl." for players in PLAYER_COUNTS)
    terminalreporter.write_line(f"{'':34}{heading}")
    for name, by_players in figures.items():
        values = "".join(_cell(by_players.get(players)) for players in PLAYER_COUNTS)
        terminalreporter.write_line(f"{name:34}{values}")


def _cell(value: float | None) -> str:
    return f"{'-':>13}" if value is None else f"{value:>13,.{0 if value >= 100 else 1}f}"
