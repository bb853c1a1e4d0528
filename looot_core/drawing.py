"""What a picture of a position shows beyond what the position says: all that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from looot_core.components import Longship
from looot_core.hexes import Hex, format_hex
from looot_core.position import Phase, Position
from looot_core.requirements import Requirement, longship_requirements, site_requirements

_OFFERS = {"longship": "take a longship", "trophy": "claim a trophy"}


@dataclass(frozen=True, slots=True)
class Fjord:
    """A seat's fjord: what is required on it, and what its score is made of.

    Attributes
    ----------
    longships : mapping of str to (Longship, Requirement)
        By the name of their cell.
    sites : mapping of str to Requirement
        By the kind of site.
    breakdown : mapping of str to Any
        As `State.score_breakdown` gives it.
    """

    longships: Mapping[str, tuple[Longship, Requirement]]
    sites: Mapping[str, Requirement]
    breakdown: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """A position and what follows from it.

    Attributes
    ----------
    position : Position
    fjords : tuple of Fjord
        One a seat.
    landings : frozenset of Hex
        Where the current player may place the next viking.
    verbs : frozenset of str
        The first words of all that the current player may do now.
    winners : tuple of int
        Once the game is over (R21).
    """

    position: Position
    fjords: tuple[Fjord, ...]
    landings: frozenset[Hex]
    verbs: frozenset[str]
    winners: tuple[int, ...]


def view(position: Position) -> View:
    """Work out what a picture of a position shows."""
    # Imported late: the state imports the text board, which imports this module.
    from looot_core.state import State

    state = State.from_position(position, seed=0)
    actions = state.legal_actions()
    spaces = position.landscape.resource_spaces
    return View(
        position=position,
        fjords=tuple(
            Fjord(
                longship_requirements(seat),
                site_requirements(seat, sites),
                state.score_breakdown(player),
            )
            for player, (seat, sites) in enumerate(zip(position.seats, position.sites, strict=True))
        ),
        landings=frozenset(
            (spaces[action.index].q, spaces[action.index].r)
            for action in actions
            if action.index < len(spaces)
        ),
        verbs=frozenset(str(action).split(" ")[0] for action in actions),
        winners=tuple(state.winners()),
    )


def heading(position: Position) -> str:
    """Say which game it is, and how far it has come."""
    turn = position.turn_number
    when = f"{turn} turns played" if position.phase is Phase.OVER else f"turn {turn}"
    return f"Looot, {position.edition} edition, {position.players} players, {when}"


def status(shown: View) -> str:
    """Say in one sentence whose turn it is and what comes next, or who has won."""
    position = shown.position
    player = f"Player {position.current_player}"
    if position.phase is Phase.OVER:
        winners = [str(seat) for seat in shown.winners]
        if len(winners) == 1:
            return f"The game is over: player {winners[0]} wins"
        return f"The game is over: players {_joined(winners)} share the victory"
    if position.phase is Phase.VIKING:
        return f"{player} places a viking"
    if position.phase is Phase.SECOND_VIKING:
        return f"{player} places a second viking"
    if position.phase is Phase.TILES:
        return f"{player} lays out what was won"
    offers = [words for verb, words in _OFFERS.items() if verb in shown.verbs]
    if offers:
        return f"{player} may {' or '.join(offers)}, or end the turn"
    return f"{player} ends the turn"


def owed(position: Position) -> list[str]:
    """List the tiles that are still to be laid out: ``1 wood``, ``2 castle from 3,-2``."""
    kinds = {(space.q, space.r): space.kind for space in position.landscape.building_spaces}
    resources = [f"{number} {kind}" for kind, number in position.owed.resources.items()]
    buildings = [
        f"{number} {kinds[place]} from {format_hex(place)}"
        for place, number in position.owed.buildings.items()
    ]
    return resources + buildings


def trophy_owner(position: Position, trophy: int) -> int | None:
    """Give the seat that has claimed a trophy."""
    owners = [player for player, seat in enumerate(position.seats) if seat.trophy == trophy]
    return owners[0] if owners else None


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
