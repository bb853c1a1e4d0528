"""``looot draw``."""

from __future__ import annotations

import click

import looot_core as lc
from server.command_line.inputs import STANDARD_INPUT, moment_options, read_state


@click.command()
@moment_options
@click.option(
    "--svg", "picture", metavar="OUT", help="Write an SVG picture to OUT (- to print it)."
)
def draw(file: str, game: int, turn: int | None, at: int | None, picture: str | None) -> None:
    """Draw a game as text, or as an SVG picture.

    Example: looot draw games.jsonl --game 3 --turn 12 --svg board.svg
    """
    state = read_state(file, game, turn, at)
    if picture is None:
        click.echo(str(state))
    elif picture == STANDARD_INPUT:
        click.echo(lc.svg(state).encode())  # in UTF-8, whatever the terminal has
    else:
        with open(picture, "w", encoding="utf-8") as out:
            out.write(lc.svg(state))
