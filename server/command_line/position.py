"""``looot position``."""

from __future__ import annotations

import json

import click
from google.protobuf import json_format

from server.command_line.inputs import moment_options, read_state
from server.conversion import position_to_message


@click.command()
@moment_options
@click.option(
    "--protojson",
    is_flag=True,
    help="Write looot.v1.Position in protobuf's JSON, for clients of the service.",
)
def position(file: str, game: int, turn: int | None, at: int | None, protojson: bool) -> None:
    """Write a position as a line of JSON: what a player may see, and no order of the bag.

    Example: looot new --players 3 | looot position - --protojson
    """
    found = read_state(file, game, turn, at).position()
    if protojson:
        click.echo(json_format.MessageToJson(position_to_message(found), indent=None))
    else:
        click.echo(json.dumps(found.to_dict(), separators=(",", ":")))
