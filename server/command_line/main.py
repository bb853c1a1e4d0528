"""The command with its subcommands, and how bad input ends."""

from __future__ import annotations

from typing import Any

import click

import looot_core as lc
from server.command_line.arena import arena
from server.command_line.draw import draw
from server.command_line.new import new
from server.command_line.replay import replay
from server.command_line.serve import serve
from server.command_line.suggest import suggest


class _BadInput(click.ClickException):
    exit_code = 2


class _Commands(click.Group):
    """Ends with one line and exit code 2 when input is refused."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            what = error.strerror or str(error)
            raise _BadInput(f"{error.filename}: {what}" if error.filename else what) from error
        except ValueError as error:
            if not isinstance(error, lc.LoootError):
                raise
            raise _BadInput(str(error).replace("\n", " ")) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(lc.__version__, prog_name="looot")
def main() -> None:
    """Play, study and serve the board game Looot.

    FILE is a record of games (JSON Lines, as the engine writes them), a position or a set-up in
    JSON; - is the standard input.
    """


for command in (serve, suggest, new, replay, draw, arena):
    main.add_command(command)
