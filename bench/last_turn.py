"""Is the full player's last turn of the game the best there is? ``python -m bench.last_turn``.

Asks it for the last turn of games that it has played against itself, with 0.05 s of processor time,
and lets `bench.last_turn_judge` say what that turn could bring. All player counts and both editions
come up alike often; the games are the same on every machine. The result goes to
``bench/results/last-turn.json``.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import ai
import looot_core as lc
from bench.endings import Game, measure
from bench.last_turn_judge import Worth, best_worth, worth_of

TIME_S = 0.05
NAME = "last-turn"


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
    missed = [answer.game for answer in answers if answer.worth != answer.best]
    return {
        "time_s": TIME_S,
        "positions": len(answers),
        "optimal": len(answers) - len(missed),
        "largest_loss_of_share": max(answer.best.share - answer.worth.share for answer in answers),
        "largest_loss_of_lead": max(answer.best.lead - answer.worth.lead for answer in answers),
        "median_ms": 1000 * median(answer.seconds for answer in answers),
        "longest_ms": 1000 * max(answer.seconds for answer in answers),
        "seeds_of_missed": [game.seed for game in missed],
    }


if __name__ == "__main__":
    measured = measure(ask, summary, "Judge the full player's last turns.", NAME)
    print(json.dumps(measured["all"], indent=1))
