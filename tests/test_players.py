"""The example players play a whole hosted game while its server is killed and restarted."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench.soak import free_ports
from bench.soak_server import Replica
from looot.v1 import game_service_pb2 as pb
from server.games import HostedGames
from tests.node_project import ROOT, node, run, set_up
from tests.server.games.hosting import hosting
from tests.test_examples import ALONE, make_stubs

EXAMPLES = ROOT / "examples"
KILLED_AT, STOPPED_AT = 6, 40  # the versions of the game


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Replica]:
    replica = Replica(f"sqlite:///{tmp_path}/games.db", free_ports(1)[0])
    asyncio.run(replica.start())
    yield replica
    replica.kill()


def restart(server: Replica, gently: bool) -> None:
    assert server.process is not None
    if gently:
        server.process.terminate()
        server.process.join()
    else:
        server.kill()
    asyncio.run(server.start())


def check_play(command: list[str], folder: Path, server: Replica) -> None:
    """Let a player play, and restart the server under it."""
    pending = {KILLED_AT: False, STOPPED_AT: True}
    versions, lines = [], []
    arguments = ["--address", server.address, "--bots", "2", "--level", "1", "--simulations", "5"]
    with subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as player:
        assert player.stdout is not None
        for line in player.stdout:
            lines.append(line)
            event = re.match(r" *(\d+) seat \d", line)
            if event:
                versions.append(int(event[1]))
                for at in [at for at in pending if at <= versions[-1]]:
                    restart(server, pending.pop(at))
    output = "".join(lines)
    assert player.returncode == 0, output
    assert versions == list(range(1, len(versions) + 1))
    assert not pending
    assert re.search(r"^points: -?\d+, -?\d+, -?\d+$", output, re.MULTILINE), output
    assert re.search(r"^won by: seat [012]", output, re.MULTILINE)


def test_the_python_player(server: Replica, tmp_path: Path) -> None:
    stubs = tmp_path / "stubs"
    stubs.mkdir()
    make_stubs(stubs)
    player = str(EXAMPLES / "python_player.py")
    check_play([sys.executable, "-u", "-c", ALONE, str(stubs), player], tmp_path, server)


def test_the_python_player_repeats_a_creation_that_was_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("player", EXAMPLES / "python_player.py")
    assert spec
    assert spec.loader
    player = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(player)
    monkeypatch.setattr(player, "PAUSE_S", 0)
    answers: list[pb.CreateGameResponse] = []

    class Unlucky:
        """Loses the first answer."""

        def __init__(self, games: HostedGames) -> None:
            self._games = games

        async def CreateGame(
            self, request: pb.CreateGameRequest, timeout: float
        ) -> pb.CreateGameResponse:
            answers.append(await self._games.create_game(request))
            if len(answers) == 1:
                lost = grpc.StatusCode.UNAVAILABLE
                raise grpc.aio.AioRpcError(lost, grpc.aio.Metadata(), grpc.aio.Metadata(), "", "")
            return answers[-1]

    async def create() -> tuple[str, str]:
        async with hosting(f"sqlite:///{tmp_path}/games.db") as games:
            made: tuple[str, str] = await player.create(Unlucky(games), bots=1, level=1)
            return made

    made = asyncio.run(create())
    first, again = answers
    assert first == again
    assert made == (first.game.game_id, first.seat_tokens[0].token)


def _build(project: Path) -> None:
    shutil.copy(EXAMPLES / "service_config.json", project.parent)
    run(["npm", "run", "build"], project, env={**os.environ, "PROTO": str(ROOT / "proto")})


def test_the_node_player(server: Replica) -> None:
    program = node()
    project = set_up(EXAMPLES / "node_player", _build)
    player = [program, "build/player.js", "--protos", str(ROOT / "proto")]
    check_play(player, project, server)
