"""The command with its subcommands, gathered."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Any

import click

import looot_core as lc
from server.command_line.arena import arena
from server.command_line.calibration import calibration
from server.command_line.draw import draw
from server.command_line.engine import engine
from server.command_line.errors import refusing_bad_input
from server.command_line.key import key
from server.command_line.load import load
from server.command_line.new import new
from server.command_line.position import position
from server.command_line.replay import replay
from server.command_line.serve import serve
from server.command_line.suggest import suggest
from server.command_line.train import train


class _Commands(click.Group):
    """Ends with one line and exit code 2 when input is refused."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a character shows another, rather than nothing at all.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        with refusing_bad_input():
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(lc.__version__, prog_name="looot")
def main() -> None:
    """Play, study and serve the board game Looot.

    FILE is a record of games (JSON Lines), a position or a set-up in JSON, as docs/formats.md has
    them; - is the standard input.

    Example: looot new --seed 7 | looot suggest - --time 2
    """


for command in (
    serve,
    engine,
    key,
    load,
    suggest,
    new,
    position,
    replay,
    draw,
    arena,
    train,
    calibration,
):
    main.add_command(command)
