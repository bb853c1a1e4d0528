"""Runs of matches: any executor, any interruption, one result."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from pathlib import Path

import pytest

import looot_core as lc
from ai import arena
from tests.ai.arena_games import PAIR, SEARCH, play

KILLED = """
import os, signal
from ai import arena
from tests.ai.arena_games import SEARCH

def on_game(games):
    if len(games) == 5:
        os.kill(os.getpid(), signal.SIGKILL)

with arena.process_pool(2) as pool, arena.MatchFolder({path!r}, SEARCH) as folder:
    arena.run(SEARCH, 8, folder, pool, 2, on_game)
"""


def lines_of(path: Path) -> list[bytes]:
    return (path / "games.jsonl").read_bytes().splitlines()


def test_results_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    here = play(SEARCH, 4, tmp_path / "here")
    assert sorted(here) == [(deal, seating) for deal in range(4) for seating in (0, 1)]
    for jobs in (1, 2):
        with arena.process_pool(jobs) as pool:
            assert play(SEARCH, 4, tmp_path / str(jobs), pool) == here


def test_match_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole = play(PAIR, 6, tmp_path / "whole")
    play(PAIR, 2, tmp_path / "parts")
    first = lines_of(tmp_path / "parts")
    counts: list[int] = []
    parts = play(PAIR, 6, tmp_path / "parts", on_game=lambda games: counts.append(len(games)))
    assert parts == whole
    assert counts == list(range(4, 13))
    assert lines_of(tmp_path / "parts")[:4] == first
    assert len(lines_of(tmp_path / "parts")) == 12


def test_kill_loses_only_running_games_and_leaves_no_worker(tmp_path: Path) -> None:
    path = tmp_path / "run"
    # The workers hold the pipe of the output: that this returns shows that they are gone.
    ended = subprocess.run(
        [sys.executable, "-c", KILLED.format(path=str(path))],
        stdout=subprocess.PIPE,
        timeout=300,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    kept = lines_of(path)
    assert len(kept) == 5
    assert play(SEARCH, 8, path) == play(SEARCH, 8, tmp_path / "whole")
    assert lines_of(path)[:5] == kept
    assert len(lines_of(path)) == 16


def test_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    whole = play(PAIR, 3, tmp_path)
    file = tmp_path / "games.jsonl"
    file.write_bytes(file.read_bytes()[:-100])
    counts: list[int] = []
    assert play(PAIR, 3, tmp_path, on_game=lambda games: counts.append(len(games))) == whole
    assert counts == [5, 6]
    assert [json.loads(line)["arena"]["deal"] for line in lines_of(tmp_path)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 6}, "seed differ"),
        ({"simulations": 2}, "simulations differ"),
        ({"simulations": None, "time_s": 1.0}, "time_s, simulations differ"),
        ({"agents": ("random", "random:level=2")}, "agents differ"),
        ({"edition": "rulebook"}, "edition differ"),
        ({"stop": arena.SequentialTest(0.5, 0.6)}, "stop differ"),
    ],
)
def test_folder_of_another_match_is_refused(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    play(PAIR, 1, tmp_path)
    other = replace(PAIR, **change)  # type: ignore[arg-type]
    with pytest.raises(arena.ArenaError, match=words):
        arena.MatchFolder(tmp_path, other)
    assert len(play(PAIR, 1, tmp_path)) == 2


@pytest.mark.parametrize("line", ["{}", "[]", "{", '{"arena": {"deal": 1}}', '{"arena": 3}'])
def test_broken_line_in_the_middle_is_refused_and_kept(tmp_path: Path, line: str) -> None:
    play(PAIR, 1, tmp_path)
    file = tmp_path / "games.jsonl"
    file.write_text(file.read_text() + line + "\n")
    before = file.read_bytes()
    with pytest.raises(lc.LoootError, match=r"games.jsonl line 3: "):
        arena.MatchFolder(tmp_path, PAIR)
    assert file.read_bytes() == before


def test_folder_with_games_but_no_description_is_refused(tmp_path: Path) -> None:
    play(PAIR, 1, tmp_path)
    (tmp_path / "match.json").unlink()
    with pytest.raises(arena.ArenaError, match=r"there are games but no match.json"):
        arena.MatchFolder(tmp_path, PAIR)


def test_folder_is_open_once_at_a_time(tmp_path: Path) -> None:
    with (
        arena.MatchFolder(tmp_path, PAIR),
        pytest.raises(arena.ArenaError, match="is being played"),
    ):
        arena.MatchFolder(tmp_path, PAIR)
    arena.MatchFolder(tmp_path, PAIR).__exit__(None, None, None)


def test_crash_of_a_worker_is_said_and_the_folder_stays_good(tmp_path: Path) -> None:
    crashing = replace(PAIR, agents=("random", "tests.ai.arena_agents.Crashing"))
    with (
        pytest.raises(arena.ArenaError, match="a worker died"),
        arena.process_pool(1) as pool,
    ):
        play(crashing, 1, tmp_path, pool)
    assert arena.MatchFolder(tmp_path, crashing).results == {}


def test_interruption_ends_what_the_workers_do() -> None:
    asleep: list[Future[None]] = []

    def interrupted() -> None:
        with arena.process_pool(1) as pool:
            pool.submit(int).result()
            asleep.append(pool.submit(time.sleep, 3600))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert asleep[0].cancelled() or isinstance(asleep[0].exception(), BrokenExecutor)


def test_match_stops_when_it_is_decided(tmp_path: Path) -> None:
    match = replace(SEARCH, simulations=20, stop=arena.SequentialTest(0.5, 0.7))
    games = play(match, 1000, tmp_path / "one")
    results = arena.summarize([(match, games_of(tmp_path / "one", match))])
    decision = results.matches[0].decision
    assert decision is not None
    assert decision.accepted == "p1"
    assert len(games) < 100
    assert results.matches[0].deals == decision.deals
    assert results.rows[0].games == 2 * decision.deals
    # More games were under way; they change nothing, and nothing is played again.
    assert play(match, 1000, tmp_path / "one") == games
    with arena.process_pool(2) as pool:
        play(match, 1000, tmp_path / "two", pool)
    again = arena.summarize([(match, games_of(tmp_path / "two", match))])
    assert again.matches[0].decision == decision
    assert again.rows[0].share == results.rows[0].share


def games_of(path: Path, match: arena.Match) -> arena.Games:
    with arena.MatchFolder(path, match) as folder:
        return folder.results


def test_ray_plays_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra 'cluster' is not installed")
    with arena.RayExecutor() as executor:
        assert executor.jobs >= 1
        assert play(SEARCH, 2, tmp_path / "ray", executor) == play(SEARCH, 2, tmp_path / "here")
