"""Has the player become weaker? ``python -m bench.quick_match`` (a minute; part of ``make bench``).

The full player meets agents that seldom change, always on the same deals, in both seatings, with so
many simulations a turn and fixed seeds: the same code plays the same games. Its mean lead on each
deal is compared with the stored one, deal by deal, so that the luck of the deals cancels out. With
95 % intervals:

- the difference of the means lies below 0 as a whole: weaker, and the exit code is 1;
- above 0 as a whole: stronger; ``--store`` makes it the figure to compare with;
- else: what there is, is noise.

The stored figures are those of ``bench/results/quick-match.json``.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from ai.arena.game import GameResult, play_game
from ai.arena.match import Match
from ai.arena.results import margin_of
from ai.arena.runner import process_pool
from ai.arena.statistics import Estimate, clustered
from bench.stored import RESULTS, save

NAME = "quick-match"
AGENT = "ismcts"
OPPONENTS = ("greedy_hand", "greedy")
DEALS = 40
SIMULATIONS = 100
SEED = 2024


def play(opponent: str, executor: Executor) -> list[float]:
    """Play a match, and give the agent's mean lead on each deal, in points."""
    match = Match((AGENT, opponent), simulations=SIMULATIONS, seed=SEED)
    seatings = range(len(match.seatings()))
    games = [
        executor.submit(play_game, match, deal, seating)
        for deal in range(DEALS)
        for seating in seatings
    ]
    leads = [lead_of(GameResult.from_record(game.result())) for game in games]
    return [
        sum(leads[n : n + len(seatings)]) / len(seatings)
        for n in range(0, len(leads), len(seatings))
    ]


def lead_of(result: GameResult) -> float:
    """Give the agent's score less its opponent's."""
    if result.scores is None:
        raise SystemExit(f"deal {result.deal}: {result.failure}")
    return float(margin_of(result.scores, result.agents.index(AGENT)))


def difference(leads: Sequence[float], stored: Sequence[float]) -> Estimate:
    """Give how much higher the leads are than the stored ones, on average over the deals."""
    values = [new - old for new, old in zip(leads, stored, strict=True)]
    return clustered(values, range(len(values)))


def verdict(change: Estimate) -> str:
    """Tell noise from a change."""
    assert change.low is not None
    assert change.high is not None
    if change.high < 0:
        return "weaker"
    return "stronger" if change.low > 0 else "no change that can be told from noise"


def conditions() -> dict[str, Any]:
    """Give what must be the same for results to be comparable."""
    return {"agent": AGENT, "simulations": SIMULATIONS, "deals": DEALS, "seed": SEED}


def compare(leads: Mapping[str, Sequence[float]], stored: Mapping[str, Any]) -> bool:
    """Print a line for each opponent; tell whether the agent is weaker against one."""
    if {key: stored.get(key) for key in conditions()} != conditions():
        raise SystemExit(f"{NAME}.json was made under other conditions; use --store")
    weaker = False
    for opponent, values in leads.items():
        now = clustered(values, range(len(values)))
        change = difference(values, stored["leads"][opponent])
        weaker = weaker or verdict(change) == "weaker"
        print(
            f"{AGENT} against {opponent}: lead {_text(now)}, "
            f"change {_text(change)}: {verdict(change)}"
        )
    return weaker


def _text(estimate: Estimate) -> str:
    return f"{estimate.value:+.2f} [{estimate.low:+.2f}, {estimate.high:+.2f}]"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Tell a loss of strength from noise.")
    parser.add_argument("--store", action="store_true", help="make the result the stored one")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="games at a time (default: all)"
    )
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error("--jobs must be 1 or more")
    with process_pool(options.jobs) as executor:
        leads = {opponent: play(opponent, executor) for opponent in OPPONENTS}
    path = RESULTS / f"{NAME}.json"
    if options.store:
        save(path, {**conditions(), "leads": leads})
        print(f"written to {path}", file=sys.stderr)
    stored = json.loads(path.read_text(encoding="utf-8"))
    if compare(leads, stored):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
