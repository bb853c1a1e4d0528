"""Is the full player's last turn of the game the best there is? ``python -m bench.last_turn``.

Asks it for the last turn of games that it has played against itself, with 0.05 s of processor time,
and lets `bench.last_turn_judge` say what that turn could bring. All player counts and both editions
come up alike often; the games are the same on every machine. The result goes to
``bench/results/last-turn.json``.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import ai
import looot_core as lc
from bench.endings import SIMULATIONS, Game, games, measure
from bench.last_turn_judge import Worth, best_worth, worth_of
from bench.stored import RESULTS, save

TIME_S = 0.05
SEED = 1


@dataclass(frozen=True)
class Answer:
    """What the last turn of a player brought, what the best one brings, and how long it took."""

    game: Game
    worth: Worth
    best: Worth
    seconds: float


def ask(game: Game) -> Answer:
    """Let the full player play the last turn of a game."""
    return judge(game, game.turns()[-1])


def judge(game: Game, position: lc.Position, agent: str = "ismcts") -> Answer:
    """Let an agent play the last turn that starts in a position."""
    state = lc.State.from_position(position)
    player = state.current_player
    best = best_worth(state)
    asked = ai.create_agent(agent, seed=game.seed)
    began = time.thread_time()
    analysis = asked.analyze(position, ai.Limits(time_s=TIME_S, processor_time=True))
    seconds = time.thread_time() - began
    for action in analysis.turn:
        state.apply(action)
    return Answer(game, worth_of(state, player), best, seconds)


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """Sum up some answers."""
    return {
        "positions": len(answers),
        "optimal": sum(answer.worth == answer.best for answer in answers),
        "largest_loss_of_share": max(answer.best.share - answer.worth.share for answer in answers),
        "largest_loss_of_lead": max(answer.best.lead - answer.worth.lead for answer in answers),
        "median_ms": 1000 * median(answer.seconds for answer in answers),
        "longest_ms": 1000 * max(answer.seconds for answer in answers),
    }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Judge the full player's last turns.")
    parser.add_argument("--games", type=int, default=1000, help="positions (default: 1000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--output", type=Path, default=RESULTS / "last-turn.json")
    options = parser.parse_args()
    answers = list(measure(ask, games(options.games, SEED), options.jobs))
    kinds = dict.fromkeys((answer.game.edition, answer.game.players) for answer in answers)
    measured = {
        "time_s": TIME_S,
        "simulations_of_the_games": SIMULATIONS,
        "seed": SEED,
        "all": summary(answers),
        "kinds": [
            {
                "edition": edition,
                "players": players,
                **summary(
                    [
                        answer
                        for answer in answers
                        if (answer.game.edition, answer.game.players) == (edition, players)
                    ]
                ),
            }
            for edition, players in kinds
        ],
        "missed": [
            {"edition": a.game.edition, "players": a.game.players, "seed": a.game.seed}
            for a in answers
            if a.worth != a.best
        ],
    }
    save(options.output, measured)
    print(json.dumps(measured["all"], indent=1))


if __name__ == "__main__":
    main()
