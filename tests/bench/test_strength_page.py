"""The page of strength."""

import json
import math
from pathlib import Path

import pytest

from ai.arena import Estimate, MatchResult, Results, Row, wilson
from bench import last_turn, second_last_turn
from bench.endings import games
from bench.last_turn_judge import Worth
from bench.second_last_turn_judge import Expectation
from bench.strength_page import PAGE, PLOT, elo, page, plot


def test_the_page_is_made_from_the_stored_results() -> None:
    """If not: `python -m bench.strength_page`."""
    assert PAGE.read_text(encoding="utf-8") == page()
    assert PLOT.read_text(encoding="utf-8") == plot()


@pytest.mark.parametrize(
    ("share", "difference"),
    [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (1.0, math.inf), (0.0, -math.inf)],
)
def test_elo_is_the_difference_that_wins_stand_for(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference)


def results(agents: tuple[str, ...], won: float, **description: object) -> Results:
    """Give what came of a match of 100 games, none of them played."""
    rows = tuple(
        Row(
            agent,
            100,
            0,
            None,
            wilson(share, 100),
            Estimate(4.0, 1.0, 7.0),
            99.5,
            0.2,
            0.2,
            9,
            25,
            1,
        )
        for agent, share in zip(dict.fromkeys(agents), (won, 100 - won), strict=True)
    )
    given = {"format": 1, "time_s": 0.05, "edition": "printed", "seed": 3, "weights": "abc"}
    return Results({**given, **description}, rows, (MatchResult(agents, 50, None, rows),))


@pytest.mark.parametrize(
    ("file", "agents", "won", "line"),
    [
        (
            "growth-2-printed.json", ("ismcts:budget=4", "ismcts"), 60.0,
            "| `ismcts` with 0.2 s against `ismcts` | 100 | 60.0 (50.2 to 69.1) "
            "| +70 (+1 to +139) | +4.0 (+1.0 to +7.0) | 99.5 |",
        ),
        (
            "ablations-2-printed.json", ("ismcts", "bench.variants.OnePly"), 100.0,
            "| `ismcts` against itself without the tree | 100 | 100.0 (96.3 to 100.0) "
            "| above +566 | +4.0 (+1.0 to +7.0) | 99.5 |",
        ),
        (
            "levels-3-rulebook.json", ("ismcts:level=5", *["ismcts:level=4"] * 2), 40.0,
            "| `ismcts` at level 5 against two of `ismcts` at level 4 | 100 | 40.0 (30.9 to 49.8) "
            "|  | +4.0 (+1.0 to +7.0) | 99.5 |",
        ),
    ],
)  # fmt: skip
def test_matches_are_named_for_readers(
    tmp_path: Path, file: str, agents: tuple[str, ...], won: float, line: str
) -> None:
    results(agents, won).save(tmp_path / file)
    lines = page(tmp_path).splitlines()
    assert line in lines
    players = len(agents)
    assert (
        f"{players} players, printed edition, 0.05 s a turn, seed 3, weights `abc` (`{file}`):"
        in lines
    )


def test_the_end_of_the_game_is_told(tmp_path: Path) -> None:
    game = games(1, seed=1)[0]
    answer = last_turn.Answer(game, Worth(1.0, 5), Worth(1.0, 7), 0.0015)
    summed_up = {"weights": "abc", "all": last_turn.summary([answer]), "kinds": []}
    (tmp_path / "last-turn.json").write_text(json.dumps(summed_up))
    assert "| all | 1 | 0 | 2 | 1.5 |" in page(tmp_path).splitlines()
    answers = second_last_turn.Answers(
        game, {"greedy": Expectation(0.5, 5.0)}, Expectation(0.75, 7)
    )
    summed_up["all"] = second_last_turn.summary([answers])
    (tmp_path / "second-last-turn.json").write_text(json.dumps(summed_up))
    (tmp_path / "last-turn.json").unlink()
    assert "| greedy | 0.0 | 25.00 | 2.000 | 2.0 |" in page(tmp_path).splitlines()
