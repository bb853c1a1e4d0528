"""Whether a position can come from a game: what the rules make true of every position."""

from __future__ import annotations

from collections import Counter
from itertools import product

from looot_core.components import EDITIONS, OCEAN_SLOTS, VIKINGS_PER_PLAYER
from looot_core.errors import InvalidPositionError
from looot_core.hexes import Hex, format_hex
from looot_core.position import Phase, Position
from looot_core.position_claims import ground_of, is_used, vikings_of
from looot_core.position_tiles import check_tiles

_SHIELD_PHASES = (Phase.VIKING, Phase.SECOND_VIKING)


def check_position(position: Position) -> None:
    """Check that a position can come from a game.

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
    check_tiles(position)
    _check_longships(position)
    _check_trophies(position)


def _refuse(message: str) -> None:
    raise InvalidPositionError(message)


def _check_vikings(position: Position) -> None:
    for player, seat in enumerate(position.seats):
        standing = sum(vikings_of(position, player).values())
        if seat.vikings_in_hand + standing != VIKINGS_PER_PLAYER:
            _refuse(
                f"seats[{player}].vikings_in_hand: {seat.vikings_in_hand} in hand and {standing} "
                f"on the landscape are not {VIKINGS_PER_PLAYER} (R5)"
            )


def _check_shields(position: Position) -> None:
    seat = position.seats[position.current_player]
    for shield in position.active_shields:
        if shield in seat.shields:
            _refuse(
                f"active_shields: {shield} is also left in"
                f" seats[{position.current_player}].shields (R5)"
            )
        if position.phase not in _SHIELD_PHASES:
            _refuse(f"active_shields: {shield} in phase {position.phase} (R16-R18)")
    if position.phase is Phase.SECOND_VIKING and (
        "second" in seat.shields or "second" in position.active_shields
    ):
        _refuse("phase: second_viking, but the shield second has not been used up (R16)")
    if "second" in position.active_shields and seat.vikings_in_hand < 2:
        _refuse(f"active_shields: second with {seat.vikings_in_hand} viking in hand (R16)")
    if "occupied" in position.active_shields and not position.vikings:
        _refuse("active_shields: occupied while no viking is on the landscape (R17)")


def _turns_completed(position: Position) -> list[int]:
    """Give how many turns each seat has ended: a viking each, but for the second ones (R16)."""
    turns = []
    for player, seat in enumerate(position.seats):
        placed = VIKINGS_PER_PLAYER - seat.vikings_in_hand
        placed -= is_used(position, player, "second")
        if player == position.current_player:
            placed -= position.phase not in (Phase.VIKING, Phase.OVER)
        turns.append(placed)
    return turns


def _check_turns(position: Position) -> None:
    turns = _turns_completed(position)
    current = position.current_player
    for player, number in enumerate(turns):
        placed = VIKINGS_PER_PLAYER - position.seats[player].vikings_in_hand
        if number < 0:
            _refuse(
                f"seats[{player}].vikings_in_hand: {placed} vikings placed are too few for phase"
                f" {position.phase} and the shields used (R6, R16)"
            )
        if placed < 2 and is_used(position, player, "second"):
            _refuse(
                f"seats[{player}].shields: second is used up, but only {placed} vikings were"
                " placed (R16)"
            )
    if position.turn_number != sum(turns):
        _refuse(
            f"turn_number: {position.turn_number}, but the vikings placed make {sum(turns)}"
            " (R6, R16)"
        )
    if position.phase is Phase.OVER:
        for player, seat in enumerate(position.seats):
            if seat.vikings_in_hand:
                _refuse(f"phase: over while seats[{player}] has vikings in hand (R19)")
        last = max(range(len(turns)), key=lambda player: (turns[player], player))
        if current != last:
            _refuse(f"current_player: {current}, but seat {last} moved last (R5, R19)")
        return
    if position.phase in _SHIELD_PHASES and not position.seats[current].vikings_in_hand:
        _refuse(f"current_player: seat {current} has no viking in hand (R19)")
    # Seats play in order, each as often as the others until it has no vikings left.
    for player, number in enumerate(turns):
        due = turns[current] + (player < current)
        out_of_vikings = not position.seats[player].vikings_in_hand and number < due
        if number != due and not out_of_vikings:
            _refuse(
                f"seats[{player}].vikings_in_hand: {number} turns ended instead of {due}, "
                f"with seat {current} at its turn (R5)"
            )


def _check_landing(position: Position) -> None:
    """Each viking came beside another or beside a longship on the ocean (R6, R17)."""
    ground = ground_of(position.landscape)
    reached: set[Hex] = set(ground.shore & position.vikings.keys())
    edge = list(reached)
    for place in edge:
        for near in ground.beside[place]:
            if near in position.vikings and near not in reached:
                reached.add(near)
                edge.append(near)
    for place in position.vikings:
        if place not in reached:
            _refuse(f"vikings.{format_hex(place)}: no chain of vikings leads to the ocean (R6)")


def _check_stacked(position: Position) -> None:
    """Each viking beyond the first of a space came by a shield, each shield is one seat's (R17)."""
    beyond = {place: sum(n) - 1 for place, n in position.vikings.items() if sum(n) > 1}
    users = [seat for seat in range(position.players) if is_used(position, seat, "occupied")]
    if sum(beyond.values()) != len(users):
        _refuse(
            f"vikings: {sum(beyond.values())} stand where a viking stood before, but"
            f" {len(users)} shields occupied are used up (R17)"
        )
    places = [[place for place in beyond if position.vikings[place][user]] for user in users]
    if not any(Counter(choice) == Counter(beyond) for choice in product(*places)):
        _refuse(
            "vikings: on spaces that hold several, all but one of them must be of different seats"
            " that used the shield occupied there (R17)"
        )


