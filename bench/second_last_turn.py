"""What the full player's second-last turns of games lose: ``python -m bench.second_last_turn``.

Asks it for the second-last turn of games that it has played against itself, and values its turn and
the best one exactly (`bench.second_last_turn_judge`). The player that takes the best turn by the
evaluation alone stands beside it. All player counts and both editions come up alike often. The
result goes to ``bench/results/second-last-turn.json``.

The few games in which one player has both of the last turns are counted, and left out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import ai
import looot_core as lc
from bench.endings import Game, measure
from bench.second_last_turn_judge import (
    Expectation,
    best_expectation,
    expectation,
    is_second_last,
)

TIMES_S = (0.05, 0.2)
NAME = "second-last-turn"


@dataclass(frozen=True)
class Answers:
    """What some players' turns are worth, by who played, and what the best is; None if left out."""

    game: Game
    worths: dict[str, Expectation]
    best: Expectation | None


def ask(game: Game) -> Answers:
    """Let the players choose the second-last turn of a game."""
    return judge(game, game.turns()[-2])


def judge(game: Game, position: lc.Position, times_s: Sequence[float] = TIMES_S) -> Answers:
    """Let the players choose the turn that starts in a position."""
    state = lc.State.from_position(position)
    if not is_second_last(state):
        return Answers(game, {}, None)
    greedy = ai.create_agent("greedy").analyze(position, ai.Limits())
    worths = {"greedy": expectation(state, greedy.turn)}
    for time_s in times_s:
        limits = ai.Limits(time_s=time_s, processor_time=True)
        analysis = ai.create_agent("ismcts", seed=game.seed).analyze(position, limits)
        worths[f"ismcts, {time_s:g} s"] = expectation(state, analysis.turn)
    return Answers(game, worths, best_expectation(state))


def summary(answers: Sequence[Answers]) -> dict[str, Any]:
    """Sum up some answers."""
    judged = [(answer.worths, answer.best) for answer in answers if answer.best is not None]
    agents = judged[0][0] if judged else []
    return {
        "positions": len(judged),
        "left_out": len(answers) - len(judged),
        "agents": [
            {
                "agent": agent,
                "optimal": sum(worths[agent] == best for worths, best in judged),
                "mean_loss_of_share": fmean(
                    best.share - worths[agent].share for worths, best in judged
                ),
                "largest_loss_of_share": max(
                    best.share - worths[agent].share for worths, best in judged
                ),
                "mean_loss_of_lead": fmean(
                    best.lead - worths[agent].lead for worths, best in judged
                ),
                "largest_loss_of_lead": max(
                    best.lead - worths[agent].lead for worths, best in judged
                ),
            }
            for agent in agents
        ],
    }


if __name__ == "__main__":
    measured = measure(ask, summary, "Value the full player's second-last turns.", NAME)
    print(json.dumps(measured["all"], indent=1))
