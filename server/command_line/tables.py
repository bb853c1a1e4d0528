"""Analyses as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """What a table shows of a candidate, its turn in the notation."""

    turn: Sequence[str]
    visits: int
    win_probability: float
    score_lead: float


def candidate_table(rows: Iterable[Row], mover: int) -> Table:
    """Give the ranked candidates of an analysis from the side of seat `mover`."""
    table = Table(title=f"Values from the side of player {mover}")
    table.add_column("#", justify="right")
    for heading in ("visits", "wins", "lead"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("turn")
    for rank, row in enumerate(rows, 1):
        table.add_row(
            str(rank),
            f"{row.visits:,}",
            f"{row.win_probability:.1%}",
            f"{row.score_lead:+.1f}",
            " · ".join(row.turn),
        )
    return table
