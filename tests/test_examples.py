"""The example client works with the stubs that the readme's command makes, and nothing else."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from server.command_line import main
from tests.server.conftest import LIMITS
from tests.server.service import running_service

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ALONE = """
import runpy, sys
stubs, *sys.argv = sys.argv[1:]
sys.path.insert(0, stubs)
for name in ("looot_core", "ai", "server"):
    sys.modules[name] = None  # it cannot be imported
import looot.v1
assert looot.v1.__path__[0].startswith(stubs), looot.v1.__path__
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def make_stubs(folder: Path) -> None:
    """Run the readme's command with another folder for what it makes."""
    (command,) = re.findall(r"^python -m grpc_tools\.protoc .*$", README, re.MULTILINE)
    shell = command.replace("python ", f"{shlex.quote(sys.executable)} ", 1)
    shell = shell.replace("=stubs", f"={shlex.quote(str(folder))}")
    made = subprocess.run(shell, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


def output(*arguments: str, standard_input: str | None = None) -> str:
    result = CliRunner().invoke(main, arguments, input=standard_input)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_client_made_from_the_protos_alone_plays_a_game(tmp_path: Path) -> None:
    make_stubs(tmp_path)
    setup = output("new", "--players", "3", "--seed", "5")
    position = output("position", "-", "--protojson", standard_input=setup)
    client = str(ROOT / "examples" / "plain_client.py")
    alone = [sys.executable, "-c", ALONE, str(tmp_path), client]
    with running_service(LIMITS) as service:
        played = subprocess.run(
            [*alone, "--address", service.address, "--milliseconds", "5"],
            input=position,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert played.returncode == 0, played.stderr
    assert "player 0 is to move" in played.stdout
    assert re.search(r"^points: -?\d+, -?\d+, -?\d+$", played.stdout, re.MULTILINE)
    assert re.search(r"^won by: player [012]", played.stdout, re.MULTILINE)
