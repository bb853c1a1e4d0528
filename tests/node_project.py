"""Node projects of the tests: copied to the build folder, and set up there once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_OLDEST_NODE = 20


def node() -> str:
    """Give the path of Node, or skip the test and say why."""
    path = shutil.which("node")
    if path is None or shutil.which("npm") is None:
        pytest.skip("there is no node with npm on PATH")
    version = run([path, "--version"], ROOT).lstrip("v")
    if int(version.split(".")[0]) < _OLDEST_NODE:
        pytest.skip(f"node {version.strip()} is older than {_OLDEST_NODE}")
    return path


def run(command: list[str], folder: Path, **more: object) -> str:
    """Run a command that must succeed, and give what it prints."""
    done = subprocess.run(  # type: ignore[call-overload]
        command, cwd=folder, text=True, capture_output=True, check=False, timeout=300, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def set_up(source: Path, prepare: Callable[[Path], object]) -> Path:
    """Copy a project, install its packages, and prepare it, unless that was done for these files.

    Parameters
    ----------
    source : Path
    prepare : callable
        Is given the copy with its packages.

    Returns
    -------
    Path
        The copy.
    """
    copy = ROOT / "build" / "node" / source.name
    copy.mkdir(parents=True, exist_ok=True)
    with (copy / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = copy / ".stamp"
        current = _fingerprint(source)
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != current:
            shutil.copytree(source, copy, dirs_exist_ok=True, ignore=_made)
            run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], copy)
            prepare(copy)
            stamp.write_text(current, encoding="utf-8")
    return copy


def _fingerprint(source: Path) -> str:
    """Tell the newest change of the project and of the protocol."""
    files = [path for folder in (source, ROOT / "proto") for path in folder.rglob("*.*")]
    return repr(
        max(os.stat(path).st_mtime_ns for path in files if "node_modules" not in path.parts)
    )


def _made(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in ("node_modules", "generated", "build")}
