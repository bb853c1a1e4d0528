"""Results as Markdown tables and as an SVG plot."""

from __future__ import annotations

from collections.abc import Sequence

from ai.arena.results import MatchResult, Results, Row
from ai.arena.statistics import Estimate
from looot_core.svg_markup import ACCENT, FAINT_INK, INK, PAPER, element, text

_COLUMNS = (
    "agent", "rating ± deviation", "games", "wins, %", "margin", "mean score", "s a turn",
    "longest turn, s", "simulations a turn", "failed",
)  # fmt: skip

_WIDTH, _LEFT, _RIGHT, _TOP, _STEP = 720, 270, 60, 60, 30


def markdown(results: Results) -> str:
    """Write a table of all agents, and one of each match if there are several.

    Behind each estimate is its 95 % interval.
    """
    lines = [f"{caption(results)}.", "", *_table(results.rows)]
    for match in results.matches:
        if len(results.matches) > 1:
            lines += ["", f"{_title(match)}.", "", *_table(match.rows)]
        elif match.decision is not None:
            lines += ["", f"{_title(match)}."]
    return "\n".join(lines) + "\n"


def caption(results: Results) -> str:
    """Say in a line what was played."""
    given = results.description
    limit = (
        f"{given['simulations']} simulations a turn"
        if given["time_s"] is None
        else f"{given['time_s']:g} s a turn"
    )
    players = len(results.matches[0].agents)
    return f"{players} players, {given['edition']} edition, {limit}, seed {given['seed']}"


def svg(results: Results) -> str:
    """Draw each agent's share of the victories with its interval, the highest rating first."""
    rows = results.rows
    bottom = _TOP + _STEP * len(rows)
    fair = 1 / len(results.matches[0].agents)
    parts = [
        element("rect", width=_WIDTH, height=bottom + 40, fill=PAPER),
        text(_WIDTH / 2, 28, caption(results), 15),
    ]
    for percent in range(0, 101, 25):
        x = _x(percent / 100)
        parts += [
            element("line", x1=x, y1=_TOP, x2=x, y2=bottom, stroke=FAINT_INK, stroke_width=0.5),
            text(x, bottom + 18, f"{percent} %", 12, fill=FAINT_INK),
        ]
    parts.append(
        element("line", x1=_x(fair), y1=_TOP, x2=_x(fair), y2=bottom, stroke=ACCENT, stroke_width=1)
    )
    for number, row in enumerate(rows):
        y = _TOP + _STEP * (number + 0.5)
        low, high = (row.share.low or 0.0), (row.share.high or 0.0)
        parts += [
            text(_LEFT - 16, y + 5, _shown(row.agent), 14, text_anchor="end"),
            element("line", x1=_x(low), y1=y, x2=_x(high), y2=y, stroke=INK, stroke_width=2),
            element("circle", cx=_x(row.share.value), cy=y, r=4, fill=INK),
        ]
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {bottom + 40}",
        font_family="sans-serif",
    )


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _shown(agent: str, longest: int = 32) -> str:
    return agent if len(agent) <= longest else agent[: longest - 1] + "…"


def _title(match: MatchResult) -> str:
    title = f"{' against '.join(match.agents)}: {match.deals} deals"
    if match.decision is None:
        return title
    accepted = "above p0" if match.decision.accepted == "p1" else "below p1"
    return f"{title}, decided after {match.decision.deals}: the first agent's share is {accepted}"


def _table(rows: Sequence[Row]) -> list[str]:
    lines = [_line(_COLUMNS), _line(["---", *["---:"] * (len(_COLUMNS) - 1)])]
    lines += [_line(_cells(row)) for row in rows]
    failures = [row for row in rows if row.first_failure is not None]
    return lines + [f"\n{row.agent} failed first with: {row.first_failure}" for row in failures]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Row) -> list[str]:
    return [
        row.agent.replace("|", "\\|"),
        f"{row.rating:.1f} ± {row.rating_deviation:.1f}",
        str(row.games),
        _estimate(row.share, ".1f", 100),
        "" if row.margin is None else _estimate(row.margin, "+.1f"),
        "" if row.mean_score is None else f"{row.mean_score:.1f}",
        f"{row.seconds_per_turn:.3g}",
        f"{row.longest_turn_s:.3g}",
        f"{row.simulations_per_turn:,.0f}",
        str(row.failures),
    ]


def _estimate(estimate: Estimate, form: str, scale: int = 1) -> str:
    value = f"{scale * estimate.value:{form}}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({scale * estimate.low:{form}} to {scale * estimate.high:{form}})"
