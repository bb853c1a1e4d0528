"""Whether a position can come from a game: what the rules make true of every position."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from looot_core.components import (
    BUILDING_TILES,
    BUILDINGS,
    EDITIONS,
    FJORD_CELLS,
    FJORD_SITES,
    OCEAN_SLOTS,
    RESOURCES,
    SITE_KINDS,
    TILE_LETTERS,
    VIKINGS_PER_PLAYER,
    fjord_neighbours,
)
from looot_core.errors import InvalidPositionError, shorten
from looot_core.hexes import Hex, format_hex, neighbours
from looot_core.position import Phase, Position, SeatPosition
from looot_core.position_claims import Claims

_SHIELD_PHASES = (Phase.VIKING, Phase.SECOND_VIKING)
_OWING_PHASES = (Phase.SECOND_VIKING, Phase.TILES)
_CELLS = {cell.name: cell for cell in FJORD_CELLS}


def check_position(position: Position, data: dict[str, Any]) -> None:
    """Check that a position, read from `data`, can come from a game.

    Raises
    ------
    InvalidPositionError
        If it cannot; the message names the field and the rule.
    """
    _check_vikings(position)
    _check_shields(position)
    _check_turns(position)
    _check_landing(position)
    _check_stacked(position)
    _check_owed(position)
    _check_resources(position)
    _check_buildings(position)
    _check_longships(position)
    _check_trophies(position)
    for player, seat in enumerate(data["seats"]):
        if "filled" in seat:
            _check_filled(position, player, seat["filled"])


def _refuse(message: str) -> None:
    raise InvalidPositionError(message)


def _is_used(position: Position, player: int, shield: str) -> bool:
    """Whether a shield has served its viking, so that it is neither left nor active."""
    if player == position.current_player:
        if shield in position.active_shields:
            return False
        if shield == "second" and position.phase is Phase.SECOND_VIKING:
            return False
    return shield not in position.seats[player].shields


def _is_full(seat: SeatPosition) -> bool:
    return len(seat.tiles) + len(seat.longships) == len(FJORD_CELLS)


def _check_vikings(position: Position) -> None:
    for player, seat in enumerate(position.seats):
        standing = sum(counts[player] for counts in position.vikings.values())
        if seat.vikings_in_hand + standing != VIKINGS_PER_PLAYER:
            _refuse(
                f"seats[{player}].vikings_in_hand: {seat.vikings_in_hand} in hand and {standing} "
                f"on the landscape are not {VIKINGS_PER_PLAYER} (R5)"
            )


def _check_shields(position: Position) -> None:
    seat = position.seats[position.current_player]
    for shield in position.active_shields:
        if shield in seat.shields:
            _refuse(f"active_shields: {shield} is still unused in seats (R16-R18)")
        if position.phase not in _SHIELD_PHASES:
            _refuse(f"active_shields: {shield} in phase {position.phase} (R16-R18)")
    if position.phase is Phase.SECOND_VIKING and (
        "second" in seat.shields or "second" in position.active_shields
    ):
        _refuse("phase: second_viking needs the shield second to have been used (R16)")
    if "second" in position.active_shields and seat.vikings_in_hand < 2:
        _refuse(f"active_shields: second with {seat.vikings_in_hand} viking in hand (R16)")
    if "occupied" in position.active_shields and not position.vikings:
        _refuse("active_shields: occupied while no viking is on the landscape (R17)")


def turns_completed(position: Position) -> list[int]:
    """Give how many turns each seat has ended: a viking each, but for the second ones (R16)."""
    turns = []
    for player, seat in enumerate(position.seats):
        placed = VIKINGS_PER_PLAYER - seat.vikings_in_hand
        placed -= _is_used(position, player, "second")
        if player == position.current_player:
            placed -= position.phase not in (Phase.VIKING, Phase.OVER)
        turns.append(placed)
    return turns


def _check_turns(position: Position) -> None:
    turns = turns_completed(position)
    current = position.current_player
    for player, number in enumerate(turns):
        if number < 0:
            _refuse(f"seats[{player}].vikings_in_hand: fewer vikings placed than turns (R6, R16)")
    if position.turn_number != sum(turns):
        _refuse(f"turn_number: {position.turn_number}, but {sum(turns)} turns were ended (R15)")
    if position.phase is Phase.OVER:
        for player, seat in enumerate(position.seats):
            if seat.vikings_in_hand:
                _refuse(f"phase: over while seats[{player}] has vikings in hand (R19)")
        last = max(range(len(turns)), key=lambda player: (turns[player], player))
        if current != last:
            _refuse(f"current_player: {current}, but seat {last} ended the game (R5)")
        return
    if position.phase in _SHIELD_PHASES and not position.seats[current].vikings_in_hand:
        _refuse(f"current_player: seat {current} has no viking in hand (R19)")
    for player, number in enumerate(turns):
        due = turns[current] + (player < current)
        out_of_vikings = not position.seats[player].vikings_in_hand and number < due
        if number != due and not out_of_vikings:
            _refuse(
                f"seats[{player}].vikings_in_hand: {number} turns ended instead of {due}, "
                f"with seat {current} at its turn (R5)"
            )


def _check_landing(position: Position) -> None:
    ocean = [(space.q, space.r) for space in position.landscape.ocean_spaces]
    reached: set[Hex] = set()
    edge: list[Hex] = [place for space in ocean for place in neighbours(space)]
    while edge:
        place = edge.pop()
        if place in position.vikings and place not in reached:
            reached.add(place)
            edge.extend(neighbours(place))
    for place in position.vikings:
        if place not in reached:
            _refuse(f"vikings.{format_hex(place)}: no chain of vikings leads to the ocean (R6)")


def _check_stacked(position: Position) -> None:
    """Each viking beyond the first of a space came by an occupied_space shield (R17)."""
    beyond = {place: sum(n) - 1 for place, n in position.vikings.items() if sum(n) > 1}
    users = [seat for seat in range(position.players) if _is_used(position, seat, "occupied")]
    if sum(beyond.values()) != len(users):
        _refuse(
            f"vikings: {sum(beyond.values())} stand on occupied spaces, but {len(users)} shields "
            "for that were used (R17)"
        )
    places = [[place for place in beyond if position.vikings[place][user]] for user in users]
    if not any(Counter(choice) == Counter(beyond) for choice in product(*places)):
        _refuse("vikings: those on occupied spaces do not fit the shields used (R17)")


def _check_owed(position: Position) -> None:
    owed = position.owed
    number = sum(owed.resources.values()) + sum(owed.buildings.values())
    if position.phase not in _OWING_PHASES:
        if number:
            _refuse(f"owed: {number} tiles in phase {position.phase} (R11)")
        return
    if not owed.resources and position.phase is Phase.SECOND_VIKING:
        _refuse("owed.resources: the first viking won one (R7)")
    if position.phase is Phase.TILES:
        if not number:
            _refuse("owed: no tile in phase tiles (R11)")
        if _is_full(position.seats[position.current_player]):
            _refuse("phase: tiles, but no cell of the fjord is empty (R11)")
    if sum(owed.resources.values()) > 3:
        _refuse("owed.resources: more than two vikings and a double gain win (R7, R16, R18)")


def _check_resources(position: Position) -> None:
    kinds = {(space.q, space.r): space.kind for space in position.landscape.resource_spaces}
    for player, seat in enumerate(position.seats):
        won: Counter[str] = Counter()
        for place, counts in position.vikings.items():
            won[kinds[place]] += counts[player]
        laid = Counter(seat.tiles.values())
        doubled = 0
        for kind in RESOURCES:
            owed = position.owed.resources.get(kind, 0) * (player == position.current_player)
            more = laid[kind] + owed - won[kind]
            if more < 0 and not _is_full(seat):
                _refuse(
                    f"seats[{player}].tiles: {laid[kind]} {kind} (and {owed} owed) are fewer than "
                    f"the {won[kind]} that its vikings won (R7)"
                )
            doubled += max(0, more)
        allowed = int(_is_used(position, player, "double"))
        if doubled > allowed or (doubled < allowed and not _is_full(seat)):
            _refuse(
                f"seats[{player}].tiles: {doubled} resources more than spaces landed on, where "
                f"the double_gain shield gave {allowed} (R7, R18)"
            )


def _check_buildings(position: Position) -> None:
    claims = Claims(position)
    any_full = any(_is_full(seat) for seat in position.seats)
    taken: Counter[str] = Counter()
    for space in position.landscape.building_spaces:
        place = (space.q, space.r)
        full = BUILDING_TILES[space.kind]
        gone = full - position.buildings[place]
        path = f"buildings.{format_hex(place)}"
        if gone < position.owed.buildings.get(place, 0):
            _refuse(f"{path}: more tiles owed than gone from its {full} (R3, R11)")
        # Each claim takes a tile while one is left; only a full fjord ever gives one back.
        due = min(full, claims.of_space(place))
        if gone > due or (gone < due and not any_full):
            _refuse(
                f"{path}: {position.buildings[place]} left, but the vikings have taken {due} of "
                f"{full} (R3, R8-R10)"
            )
        taken[space.kind] += gone
    owed = Counter[str]()
    for space in position.landscape.building_spaces:
        owed[space.kind] += position.owed.buildings.get((space.q, space.r), 0)
    for kind in BUILDINGS:
        laid = [Counter(seat.tiles.values())[kind] for seat in position.seats]
        if sum(laid) + owed[kind] != taken[kind]:
            _refuse(
                f"buildings: {taken[kind]} {kind} tiles are gone, but {sum(laid)} lie on fjords "
                f"and {owed[kind]} are owed (R3)"
            )
        for player, number in enumerate(laid):
            number += owed[kind] * (player == position.current_player)
            if number > claims.of_seat(player, kind):
                _refuse(
                    f"seats[{player}].tiles: {number} {kind} are more than its vikings can have "
                    "won (R8-R10)"
                )


def _check_longships(position: Position) -> None:
    places: Counter[str] = Counter(position.unseen)
    places.update(text for text in position.ocean_longships if text is not None)
    for seat in position.seats:
        places.update(seat.longships.values())
    for tile in EDITIONS[position.edition].longships:
        if places[str(tile)] != 1:
            _refuse(f"longships: {tile} is in {places[str(tile)]} places instead of one (R4)")
    taken = sum(len(seat.longships) for seat in position.seats)
    bag = len(EDITIONS[position.edition].longships) - OCEAN_SLOTS
    if len(position.unseen) != max(0, bag - taken):
        _refuse(
            f"unseen: {len(position.unseen)} longships, but {taken} of {bag} drawn after those "
            "taken (R13)"
        )
    if position.longship_taken and position.phase is not Phase.END_OF_TURN:
        _refuse(f"longship_taken: true in phase {position.phase} (R13)")
    turns = turns_completed(position)
    for player, seat in enumerate(position.seats):
        now = position.longship_taken and player == position.current_player
        if not now <= len(seat.longships) <= turns[player] + now:
            _refuse(
                f"seats[{player}].longships: {len(seat.longships)} taken in {turns[player]} turns "
                f"{'and this one ' if now else ''}(R13)"
            )


def _check_trophies(position: Position) -> None:
    owner: dict[int, int] = {}
    for player, seat in enumerate(position.seats):
        if not seat.trophy:
            continue
        if seat.trophy in owner:
            _refuse(
                f"seats[{player}].trophy: {seat.trophy} is with seats[{owner[seat.trophy]}] (R14)"
            )
        owner[seat.trophy] = player
        axes = sum(kind == "axe" for kind in seat.tiles.values())
        if axes < seat.trophy:
            _refuse(f"seats[{player}].trophy: {seat.trophy} needs more than {axes} axes (R14)")


def _check_filled(position: Position, player: int, given: Any) -> None:
    """Compare a list of what is said to be filled with what the tiles fill (R12)."""
    seat = position.seats[player]
    needs = {name: (_CELLS[name], text.split()[1]) for name, text in seat.longships.items()}
    for kind, letters in zip(SITE_KINDS, position.sites[player], strict=True):
        needs[kind] = (FJORD_SITES[kind], letters)
    filled = set()
    for name, (cell, letters) in needs.items():
        around = Counter(seat.tiles.get(other.name) for other in fjord_neighbours(cell))
        wanted = Counter(TILE_LETTERS[letter] for letter in letters)
        if all(around[kind] >= number for kind, number in wanted.items()):
            filled.add(name)
    path = f"seats[{player}].filled"
    if not isinstance(given, list) or len(given) > len(needs):
        _refuse(f"{path}: {shorten(given)} is not a list of its longships and sites (R12)")
    for name in given:
        if not isinstance(name, str) or name not in filled:
            _refuse(f"{path}: {shorten(name)} is not filled by the tiles around it (R12)")
    if len(set(given)) != len(filled):
        _refuse(f"{path}: the tiles fill {sorted(filled)} (R12)")
