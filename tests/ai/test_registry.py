"""Agents under names: registered by hand, or by an installed package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ai
import looot_core as lc

GAME = Path(__file__).parents[2] / "server" / "data" / "recorded_game.json"


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    ai.agent_names()  # so that what is installed is registered by now
    names: dict[str, Any] = {}
    monkeypatch.setattr("ai.agent._factories", names)
    return names


@pytest.mark.parametrize("name", [5, None, "", "a b", "a:b", "a.b", "1a", "é", "a" * 41, ["a"]])
def test_what_is_no_name_is_refused(known: dict[str, Any], name: Any) -> None:
    with pytest.raises(lc.LoootError, match=r"^name: .* is no name of letters"):
        ai.register(name, ai.RandomAgent)
    assert ai.agent_names() == ()


@pytest.mark.parametrize("factory", [None, 5, "ai.RandomAgent"])
def test_what_cannot_be_called_is_refused(known: dict[str, Any], factory: Any) -> None:
    with pytest.raises(lc.LoootError, match=r"^factory: .* cannot be called to make mine$"):
        ai.register("mine", factory)
    assert ai.agent_names() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("description", 5),
        ("levels", 10),
        ("levels", range(0)),
        ("levels", range(11)),
        ("levels", range(1, 12)),
        ("levels", range(1, 10, 2)),
        ("max_threads", 0),
        ("max_threads", "2"),
    ],
)
def test_what_makes_no_sense_of_an_agent_is_refused(
    known: dict[str, Any], field: str, value: Any
) -> None:
    factory: Any = type("Mine", (ai.RandomAgent,), {field: value})
    with pytest.raises(lc.LoootError, match=rf"^{field}: "):
        ai.register("mine", factory)
    assert ai.agent_names() == ()


def install(folder: Path, agents: str, module: str) -> dict[str, str]:
    """Make an installed package with a module, and give the environment that has it."""
    metadata = folder / "mine-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[looot.agents]\n{agents}\n")
    (folder / "my_agents.py").write_text(module)
    return {**os.environ, "PYTHONPATH": str(folder)}


def suggestion(environment: dict[str, str], agent: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "server.command_line", "suggest", str(GAME), "--turn", "3"]
    return subprocess.run(
        [*command, "--agent", agent, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_agent_of_an_installed_package_can_be_asked(tmp_path: Path) -> None:
    module = "import ai\n\nclass Mine(ai.RandomAgent):\n    pass\n"
    answer = suggestion(install(tmp_path, "mine = my_agents:Mine", module), "mine")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["turn"][-1] == "end"


def test_a_broken_package_is_told_of_and_left_out(tmp_path: Path) -> None:
    environment = install(tmp_path, "mine = my_agents:Mine", "raise KeyError('no weights')\n")
    answer = suggestion(environment, "random")
    assert answer.returncode == 0, answer.stderr
    assert "looot.agents: mine = my_agents:Mine: KeyError('no weights')" in answer.stderr
    assert suggestion(environment, "mine").returncode == 2


def test_an_installed_package_does_not_take_the_name_of_another_agent(tmp_path: Path) -> None:
    environment = install(tmp_path, "random = my_agents:Mine", "Mine = None\n")
    answer = suggestion(environment, "random")
    assert answer.returncode == 0
    assert "looot.agents" not in answer.stderr