def _check_longships(position: Position) -> None:
    found = [(f"unseen[{n}]", text) for n, text in enumerate(position.unseen)]
    for slot, longship in enumerate(position.ocean_longships):
        if longship is not None:
            found.append((f"ocean_longships[{slot}]", longship))
    for player, seat in enumerate(position.seats):
        for cell, text in seat.longships.items():
            found.append((f"seats[{player}].longships.{cell}", text))
    where: dict[str, str] = {}
    for path, text in found:
        if text in where:
            _refuse(f"{path}: '{text}' is in {where[text]} too; there is one (R4)")
        where[text] = path
    longships = EDITIONS[position.edition].longships
    for tile in longships:
        if str(tile) not in where:
            _refuse(f"unseen: '{tile}' is neither there nor anywhere else (R4)")
    taken = sum(len(seat.longships) for seat in position.seats)
    left = max(0, len(longships) - OCEAN_SLOTS - taken)
    if len(position.unseen) != left:
        _refuse(
            f"unseen: {len(position.unseen)} longships, but with {taken} taken the bag holds"
            f" {left} (R4, R13)"
        )
    if position.longship_taken and position.phase is not Phase.END_OF_TURN:
        _refuse(f"longship_taken: true in phase {position.phase} (R13)")
    turns = _turns_completed(position)
    for player, seat in enumerate(position.seats):
        now = position.longship_taken and player == position.current_player
        if len(seat.longships) > turns[player] + now:
            _refuse(
                f"seats[{player}].longships: {len(seat.longships)} in {turns[player] + now} turns"
                " in which one could be taken (R13)"
            )
        if now and not seat.longships:
            _refuse(f"longship_taken: true, but seats[{player}].longships is empty (R13)")


def _check_trophies(position: Position) -> None:
    owner: dict[int, int] = {}
    turns = _turns_completed(position)
    for player, seat in enumerate(position.seats):
        if not seat.trophy:
            continue
        if seat.trophy in owner:
            _refuse(
                f"seats[{player}].trophy: {seat.trophy} is with seats[{owner[seat.trophy]}] too;"
                " there is one (R14)"
            )
        owner[seat.trophy] = player
        axes = sum(kind == "axe" for kind in seat.tiles.values())
        if axes < seat.trophy:
            _refuse(f"seats[{player}].trophy: {seat.trophy} needs more than {axes} axes (R14)")
        now = player == position.current_player and position.phase is Phase.END_OF_TURN
        if not turns[player] and not now:
            _refuse(f"seats[{player}].trophy: {seat.trophy} before the end of a first turn (R14)")
