"""The page of strength, from the stored results: ``python -m bench.strength_page``.

Writes ``docs/strength.md`` and the plot on it. What was not measured is not on the page.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ai import arena
from ai.arena import Estimate, MatchResult, Results
from ai.arena.folder import read_json
from ai.arena.match import AgentSpec
from ai.arena.report import caption
from bench import last_turn, second_last_turn
from bench.games import ROOT
from bench.stored import RESULTS
from bench.variants import WITHOUT

PAGE = ROOT / "docs" / "strength.md"
PLOT = ROOT / "docs" / "strength.svg"

MOST_ELO = 800  # that an interval may reach; of 99 % of the wins

INTRODUCTION = """\
# Strength

Made from the results in `bench/results` by `python -m bench.strength_page`.
`python -m bench.ladder --help`, `bench/last_turn.py` and `bench/second_last_turn.py` tell how they
are measured.

Time is what an agent's thread has of a processor. Each deal is played in all seatings. Wins, Elo,
lead and score are those of the agent named first, with 95 % intervals: of the wins by Wilson; of
the lead over the best opponent with the games of a deal as one. A shared victory counts its share.
With more than two players one agent plays against several of the other. Elo is the difference in
rating that the wins of two players stand for, 400 log10(p / (1 - p)).

![Wins of each agent](strength.svg)
"""

MATCHES = {
    "The ladder": ("agents-*",),
    "Levels": ("levels*", "level-*"),
    "Growth with time": ("growth-*",),
    "What the ingredients are worth": ("ablations-*",),
    "Self-play": ("self-play-*",),
}
"""Sections, and which files they are made from."""


def page(results: Path = RESULTS) -> str:
    """Write the page from the results in a folder."""
    sections = [
        section
        for title, patterns in MATCHES.items()
        if (section := _of_matches(title, _files(results, patterns)))
    ]
    return "\n".join([INTRODUCTION, *sections, *_end_of_the_game(results)])


def plot() -> str:
    """Draw the ladder of two players."""
    return arena.svg(Results.load(RESULTS / "agents-2-printed.json"))


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    return [path for name in patterns for path in sorted(folder.glob(f"{name}.json"))]


def _of_matches(title: str, paths: Sequence[Path]) -> str:
    """Write a table for each file of results."""
    parts = []
    for path in paths:
        results = Results.load(path)
        weights = results.description.get("weights")
        made_by = f", weights `{weights}`" if weights else ""
        rows = [_match(match, results.description) for match in results.matches]
        parts += [
            f"{caption(results)}{made_by} (`{path.name}`):\n",
            _table(("", "games", "wins, %", "Elo", "lead", "score"), rows),
        ]
    return "\n".join([f"## {title}\n", *parts]) if parts else ""


def _match(match: MatchResult, description: dict[str, Any]) -> list[str]:
    first, *others = (_name(agent, description) for agent in match.agents)
    row = next(row for row in match.rows if row.agent == match.agents[0])
    several = {1: "", 2: "two of ", 3: "three of "}[len(others)]
    against = f"{several}{others[0]}" if len(set(others)) == 1 else ", ".join(others)
    return [
        f"{first} against {against}",
        str(row.games),
        _interval(row.share, ".1f", lambda share: 100 * share),
        _rating(row.share) if len(others) == 1 else "",
        "" if row.margin is None else _interval(row.margin, "+.1f"),
        "" if row.mean_score is None else f"{row.mean_score:.1f}",
    ]


def _name(agent: str, description: dict[str, Any]) -> str:
    """Name an agent for readers."""
    for variant, lacking in WITHOUT.items():
        if agent == f"{variant.__module__}.{variant.__qualname__}":
            return f"itself without {lacking}"
    spec = AgentSpec.parse(agent)
    name = f"`{spec.name.rpartition('.')[2]}`"
    if "level=" in agent:
        name += f" at level {spec.level}"
    if "threads=" in agent:
        name += f" with {spec.threads} threads"
    if description["time_s"] is not None and "budget=" in agent:
        name += f" with {spec.budget * description['time_s']:g} s"
    return name


def elo(share: float) -> float:
    """Give the difference in rating for a share of the wins: the inverse of Elo's logistic curve.

    Elo: The rating of chessplayers, past and present, 1978.
    """
    if share in (0, 1):
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def _rating(share: Estimate) -> str:
    """Write the difference in rating; only its bound if nearly all games had one winner."""
    if elo(share.high or 0) > MOST_ELO:
        return f"above {elo(share.low or 0):+.0f}"
    if elo(share.low or 0) < -MOST_ELO:
        return f"below {elo(share.high or 0):+.0f}"
    return _interval(share, "+.0f", elo)


def _interval(
    estimate: Estimate, form: str, scale: Callable[[float], float] = lambda value: value
) -> str:
    """Write a value with its interval behind it."""
    if estimate.low is None or estimate.high is None:
        return f"{scale(estimate.value):{form}}"
    value, low, high = map(scale, (estimate.value, estimate.low, estimate.high))
    return f"{value:{form}} ({low:{form}} to {high:{form}})"


def _end_of_the_game(results: Path) -> list[str]:
    parts = []
    for path in _files(results, [last_turn.NAME]):
        last = read_json(path)
        parts += [
            f"The last turn, which is solved, with {last['all']['time_s']:g} s, judged by an"
            f" exhaustive search written apart; games of `ismcts` against itself; weights"
            f" `{last['weights']}`:\n",
            _table(
                ("game", "positions", "best turn", "largest loss, points", "longest answer, ms"),
                [
                    [
                        name,
                        str(kind["positions"]),
                        str(kind["optimal"]),
                        str(kind["largest_loss_of_lead"]),
                        f"{kind['longest_ms']:.2g}",
                    ]
                    for name, kind in _kinds(last)
                ],
            ),
        ]
    for path in _files(results, [second_last_turn.NAME]):
        second = read_json(path)
        parts += [
            f"The second-last turn: what is lost against the best turn, whose value is exact,"
            f" on average over {second['all']['positions']} such games; weights"
            f" `{second['weights']}`:\n",
            _table(
                ("player", "best turn, %", "wins lost, %", "points lost", "most points lost"),
                [
                    [
                        agent["agent"],
                        f"{100 * agent['optimal'] / second['all']['positions']:.1f}",
                        f"{100 * agent['mean_loss_of_share']:.2f}",
                        f"{agent['mean_loss_of_lead']:.3f}",
                        f"{agent['largest_loss_of_lead']:.1f}",
                    ]
                    for agent in second["all"]["agents"]
                ],
            ),
        ]
    return ["## The end of the game\n", *parts] if parts else []


def _kinds(measured: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in measured["kinds"]:
        yield f"{kind['players']} players, {kind['edition']}", kind
    yield "all", measured["all"]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table, numbers to the right."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, marks, *rows))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    PLOT.write_text(plot(), encoding="utf-8")
