"""What the documentation shows runs as it is shown."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.server.conftest import LIMITS
from tests.server.service import running_service

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
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
    assert [ADDRESS in snippet for snippet in SNIPPETS] == [False, True]


@pytest.mark.parametrize("snippet", [code for code in SNIPPETS if ADDRESS not in code])
def test_readme(snippet: str) -> None:
    exec(compile(snippet, README.name, "exec"), {})


@pytest.mark.parametrize("snippet", [code for code in SNIPPETS if ADDRESS in code])
def test_readme_with_a_server(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    with running_service(LIMITS) as service:
        exec(compile(snippet.replace(ADDRESS, service.address), README.name, "exec"), {})
    assert "end_turn" in capsys.readouterr().out
