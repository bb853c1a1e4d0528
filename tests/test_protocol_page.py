"""docs/protocol.md is what ``make docs`` writes."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "protocol.md"


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_protocol", ROOT / "docs/make_protocol.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(maker: ModuleType) -> None:
    assert PAGE.read_text(encoding="utf-8") == maker.page(), "run 'make docs'"


def test_every_proto_file_is_on_the_page(maker: ModuleType) -> None:
    assert {path.stem for path in (ROOT / "proto/looot/v1").glob("*.proto")} == set(maker.FILES)


def test_every_link_leads_somewhere() -> None:
    page = PAGE.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    anchors = [heading.lower().replace(".", "") for heading in headings]
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([a-z]+)\)", page)) <= set(anchors)
