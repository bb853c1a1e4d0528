"""What the documentation shows runs as it is shown."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import ai
import looot_core as lc
from tests.server.conftest import LIMITS
from tests.server.service import running_service

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
RULES = ROOT / "docs" / "rules.md"
FORMATS = ROOT / "docs" / "formats.md"
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "deploy" / "README.md",
)
ADDRESS = "localhost:50051"
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("looot_core", "ai", "server")
    for path in (ROOT / package).rglob("*.py*")
    if path.suffix in (".py", ".pyx") and ">>>" in path.read_text(encoding="utf-8")
)
SNIPPETS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_of_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_there_is_something_to_run() -> None:
    assert {"looot_core.errors", "looot_core.generator"} <= set(WITH_EXAMPLES)
    assert [ADDRESS in snippet for snippet in SNIPPETS].count(True) == 1
    assert len(SNIPPETS) >= 4


@pytest.mark.parametrize("snippet", [code for code in SNIPPETS if ADDRESS not in code])
def test_readme(snippet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("ai.agent._factories", dict(ai.agent._factories))  # one registers its own
    exec(compile(snippet, README.name, "exec"), {})


@pytest.mark.parametrize("snippet", [code for code in SNIPPETS if ADDRESS in code])
def test_readme_with_a_server(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    with running_service(LIMITS) as service:
        exec(compile(snippet.replace(ADDRESS, service.address), README.name, "exec"), {})
    assert "end_turn" in capsys.readouterr().out


def test_readme_tells_of_every_agent() -> None:
    table = re.findall(
        r"^\| `([a-z_]+)` \| [^|]*\|$", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(table) == list(ai.agent_names())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    for link in links:
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_rules_are_told_in_order_and_each_citation_is_of_one() -> None:
    told = re.findall(r"^- \*\*R(\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert told == [str(number) for number in range(1, 22)]
    sources = [
        path
        for folder in ("looot_core", "ai", "server", "proto", "docs", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".pyx", ".pxd", ".pyi", ".proto", ".md")
    ]
    cited = {
        number
        for path in sources
        for number in re.findall(r"\bR(\d{1,2})\b", path.read_text(encoding="utf-8"))
    }
    assert cited == set(told)


def test_formats_are_as_the_examples_show_them() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    setup, record, position = map(lc.parse_json, blocks)
    assert lc.GameSetup.from_dict(setup).to_dict() == setup
    played = lc.GameRecord.from_dict(record)
    assert played.to_dict() == record
    played.check()
    assert "turns" in record
    assert lc.Position.from_dict(position).to_dict() == position
    assert played.replay().position().to_dict() == position
    described = set(
        re.findall(r"^\| (`.*?`) \|", FORMATS.read_text(encoding="utf-8"), re.MULTILINE)
    )
    names = set(re.findall(r"`([a-z_]+)`", " ".join(described)))
    assert {*setup, *record, *position} <= names


def test_actions_of_the_notation_have_the_numbers_that_are_told() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    ranges = [
        (int(first), int(last or first))
        for first, last in re.findall(r"^\| (\d+)(?:-(\d+))? \|", text, re.MULTILINE)
    ]
    assert [first for first, _ in ranges] == [0, *(last + 1 for _, last in ranges[:-1])]
    assert ranges[-1][1] == lc.ACTION_COUNT - 1
    setup = lc.GameSetup.random(seed=1)
    words = [str(lc.Action.from_index(first, setup)).split()[0] for first, _ in ranges]
    assert words == ["viking", "shield", "tile", "longship", "trophy", "end"]
