"""A calibration as Markdown tables and as an SVG plot."""

from __future__ import annotations

from collections.abc import Sequence

from ai.arena.statistics import Estimate
from ai.training.calibration import BINS, PHASES, Calibration, Reliability
from looot_core.svg_markup import ACCENT, FAINT_INK, INK, PAPER, element, group, text

_PANEL, _LEFT, _TOP, _GAP, _BOTTOM = 260, 60, 70, 60, 50
_WIDTH = _LEFT + 2 * _PANEL + _GAP + 30
_HEIGHT = _TOP + 2 * _PANEL + _GAP + _BOTTOM
_FEWEST = 30  # rows: what has fewer is in the table, but not in the plot


def markdown(calibration: Calibration) -> str:
    """Write what came of the forecasts: the final scores, then the shares of the victory."""
    lines = [
        f"{calibration.games:,} games, {calibration.rows:,} seats at the starts of turns. The final"
        f" score is forecast with an error of {calibration.error:.2f} points (root of the mean"
        f" square) by the table network, of {calibration.seat_error:.2f} by the seat network; the"
        f" shares of the victory with a log loss of {calibration.log_loss:.3f} a turn, where equal"
        f" shares have {calibration.even_log_loss:.3f}. Equal scores are counted as shared"
        " victories here. All below is of the table network.",
        "",
        "Error of the forecast final score (forecast minus truth, in points) by vikings in hand:"
        " mean ± standard deviation. The second column is the standard deviation that the weights"
        " themselves tell.",
        "",
        *_score_table(calibration),
        "",
        "Share of the victory by the share that was forecast, in %, with its 95 % interval (each"
        " game is one observation), by the most vikings that a player has in hand.",
        "",
        *_share_table(calibration),
    ]
    return "\n".join(lines) + "\n"


def svg(calibration: Calibration) -> str:
    """Draw forecast shares of the victory beside those that came of them, a panel a phase."""
    panels = [
        _panel(
            phase,
            [found for found in calibration.reliability if found.phase == phase],
        )
        for phase in range(len(PHASES))
    ]
    return element(
        "svg",
        element("rect", width=_WIDTH, height=_HEIGHT, fill=PAPER),
        text(_WIDTH / 2, 30, f"Win probability in {calibration.games:,} games", 16),
        *panels,
        text(_WIDTH / 2, _HEIGHT - 12, "forecast, %", 13, fill=FAINT_INK),
        text(
            0, 0, "came true, %", 13, fill=FAINT_INK,
            transform=f"translate(18 {_HEIGHT // 2}) rotate(-90)",
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        font_family="sans-serif",
    )  # fmt: skip


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write the lines of a Markdown table; all columns but the first are flush right."""
    return [
        f"| {' | '.join(cells)} |"
        for cells in (header, ["---", *["---:"] * (len(header) - 1)], *rows)
    ]


def _score_table(calibration: Calibration) -> list[str]:
    cells = {(error.vikings_in_hand, error.players): error for error in calibration.scores}
    counts = sorted({players for _, players in cells})
    rows: list[list[str]] = []
    for left in sorted({left for left, _ in cells}, reverse=True):
        errors = [cells.get((left, players)) for players in counts]
        rows.append(
            [
                str(left),
                f"{calibration.told[left]:.1f}",
                *("" if e is None else f"{e.bias:+.1f} ± {e.deviation:.1f}" for e in errors),
            ]
        )
    return table(["vikings in hand", "told", *(f"{players} players" for players in counts)], rows)


def _share_table(calibration: Calibration) -> list[str]:
    cells = {(found.bin, found.phase): found for found in calibration.reliability}
    rows = [
        [
            f"{100 * number // BINS} to {100 * (number + 1) // BINS}",
            *(
                _shown(cells[number, phase].observed) if (number, phase) in cells else ""
                for phase in range(len(PHASES))
            ),
        ]
        for number in range(BINS)
    ]
    return table(["forecast", *(f"{most} to {least}" for least, most in PHASES)], rows)


def _shown(share: Estimate) -> str:
    if share.low is None or share.high is None:
        return f"{100 * share.value:.1f}"
    low, high = max(0.0, share.low), min(1.0, share.high)
    return f"{100 * share.value:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _panel(phase: int, found: Sequence[Reliability]) -> str:
    least, most = PHASES[phase]
    parts = [
        text(_PANEL / 2, -8, f"{most} to {least} vikings in hand", 13),
        element("line", x1=0, y1=_PANEL, x2=_PANEL, y2=0, stroke=ACCENT, stroke_width=1),
    ]
    for percent in range(0, 101, 25):
        at = _PANEL * percent / 100
        parts += [
            element("line", x1=at, y1=0, x2=at, y2=_PANEL, stroke=FAINT_INK, stroke_width=0.3),
            element("line", x1=0, y1=at, x2=_PANEL, y2=at, stroke=FAINT_INK, stroke_width=0.3),
            text(at, _PANEL + 16, str(percent), 11, fill=FAINT_INK),
            text(-6, _PANEL - at + 4, str(percent), 11, fill=FAINT_INK, text_anchor="end"),
        ]
    for share in found:
        if share.rows < _FEWEST:
            continue
        x, y = _PANEL * share.forecast, _PANEL * (1 - share.observed.value)
        if share.observed.low is not None and share.observed.high is not None:
            low, high = max(0.0, share.observed.low), min(1.0, share.observed.high)
            parts.append(
                element(
                    "line", x1=x, y1=_PANEL * (1 - low), x2=x, y2=_PANEL * (1 - high),
                    stroke=INK, stroke_width=1.5,
                )
            )  # fmt: skip
        parts.append(element("circle", cx=x, cy=y, r=3.5, fill=INK))
    column, row = phase % 2, phase // 2
    return group(_LEFT + column * (_PANEL + _GAP), _TOP + row * (_PANEL + _GAP), *parts)
