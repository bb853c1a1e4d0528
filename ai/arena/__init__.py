"""Matches between agents, as many games as it takes to tell who is stronger.

>>> from ai import arena
>>> match = arena.Match(("ismcts_plain", "random"), simulations=50, seed=1)
>>> with arena.process_pool(2) as pool, arena.MatchFolder("runs/first", match) as folder:
...     games = arena.run(match, 20, folder, pool, jobs=2)  # doctest: +SKIP
>>> print(arena.markdown(arena.summarize([(match, games)])))  # doctest: +SKIP

Every deal (set-up and order of the bag) is played in all seatings, so that luck falls on all alike.
A script that does this needs the guard ``if __name__ == "__main__":``, for the workers import it.
"""

from ai.arena.errors import ArenaError
from ai.arena.folder import MatchFolder
from ai.arena.game import GameResult, Games, play_game
from ai.arena.ladder import ladder, line_up
from ai.arena.match import AgentSpec, Match
from ai.arena.report import markdown, svg
from ai.arena.results import MatchResult, Results, Row, summarize
from ai.arena.runner import RayExecutor, process_pool, run
from ai.arena.statistics import Decision, Estimate, SequentialTest, clustered, wilson

__all__ = [
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
