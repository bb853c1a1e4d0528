"""Which matches are played to compare several agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, product

from ai.arena.errors import ArenaError
from ai.arena.match import Match
from looot_core.errors import shorten

PAIRINGS: dict[str, Callable[[Sequence[str]], Iterable[tuple[str, str]]]] = {
    "all": lambda agents: combinations(agents, 2),
    "first": lambda agents: product(agents[:1], agents[1:]),
    "neighbours": pairwise,
}
"""Who meets whom: everybody everybody, the first all others, or each the next."""


def line_up(agents: Sequence[str], players: int) -> tuple[str, ...]:
    """Give the agents of a match: one for each player, or the first of two against many.

    Raises
    ------
    ArenaError
        If there are neither two nor one for each player.
    """
    if len(agents) == 2:
        return (agents[0], *[agents[1]] * (players - 1))
    if len(agents) != players:
        raise ArenaError(f"agents: {len(agents)} are neither 2 nor one for each of {players}")
    return tuple(agents)


def ladder(
    agents: Sequence[str],
    players: int = 2,
    *,
    time_s: float | None = None,
    simulations: int | None = None,
    edition: str = "printed",
    seed: int = 0,
    pairing: str = "all",
) -> list[Match]:
    """Let agents meet in pairs; with 3 and 4 players one of the first against many of the second.

    Where all meet all, it is also one of the second against many of the first. The matches share
    their deals.

    Parameters
    ----------
    agents : sequence of str
        At least two, all different.
    players : int, optional
    time_s, simulations, edition, seed : optional
        See `Match`.
    pairing : str, optional
        One of `PAIRINGS`.

    Raises
    ------
    LoootError
        If there are not enough agents, or a value makes no sense.
    """
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise ArenaError("agents: a ladder needs at least two, all different")
    if pairing not in PAIRINGS:
        raise ArenaError(f"pairing: {shorten(pairing)} is not one of {', '.join(PAIRINGS)}")
    pairs = list(PAIRINGS[pairing](agents))
    if players > 2 and pairing == "all":
        pairs = [pair for first, second in pairs for pair in ((first, second), (second, first))]
    return [
        Match(
            line_up(pair, players),
            time_s=time_s,
            simulations=simulations,
            edition=edition,
            seed=seed,
        )
        for pair in pairs
    ]
