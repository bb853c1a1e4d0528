"""The measurements of strength: ``python -m bench.ladder [KIND] [OPTION …]``.

Kinds, each with any number of players and edition (``--players``, ``--edition``):

- ``agents``: every agent meets every other, with 0.2 s for a turn; OpenSpiel's tree search too if
  it is installed;
- ``levels``: each level of the full player meets the next;
- ``growth``: the full player with 0.05 s meets itself with 0.2 s, that with 1 s, that with 5 s;
- ``ablations``: the full player meets itself without one of its ingredients (`bench.variants`);
- ``self-play``: the greedy player meets itself, for its score.

With more than two players one meets several of the other. ``--agents A B …`` lets others meet.
All other options are those of ``looot arena ladder`` (``--deals 200``, ``--pairing first``, …).
Games are kept in ``build/``, and the same command again goes on where it ended. The results go to
``bench/results/KIND-PLAYERS-EDITION.json``; ``python -m bench.strength_page`` makes a page of all.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import ai
import looot_core as lc
from bench.games import EDITION, PLAYER_COUNTS, ROOT
from bench.stored import RESULTS
from bench.variants import WITHOUT
from server.command_line import main

FULL = "ismcts"
OPEN_SPIEL = "ai.open_spiel_agent.OpenSpielIsmctsAgent"


@dataclass(frozen=True)
class Kind:
    """Who meets whom, and the budget of a turn."""

    agents: tuple[str, ...]
    pairing: str
    budget: tuple[str, str] = ("--time", "0.2")


def kinds() -> dict[str, Kind]:
    """Give what can be measured, by name."""
    others = [name for name in ai.agent_names() if name != FULL]
    if find_spec("pyspiel"):
        others.append(OPEN_SPIEL)
    levels = [f"{FULL}:level={level}" for level in ai.agent_info(FULL).levels]
    variants = [f"{variant.__module__}.{variant.__qualname__}" for variant in WITHOUT]
    return {
        "agents": Kind((FULL, *others), "all"),
        "levels": Kind(tuple(reversed(levels)), "neighbours", ("--simulations", "4000")),
        "growth": Kind(
            (f"{FULL}:budget=100", f"{FULL}:budget=20", f"{FULL}:budget=4", FULL),
            "neighbours",
            ("--time", "0.05"),
        ),
        "ablations": Kind((FULL, *variants), "first"),
        "self-play": Kind(("greedy", "greedy:level=10"), "neighbours"),  # the same by two names
    }


def command(arguments: Sequence[str]) -> list[str]:
    """Give the command ``looot`` that makes the measurement."""
    known = kinds()
    parser = argparse.ArgumentParser(description="Measure strength.", allow_abbrev=False)
    parser.add_argument("kind", choices=list(known), nargs="?", default="agents")
    parser.add_argument("--players", type=int, choices=PLAYER_COUNTS, default=PLAYER_COUNTS[0])
    parser.add_argument("--edition", choices=lc.EDITIONS, default=EDITION)
    parser.add_argument("--agents", nargs="+", metavar="A")
    options, others = parser.parse_known_args(arguments)
    kind = known[options.kind]
    name = f"{options.kind}-{options.players}-{options.edition}"
    budget = () if {"--time", "--simulations"} & set(others) else kind.budget
    return [
        *("arena", "ladder", *(options.agents or kind.agents), "--pairing", kind.pairing, *budget),
        *("--players", str(options.players), "--edition", options.edition),
        *("--name", name, "--out", str(ROOT / "build" / name), "--results", str(RESULTS)),
        *others,
    ]


if __name__ == "__main__":
    main(command(sys.argv[1:]))
