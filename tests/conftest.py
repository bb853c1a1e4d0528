"""Options of the test run."""

import os

import hypothesis
import pytest

# How long an example takes says nothing about whether it is right.
hypothesis.settings.register_profile(
    "looot", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("looot")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--lockstep-games",
        type=int,
        default=500,
        metavar="N",
        help="games to play in lockstep between the core and the plain rules (default: 500)",
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything is installed (LOOOT_NO_SKIPS=1), a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("LOOOT_NO_SKIPS") == "1" and reporter and reporter.stats.get("skipped"):
        reporter.write_line("LOOOT_NO_SKIPS=1: tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
