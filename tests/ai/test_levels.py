"""The levels of strength."""

import pytest

import ai
import looot_core as lc
from ai.levels import LEVELS, softened
from looot_core.generator import Generator
from tests.ai.positions import play, random_position

LIMITS = ai.Limits(simulations=60)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_whole_legal_turns(level: int) -> None:
    for seed in range(12):
        position = random_position(seed, 2 + seed % 3)
        analysis = ai.create_agent("ismcts", level=level, seed=seed).analyze(position, LIMITS)
        play(lc.State.from_position(position, seed=seed), analysis.turn)
        assert analysis.turn == analysis.candidates[0].turn


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_and_a_seed_repeat(level: int) -> None:
    position = random_position(4, steps=30)
    turns = [
        ai.create_agent("ismcts", level=level, seed=3).analyze(position, LIMITS).turn
        for _ in range(2)
    ]
    assert turns[0] == turns[1]


def test_soft_levels_vary_and_the_others_search_no_more_than_they_may() -> None:
    position = random_position(2, steps=0)
    for number, level in LEVELS.items():
        found = [
            ai.create_agent("ismcts", level=number, seed=seed).analyze(
                position, ai.Limits(simulations=1000)
            )
            for seed in range(4)
        ]
        if level.softness:
            assert len({tuple(map(str, analysis.turn)) for analysis in found}) > 1
        else:
            assert {analysis.simulations for analysis in found} == {level.simulations or 1000}


def test_better_turns_are_drawn_more_often() -> None:
    position = random_position(2, steps=0)
    analysis = ai.create_agent("greedy").analyze(position, LIMITS)
    generator = Generator(1)
    counts = dict.fromkeys(range(len(analysis.candidates)), 0)
    for _ in range(2000):
        drawn = softened(analysis, 2.0, generator)
        assert sorted(map(id, drawn.candidates)) == sorted(map(id, analysis.candidates))
        counts[next(n for n, c in enumerate(analysis.candidates) if c is drawn.candidates[0])] += 1
    leads = [candidate.score_lead or 0.0 for candidate in analysis.candidates]
    assert leads == sorted(leads, reverse=True)
    assert counts[0] > 1.5 * counts[max(n for n in counts if leads[n] < leads[0] - 1)]


def test_a_stronger_level_wins() -> None:
    shares = []
    for seed in range(12):
        state = lc.State(lc.GameSetup.random(players=2, edition="printed", seed=seed))
        strong = seed % 2
        agents = [
            ai.create_agent("ismcts", level=6 if seat == strong else 1, seed=seed)
            for seat in range(2)
        ]
        while not state.is_over:
            for action in agents[state.current_player].analyze(state.position(), LIMITS).turn:
                state.apply(action)
        shares.append((strong in state.winners()) / len(state.winners()))
    assert sum(shares) >= 9
