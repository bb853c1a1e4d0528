"""The database of the store: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import aiosqlite
import asyncpg  # type: ignore[import-untyped]
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

import looot_core as lc
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
PATIENCE_S = 10
"""Seconds after which SQLite's lock is not waited for any more, or an answer of PostgreSQL."""
_CONNECTIONS = 10
_MOST_AT_ONCE = 64
_MIGRATION_LOCK = 0x6C6F6F6F74
_OUR_FAULTS = (
    sa.exc.DataError,
    sa.exc.IntegrityError,
    sa.exc.NotSupportedError,
    sa.exc.ProgrammingError,
)
# What is written and read, the order of a bag among it, must not get into the log, however much is
# logged.
for _name in ("aiosqlite", "sqlalchemy"):
    logging.getLogger(_name).setLevel(logging.WARNING)
_log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")
_Work: TypeAlias = Callable[[AsyncConnection], Awaitable[_Answer]]
_Batch: TypeAlias = list[tuple[_Work[Any], asyncio.Future[Any]]]


class DatabaseError(lc.LoootError):
    """The database cannot be used; the message says why."""


class Database:
    """Connections to a database whose tables are up to date.

    Safe to use from one event loop only. SQLite has one writer: writes that wait for it are
    committed together, so that one write to the disk serves them all.

    Parameters
    ----------
    url : str
        ``sqlite:///path/of/a/file`` or ``postgresql://user:password@host:port/name``.
    timing : callable, optional
        Gives what measures the time of an operation, ``read`` or ``write``.

    Raises
    ------
    DatabaseError
        If it is no such URL.
    """

    def __init__(
        self, url: str, timing: Callable[[str], AbstractContextManager[object]] = nullcontext
    ) -> None:
        self.url = _read_url(url)
        self.is_postgresql = self.url.get_backend_name() == "postgresql"
        self._timing = timing
        self._engine = self._create_engine(PATIENCE_S)
        self._waiting: _Batch = []
        # The pool itself would let some wait for ever.
        self._places = asyncio.Semaphore(_CONNECTIONS)
        self._writer: asyncio.Task[None] | None = None
        self._lock: int | None = None

    async def open(self) -> None:
        """Make the tables, or bring them up to date.

        Raises
        ------
        DatabaseError
            If the database cannot be reached, is of a newer version of this program, or is a file
            that another server has.
        """
        patient = self._create_engine(None)  # an upgrade takes as long as it takes
        try:
            if not self.is_postgresql:
                self._take_file()
            async with patient.connect() as connection:
                if self.is_postgresql:  # servers that start at the same time take turns
                    lock = sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)
                    await connection.execute(sa.select(lock))
                else:
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                await connection.run_sync(_upgrade)
                await connection.commit()
        except (sa.exc.SQLAlchemyError, CommandError, OSError) as error:
            await self.close()
            given = self.url.set(drivername=self.url.get_backend_name())
            place = given.render_as_string(hide_password=True)
            raise DatabaseError(f"{place}: {cause(error)}") from error
        finally:
            await patient.dispose()

    async def connect(self, patience_s: float | None) -> asyncpg.Connection:
        """Give a connection to PostgreSQL of one's own.

        The driver itself reads the URL, so that ``sslmode`` and its like are heeded everywhere.

        Parameters
        ----------
        patience_s : float or None
            Seconds after which an answer is not waited for any more; None: it always is.
        """
        address = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        return await asyncpg.connect(address, timeout=PATIENCE_S, command_timeout=patience_s)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection to read by.

        Raises
        ------
        Refusal
            If the database cannot be reached.
        """
        with _refusing_faults(), self._timing("read"):
            async with self._places, self._connection() as connection:
                yield connection

    async def write(self, work: _Work[_Answer]) -> _Answer:
        """Do some work in a transaction; when this returns, it is on the disk.

        A cancelled call may have been done nevertheless.

        Parameters
        ----------
        work : callable
            Is given the connection. What it raises undoes its own work only, and is raised. It may
            be called twice, if another's work undid it.

        Raises
        ------
        Refusal
            If the database cannot be reached.
        """
        with _refusing_faults(), self._timing("write"):
            if self.is_postgresql:
                async with self._places, self._engine.begin() as connection:
                    return await work(connection)
            future: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
            self._waiting.append((work, future))
            if self._writer is None or self._writer.done():
                self._writer = asyncio.create_task(self._write_waiting())
            return await future

    async def close(self) -> None:
        """Finish what is being written, and let go of the connections."""
        if self._writer is not None:
            await self._writer
        await self._engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _take_file(self) -> None:
        """Keep other servers from the file: they would hear nothing of what happens in its games.

        The lock has a file of its own, for SQLite's locks end when anybody closes the other. It
        ends with this process at the latest.
        """
        if self._lock is not None:
            return
        self._lock = os.open(f"{self.url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OSError(
                "another server has this file; choose another with --database-url"
            ) from error

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST_AT_ONCE], self._waiting[_MOST_AT_ONCE:]
            try:
                await self._write_together(batch)
            except sa.exc.OperationalError as error:
                _fail(batch, error)
            except Exception as error:
                if len(batch) == 1:
                    _fail(batch, error)
                    continue
                for one in batch:  # one of them failed and undid them all: each for itself
                    try:
                        await self._write_together([one])
                    except Exception as its_own:
                        _fail([one], its_own)

    async def _write_together(self, batch: _Batch) -> None:
        """Do all works in one transaction."""
        async with self._engine.connect() as connection:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            answers = [await work(connection) for work, _ in batch]
            await connection.commit()
        for (_, future), answer in zip(batch, answers, strict=True):
            if not future.done():  # it may have been cancelled
                future.set_result(answer)

    def _connection(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._engine.connect() if self.is_postgresql else self._file_opened()

    @asynccontextmanager
    async def _file_opened(self) -> AsyncIterator[AsyncConnection]:
        """Open the file and close it, wholly even if cancelled.

        A thread does both. Nobody would wait for it, and the file would be left open.
        """
        connection = self._engine.connect()
        try:
            await _wholly(connection.start())
            yield connection
        finally:
            if connection.sync_connection is not None:
                await _wholly(connection.aclose())

    async def _connect_to_file(self) -> aiosqlite.Connection:
        connection = _FileConnection(partial(sqlite3.connect, str(self.url.database)), 64)
        connection._thread.daemon = True  # the process may end without it
        return await connection

    def _create_engine(self, patience_s: float | None) -> AsyncEngine:
        postgresql = partial(self.connect, patience_s)
        engine = create_async_engine(
            self.url,
            async_creator=postgresql if self.is_postgresql else self._connect_to_file,
            # Errors must not show what was to be written: tokens' hashes, the order of a bag.
            hide_parameters=True,
            pool_size=_CONNECTIONS + 1,  # one to write to SQLite by
            max_overflow=0,
        )
        if not self.is_postgresql:
            sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        return engine


class _FileConnection(aiosqlite.Connection):
    """A connection whose thread is told only once to stop, as it answers nothing after that.

    SQLAlchemy tells it while it is being closed, if that is cancelled once more; what closes it
    tells it again, and would wait for ever.
    """

    _stopped: asyncio.Future[None] | None = None

    def stop(self) -> asyncio.Future[None] | None:
        if self._stopped is None:
            self._stopped = super().stop()
        return self._stopped


async def _wholly(work: Coroutine[Any, Any, object]) -> None:
    """Wait for the end of some work, and only then be cancelled."""
    task = asyncio.create_task(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError


def _fail(batch: _Batch, error: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where this module says so
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {1000 * PATIENCE_S}",
        "journal_mode = WAL",
        "synchronous = FULL",  # what is committed is on the disk
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "server.games:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _read_url(text: str) -> URL:
    try:
        url = make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise DatabaseError(
            "the database's URL is neither sqlite:///PATH nor"
            " postgresql://USER:PASSWORD@HOST:PORT/NAME"
        ) from None
    driver = _DRIVERS.get(url.drivername.partition("+")[0])
    if driver is None:
        raise DatabaseError(
            f"{url.drivername}: the database's URL begins with neither sqlite: nor postgresql:"
        )
    if url.port is not None and not 0 < url.port < 1 << 16:
        raise DatabaseError(f"{url.port}: the database's port is not from 1 to 65535")
    if driver.startswith("sqlite"):
        if url.query:
            raise DatabaseError("sqlite: its URL has a path only, and nothing behind a '?'")
        if not url.database or url.database == ":memory:":
            raise DatabaseError("sqlite: the path of a file is missing: sqlite:///path/of/a/file")
        # The order of a bag is nobody's to read.
        Path(url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return url.set(drivername=driver)


@contextmanager
def _refusing_faults() -> Iterator[None]:
    """Refuse with UNAVAILABLE when the database is not there, or too busy."""
    try:
        yield
    except _OUR_FAULTS:
        raise
    except (sa.exc.DBAPIError, sa.exc.TimeoutError, OSError) as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> Refusal:
    _log.warning("the database cannot be used: %s", cause(error))
    return Refusal(
        ErrorReason.ERROR_REASON_UNAVAILABLE, "the database cannot be used now; call again"
    )


def cause(error: Exception) -> str:
    """Say what the driver says, without the statement."""
    found = getattr(error, "orig", None) or error
    return str(found).partition("\n")[0] or type(found).__name__
