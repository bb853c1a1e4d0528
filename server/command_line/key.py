"""``looot key``."""

from __future__ import annotations

import json

import click
from pydantic import ValidationError

from server.access import KeyEntry, hash_key, new_key
from server.command_line.errors import BadInput
from server.settings import describe


@click.command()
@click.option("--name", required=True, help="Whose key it is: letters, digits, '.', '_' and '-'.")
@click.option(
    "--calls-per-second", type=click.FLOAT, help="Calls a second; any number if not given."
)
@click.option("--max-searches", type=click.INT, help="Searches at once; any number if not given.")
@click.option("--max-time-s", type=click.FLOAT, help="Seconds of the longest search.")
def key(name: str, **limits: float | None) -> None:
    """Make a key for a client of the service.

    The entry for the keys file goes to the standard output, the key itself, which is kept nowhere
    and shown this once, to the standard error.

    Example: looot key --name front-end --calls-per-second 50 >> keys.toml
    """
    secret = new_key()
    given = {field: value for field, value in limits.items() if value is not None}
    try:
        entry = KeyEntry.model_validate({"name": name, "sha256": hash_key(secret), **given})
    except ValidationError as error:
        raise BadInput(describe(error)) from None
    values = entry.model_dump(exclude_none=True)
    lines = [f"{field} = {json.dumps(value)}" for field, value in values.items()]
    click.echo("\n".join(["[[keys]]", *lines, ""]))
    click.echo(secret, err=True)
