"""What is made of games: shares, margins, ratings, tables and plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import looot_core as lc
from ai import arena
from tests.ai.arena_games import PAIR

A, B = PAIR.agents


def game(
    deal: int, seating: int, scores: tuple[int, ...], match: arena.Match = PAIR
) -> arena.GameResult:
    """Give a game that the highest score has won, of turns of 1 s and 10 simulations."""
    best = max(scores)
    n = len(scores)
    return arena.GameResult(
        deal,
        seating,
        match.seatings()[seating],
        shares=tuple((score == best) / scores.count(best) for score in scores),
        scores=scores,
        turns=(4,) * n,
        simulations=(40,) * n,
        seconds=(4.0,) * n,
        longest_turn_s=(1.5,) * n,
    )


def games_of(*games: arena.GameResult) -> arena.Games:
    return {(game.deal, game.seating): game for game in games}


def rows_of(results: arena.Results) -> dict[str, arena.Row]:
    return {row.agent: row for row in results.rows}


# By seat, so that A has 100, 80, 70 and 60, and B 90, 80, 50 and 75.
FOUR = games_of(
    game(0, 0, (100, 90)), game(0, 1, (80, 80)), game(1, 0, (70, 50)), game(1, 1, (75, 60))
)


def test_shares_margins_scores_and_times() -> None:
    first, second = (rows_of(arena.summarize([(PAIR, FOUR)]))[agent] for agent in (A, B))
    assert first.games == second.games == 4
    assert first.share == arena.wilson(2.5, 4)
    assert second.share == arena.wilson(1.5, 4)
    assert first.margin == arena.clustered([10, 0, 20, -15], [0, 0, 1, 1])
    assert second.margin is not None
    assert second.margin.value == -15 / 4
    assert first.mean_score == 77.5
    assert first.seconds_per_turn == 1.0
    assert first.longest_turn_s == 1.5
    assert first.simulations_per_turn == 10


def test_games_of_incomplete_deals_do_not_count() -> None:
    more = {**FOUR, **games_of(game(3, 1, (0, 100)))}
    assert arena.summarize([(PAIR, more)]) == arena.summarize([(PAIR, FOUR)])


def test_failure_counts_as_lost_and_has_no_score() -> None:
    failed = replace(
        game(1, 0, (70, 50)), shares=(0.0, 1.0), scores=None, failed_seat=0, failure="bored"
    )
    results = arena.summarize([(PAIR, {**FOUR, (1, 0): failed})])
    first, second = (rows_of(results)[agent] for agent in (A, B))
    assert (first.failures, first.first_failure) == (1, "bored")
    assert (second.failures, second.first_failure) == (0, None)
    assert first.share == arena.wilson(1.5, 4)
    assert first.margin == arena.clustered([10, 0, -15], [0, 0, 1])
    assert first.mean_score == 80
    assert f"{A} failed first with: bored" in arena.markdown(results)


def test_one_against_many_has_the_mean_of_the_seats_and_one_margin() -> None:
    match = replace(PAIR, agents=(A, B, B))
    games = games_of(*(game(0, seating, (9, 5, 1), match) for seating in range(3)))
    first, second = (rows_of(arena.summarize([(match, games)]))[agent] for agent in (A, B))
    assert first.share.value == pytest.approx(1 / 3)
    assert second.share.value == pytest.approx((0 + 0.5 + 0.5) / 3)
    assert first.margin is not None
    assert first.margin.value == pytest.approx((4 - 4 - 8) / 3)
    assert second.margin is None
    assert first.mean_score == 5
    assert second.mean_score == 5


def test_ratings_follow_the_victories() -> None:
    names = ("random:level=1", "random:level=2", "random:level=3")
    played = []
    for match in arena.ladder(names, simulations=1):
        games = [
            game(deal, seating, (20, 10) if seating == 0 else (10, 20), match)
            for deal in range(10)
            for seating in (0, 1)
        ]
        played.append((match, games_of(*games)))
    results = arena.summarize(played)
    assert [row.agent for row in results.rows] == list(names)
    assert [row.share.value for row in results.rows] == [1.0, 0.5, 0.0]
    top, middle, bottom = (row.rating for row in results.rows)
    assert top > middle + 2 > bottom + 4
    assert all(0 < row.rating_deviation < 25 / 3 for row in results.rows)


def test_equal_agents_are_rated_equal() -> None:
    drawn = games_of(*(game(deal, seating, (5, 5)) for deal in range(9) for seating in (0, 1)))
    first, second = arena.summarize([(PAIR, drawn)]).rows
    assert first.rating == pytest.approx(second.rating)
    assert first.share.value == 0.5


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    match = replace(PAIR, stop=arena.SequentialTest(0.1, 0.9))
    games = games_of(*(game(n, s, (9, 1) if s == 0 else (1, 9)) for n in range(9) for s in (0, 1)))
    results = arena.summarize([(match, games)])
    assert results.matches[0].decision is not None
    results.save(tmp_path / "new" / "results.json")
    assert arena.Results.load(tmp_path / "new" / "results.json") == results


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"description": {"format": 2}}', "\xff"])
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(lc.LoootError, match=r"results\.json: "):
        arena.Results.load(file)


def test_markdown_has_a_line_for_each_agent() -> None:
    lines = arena.markdown(arena.summarize([(PAIR, FOUR)])).splitlines()
    assert lines[0] == "2 players, printed edition, 1 simulations a turn, seed 5."
    assert {line.count("|") for line in lines[2:]} == {11}
    shown = next(line for line in lines if line.startswith(f"| {A} |"))
    assert "| 4 | 62.5 (21.9 to 90.8) | +3.8 | 77.5 | 1 | 1.5 | 10 | 0 |" in shown


def test_plot_has_a_point_for_each_agent_at_its_share() -> None:
    root = ElementTree.fromstring(arena.svg(arena.summarize([(PAIR, FOUR)])))
    points = [float(point.attrib["cx"]) for point in root.findall(".//{*}circle")]
    assert len(points) == 2
    ticks = {text.text: float(text.attrib["x"]) for text in root.findall(".//{*}text")}
    assert points[0] == pytest.approx(ticks["50 %"] + 0.125 * (ticks["100 %"] - ticks["0 %"]))
    assert points[1] == pytest.approx(ticks["50 %"] - 0.125 * (ticks["100 %"] - ticks["0 %"]))


def test_unplayed_match_has_no_rows() -> None:
    results = arena.summarize([(PAIR, {})])
    assert results.rows == ()
    assert arena.markdown(results)
    ElementTree.fromstring(arena.svg(results))
