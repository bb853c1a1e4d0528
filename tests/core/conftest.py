"""Fixtures that give a test both implementations of the rules in turn."""

import pytest

from tests.core.drivers import DRIVERS, Game
from tests.core.table import Table


@pytest.fixture(params=DRIVERS)
def game_class(request: pytest.FixtureRequest) -> type[Game]:
    name: str = request.param
    return DRIVERS[name]


@pytest.fixture
def table(game_class: type[Game]) -> Table:
    return Table(game_class)
