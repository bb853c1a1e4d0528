"""Databases for the tests of hosted games; tests may be coroutines."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.postgresql import PostgreSQL, find_programs, running_postgresql
from tests.server.recorder import PATIENCE_S


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {
        name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters
    }

    async def run() -> None:
        await asyncio.wait_for(pyfuncitem.obj(**arguments), timeout=10 * PATIENCE_S)

    asyncio.run(run())
    return True


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL's programs (initdb, pg_ctl, createdb) are not installed")
    with running_postgresql(programs, durable=False) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    server: Any = request.getfixturevalue("postgresql")
    return str(server.new_database())


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture
def postgresql_url(postgresql: PostgreSQL) -> str:
    return postgresql.new_database()
