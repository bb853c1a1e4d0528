"""The networks' arithmetic, done again with NumPy: closely in double, to the bit in single."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import looot_core as lc
from ai.evaluation import SHAPES, Evaluation
from ai.features import FJORD_NAMES, features_of
from ai.hand_weights import hand_weights
from ai.weights import hand_evaluation, learned_evaluation
from tests.positions import random_positions

Weights = dict[str, NDArray[np.float32]]

EDITIONS = ("printed", "rulebook")


def random_weights(seed: int, size: float = 0.2) -> Weights:
    generator = np.random.default_rng(seed)
    weights = {
        name: generator.normal(0, size, shape).astype(np.float32) for name, shape in SHAPES.items()
    }
    weights["scale"] = generator.uniform(1, 20, SHAPES["scale"]).astype(np.float32)
    return weights


def shipped_weights() -> Weights:
    path = Path(__file__).parents[2] / "ai" / "data" / "weights.npz"
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


WEIGHTS = {"random": random_weights(1), "learned": shipped_weights()}


def states() -> list[lc.State]:
    """Give the starts of turns of games played at random, and an end of each."""
    return [
        lc.State.from_position(position)
        for seed in range(6)
        for position in random_positions(2 + seed % 3, EDITIONS[seed % 2], seed)
        if position.phase in (lc.Phase.VIKING, lc.Phase.OVER) and not position.active_shields
    ]


def network(weights: Weights, prefix: str, features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the points to be won in double precision; one row for each seat."""
    wide = {
        name.removeprefix(prefix): array.astype(np.float64)
        for name, array in weights.items()
        if name.startswith(prefix)
    }
    first = np.maximum(features @ wide["first"] + wide["first_bias"], 0)
    second = np.maximum(first @ wide["second"] + wide["second_bias"], 0)
    return 10 * (second @ wide["third"] + features @ wide["linear"] + wide["bias"])


def seen_by_seats(state: lc.State) -> NDArray[np.float64]:
    """Give the features of each seat."""
    rows = [features_of(state, player) for player in range(state.players)]
    return np.array(rows, dtype=np.float64)


def seen_by_the_table(state: lc.State) -> NDArray[np.float64]:
    """Give the features of each seat, then the mean of its opponents'."""
    own = seen_by_seats(state)
    others = [np.delete(own, player, axis=0).mean(axis=0) for player in range(state.players)]
    return np.concatenate([own, others], axis=1)


def plain_shares(weights: Weights, state: lc.State, scores: list[float]) -> NDArray[np.float64]:
    """Share the victory out by a softmax, at the scale of whoever has most vikings in hand."""
    left = max(seat.vikings_in_hand for seat in state.position().seats)
    powers = np.exp((np.array(scores) - max(scores)) / weights["scale"][left])
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


@pytest.mark.parametrize("name", WEIGHTS)
def test_forecasts_are_those_of_double_precision(name: str) -> None:
    evaluation = Evaluation(WEIGHTS[name])
    for state in states():
        scores, shares = evaluation.evaluate(state)
        if not state.is_over:
            table = network(WEIGHTS[name], "table_", seen_by_the_table(state)) + state.scores()
            np.testing.assert_allclose(scores, table, atol=1e-2, rtol=1e-5)
            seat = network(WEIGHTS[name], "", seen_by_seats(state)) + state.scores()
            np.testing.assert_allclose(evaluation.seat_scores(state), seat, atol=2e-3)
            np.testing.assert_allclose(
                shares, plain_shares(WEIGHTS[name], state, scores), atol=1e-9
            )
            assert sum(shares) == pytest.approx(1)


def test_a_finished_game_is_known_exactly() -> None:
    finished = [state for state in states() if state.is_over]
    assert finished
    for state in finished:
        scores, shares = learned_evaluation().evaluate(state)
        winners = state.winners()
        assert scores == learned_evaluation().seat_scores(state) == state.scores()
        assert shares == [(player in winners) / len(winners) for player in range(state.players)]


# In single precision, all is summed up in the one order that every build keeps to.


def exact_part(
    weights: Weights, prefix: str, features: NDArray[np.float32], begin: int, *, biases: bool
) -> tuple[NDArray[np.float32], np.float32]:
    """Sum up features for the first layer and the linear output, by the rows from `begin` on."""
    sums = weights[prefix + "first_bias"] * np.float32(biases)
    line = np.float32(weights[prefix + "bias"]) * np.float32(biases)
    for n, feature in enumerate(features, begin):
        if feature:
            sums += feature * weights[prefix + "first"][n]
            line += feature * weights[prefix + "linear"][n]
    return sums, line


def exact_gain(
    weights: Weights, prefix: str, sums: NDArray[np.float32], line: np.float32
) -> np.float32:
    """Do the upper layers."""
    second = weights[prefix + "second_bias"].copy()
    for n, hidden in enumerate(sums):
        if hidden > 0:
            second += hidden * weights[prefix + "second"][n]
    result = np.float32(0)
    for n, hidden in enumerate(np.maximum(second, np.float32(0))):
        result += hidden * weights[prefix + "third"][n]
    gain = np.float32(10) * (line + result)
    assert gain.dtype == np.float32
    return gain


def exact_seat_scores(weights: Weights, state: lc.State) -> list[float]:
    block = len(FJORD_NAMES)
    scores = []
    for player, score in enumerate(state.scores()):
        features = features_of(state, player)
        fjord, line = exact_part(weights, "", features[:block], 0, biases=True)
        landscape, other_line = exact_part(weights, "", features[block:], block, biases=False)
        gain = exact_gain(weights, "", fjord + landscape, line + other_line)
        scores.append(float(np.float32(score) + gain))
    return scores


