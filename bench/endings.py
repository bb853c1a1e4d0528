"""How games of the full player end: positions from their last turns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import TypeVar

from rich.progress import track

import ai
import looot_core as lc
from ai.arena import process_pool
from bench.games import PLAYER_COUNTS

SIMULATIONS = 200  # a turn of the games that the positions are taken from

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Game:
    """A game that the full player plays against itself; `seed` is that of set-up and players."""

    players: int
    edition: str
    seed: int

    def turns(self, agent: str = "ismcts", simulations: int = SIMULATIONS) -> list[lc.Position]:
        """Play it, and give the positions in which the turns start."""
        state = lc.State(
            lc.GameSetup.random(players=self.players, edition=self.edition, seed=self.seed)
        )
        player = ai.create_agent(agent, seed=self.seed)
        starts = []
        while not state.is_over:
            starts.append(state.position())
            for action in player.analyze(starts[-1], ai.Limits(simulations=simulations)).turn:
                state.apply(action)
        return starts


def games(count: int, seed: int) -> list[Game]:
    """Give so many games, all editions and player counts alike often."""
    kinds = cycle(product(lc.EDITIONS, PLAYER_COUNTS))
    return [
        Game(players, edition, seed + number)
        for number, (edition, players) in enumerate(islice(kinds, count))
    ]


def measure(
    measure_one: Callable[[Game], _Found], games: Sequence[Game], jobs: int
) -> Iterator[_Found]:
    """Measure something in each game, in some processes, with a bar that shows how far it is."""
    with process_pool(jobs) as pool:
        yield from track(pool.map(measure_one, games), total=len(games))
