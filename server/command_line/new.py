"""``looot new``."""

from __future__ import annotations

import json

import click

import looot_core as lc
from server.command_line.parameters import EDITION, PLAYERS, SEED


@click.command(context_settings={"show_default": True})
@click.option("--players", type=PLAYERS, default=2, help="How many play.")
@click.option("--edition", type=EDITION, default="rulebook", help="What is in the box.")
@click.option(
    "--seed", type=SEED, show_default="a fresh one", help="The same seed gives the same set-up."
)
@click.option("--public", is_flag=True, help="Leave out what no player knows: bag and seed.")
def new(players: int, edition: str, seed: int | None, public: bool) -> None:
    """Write a random set-up as a line of JSON.

    Example: looot new --players 3 --edition printed | looot draw -
    """
    setup = lc.GameSetup.random(players=players, edition=edition, seed=seed)
    if public:
        setup = setup.public()
    click.echo(json.dumps(setup.to_dict(), separators=(",", ":")))
