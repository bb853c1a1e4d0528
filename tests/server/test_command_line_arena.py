"""``looot arena``."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ai import arena as ai_arena
from server.command_line import main

AGENTS = ["random", "random:level=1"]


def looot_arena(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["arena", *map(str, arguments)])


def match(out: Path, *options: str, agents: list[str] = AGENTS) -> Result:
    return looot_arena("match", *agents, "--jobs", "1", "--out", out, *options)


def games_in(folder: Path) -> int:
    return len((folder / "games.jsonl").read_bytes().splitlines())


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in a thread: what a process pool does is tested in tests/ai."""
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr(ai_arena, "process_pool", ThreadPoolExecutor)


@pytest.mark.usefixtures("in_this_process")
class TestInThisProcess:
    def test_match_goes_on_and_is_shown_by_table(self, tmp_path: Path) -> None:
        assert match(tmp_path, "--simulations", "1", "--deals", "2").exit_code == 0
        assert games_in(tmp_path) == 4
        played = match(tmp_path, "--simulations", "1", "--deals", "3")
        assert played.exit_code == 0
        assert games_in(tmp_path) == 6
        assert "| random:level=1 |" in played.stdout
        table = looot_arena("table", tmp_path / "results.json", "--svg", tmp_path / "plot.svg")
        assert table.exit_code == 0
        assert table.stdout == played.stdout
        assert "random:level=1" in ElementTree.parse(tmp_path / "plot.svg").getroot().itertext()

    def test_games_are_rounded_up_to_deals(self, tmp_path: Path) -> None:
        options = ["--simulations", "1", "--players", "3", "--games", "4", "--edition", "rulebook"]
        assert match(tmp_path, *options).exit_code == 0
        assert games_in(tmp_path) == 6

    def test_time_is_the_default_limit(self, tmp_path: Path) -> None:
        assert match(tmp_path, "--deals", "1").exit_code == 0
        description = json.loads((tmp_path / "match.json").read_text())
        assert (description["time_s"], description["simulations"]) == (0.2, None)

    def test_another_match_in_the_folder_is_refused(self, tmp_path: Path) -> None:
        match(tmp_path, "--simulations", "1", "--deals", "1")
        refused = match(tmp_path, "--simulations", "1", "--deals", "1", "--seed", "9")
        assert refused.exit_code == 2
        assert "seed differ" in refused.stderr

    def test_match_stops_when_decided(self, tmp_path: Path) -> None:
        options = ["--simulations", "20", "--deals", "500", "--stop-when-decided", "p0=0.5,p1=0.7"]
        played = match(tmp_path, *options, agents=["ismcts_plain", "random"])
        assert played.exit_code == 0
        assert "the first agent's share is above p0" in played.stdout
        assert games_in(tmp_path) < 100

    def test_interruption_keeps_and_sums_up_what_there_is(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = ai_arena.run

        def interrupted(
            match: ai_arena.Match,
            deals: int,
            folder: ai_arena.MatchFolder,
            executor: Executor,
            jobs: int,
            on_game: Callable[[ai_arena.Games], object],
        ) -> ai_arena.Games:
            def watch(games: ai_arena.Games) -> None:
                on_game(games)
                if len(games) == 5:
                    raise KeyboardInterrupt

            return run(match, deals, folder, executor, jobs, watch)

        monkeypatch.setattr(ai_arena, "run", interrupted)
        ended = match(tmp_path, "--simulations", "1", "--deals", "50")
        assert ended.exit_code == 130
        assert "the same command goes on" in ended.stderr
        assert games_in(tmp_path) == 5
        results = ai_arena.Results.load(tmp_path / "results.json")
        assert results.matches[0].deals == 2

    def test_ladder_writes_its_results_under_its_name(self, tmp_path: Path) -> None:
        agents = ["random:level=1", "random:level=2", "random:level=3"]
        ended = looot_arena(
            "ladder", *agents, "--simulations", "1", "--deals", "2", "--jobs", "1",
            "--out", tmp_path / "run", "--results", tmp_path / "results", "--name", "levels",
        )  # fmt: skip
        assert ended.exit_code == 0
        results = ai_arena.Results.load(tmp_path / "results" / "levels.json")
        assert sorted(row.agent for row in results.rows) == agents
        assert [row.games for row in results.rows] == [8, 8, 8]
        assert [match.deals for match in results.matches] == [2, 2, 2]
        assert games_in(tmp_path / "run" / "match-003") == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--time", "1", "--simulations", "1"], "exclude each other"),
        (["--games", "1", "--deals", "1"], "exclude each other"),
        (["--stop-when-decided", "p0=1"], "p0=0.5,p1=0.6"),
        (["nobody", "--players", "3"], "'nobody' is none of"),
        (["random:level=2"], "3 are neither 2 nor one for each of 2"),
    ],
)
def test_senseless_options_are_refused(tmp_path: Path, options: list[str], words: str) -> None:
    refused = match(tmp_path / "run", *options)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert not (tmp_path / "run").exists()


def test_table_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text("{}")
    refused = looot_arena("table", tmp_path / "file.json")
    assert refused.exit_code == 2
    assert "these are no results" in refused.stderr


def test_match_plays_in_processes(tmp_path: Path) -> None:
    played = match(tmp_path, "--simulations", "1", "--deals", "1")
    assert played.exit_code == 0
    assert games_in(tmp_path) == 2
