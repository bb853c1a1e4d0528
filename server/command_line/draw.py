"""``looot draw``."""

from __future__ import annotations

from pathlib import Path

import click

import looot_core as lc
from server.command_line.inputs import STANDARD_INPUT, moment_options, read_state


@click.command()
@moment_options
@click.option(
    "--svg", "picture", metavar="OUT", help="Write an SVG picture to OUT (- to print it)."
)
def draw(file: str, game: int, turn: int | None, at: int | None, picture: str | None) -> None:
    """Draw a game as text, or as an SVG picture."""
    state = read_state(file, game, turn, at)
    if picture is None:
        click.echo(str(state))
    elif picture == STANDARD_INPUT:
        click.echo(lc.svg(state))
    else:
        Path(picture).write_text(lc.svg(state), encoding="utf-8")
