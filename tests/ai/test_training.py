"""Training: games and fits by a plan, whatever interrupts it."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import looot_core as lc
from ai import arena
from ai.evaluation import SHAPES, Evaluation
from ai.hand_weights import hand_weights
from ai.training.arrays import read_arrays
from ai.training.errors import TrainingError
from ai.training.examples import FACT, Examples
from ai.training.folder import TrainingFolder
from ai.training.forecast import Errors, table_gains
from ai.training.plan import Plan, Stage
from ai.training.run import Progress, Watch, train
from ai.training.targets import TrainingSet, lambda_returns

pytest.importorskip("torch", reason="the extra 'train' is not installed")

TINY = Plan(
    "tiny",
    (
        Stage(games=6, epochs=2, noise=0),
        Stage(games=4, simulations=3, epochs=2, reach=2, trace_decay=0.75),
    ),
    chunk=2,
)

KILLED = """
import os, signal
from concurrent.futures import ThreadPoolExecutor
from tests.ai.test_training import TINY, run

def watch(news):
    if (news.stage, news.activity, news.done) == {moment!r}:
        os.kill(os.getpid(), signal.SIGKILL)

run({path!r}, watch)
"""


def run(path: Path | str, watch: Watch | None = None, executor: Executor | None = None) -> None:
    """Run the tiny plan, in this process unless there is an executor."""
    with TrainingFolder(path, TINY) as folder:
        if executor is not None:
            train(folder, executor, 1, watch)
            return
        with ThreadPoolExecutor(1) as thread:
            train(folder, thread, 1, watch)


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*.*")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a run that nothing interrupted."""
    path = tmp_path_factory.mktemp("whole")
    run(path)
    return path


def test_run_leaves_weights_and_a_card_that_tells_of_them(whole: Path) -> None:
    assert {name for name in contents(whole) if "games" not in name} == {
        "plan.json",
        "stage-0/weights.npz",
        "stage-1/weights.npz",
        "weights.npz",
        "weights.md",
    }
    assert contents(whole)["weights.npz"] == contents(whole)["stage-1/weights.npz"]
    evaluation = Evaluation.load(whole / "weights.npz")
    assert evaluation.hash != Evaluation.load(whole / "stage-0" / "weights.npz").hash
    card = (whole / "weights.md").read_text(encoding="utf-8")
    assert f"`{evaluation.hash}`" in card
    assert "| 0 | the hand evaluation | 6 | 0 to 5 | 0% | 0 |" in card
    assert "| 1 | stage 0, 3 simulations | 4 | 30000000 to 30000003 | 10% | 0 to 1 |" in card
    assert card.count("| final score | 2 |") == 1
    assert card.count("| λ-return, λ = 0.75 a turn | 2 |") == 1


