"""``looot train`` and ``looot calibration``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ai import arena as ai_arena
from ai.training import plan, run
from ai.training.arrays import write_arrays
from ai.training.folder import TrainingFolder
from ai.training.plan import Plan, Stage
from ai.weights import learned_evaluation
from server.command_line import main

TINY = Plan(
    "quick", (Stage(games=4, epochs=1, noise=0), Stage(games=4, epochs=1, noise=0)), chunk=2
)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in a thread: what a process pool does is tested in tests/ai."""
    monkeypatch.setattr(ai_arena, "process_pool", ThreadPoolExecutor)
    monkeypatch.setitem(plan.PRESETS, "quick", TINY)


def looot(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--jobs", "1"])


def test_training_ends_with_weights_and_their_card(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra 'train' is not installed")
    trained = looot("train", "--preset", "quick", "--out", tmp_path)
    assert trained.exit_code == 0
    assert trained.stdout == f"{tmp_path / 'weights.npz'}\n{tmp_path / 'weights.md'}\n"
    assert "stage 1: fit" in trained.stderr
    assert "held-out error" in trained.stderr
    assert "`looot train --preset quick`" in (tmp_path / "weights.md").read_text(encoding="utf-8")
    judged = looot(
        "calibration", "--weights", tmp_path / "weights.npz", "--games", "3", "--out", tmp_path
    )
    assert judged.exit_code == 0


def test_interrupted_training_says_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "train", interrupted)
    result = looot("train", "--out", tmp_path)
    assert result.exit_code == 130
    assert "Interrupted; the same command goes on." in result.stderr


def test_folder_of_another_preset_is_refused_in_one_line(tmp_path: Path) -> None:
    with TrainingFolder(tmp_path, plan.PRESETS["full"]):
        pass
    result = looot("train", "--preset", "quick", "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: {tmp_path / 'plan.json'}: of another plan; plan, stages, chunk differ\n"
    )


@pytest.mark.parametrize(("simulations", "turns"), [(0, "greedy agent"), (2, "2 simulations")])
def test_calibration_of_the_weights_of_the_package(
    tmp_path: Path, simulations: int, turns: str
) -> None:
    out = tmp_path / "out"
    result = looot("calibration", "--games", "2", "--simulations", str(simulations), "--out", out)
    assert result.exit_code == 0
    page = (out / "calibration.md").read_text(encoding="utf-8")
    assert f"`{learned_evaluation().hash}`" in page
    assert turns in page
    assert "2 games" in page
    assert ElementTree.parse(out / "calibration.svg").getroot().tag.endswith("svg")


def test_weights_that_are_none_are_refused_in_one_line(tmp_path: Path) -> None:
    weights = tmp_path / "weights.npz"
    weights.write_bytes(b"nothing")
    result = looot("calibration", "--weights", weights, "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {weights}: not a file of")
    write_arrays(weights, {"first": np.zeros(3, dtype=np.float32)})
    result = looot("calibration", "--weights", weights, "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"Error: {weights}: weights: first has the shape (3,), not (141, 64)\n"
