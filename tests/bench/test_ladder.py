"""What is measured of strength, and the players that lack an ingredient."""

from pathlib import Path

import pytest

import ai
import looot_core as lc
from ai import arena
from ai.ismcts_agent import IsmctsAgent
from bench.ladder import command, kinds
from bench.variants import (
    WITHOUT,
    HandWeights,
    MostVisits,
    NewTree,
    OneDeal,
    OnePly,
    UnsolvedLastTurn,
)
from server.command_line import main
from tests.ai.positions import play, random_position

LIMITS = ai.Limits(simulations=400)


@pytest.mark.parametrize("variant", WITHOUT, ids=lambda variant: variant.__name__)
def test_a_variant_plays_whole_turns_but_searches_otherwise(variant: type[IsmctsAgent]) -> None:
    differs = False
    for seed in range(4):
        position = random_position(seed, players=2 + seed % 3, steps=40 + 20 * seed)
        analysis = variant(seed=1).analyze(position, LIMITS)
        play(lc.State.from_position(position), analysis.turn)
        full = IsmctsAgent(seed=1).analyze(position, LIMITS)
        differs |= [(c.turn, c.visits) for c in analysis.candidates] != [
            (c.turn, c.visits) for c in full.candidates
        ]
    assert differs or variant in (UnsolvedLastTurn, NewTree)  # other turns than these


def test_one_ply_looks_no_deeper_than_its_turn() -> None:
    position = random_position(3, steps=30)
    assert OnePly(seed=1).analyze(position, LIMITS).depth == 1
    assert IsmctsAgent(seed=1).analyze(position, LIMITS).depth > 1


def test_most_visits_takes_the_most_visited() -> None:
    for seed in range(4):
        candidates = MostVisits(seed=1).analyze(random_position(seed, steps=30), LIMITS).candidates
        assert candidates[0].visits == max(candidate.visits for candidate in candidates)


def test_hand_weights_are_named() -> None:
    position = random_position(3, steps=30)
    by_hand = HandWeights(seed=1).analyze(position, LIMITS)
    assert by_hand.weights_hash != IsmctsAgent(seed=1).analyze(position, LIMITS).weights_hash


def test_an_unsolved_last_turn_is_searched() -> None:
    position = random_position(1, steps=400)
    assert IsmctsAgent(seed=1).analyze(position, LIMITS).stopped_by == "complete"
    assert UnsolvedLastTurn(seed=1).analyze(position, LIMITS).stopped_by == "simulations"


def test_one_deal_reveals_the_same_longship_each_time() -> None:
    """So the second turn of a line is never one of another longship."""
    position = random_position(3, steps=30)
    spread = IsmctsAgent(seed=1).analyze(position, LIMITS).nodes
    assert OneDeal(seed=1).analyze(position, LIMITS).nodes < spread


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_is_a_command_of_the_arena(kind: str) -> None:
    arguments = command([kind, "--players", "3", "--edition", "rulebook", "--deals", "7"])
    assert arguments[:2] == ["arena", "ladder"]
    for option, value in (
        ("--players", "3"), ("--edition", "rulebook"), ("--name", f"{kind}-3-rulebook"),
        ("--deals", "7"), ("--pairing", kinds()[kind].pairing),
    ):  # fmt: skip
        assert arguments[arguments.index(option) + 1] == value
    assert ("--time" in arguments) != ("--simulations" in arguments)
    assert "--time" not in command([kind, "--simulations", "5"])
    chosen = command([kind, "--agents", "random", "greedy", "--deals", "7"])
    assert chosen[2:5] == ["random", "greedy", "--pairing"]


def test_ablations_can_be_played(tmp_path: Path) -> None:
    arguments = command(
        ["ablations", "--simulations", "1", "--deals", "1", "--jobs", "1", "--seed", "3"]
    )
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--out", str(tmp_path / "games"), "--results", str(tmp_path)])
    assert ended.value.code == 0
    results = arena.Results.load(tmp_path / "ablations-2-printed.json")
    assert len(results.matches) == len(WITHOUT)
    assert all(match.agents[0] == "ismcts" and match.deals == 1 for match in results.matches)
    assert not any(row.failures for row in results.rows)
