"""Features are what their names say, up to a scale, and look at seats by the order of play only."""

from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import looot_core as lc
from ai.features import FEATURE_NAMES, FJORD_NAMES, features_of
from ai.greedy import ranked_turns
from ai.weights import hand_evaluation
from tests.ai.plain_features import PlainFeatures
from tests.positions import random_positions

EDITIONS = ("printed", "rulebook")
# No port and no altar needs a castle, and hardly a landscape has a space beside three houses.
RARE = {"port_castles", "altar_castles", "landings_by_3_houses"}
BY_SEATING = {"moves_now", "turns_until_move", "vikings_of_next_opponent"}


@cache
def sensible_positions() -> tuple[lc.Position, ...]:
    """Give the starts of turns of games that were played with some sense."""
    positions = []
    for seed in range(8):
        setup = lc.GameSetup.random(players=2 + seed % 3, edition=EDITIONS[seed % 2], seed=seed)
        state = lc.State(setup)
        chance = Random(seed)
        while not state.is_over:
            positions.append(state.position())
            ranked = ranked_turns(state, hand_evaluation(), level=0)
            for action in ranked[chance.randrange(len(ranked)) // 3][0]:
                state.apply(action)
        positions.append(state.position())
    return tuple(positions)


def test_names_are_told_apart_and_count_the_features() -> None:
    state = lc.State(lc.GameSetup.random(seed=1))
    assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES) == len(features_of(state, 0))
    assert features_of(state, 0).dtype == np.float32


@cache
def seen_and_plain() -> tuple[NDArray[np.float32], list[dict[str, float]]]:
    random = [
        position
        for seed in range(6)
        for position in random_positions(2 + seed % 3, EDITIONS[seed % 2], seed)[::40]
    ]
    seen, plain = [], []
    for position in (*sensible_positions()[::4], *random):
        state = lc.State.from_position(position)
        for player in range(state.players):
            seen.append(features_of(state, player))
            plain.append(PlainFeatures(state, player).numbers)
    return np.array(seen), plain


PLAIN_NAMES = sorted(PlainFeatures(lc.State(lc.GameSetup.random(seed=1)), 0).numbers)


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_features_are_the_plain_numbers_up_to_a_scale(name: str) -> None:
    seen, numbers = seen_and_plain()
    column = seen[:, FEATURE_NAMES.index(name)].astype(np.float64)
    plain = np.array([row[name] for row in numbers], dtype=np.float64)
    if not plain.any():
        assert name in RARE, "the positions do not show the feature"
        assert not column.any()
        return
    scale = np.abs(column).max() / np.abs(plain).max()
    assert scale > 0
    wrong = np.flatnonzero(~np.isclose(column, scale * plain, rtol=1e-5, atol=1e-6))
    assert not len(wrong), (plain[wrong[:5]], column[wrong[:5]] / scale)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_features_are_finite_and_of_moderate_size(edition: str, players: int) -> None:
    for seed in range(10):
        for position in random_positions(players, edition, seed):
            state = lc.State.from_position(position)
            for player in range(players):
                features = features_of(state, player)
                assert np.isfinite(features).all()
                assert np.abs(features).max() < 20


def reseated(position: lc.Position, order: tuple[int, ...]) -> lc.State:
    """Give the same table with the seats in another order: seat n is the old seat order[n]."""
    data: dict[str, Any] = position.to_dict()
    for field in ("seats", "sites"):
        data[field] = [data[field][seat] for seat in order]
    data["vikings"] = {
        space: [counts[seat] for seat in order] for space, counts in data["vikings"].items()
    }
    return lc.State.from_position(lc.Position.from_dict(data))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_told_apart_by_the_order_of_play_only(players: int) -> None:
    free = [n for n, name in enumerate(FEATURE_NAMES) if name not in BY_SEATING]
    rounds = 0
    for position in random_positions(players, "printed", 1):
        at_turn_start = position.phase == lc.Phase.VIKING and not position.active_shields
        in_play = all(seat.vikings_in_hand for seat in position.seats)
        if not at_turn_start or position.current_player or not in_play:
            continue  # only at the start of a round may the seats be exchanged
        rounds += 1
        state = lc.State.from_position(position)
        seen = [features_of(state, player)[free] for player in range(players)]
        for order in permutations(range(players)):
            other = reseated(position, order)
            for seat, player in enumerate(order):
                np.testing.assert_array_equal(features_of(other, seat)[free], seen[player])
    assert rounds > 8


def test_the_fjord_block_looks_at_no_other_seat() -> None:
    block = len(FJORD_NAMES)
    looked = 0
    for position in sensible_positions():
        if position.phase != lc.Phase.VIKING or position.active_shields:
            continue
        state = lc.State.from_position(position)
        seat = (state.current_player + 1) % state.players
        before = features_of(state, seat)[:block]
        for action in ranked_turns(state, hand_evaluation(), level=0)[0][0]:
            if str(action).startswith(("longship", "trophy")):
                break  # what lies open for all changes then
            state.apply(action)
            np.testing.assert_array_equal(features_of(state, seat)[:block], before)
            looked += 1
    assert looked > 100


@pytest.mark.parametrize("player", [-1, 2, 1 << 31])
def test_a_seat_that_does_not_play_is_refused(player: int) -> None:
    state = lc.State(lc.GameSetup.random(players=2, seed=1))
    with pytest.raises((ValueError, OverflowError), match=r"player|too large"):
        features_of(state, player)
