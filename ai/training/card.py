"""The card of weights: how they were made, and how good they are."""

from __future__ import annotations

import looot_core as lc
from ai.evaluation import Evaluation
from ai.training.arrays import read_arrays
from ai.training.calibration import calibrate
from ai.training.folder import TrainingFolder
from ai.training.plan import PRESETS
from ai.training.report import markdown, table


def card(folder: TrainingFolder) -> str:
    """Write the card of a training that is done, in Markdown, from what is in its folder."""
    plan = folder.plan
    weights = read_arrays(folder.final_weights)
    numbers = range(len(plan.stages))
    rows = [_stage_row(folder, number) for number in numbers]
    command = f"`looot train --preset {plan.name}`" if plan.name in PRESETS else plan.name
    held_out = plan.chunks(numbers[-1])[-plan.held_out(numbers[-1]) :]
    lines = [
        "# Weights of the learned evaluation",
        "",
        f"Made by {command}, version {lc.__version__}. The hash of the weights is"
        f" `{Evaluation(weights).hash}`.",
        "",
        f"They forecast the final score of each seat from {len(plan.description()['features'])}"
        " features at the start of a turn: the seat network from those of the seat alone, the table"
        " network from these and the mean of the opponents'. Each stage plays games with the"
        " weights of the stage before (the first with the evaluation written by hand), and fits"
        " both networks to them side by side,"
        " beginning with those weights (the first with random ones). Of ten set-ups, four are for 2"
        " players, three for 3 and three for 4; every third is of the rulebook edition, the others"
        " of the printed one. A game's set-up and chance are those of its seed.",
        "",
        *table(
            [
                "stage", "turns by", "games", "seeds", "drawn turns", "fitted to the games of",
                "examples", "target", "epochs", "held-out error of the seat network, points",
                "of the table network",
            ],
            rows,
        ),
        "",
        "Drawn turns: the share that is not the best but drawn, so that games differ. Searches draw"
        " from all turns that were visited about as often as the best. Where there is no search,"
        " turns are drawn from all there are, but only in a first part of the game, of random"
        " length, whose positions are no examples. The λ-return (Sutton, \"Learning to predict by"
        " the methods of temporal differences\", 1988) mixes the final score with what the table"
        " network forecast before the fit at the later turns of the game. The held-out error is the"
        " root of the mean squared error of the final score in the last tenth of the stage's games"
        f" (at least {plan.chunk}), to which the networks were not fitted.",
        "",
        "## Held-out games of the last stage",
        "",
        f"Its last {sum(chunk.games for chunk in held_out):,} games. The scale of the win"
        " probability and the standard deviations that the weights tell were fitted to these same"
        " games;"
        " `looot calibration` judges them by fresh ones.",
        "",
    ]  # fmt: skip
    return "\n".join(lines) + "\n" + markdown(calibrate(weights, folder.held_out(numbers[-1])))


def _stage_row(folder: TrainingFolder, number: int) -> list[str]:
    stage = folder.plan.stages[number]
    chunks = folder.plan.chunks(number)
    evaluator = "the hand evaluation" if number == 0 else f"stage {number - 1}"
    first = max(0, number + 1 - stage.reach)
    found = calibrate(read_arrays(folder.weights(number)), folder.held_out(number))
    return [
        str(number),
        f"{evaluator}, {stage.simulations} simulations" if stage.simulations else evaluator,
        f"{stage.games:,}",
        f"{chunks[0].first_seed} to {chunks[-1].first_seed + chunks[-1].games - 1}",
        f"{stage.noise:.0%}",
        str(number) if first == number else f"{first} to {number}",
        f"{folder.count_examples(number):,}",
        "final score" if stage.trace_decay == 1 else f"λ-return, λ = {stage.trace_decay:g} a turn",
        str(stage.epochs),
        f"{found.seat_error:.2f}",
        f"{found.error:.2f}",
    ]
