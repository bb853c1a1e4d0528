"""How games of the full player end: positions from their last turns."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rich.progress import track

import ai
import looot_core as lc
from ai.arena import process_pool
from bench.games import PLAYER_COUNTS
from bench.stored import RESULTS, save


@dataclass(frozen=True)
class Game:
    """A game that an agent plays against itself.

    Attributes
    ----------
    seed : int
        Of the set-up and the agent.
    simulations : int
        Of the agent, a turn.
    """

    players: int
    edition: str
    seed: int
    simulations: int
    agent: str = "ismcts"

    def turns(self) -> list[lc.Position]:
        """Play it, and give the positions in which the turns start."""
        state = lc.State(
            lc.GameSetup.random(players=self.players, edition=self.edition, seed=self.seed)
        )
        player = ai.create_agent(self.agent, seed=self.seed)
        limits = ai.Limits(simulations=self.simulations)
        starts = []
        while not state.is_over:
            starts.append(state.position())
            for action in player.analyze(starts[-1], limits).turn:
                state.apply(action)
        return starts


def games(count: int, seed: int, simulations: int = 200, agent: str = "ismcts") -> list[Game]:
    """Give so many games, all editions and player counts alike often."""
    kinds = cycle(product(lc.EDITIONS, PLAYER_COUNTS))
    return [
        Game(players, edition, seed + number, simulations, agent)
        for number, (edition, players) in enumerate(islice(kinds, count))
    ]


class OfGame(Protocol):
    """Something that was found in a game."""

    @property
    def game(self) -> Game:
        """The game."""


_Found = TypeVar("_Found", bound=OfGame)


def measure(
    look: Callable[[Game], _Found],
    sum_up: Callable[[Sequence[_Found]], dict[str, Any]],
    description: str,
    name: str,
) -> dict[str, Any]:
    """Look at the games that the command line asks for, and store what was found.

    Ctrl-C ends it with what was found until then.

    Parameters
    ----------
    look : callable
        A function of a module; games are given to several processes.
    sum_up : callable
        Given all that was found, and that of each edition and player count.
    description : str
        Of the command.
    name : str
        Of the results, unless the command line tells where they go.

    Returns
    -------
    dict
        What is stored.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=1000, help="default: 1000")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: 1)")
    parser.add_argument(
        "--simulations", type=int, default=200, help="a turn of the games (default: 200)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--output", type=Path, default=RESULTS / f"{name}.json")
    options = parser.parse_args()
    if options.games < 1 or options.simulations < 1:
        parser.error("--games and --simulations must be 1 or more")
    chosen = games(options.games, options.seed, options.simulations)
    found: list[_Found] = []
    with suppress(KeyboardInterrupt), process_pool(options.jobs) as pool:
        for one in track(pool.map(look, chosen), total=len(chosen)):
            found.append(one)
    if not found:
        sys.exit(130)
    kinds = dict.fromkeys((one.game.edition, one.game.players) for one in found)
    measured = {
        "simulations_of_the_games": options.simulations,
        "seed": options.seed,
        "all": sum_up(found),
        "kinds": [
            {
                "edition": edition,
                "players": players,
                **sum_up([one for one in found if (one.game.edition, one.game.players) == kind]),
            }
            for kind in kinds
            for edition, players in [kind]
        ],
    }
    save(options.output, measured)
    return measured