def exact_table_scores(weights: Weights, state: lc.State) -> list[float]:
    rows = [features_of(state, player) for player in range(state.players)]
    own = [exact_part(weights, "table_", row, 0, biases=True) for row in rows]
    shown = [exact_part(weights, "table_", row, len(row), biases=False) for row in rows]
    part = np.float32(1) / np.float32(state.players - 1)
    scores = []
    for player, score in enumerate(state.scores()):
        others = np.zeros_like(weights["table_first_bias"])
        other_line = np.float32(0)
        for other in range(state.players):
            if other != player:
                others += shown[other][0]
                other_line += shown[other][1]
        sums, line = own[player]
        gain = exact_gain(weights, "table_", sums + others * part, line + other_line * part)
        scores.append(float(np.float32(score) + gain))
    return scores


def exact_shares(weights: Weights, state: lc.State, scores: list[float]) -> list[float]:
    left = max(seat.vikings_in_hand for seat in state.position().seats)
    powers = []
    for score in scores:
        x = (score - max(scores)) / float(weights["scale"][left])
        y = x / 1024
        y = 1 + y * (1 + y * (0.5 + y * (1 / 6 + y * (1 / 24 + y / 120))))
        for _ in range(10):
            y *= y
        powers.append(y if x >= -40 else 0.0)
    total = 0.0
    for power in powers:
        total += power
    return [power / total for power in powers]


@pytest.mark.parametrize("name", WEIGHTS)
def test_forecasts_are_the_same_bits_everywhere(name: str) -> None:
    evaluation = Evaluation(WEIGHTS[name])
    for state in states()[::3]:
        if not state.is_over:
            scores, shares = evaluation.evaluate(state)
            assert scores == exact_table_scores(WEIGHTS[name], state)
            assert evaluation.seat_scores(state) == exact_seat_scores(WEIGHTS[name], state)
            assert shares == exact_shares(WEIGHTS[name], state, scores)


def test_the_hand_weights_are_linear() -> None:
    weights = hand_weights()
    layers = ("first", "second", "third", "table_first", "table_second", "table_third")
    assert not any(weights[name].any() for name in layers)
    assert weights["linear"].any()
    assert hand_evaluation().hash == Evaluation(weights).hash


def test_both_networks_of_the_hand_weights_say_the_same() -> None:
    for state in states():
        scores, _ = hand_evaluation().evaluate(state)
        assert scores == pytest.approx(hand_evaluation().seat_scores(state), abs=1e-3)


@pytest.mark.parametrize("foresight", [0.0, 0.25, 1.0])
def test_short_sight_sees_a_share_of_the_points_to_come(foresight: float) -> None:
    evaluation = Evaluation(random_weights(1))
    short = evaluation.shortsighted(foresight)
    assert short.hash == evaluation.hash
    for state in states()[::5]:
        for far, near in (
            (evaluation.evaluate(state)[0], short.evaluate(state)[0]),
            (evaluation.seat_scores(state), short.seat_scores(state)),
        ):
            now = np.array(state.scores())
            assert near == pytest.approx(now + foresight * (np.array(far) - now), rel=1e-4)
    with pytest.raises(ValueError, match=r"^foresight: -0\.1 is not from 0 to 1$"):
        evaluation.shortsighted(-0.1)


def test_the_hash_tells_weights_apart() -> None:
    weights = random_weights(1)
    assert Evaluation(weights).hash == Evaluation(random_weights(1)).hash
    for name in SHAPES:
        other = {key: array.copy() for key, array in weights.items()}
        other[name].reshape(-1)[0] += 1
        assert Evaluation(other).hash != Evaluation(weights).hash


@pytest.mark.parametrize("name", SHAPES)
def test_bad_weights_are_refused_by_name(name: str) -> None:
    def refuse(array: Any, message: str) -> None:
        with pytest.raises(ValueError, match=rf"^weights: {name} {message}"):
            Evaluation(random_weights(1) | {name: array})

    shape = SHAPES[name]
    text = repr(shape).replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(ValueError, match=rf"^weights: {name} is missing$"):
        Evaluation({key: array for key, array in random_weights(1).items() if key != name})
    refuse(np.zeros((*shape, 2), dtype=np.float32), rf"has the shape \(.*\), not {text}$")
    for value in (np.nan, np.inf, -np.inf, 1e300):
        array = np.ones(shape)
        array.reshape(-1)[-1] = value
        refuse(array, "has a value that is not finite$")
    for wrong in (np.full(shape, "much"), object(), [[1], [1, 2]]):
        refuse(wrong, "is no array of numbers: ")


@pytest.mark.parametrize("value", [0, -1])
def test_a_scale_that_divides_by_nothing_is_refused(value: float) -> None:
    scale = np.ones(SHAPES["scale"], dtype=np.float32)
    scale[3] = value
    with pytest.raises(ValueError, match=r"^weights: scale has a value that is not above 0$"):
        Evaluation(random_weights(1) | {"scale": scale})


def test_weights_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    weights = random_weights(2)
    np.savez(path, **weights)  # type: ignore[arg-type]
    assert Evaluation.load(path).hash == Evaluation(weights).hash


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00"])
def test_a_file_that_is_none_of_weights_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^weights: .*weights\.npz"):
        Evaluation.load(path)
