"""A PostgreSQL server for the tests, in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))  # where Debian puts its programs


def find_programs() -> Path | None:
    """Give the folder of PostgreSQL's programs, or None where there are none."""
    if _FOLDERS:
        return _FOLDERS[-1]
    found = shutil.which("initdb")
    return Path(found).parent if found else None


class PostgreSQL:
    """A running server.

    Attributes
    ----------
    url : str
        Of the server, without a database.
    """

    def __init__(self, programs: Path, folder: Path, port: int, durable: bool) -> None:
        self._programs = programs
        self._data = folder / "data"
        self._sockets = folder
        self._port = port
        self._durable = durable
        self._databases = 0
        self.url = f"postgresql://looot@127.0.0.1:{port}"

    def create(self) -> None:
        self._run(
            "initdb", "--no-sync", "--auth=trust", "--username=looot", "--pgdata", str(self._data)
        )

    def start(self) -> None:
        fsync = "on" if self._durable else "off"
        options = (
            f"-p {self._port} -k {self._sockets} -c listen_addresses=127.0.0.1 -c fsync={fsync}"
        )
        log = self._sockets / "log"
        self._run("pg_ctl", "-w", "-D", str(self._data), "-o", options, "-l", str(log), "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-w", "-D", str(self._data), "-m", mode, "stop")

    def new_database(self) -> str:
        """Make an empty database, and give its URL."""
        self._databases += 1
        name = f"games{self._databases}"
        connection = ("-h", "127.0.0.1", "-p", str(self._port), "-U", "looot")
        self._run("createdb", *connection, name)
        return f"{self.url}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        # It refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else None
        subprocess.run(
            [self._programs / program, *arguments],
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            cwd=self._sockets,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
        )


@contextmanager
def running_postgresql(programs: Path, durable: bool) -> Iterator[PostgreSQL]:
    """Run a server; one that is not durable is quicker, and would not survive a power cut."""
    with tempfile.TemporaryDirectory(prefix="looot-postgresql-") as name:
        if os.geteuid() == 0:
            shutil.chown(name, "postgres", "postgres")
        server = PostgreSQL(programs, Path(name), _free_port(), durable)
        server.create()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
