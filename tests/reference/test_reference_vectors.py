"""The reference replays the recorded games; only then may it judge the core."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reference.landscape import arrangement_is_legal
from tests.reference.replay import replay

DATA = Path(__file__).parents[1] / "data"


def load(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("name", "games"), [("printed.jsonl", 120), ("rulebook.jsonl", 90)])
def test_reference_replays_every_record(name: str, games: int) -> None:
    records = load(name)
    assert len(records) == games
    for number, record in enumerate(records):
        try:
            assert arrangement_is_legal(record), "arrangement (R1, R2)"
            assert replay(record).is_over, "the game is over"
        except AssertionError as difference:
            raise AssertionError(f"{name}, game {number}: {difference}") from difference
