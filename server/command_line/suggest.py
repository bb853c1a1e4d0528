"""``looot suggest``."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

import ai
import looot_core as lc
from server.command_line.inputs import moment_options, read_state
from server.command_line.tables import Row, candidate_table
from server.options import DEFAULT_AGENT


@click.command(context_settings={"show_default": True})
@moment_options
@click.option("--agent", type=click.Choice(ai.agent_names()), default=DEFAULT_AGENT)
@click.option(
    "--level", type=int, help="One of the agent's levels of strength.  [default: its strongest]"
)
@click.option("--time", type=click.FloatRange(0, min_open=True), help="Seconds.  [default: 1]")
@click.option("--simulations", type=click.IntRange(1), help="Instead of, or beside, the time.")
@click.option("--threads", type=click.IntRange(1), default=1, help="As many as the agent can use.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Of the search.")
@click.option("--candidates", type=click.IntRange(1), default=10, help="How many to show.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def suggest(
    file: str,
    game: int,
    turn: int | None,
    at: int | None,
    agent: str,
    level: int | None,
    time: float | None,
    simulations: int | None,
    threads: int,
    seed: int | None,
    candidates: int,
    as_json: bool,
) -> None:
    """Say what the player to move should do, best first."""
    position = read_state(file, game, turn, at).position()
    if position.phase == lc.Phase.OVER:
        raise lc.InvalidPositionError(
            f"{file}: the game is over; choose a moment of it with --turn or --at"
        )
    if time is None and simulations is None:
        time = 1.0
    levels = ai.agent_info(agent).levels
    if level is None:
        level = levels[-1]
    elif level not in levels:
        allowed = f"{levels[0]} to {levels[-1]}" if len(levels) > 1 else f"{levels[0]} only"
        raise click.UsageError(f"--level {level} is none of {agent}, which has {allowed}")
    searcher = ai.create_agent(agent, level=level, threads=threads, seed=seed)
    analysis = searcher.analyze(position, ai.Limits(time_s=time, simulations=simulations))
    if as_json:
        click.echo(json.dumps(_as_json(position, analysis, candidates)))
    else:
        _print(position.current_player, analysis, candidates)


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
            visits=candidate.visits,
            win_probability=candidate.win_probability,
            score_lead=candidate.score_lead,
        )
        for candidate in analysis.candidates[:most]
    ]
    Console(highlight=False).print(candidate_table(rows, mover))
    click.echo(
        f"{analysis.simulations:,} simulations, depth {analysis.depth}, {analysis.time_s:.2f} s"
    )
    click.echo("Best: " + " · ".join(map(str, analysis.turn)))
