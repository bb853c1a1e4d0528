"""The strength ladder: every registered agent meets every other, with equal time for a turn.

``python -m bench.ladder`` writes ``bench/results/ladder.json``, which ``looot arena table`` shows.
Its games are kept in ``build/ladder``, and a run that was interrupted goes on. Options are those of
``looot arena ladder`` (``--players 3 --name ladder3 --out build/ladder3``).
"""

import sys

import ai
from bench.games import EDITION, ROOT
from server.command_line import main

RESULTS = ROOT / "bench" / "results"

if __name__ == "__main__":
    defaults = ["--out", str(ROOT / "build" / "ladder"), "--results", str(RESULTS)]
    defaults += ["--edition", EDITION]
    main(["arena", "ladder", *ai.agent_names(), *defaults, *sys.argv[1:]])
