"""Say which rule an action breaks that is not legal now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looot_core.position import Phase

if TYPE_CHECKING:
    from looot_core.actions import Action
    from looot_core.position import Position
    from looot_core.state import State

_EXPECTED = {
    Phase.VIKING: "a shield or a viking is expected (R6, R16-R18)",
    Phase.SECOND_VIKING: "the second viking, or a shield for it, is expected (R16)",
    Phase.TILES: "a tile that was won is to be placed first (R11)",
    Phase.END_OF_TURN: "a longship, a trophy or 'end' is expected (R13-R15)",
    Phase.OVER: "the game is over (R19)",
}


def explain(state: State, action: Action) -> str:
    """Give the message for an action that is not legal in a state, with the rule it breaks."""
    return f"action: '{action}' is not legal: {_reason(state.position(), str(action).split())}"


def _reason(position: Position, words: list[str]) -> str:
    kind = words[0]
    fits = {
        "viking": (Phase.VIKING, Phase.SECOND_VIKING),
        "shield": (Phase.VIKING, Phase.SECOND_VIKING),
        "tile": (Phase.TILES,),
        "longship": (Phase.END_OF_TURN,),
        "trophy": (Phase.END_OF_TURN,),
        "end": (Phase.END_OF_TURN,),
    }[kind]
    if position.phase not in fits:
        return _EXPECTED[position.phase]
    return _REASONS[kind](position, words)


def _viking(position: Position, words: list[str]) -> str:
    q, r = (int(number) for number in words[1].split(","))
    occupied = (q, r) in position.vikings
    if "occupied" in position.active_shields:
        return f"no viking stands on {words[1]}, as shield occupied demands (R17)"
    if occupied:
        return f"a viking stands on {words[1]} already (R6)"
    return f"{words[1]} is beside no viking and no longship on the ocean (R6)"


def _shield(position: Position, words: list[str]) -> str:
    rule = {"second": "R16", "occupied": "R17", "double": "R18"}[words[1]]
    seat = position.seats[position.current_player]
    if words[1] not in seat.shields:
        return f"player {position.current_player} has used it already ({rule})"
    if words[1] == "occupied":
        return "no viking is on the map (R17)"
    if position.phase is Phase.SECOND_VIKING:
        return "this is the second viking already (R16)"
    return f"only {seat.vikings_in_hand} viking is left in hand (R16)"


def _tile(position: Position, words: list[str]) -> str:
    buildings = {
        space.kind
        for space in position.landscape.building_spaces
        if (space.q, space.r) in position.owed.buildings
    }
    if words[1] not in position.owed.resources and words[1] not in buildings:
        return f"no {words[1]} is still to be placed (R11)"
    return f"cell {words[2]} is not empty (R11)"


def _longship(position: Position, words: list[str]) -> str:
    if position.longship_taken:
        return "a longship was taken in this turn already (R13)"
    if position.ocean_longships[int(words[1])] is None:
        return f"ocean slot {words[1]} is empty (R13)"
    return f"cell {words[2]} is not empty (R13)"


def _trophy(position: Position, words: list[str]) -> str:
    seat = position.seats[position.current_player]
    if seat.trophy:
        return f"player {position.current_player} has trophy {seat.trophy} already (R14)"
    if any(other.trophy == int(words[1]) for other in position.seats):
        return f"trophy {words[1]} is gone (R14)"
    axes = sum(kind == "axe" for kind in seat.tiles.values())
    return f"it needs {words[1]} axes and {axes} lie on the fjord (R14)"


_REASONS = {
    "viking": _viking,
    "shield": _shield,
    "tile": _tile,
    "longship": _longship,
    "trophy": _trophy,
}
