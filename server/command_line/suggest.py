"""``looot suggest``."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

import ai
import looot_core as lc
from ai.reasons import reasons_for
from ai.weights import learned_evaluation
from server.command_line.inputs import moment_options, read_state
from server.command_line.parameters import SEED, SIMULATIONS, Seconds
from server.command_line.reasons import reasons_text
from server.command_line.tables import Row, candidate_table, turn_text
from server.options import DEFAULT_AGENT

_DEFAULT_TIME_S = 1.0
_TO_DO = {
    lc.Phase.VIKING: "to place a viking",
    lc.Phase.SECOND_VIKING: "to place a second viking",
    lc.Phase.TILES: "to lay out tiles",
    lc.Phase.END_OF_TURN: "to take a longship or a trophy, or to end the turn",
}


@click.command(context_settings={"show_default": True})
@moment_options
@click.option(
    "--agent", type=click.Choice(ai.agent_names()), default=DEFAULT_AGENT, help="Who is asked."
)
@click.option(
    "--level",
    type=int,
    show_default="its strongest",
    help="One of the agent's levels of strength.",
)
@click.option(
    "--time",
    "time_s",
    type=Seconds(),
    show_default=f"{_DEFAULT_TIME_S:g}, or no limit with --simulations",
    help="The longest time of the search.",
)
@click.option(
    "--simulations", type=SIMULATIONS, show_default="no limit", help="The most simulations."
)
@click.option("--threads", type=click.IntRange(1), default=1, help="As many as the agent can use.")
@click.option(
    "--seed",
    type=SEED,
    show_default="a fresh one",
    help="Of the search: with it and --simulations alone, the answer is always the same.",
)
@click.option("--candidates", type=click.IntRange(1), default=10, help="How many to show.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def suggest(
    file: str,
    game: int,
    turn: int | None,
    at: int | None,
    agent: str,
    level: int | None,
    time_s: float | None,
    simulations: int | None,
    threads: int,
    seed: int | None,
    candidates: int,
    as_json: bool,
) -> None:
    """Say what the player to move should do, best first.

    Example: looot suggest games.jsonl --game 3 --turn 12 --time 5
    """
    position = read_state(file, game, turn, at).position()
    if position.phase == lc.Phase.OVER:
        raise lc.InvalidPositionError(
            f"{file}: the game is over; choose a moment of it with --turn or --at"
        )
    if time_s is None and simulations is None:
        time_s = _DEFAULT_TIME_S
    info = ai.agent_info(agent)
    if level is None:
        level = info.levels[-1]
    elif level not in info.levels:
        raise click.UsageError(f"--level {level}: {agent} has {_range_text(info.levels)}")
    if threads > info.max_threads:
        raise click.UsageError(
            f"--threads {threads}: {agent} can use {_range_text(range(1, info.max_threads + 1))}"
        )
    searcher = ai.create_agent(agent, level=level, threads=threads, seed=seed)
    analysis = searcher.analyze(position, ai.Limits(time_s=time_s, simulations=simulations))
    if as_json:
        click.echo(json.dumps(_as_json(position, analysis, candidates)))
    else:
        click.echo(
            f"{position.players} players, {position.edition} edition, turn"
            f" {position.turn_number}: player {position.current_player} is"
            f" {_TO_DO[position.phase]}\n"
        )
        _print(position.current_player, analysis, candidates)
        state = lc.State.from_position(position)
        reasons = reasons_for(state, analysis.turn, learned_evaluation())
        click.echo(f"Why: {reasons_text(reasons)}")


def _range_text(numbers: range) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]} only"


def _as_json(position: lc.Position, analysis: ai.Analysis, most: int) -> dict[str, Any]:
    """Give an analysis in the words of the protocol, its actions in the notation."""
    return {
        "mover": position.current_player,
        "turn": list(map(str, analysis.turn)),
        "candidates": [
            {
                "action": str(candidate.action),
                "turn": list(map(str, candidate.turn)),
                "visits": candidate.visits,
                "mover_win_probability": candidate.win_probability,
                "mover_score_lead": candidate.score_lead,
                "prior": candidate.prior,
                "standard_error": candidate.standard_error,
                "principal_variation": list(map(str, candidate.principal_variation)),
            }
            for candidate in analysis.candidates[:most]
        ],
        "expected_scores": list(analysis.expected_scores),
        "simulations": analysis.simulations,
        "nodes": analysis.nodes,
        "depth": analysis.depth,
        "time_s": analysis.time_s,
        "stopped_by": analysis.stopped_by,
    }


def _print(mover: int, analysis: ai.Analysis, most: int) -> None:
    rows = [
        Row(
            turn=list(map(str, candidate.turn)),
            visits=candidate.visits if analysis.simulations else None,
            win_probability=candidate.win_probability,
            score_lead=candidate.score_lead,
        )
        for candidate in analysis.candidates[:most]
    ]
    Console(highlight=False).print(candidate_table(rows, mover))
    if analysis.simulations:
        click.echo(
            f"{analysis.simulations:,} simulations, depth {analysis.depth}, {analysis.time_s:.2f} s"
        )
    click.echo(f"Best: {turn_text(map(str, analysis.turn))}")
