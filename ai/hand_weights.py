"""A linear evaluation written by hand: the yardstick that learning has to beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.evaluation import SHAPES
from ai.features import FEATURE_NAMES

_TILES_PER_VIKING = {
    "wood": 0.3,
    "sheep": 0.25,
    "gold": 0.2,
    "house": 0.35,
    "watchtower": 0.2,
    "castle": 0.15,
}
# Tens of points for each unit of a feature.
_LINEAR = {
    **{f"{kind}_value_by_vikings": 5.2 * rate for kind, rate in _TILES_PER_VIKING.items()},
    **{f"{kind}_tiles_by_vikings": 0.8 for kind in _TILES_PER_VIKING},
    "axes": 0.2,
    "trophy_now": 1.2,
    "trophy_with_1_more": 0.4,
    "trophy_with_2_more": 0.2,
    "trophy_with_3_more": 0.1,
    "empty_by_vikings": 0.5,
    "longships_lacking_1_gain": 1.4,
    "longships_lacking_2_gain": 1.0,
    "longships_lacking_3_gain": 0.6,
    "longships_lacking_1_bonus_by_vikings": 0.6,
    "longships_lacking_2_bonus_by_vikings": 0.4,
    "longships_lacking_3_bonus_by_vikings": 0.2,
    **{
        f"{site}_open": value
        for site, value in (("port", 0.4), ("altar", 0.5), ("jarl_palace", 0.6))
    },
    **{
        f"{site}_{what}": -0.2
        for site in ("port", "altar", "jarl_palace")
        for what in ("resources", "houses", "watchtowers", "castles")
    },
    "ocean_best": 1.0,
    "ocean_filling": 0.1,
    "ocean_best_bonus_by_vikings": 0.2,
    "ocean_lacking_1_best": 0.4,
    "unseen_filling": 0.3,
    "unseen_gain": 0.5,
    "castle_potential_by_value": 0.7,
    "castle_in_1": 0.2,
    "castle_in_2": 0.1,
    "towers_joinable_by_value": 0.6,
    "best_landing": 0.8,
    "second_landing": 0.3,
    "second_shield": 0.5,
    "occupied_shield": 0.3,
    "double_shield": 0.2,
}


def hand_weights() -> dict[str, NDArray[np.float32]]:
    """Give weights for `ai.evaluation.Evaluation` whose networks are linear, and the same."""
    weights = {name: np.zeros(shape, dtype=np.float32) for name, shape in SHAPES.items()}
    for name, value in _LINEAR.items():
        weights["linear"][FEATURE_NAMES.index(name)] = value
    weights["table_linear"][: len(FEATURE_NAMES)] = weights["linear"]  # nothing of the opponents'
    left = np.arange(weights["spread"].shape[0], dtype=np.float32)
    weights["spread"] = 5 + left
    weights["scale"] = 3 + left
    return weights
