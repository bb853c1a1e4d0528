"""``looot new``."""

from __future__ import annotations

import json

import click

import looot_core as lc


@click.command()
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option(
    "--edition", type=click.Choice(list(lc.EDITIONS)), default="rulebook", show_default=True
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="The same seed, the same set-up.")
@click.option("--public", is_flag=True, help="Leave out what no player knows: bag and seed.")
def new(players: int, edition: str, seed: int | None, public: bool) -> None:
    """Write a random set-up as a line of JSON."""
    setup = lc.GameSetup.random(players=players, edition=edition, seed=seed)
    if public:
        setup = setup.public()
    click.echo(json.dumps(setup.to_dict(), separators=(",", ":")))
