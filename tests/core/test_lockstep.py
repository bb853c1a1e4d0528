"""Random games played on the core and on the plain rules at once: they must never differ."""

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.core.drivers import CoreGame
from tests.core.policies import RARE, Policy, uniform
from tests.reference.game import ReferenceGame
from tests.reference.setups import random_setup

KINDS_OF_GAME = list(product((2, 3, 4), ("rulebook", "printed")))


class Lockstep:
    """One game on both implementations, with all that is needed to play it again."""

    def __init__(self, seed: int, players: int, edition: str) -> None:
        self.seed = f"{edition} {players} {seed}"
        self.random = Random(self.seed)
        self.setup = random_setup(self.random, players, edition)
        self.policy: Policy = uniform
        if seed % 3 == 0:
            self.policy = self.random.choice(RARE)
        self.actions: list[str] = []
        self.reference = ReferenceGame(self.setup)
        # Every other core game does not know the order of its bag and is told each draw.
        self.draws_are_told = seed % 2 == 1
        hidden = {"bag"} if self.draws_are_told else set()
        self.core = CoreGame({key: self.setup[key] for key in self.setup if key not in hidden})

    def play(self) -> None:
        try:
            self.compare_tables()
            while not self.reference.is_over:
                self.step(self.compare_actions())
                self.compare_tables()
            self.compare_ends()
        except Exception as difference:
            replayable = {**self.setup, "actions": self.actions}
            text = f"seed {self.seed}, {self.policy.__name__}, draws told: {self.draws_are_told}"
            raise AssertionError(f"{text}\n{json.dumps(replayable)}\n{difference}") from difference

    def compare_actions(self) -> list[str]:
        """Compare what may be done, as texts and as numbers."""
        legal = self.reference.legal_actions()
        actions = self.core.state.legal_actions()
        assert [str(action) for action in actions] == legal
        indices = [self.reference.action_index(action) for action in legal]
        assert [action.index for action in actions] == indices
        assert indices == sorted(set(indices))
        return legal

    def step(self, legal: list[str]) -> None:
        action = self.policy(self.random, self.reference, legal)
        self.actions.append(action)
        self.reference.apply(action)
        revealed: str | None = None
        if action.startswith("longship"):
            slot = int(action.split(" ")[1])
            revealed = self.reference.ocean[slot]
            if revealed is not None:
                self.actions.append(f"draw {slot} {revealed}")
        self.core.apply(action, draw=revealed if self.draws_are_told else None)

    def compare_tables(self) -> None:
        """Compare everything public, and the scores."""
        difference = first_difference(self.core.position_dict(), self.reference.position_dict())
        assert difference is None, difference
        assert self.core.scores() == self.reference.scores()

    def compare_ends(self) -> None:
        assert self.core.is_over
        assert self.core.legal_actions() == []
        assert self.core.winners() == self.reference.winners()
        for player in range(self.reference.players):
            core, reference = (g.score_breakdown(player) for g in (self.core, self.reference))
            assert core == reference


def first_difference(core: dict[str, Any], reference: dict[str, Any]) -> str | None:
    """Say which part of two positions differs, if one does."""
    for key in reference.keys() | core.keys():
        if core.get(key) != reference.get(key):
            return f"{key}: core {core.get(key)!r}, reference {reference.get(key)!r}"
    return None


@pytest.mark.parametrize(("players", "edition"), KINDS_OF_GAME)
def test_core_and_reference_never_differ(
    players: int, edition: str, request: pytest.FixtureRequest
) -> None:
    games: int = request.config.getoption("--lockstep-games")
    number = KINDS_OF_GAME.index((players, edition))
    for seed in range(number, games, len(KINDS_OF_GAME)):
        Lockstep(seed // len(KINDS_OF_GAME), players, edition).play()
