"""A state is played, taken back, copied, read again and given nonsense, in any order."""

import json
import pickle
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import looot_core as lc
from tests.core.games import choose, play, seeds, seen, setups


class Games(RuleBasedStateMachine):
    """A state that is played, taken back, copied, read again and given nonsense."""

    state: lc.State
    depth: int

    @initialize(setup=setups, with_bag=st.booleans(), start=st.integers(0, 250), seed=seeds)
    def begin(self, setup: lc.GameSetup, with_bag: bool, start: int, seed: int) -> None:
        self.state = lc.State(setup if with_bag else replace(setup, bag=None))
        self.depth = len(play(self.state, Random(seed), start))

    @precondition(lambda self: not self.state.is_over)
    @rule(seed=seeds, by_verb=st.booleans())
    def apply(self, seed: int, by_verb: bool) -> None:
        random = Random(seed)
        legal = self.state.legal_actions()
        action = choose(self.state, random) if by_verb else random.choice(legal)
        before = seen(self.state)
        self.state.apply(action)
        self.depth += 1
        assert seen(self.state) != before

    @precondition(lambda self: not self.state.is_over)
    @rule(seed=seeds, steps=st.integers(1, 20))
    def apply_and_undo(self, seed: int, steps: int) -> None:
        before = seen(self.state)
        for _ in play(self.state, Random(seed), steps):
            self.state.undo()
        assert seen(self.state) == before

    @precondition(lambda self: self.depth > 0)
    @rule()
    def undo(self) -> None:
        before = self.state.hash()
        self.state.undo()
        self.depth -= 1
        assert self.state.hash() != before

    @rule(seed=seeds)
    def clone_and_diverge(self, seed: int) -> None:
        before = seen(self.state)
        twin = self.state.clone()
        assert seen(twin) == before
        play(twin, Random(seed), 20)
        assert seen(self.state) == before

    @rule(seed=seeds)
    def go_on_from_the_position(self, seed: int) -> None:
        before = seen(self.state)
        self.state = lc.State.from_position(self.state.position(), seed)
        self.depth = 0
        assert seen(self.state) == before

    @rule()
    def go_on_from_json(self) -> None:
        before = seen(self.state)
        data: Any = json.loads(json.dumps(self.state.position().to_dict()))
        self.state = lc.State.from_position(lc.Position.from_dict(data))
        self.depth = 0
        assert seen(self.state) == before

    @rule()
    def go_on_from_a_pickle(self) -> None:
        before = seen(self.state)
        self.state = pickle.loads(pickle.dumps(self.state))
        self.depth = 0
        assert seen(self.state) == before

    @rule(nonsense=st.none() | st.integers() | st.text() | st.floats())
    def apply_nonsense(self, nonsense: Any) -> None:
        before = seen(self.state)
        with pytest.raises(lc.IllegalActionError):
            self.state.apply(nonsense)
        assert seen(self.state) == before

    @invariant()
    def mask_and_list_are_what_is_accepted(self) -> None:
        before = seen(self.state)
        accepted = []
        for index in range(lc.ACTION_COUNT):
            try:
                self.state.apply(lc.Action.from_index(index, self.state))
            except lc.IllegalActionError:
                continue
            self.state.undo()
            accepted.append(index)
        assert accepted == [action.index for action in self.state.legal_actions()]
        assert accepted == np.flatnonzero(self.state.legal_mask()).tolist()
        assert seen(self.state) == before

    @invariant()
    def scores_are_those_counted_from_scratch(self) -> None:
        scratch = lc.State.from_position(self.state.position())
        assert scratch.scores() == self.state.scores()
        for player, score in enumerate(self.state.scores()):
            breakdown = self.state.score_breakdown(player)
            assert breakdown == scratch.score_breakdown(player)
            tiles = sum(part["points"] for part in breakdown.values() if isinstance(part, dict))
            others = breakdown["sites"] + breakdown["trophy"] - breakdown["penalty"]
            assert score == breakdown["total"] == tiles + others


TestGames = Games.TestCase
TestGames.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
