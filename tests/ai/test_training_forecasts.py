"""Plans, the evaluation's arithmetic on rows, calibration and its report; without PyTorch."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import ai
import looot_core as lc
from ai.evaluation import SHAPES, Evaluation
from ai.features import features_of
from ai.hand_weights import hand_weights
from ai.training import forecast
from ai.training.arrays import read_arrays, write_arrays
from ai.training.calibration import Calibration, calibrate, games_of
from ai.training.chunks import play_chunk
from ai.training.errors import TrainingError
from ai.training.examples import FACT, Examples
from ai.training.plan import FRESH_SEED, PRESETS, Chunk, Plan, Stage, chunks_from
from ai.training.report import markdown, svg
from ai.training.targets import lambda_returns


def random_weights() -> dict[str, NDArray[np.float32]]:
    generator = np.random.default_rng(1)
    weights = {
        name: generator.normal(0, 0.2, shape).astype(np.float32) for name, shape in SHAPES.items()
    }
    weights["scale"] = np.arange(1, 15, dtype=np.float32)
    return weights


@pytest.fixture(scope="module")
def played() -> Examples:
    return play_chunk(hand_weights(), 0, 0, Chunk(0, 30, 30))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rows_are_forecast_as_the_evaluation_does(players: int) -> None:
    weights = random_weights()
    state = lc.State(lc.GameSetup.random(players=players, seed=4))
    agent = ai.create_agent("random", seed=1)
    for _ in range(3 * players + 1):
        for action in agent.analyze(state.position(), ai.Limits()).turn:
            state.apply(action)
        rows = np.array([features_of(state, seat) for seat in range(players)], dtype=np.float16)
        scores, shares = Evaluation(weights).evaluate(state)
        facts = np.zeros((players, len(FACT)), dtype=np.int16)
        facts[:, FACT.players] = players
        facts[:, FACT.seat] = np.arange(players)
        now = np.array(state.scores(), dtype=np.float32)
        # The rows are of half precision.
        seat_scores = forecast.seat_gains(weights, rows) + now
        assert seat_scores == pytest.approx(Evaluation(weights).seat_scores(state), abs=0.05)
        own = forecast.table_gains(weights, Examples(rows, facts)) + now
        assert own == pytest.approx(scores, abs=0.2)
        left = max(seat.vikings_in_hand for seat in state.position().seats)
        own_shares = forecast.shares(own[None], float(weights["scale"][left]))
        assert own_shares[0] == pytest.approx(shares, abs=0.01)


def test_chunks_of_games_are_parts_of_the_whole(played: Examples) -> None:
    parts = [play_chunk(hand_weights(), 0, 0, chunk) for chunk in chunks_from(30, games=30, size=8)]
    assert np.array_equal(Examples.join(parts).features, played.features)
    assert np.array_equal(Examples.join(parts).facts, played.facts)


def test_games_are_told_apart(played: Examples) -> None:
    games = games_of(played.facts)
    assert sorted(set(games.tolist())) == list(range(30))
    starts = np.flatnonzero(np.diff(games, prepend=-1))
    assert set(played.facts[starts, FACT.vikings_in_hand]) == {13}
    ends = {
        (game, seat): set(played.facts[(games == game) & (played.facts[:, FACT.seat] == seat), 4])
        for game in range(30)
        for seat in range(4)
    }
    assert max(map(len, ends.values())) == 1


def test_games_that_begin_anywhere_are_told_apart() -> None:
    parts = [play_chunk(hand_weights(), 0, 0.4, chunk) for chunk in chunks_from(30, 10, size=1)]
    numbers = np.repeat(np.arange(10), [len(part.facts) for part in parts])
    assert np.array_equal(games_of(Examples.join(parts).facts), numbers)


def test_turns_left_count_down_to_the_last_turn(played: Examples) -> None:
    games = games_of(played.facts)
    for game in range(30):
        facts = played.facts[games == game]
        turns = facts[facts[:, FACT.seat] == 0, FACT.turns_left].tolist()
        assert turns == list(range(len(turns)))[::-1]
        assert len(facts) == len(turns) * facts[0, FACT.players]


@pytest.mark.parametrize("trace_decay", [0.0, 0.3, 0.85, 1.0])
def test_lambda_returns_are_the_weighted_sums_that_define_them(trace_decay: float) -> None:
    """Of games that begin anywhere, for each seat, with nothing but its own game at hand."""
    games = [play_chunk(hand_weights(), 0, 0.4, Chunk(0, seed, 1)) for seed in range(30, 40)]
    facts = Examples.join(games).facts
    generator = np.random.default_rng(3)
    forecasts = generator.normal(80, 20, len(facts)).astype(np.float32)
    expected: list[float] = []
    begin = 0
    for game in games:
        players, rows = int(game.facts[0, FACT.players]), len(game.facts)
        own = forecasts[begin : begin + rows].tolist()
        begin += rows
        for row in range(rows):
            later = own[row + players :: players]
            final = float(game.facts[row, FACT.final_score])
            expected.append(
                sum(
                    (1 - trace_decay) * trace_decay**steps * value
                    for steps, value in enumerate(later)
                )
                + trace_decay ** len(later) * final
            )
    returns = lambda_returns(forecasts, facts, trace_decay)
    assert returns.dtype == np.float32
    assert returns == pytest.approx(np.array(expected), abs=1e-3)
    if trace_decay == 1:
        assert np.array_equal(returns, facts[:, FACT.final_score])


def test_turns_are_the_rows_of_all_seats(played: Examples) -> None:
    found = {players: forecast.turns(played.facts, players) for players in (2, 3, 4)}
    assert sorted(np.concatenate([rows.ravel() for rows in found.values()])) == list(
        range(len(played.facts))
    )
    for players, rows in found.items():
        assert (played.facts[rows, FACT.seat] == np.arange(players)).all()


def test_victories_are_shared_by_equals() -> None:
    finals = np.array([[5, 7, 7], [9, 2, 3]], dtype=np.int16)
    assert forecast.victories(finals).tolist() == [[0, 0.5, 0.5], [1, 0, 0]]


def drawn_games(scale: float) -> Examples:
    """Give a turn of each of many games, whose winner is drawn by a softmax of the score lead."""
    generator = np.random.default_rng(5)
    games = 4000
    lead = generator.normal(0, 10, games).round()
    won = generator.uniform(0, 1, games) < 1 / (1 + np.exp(-lead / scale))
    facts = np.zeros((2 * games, len(FACT)), dtype=np.int16)
    facts[:, FACT.players] = 2
    facts[1::2, FACT.seat] = 1
    facts[:, FACT.vikings_in_hand] = 8
    facts[:, FACT.score] = 50
    facts[::2, FACT.score] += lead.astype(np.int16)
    facts[::2, FACT.final_score] = np.where(won, 60, 40)
    facts[1::2, FACT.final_score] = np.where(won, 40, 60)
    return Examples(np.zeros((2 * games, SHAPES["linear"][0]), dtype=np.float16), facts)


def weights_of_nothing(scale: float) -> dict[str, NDArray[np.float32]]:
    """Give weights that forecast the score of the moment."""
    weights = {name: np.zeros(shape, dtype=np.float32) for name, shape in SHAPES.items()}
    weights["scale"] += np.float32(scale)
    return weights


def test_scale_is_that_of_the_draw() -> None:
    examples = drawn_games(6.0)
    scales = forecast.scale_of(examples.facts[:, FACT.score].astype(np.float32), examples.facts)
    assert scales[8] == pytest.approx(6, rel=0.15)
    assert set(np.delete(scales, 8)) == {1}


def test_calibration_tells_forecasts_that_hold_from_those_that_do_not() -> None:
    examples = drawn_games(6.0)
    good, bold = (calibrate(weights_of_nothing(scale), examples) for scale in (6.0, 1.5))
    assert good.log_loss < bold.log_loss
    assert good.even_log_loss == bold.even_log_loss == pytest.approx(np.log(2))
    assert {found.phase for found in good.reliability} == {1}
    assert sum(found.rows for found in good.reliability) == good.rows == len(examples.facts)

    def far_off(calibration: Calibration) -> float:
        return max(abs(found.forecast - found.observed.value) for found in calibration.reliability)

    assert far_off(good) < 0.06
    assert far_off(bold) > 0.1
    assert all(
        found.bin / 10 <= found.forecast <= (found.bin + 1) / 10 for found in good.reliability
    )


def test_errors_of_the_score_are_those_of_the_rows(played: Examples) -> None:
    found = calibrate(weights_of_nothing(5), played)
    facts = played.facts
    errors = (facts[:, FACT.score] - facts[:, FACT.final_score]).astype(float)
    assert found.games == 30
    assert found.error == found.seat_error == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert sum(error.rows for error in found.scores) == found.rows == len(facts)
    for error in found.scores:
        rows = (facts[:, FACT.players] == error.players) & (
            facts[:, FACT.vikings_in_hand] == error.vikings_in_hand
        )
        assert error.bias == pytest.approx(errors[rows].mean())
        assert error.deviation == pytest.approx(errors[rows].std())
    assert found.told == (0.0,) * 14
    spread = forecast.spread_of(errors.astype(np.float32), facts)
    with_4 = facts[:, FACT.vikings_in_hand] == 4
    assert spread[4] == pytest.approx(np.sqrt(np.mean(errors[with_4] ** 2)))


def test_calibration_of_nothing_is_refused(played: Examples) -> None:
    nothing = Examples(played.features[:0], played.facts[:0])
    with pytest.raises(TrainingError, match="there are no examples"):
        calibrate(hand_weights(), nothing)


def test_report_shows_every_figure(played: Examples) -> None:
    found = calibrate(hand_weights(), played)
    lines = markdown(found).splitlines()
    assert "| vikings in hand | told | 2 players | 3 players | 4 players |" in lines
    (error,) = (e for e in found.scores if (e.vikings_in_hand, e.players) == (13, 2))
    (row,) = (line for line in lines if line.startswith("| 13 |"))
    assert row.split(" | ")[2] == f"{error.bias:+.1f} ± {error.deviation:.1f}"
    shares = [line for line in lines if line.startswith("| 90 to 100 |")]
    last = [f"{100 * r.observed.value:.1f}" for r in found.reliability if r.bin == 9]
    assert [cell.split()[0] for cell in shares[0].strip("| ").split(" | ")[1:] if cell] == last
    tables = [line.count("|") for line in lines if line.startswith("|")]
    assert set(tables) == {6}


def test_plot_has_a_point_for_each_bin_of_some_size(played: Examples) -> None:
    found = calibrate(hand_weights(), played)
    root = ElementTree.fromstring(svg(found))
    points = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(points) == sum(r.rows >= 30 for r in found.reliability) > 8
    assert "Win probability in 30 games" in root.itertext()
    assert "9 to 7 vikings in hand" in root.itertext()


def test_seeds_of_presets_are_used_once() -> None:
    for plan in PRESETS.values():
        chunks = [chunk for number in range(len(plan.stages)) for chunk in plan.chunks(number)]
        assert all(
            one.first_seed + one.games <= other.first_seed for one, other in pairwise(chunks)
        )
        assert chunks[-1].first_seed + chunks[-1].games <= FRESH_SEED
        assert sum(chunk.games for chunk in chunks) == sum(stage.games for stage in plan.stages)
        assert all(plan.chunks(n)[0].first_seed % 30 == 0 for n in range(len(plan.stages)))


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (Stage(games=10), "stage 1: games is 10, not 11 to"),
        (Stage(games=20, simulations=-1), "stage 1: simulations is -1, not at least 0"),
        (Stage(games=20, epochs=0), "stage 1: epochs is 0, not at least 1"),
        (Stage(games=20, reach=0), "stage 1: reach is 0, not at least 1"),
        (Stage(games=20, noise=1.5), "stage 1: noise is 1.5, not 0 to 1"),
        (Stage(games=20, noise=float("nan")), "stage 1: noise is nan, not 0 to 1"),
        (Stage(games=20, trace_decay=1.01), "stage 1: trace_decay is 1.01, not 0 to 1"),
    ],
)
def test_plan_that_makes_no_sense_is_refused(stage: Stage, words: str) -> None:
    with pytest.raises(TrainingError, match=f"plan mine, {words}"):
        Plan("mine", (Stage(games=20), stage), chunk=10)


def test_plan_without_stages_or_chunks_is_refused() -> None:
    with pytest.raises(TrainingError, match="plan mine: 0 stages"):
        Plan("mine", ())
    with pytest.raises(TrainingError, match="plan mine: chunk is 0"):
        Plan("mine", (Stage(games=20),), chunk=0)


def test_arrays_come_back_and_give_the_same_file(tmp_path: Path) -> None:
    weights = random_weights()
    write_arrays(tmp_path / "a" / "one.npz", weights)
    write_arrays(tmp_path / "two.npz", weights)
    assert (tmp_path / "a" / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    back = read_arrays(tmp_path / "two.npz")
    assert Evaluation(back).hash == Evaluation(weights).hash
    assert list(read_arrays(tmp_path / "two.npz", "scale")) == ["scale"]


@pytest.mark.parametrize("content", [b"", b"PK", b"weights", b"\x93NUMPY"])
def test_file_that_is_none_of_arrays_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.npz").write_bytes(content)
    with pytest.raises(TrainingError, match=r"file.npz: not a file of the arrays"):
        read_arrays(tmp_path / "file.npz")


def test_file_that_lacks_an_array_is_refused(tmp_path: Path) -> None:
    write_arrays(tmp_path / "file.npz", {"features": np.zeros(3)})
    with pytest.raises(TrainingError, match="not a file of the arrays features, facts"):
        read_arrays(tmp_path / "file.npz", "features", "facts")
