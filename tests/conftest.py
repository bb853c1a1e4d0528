"""Options of the test run."""

import hypothesis
import pytest

# How long an example takes says nothing about whether it is right.
hypothesis.settings.register_profile("looot", deadline=None)
hypothesis.settings.load_profile("looot")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--lockstep-games",
        type=int,
        default=500,
        metavar="N",
        help="games to play in lockstep between the core and the plain rules (default: 500)",
    )