@pytest.mark.parametrize("moment", [(0, "games", 2), (1, "fit", 1)])
def test_killed_run_goes_on_to_the_same_end(
    whole: Path, tmp_path: Path, moment: tuple[int, str, int]
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", KILLED.format(path=str(tmp_path), moment=moment)],
        timeout=300,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert not (tmp_path / "weights.npz").exists()
    kept = contents(tmp_path)
    assert "stage-0/games-00000.npz" in kept
    news: list[Progress] = []
    run(tmp_path, news.append)
    assert contents(tmp_path) == contents(whole)
    # Nothing that was there is made again.
    stage, activity, done = moment
    assert news[0] == Progress(stage, "games", done if activity == "games" else 4, 6 - 2 * stage)


def test_file_that_was_cut_off_is_none_and_is_made_again(whole: Path, tmp_path: Path) -> None:
    run(tmp_path)
    for name in ("weights.npz", "stage-1/weights.npz", "stage-1/games-00001.npz"):
        file = tmp_path / name
        file.replace(file.with_name(file.name + ".part"))
    run(tmp_path)
    assert contents(tmp_path) == contents(whole)


def test_done_run_makes_nothing_again(whole: Path) -> None:
    news: list[Progress] = []
    run(whole, news.append)
    assert news == []


def test_processes_play_the_same_games(whole: Path, tmp_path: Path) -> None:
    with arena.process_pool(1) as pool:
        run(tmp_path, executor=pool)
    assert contents(tmp_path) == contents(whole)


def test_crash_of_a_worker_is_said(tmp_path: Path) -> None:
    with arena.process_pool(1) as pool:
        pool.submit(signal.raise_signal, signal.SIGKILL).exception()
        with pytest.raises(TrainingError, match="a worker died"):
            run(tmp_path, executor=pool)


def test_folder_of_another_plan_is_refused(whole: Path) -> None:
    before = contents(whole)
    with pytest.raises(TrainingError, match=r"plan.json: of another plan; chunk differ"):
        TrainingFolder(whole, replace(TINY, chunk=1))
    assert contents(whole) == before


def test_folder_is_open_once_at_a_time(tmp_path: Path) -> None:
    with (
        TrainingFolder(tmp_path, TINY),
        pytest.raises(TrainingError, match="a training runs in this folder"),
    ):
        TrainingFolder(tmp_path, TINY)
    TrainingFolder(tmp_path, TINY).__exit__(None, None, None)


def test_training_set_of_a_stage_reaches_back_and_leaves_the_held_out_games(whole: Path) -> None:
    weights = read_arrays(whole / "stage-0" / "weights.npz")
    with TrainingFolder(whole, TINY) as folder:
        games = [[Examples.load(path) for path in folder.games(stage).values()] for stage in (0, 1)]
        seen = folder.training_set(1, weights)
        held_out = folder.held_out(1)
        assert folder.count_examples(1) == len(seen.gains)
    assert np.array_equal(held_out.facts, games[1][1].facts)
    expected = Examples.join([*games[0], games[1][0]])
    assert np.array_equal(seen.examples.features, expected.features)
    assert np.array_equal(seen.examples.facts, expected.facts)
    scores = expected.facts[:, FACT.score]
    forecasts = table_gains(weights, expected) + scores
    targets = lambda_returns(forecasts, expected.facts, 0.75) - scores
    assert np.abs(targets - (expected.facts[:, FACT.final_score] - scores)).max() > 1
    np.testing.assert_allclose(seen.gains, targets, atol=0.01)  # sums of other files round


def test_training_set_of_the_ends_alone_is_of_final_scores(whole: Path) -> None:
    with TrainingFolder(whole, TINY) as folder:
        files = [*folder.games(0).values()][:2]
        seen = folder.training_set(0, hand_weights())
    facts = Examples.join([Examples.load(file) for file in files]).facts
    won = facts[:, FACT.final_score] - facts[:, FACT.score]
    assert np.array_equal(seen.gains, won)


class TestFit:
    """On points that are a linear function of what all seats saw, and some noise."""

    NOISE = 2.0
    OPPONENTS = 12.0  # points for a unit of the first feature of the opponents' mean

    def examples(self, turns: int, seed: int) -> Examples:
        """Give as many turns of 2 players as of 3 and of 4."""
        generator = np.random.default_rng(seed)
        players = np.repeat([2, 3, 4] * turns, [2, 3, 4] * turns)
        seats = np.concatenate([np.arange(count) for count in [2, 3, 4] * turns])
        rows = len(players)
        features = np.zeros((rows, SHAPES["linear"][0]), dtype=np.float16)
        features[:, :3] = generator.uniform(0, 1, (rows, 3))
        first = features[:, 0].astype(float)
        sums = np.repeat(np.add.reduceat(first, np.flatnonzero(seats == 0)), players[seats == 0])
        points = (
            features[:, :3] @ np.array([20, -10, 30])
            + self.OPPONENTS * (sums - first) / (players - 1)
            + generator.normal(0, self.NOISE, rows)
        )
        facts = np.zeros((rows, len(FACT)), dtype=np.int16)
        facts[:, FACT.players] = players
        facts[:, FACT.seat] = seats
        facts[:, FACT.vikings_in_hand] = 5
        facts[:, FACT.score] = 7
        facts[:, FACT.final_score] = 7 + np.round(points)
        return Examples(features, facts)

    def training_set(self, turns: int, seed: int) -> TrainingSet:
        examples = self.examples(turns, seed)
        won = examples.facts[:, FACT.final_score] - examples.facts[:, FACT.score]
        return TrainingSet(examples, won.astype(np.float32))

    def test_finds_what_there_is_to_find(self) -> None:
        from ai.training.fit import fit

        errors: list[Errors] = []
        weights = fit(
            self.training_set(120, 1),
            self.examples(50, 2),
            epochs=300,
            seed=0,
            on_epoch=lambda _, error: errors.append(error),
        )
        assert len(errors) == 300
        assert errors[-1].table == pytest.approx(self.NOISE, rel=0.15)
        # What the seat network cannot see: the mean of n numbers, drawn evenly from 0 to 1, has the
        # variance 1 / 12n.
        hidden = self.OPPONENTS**2 / 12 * np.mean([1] * 2 + [1 / 2] * 3 + [1 / 3] * 4)
        assert errors[-1].seat == pytest.approx(np.sqrt(self.NOISE**2 + hidden), rel=0.15)
        assert weights["spread"][5] == pytest.approx(errors[-1].table, rel=1e-4)
        assert weights["spread"][4] == weights["scale"][4] == 1
        assert {name: value.shape for name, value in weights.items()} == SHAPES

    def test_begins_where_it_is_told_to_and_leaves_that_as_it_is(self) -> None:
        from ai.training.fit import fit

        start = hand_weights()
        before = {name: value.copy() for name, value in start.items()}
        fitted = fit(self.training_set(8, 1), self.examples(8, 2), 1, seed=0, start=start)
        assert all(np.array_equal(start[name], before[name]) for name in start)
        # A step changes each weight by about the learning rate at most.
        for name in ("linear", "table_linear"):
            assert 0 < np.abs(fitted[name] - start[name]).max() < 0.01

    def test_same_seed_gives_the_same_weights(self) -> None:
        from ai.training.fit import fit

        def fitted(seed: int) -> str:
            return Evaluation(fit(self.training_set(80, 1), self.examples(8, 2), 2, seed)).hash

        assert fitted(1) == fitted(1) != fitted(2)

    @pytest.mark.parametrize(("turns", "held_out"), [(0, 8), (8, 0)])
    def test_refuses_nothing(self, turns: int, held_out: int) -> None:
        from ai.training.fit import fit

        some = self.training_set(8, 1)
        examples = some.examples
        nothing = Examples(examples.features[:0], examples.facts[:0])
        with pytest.raises(TrainingError, match="there are no examples, or none held out"):
            fit(
                some if turns else TrainingSet(nothing, some.gains[:0]),
                examples if held_out else nothing,
                1,
                seed=0,
            )


def test_torch_that_is_missing_is_said_before_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ai.training.fit", None)
    with pytest.raises(lc.LoootError, match="PyTorch is not installed; it is the extra 'train'"):
        run(tmp_path)
    assert set(contents(tmp_path)) == {"plan.json"}


def test_weights_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "stage-0").mkdir()
    (tmp_path / "stage-0" / "weights.npz").write_bytes(b"PK")
    with pytest.raises(TrainingError, match=r"weights.npz: not a file of"):
        run(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "none.npz")
