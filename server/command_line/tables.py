"""Analyses as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table

_UNKNOWN = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Row:
    """What a table shows of a candidate.

    Attributes
    ----------
    turn : sequence of str
        In the notation.
    visits : int or None
        Simulations that began with its first action.
    win_probability, score_lead : float or None
        From the side of the mover.

    What is None is shown as a dash.
    """

    turn: Sequence[str]
    visits: int | None
    win_probability: float | None
    score_lead: float | None


def turn_text(actions: Iterable[str]) -> str:
    """Write the actions of a turn, given in the notation, on a line."""
    return "; ".join(actions)


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
            _UNKNOWN if row.visits is None else f"{row.visits:,}",
            _UNKNOWN if row.win_probability is None else f"{row.win_probability:.1%}",
            _UNKNOWN if row.score_lead is None else f"{row.score_lead:+.1f}",
            turn_text(row.turn),
        )
    return table
