"""Matches between agents, as many games as it takes to tell who is stronger.

::

    from ai import arena

    if __name__ == "__main__":  # the workers import the script
        match = arena.Match(("ismcts_plain", "random"), time_s=0.2, seed=1)
        with arena.process_pool(2) as pool, arena.MatchFolder("first_match", match) as folder:
            games = arena.run(match, 20, folder, pool, jobs=2)
        print(arena.markdown(arena.summarize([(match, games)])))

Every deal (set-up and order of the bag) is played in all seatings, so that luck falls on all alike.
"""

from ai.arena.errors import ArenaError
from ai.arena.folder import MatchFolder
from ai.arena.game import GameResult, Games, play_game
from ai.arena.ladder import PAIRINGS, ladder, line_up
from ai.arena.match import AgentSpec, Match
from ai.arena.report import markdown, svg
from ai.arena.results import MatchResult, Results, Row, summarize
from ai.arena.runner import RayExecutor, process_pool, run
from ai.arena.statistics import Decision, Estimate, SequentialTest, clustered, wilson

__all__ = [
    "PAIRINGS",
    "AgentSpec",
    "ArenaError",
    "Decision",
    "Estimate",
    "GameResult",
    "Games",
    "Match",
    "MatchFolder",
    "MatchResult",
    "RayExecutor",
    "Results",
    "Row",
    "SequentialTest",
    "clustered",
    "ladder",
    "line_up",
    "markdown",
    "play_game",
    "process_pool",
    "run",
    "summarize",
    "svg",
    "wilson",
]
