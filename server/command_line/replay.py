"""``looot replay``."""

from __future__ import annotations

import sys

import click

import looot_core as lc
from server.command_line.inputs import read_documents, read_record


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Compare with the checks that the records hold.")
def replay(files: tuple[str, ...], check: bool) -> None:
    """Play recorded games again.

    Says for each file how many games it holds, and for each game that differs which action or
    check and which rule. The exit code is 1 if one differs, and 2 if one cannot be read.

    Example: looot replay games.jsonl --check
    """
    differs = False
    for file in files:
        records = [read_record(name, data) for name, data in read_documents(file)]
        differences = [error for record in records if (error := _difference(record, check))]
        for difference in differences:
            click.echo(difference, err=True)
        games = "1 game" if len(records) == 1 else f"{len(records)} games"
        what = "replayed and checked" if check else "replayed"
        click.echo(f"{file}: {games} {what}, {len(differences) or 'none'} with a difference")
        differs = differs or bool(differences)
    if differs:
        sys.exit(1)


def _difference(record: lc.GameRecord, check: bool) -> str | None:
    try:
        if check:
            record.check()
        else:
            record.replay()
    except lc.RecordMismatchError as error:
        return str(error)
    return None
