"""Whether the tiles of a position can have been won (R3, R7-R11, R18).

Three facts carry all of it. What a seat's vikings claim does not depend on their order. A tile on a
fjord never leaves it, and what is owed goes back only when the fjord has no empty cell (R11). So a
stack that is not used up at the end of a turn has served every claim of a seat that is not full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement

from looot_core.components import BUILDING_TILES, BUILDINGS, RESOURCES
from looot_core.errors import InvalidPositionError
from looot_core.hexes import Hex, format_hex
from looot_core.position import Phase, Position
from looot_core.position_claims import Ground, claims, ground_of, is_full, is_used, vikings_of

_OWING_PHASES = (Phase.SECOND_VIKING, Phase.TILES)


def check_tiles(position: Position) -> None:
    """Check the tiles on fjords, on building spaces and owed.

    Raises
    ------
    InvalidPositionError
        If they cannot have been won; the message names the field and the rule.
    """
    ground = ground_of(position.landscape)
    vikings = [vikings_of(position, player) for player in range(position.players)]
    claimed = [claims(own, ground) for own in vikings]
    _check_phase(position)
    for player, own in enumerate(vikings):
        _check_resources(position, player, own, ground)
    _check_stacks(position, claimed)
    for kind in BUILDINGS:
        _check_shares(position, kind, claimed)
    if position.phase in _OWING_PHASES:
        current = position.current_player
        _check_won_now(position, vikings[current], claimed[current], ground)


def _check_phase(position: Position) -> None:
    """Something is owed while tiles are laid and never otherwise (R11)."""
    owed = position.owed
    number = sum(owed.resources.values()) + sum(owed.buildings.values())
    if position.phase not in _OWING_PHASES:
        if number:
            raise InvalidPositionError(f"owed: {number} tiles in phase {position.phase} (R11)")
        return
    if not number:
        raise InvalidPositionError(f"owed: no tile in phase {position.phase} (R7, R11)")
    if position.phase is Phase.TILES and is_full(position.seats[position.current_player]):
        raise InvalidPositionError("phase: tiles, but no cell of the fjord is empty (R11)")


def _check_resources(
    position: Position, player: int, vikings: Mapping[Hex, int], ground: Ground
) -> None:
    """Each viking wins one resource, and one viking of the seat one more (R7, R18).

    A full fjord may have lost some of them (R11); no other has.
    """
    seat = position.seats[player]
    won: Counter[str] = Counter()
    for place, number in vikings.items():
        won[ground.kinds[place]] += number
    held = Counter(seat.tiles.values())
    if player == position.current_player:
        held.update(position.owed.resources)
    full = is_full(seat)
    doubled = int(is_used(position, player, "double"))
    extra = 0
    for kind in RESOURCES:
        least = 0 if full else won[kind]
        most = won[kind] + doubled if won[kind] else 0
        if not least <= held[kind] <= most:
            due = f"{least}" if least == most else f"{least} to {most}"
            raise InvalidPositionError(
                f"seats[{player}].tiles: {held[kind]} {kind} with what is owed, but its"
                f" {won[kind]} vikings on {kind} spaces have won {due} (R7, R18)"
            )
        extra += max(0, held[kind] - won[kind])
    if extra > doubled or (extra < doubled and not full):
        raise InvalidPositionError(
            f"seats[{player}].tiles: {extra} resources more than vikings placed, where the shield"
            f" double gave {doubled} (R18)"
        )


def _check_stacks(position: Position, claimed: list[Counter[Hex]]) -> None:
    """Check what is gone from each building space (R3, R8-R11).

    Each tile gone has served a claim of its own; a claim of a seat that is not full took a tile
    for good, unless the stack was used up.
    """
    lasting = [
        claim for claim, seat in zip(claimed, position.seats, strict=True) if not is_full(seat)
    ]
    for space in position.landscape.building_spaces:
        place = (space.q, space.r)
        all_tiles = BUILDING_TILES[space.kind]
        left = position.buildings[place]
        path = f"buildings.{format_hex(place)}"
        if left > all_tiles:
            raise InvalidPositionError(
                f"{path}: {left} tiles are more than the {all_tiles} it starts with (R3)"
            )
        gone = all_tiles - left
        most = min(all_tiles, sum(claim[place] for claim in claimed))
        least = min(all_tiles, sum(claim[place] for claim in lasting))
        if not least <= gone <= most:
            due = f"{most}" if least == most else f"{least} to {most}"
            raise InvalidPositionError(
                f"{path}: {gone} of {all_tiles} tiles are gone, but the vikings where they stand"
                f" have won {due} of them (R3, R8-R11)"
            )
        if position.owed.buildings.get(place, 0) > gone:
            raise InvalidPositionError(
                f"owed.{path}: {position.owed.buildings[place]} owed, but {gone} are gone (R3, R11)"
            )


def _check_shares(position: Position, kind: str, claimed: list[Counter[Hex]]) -> None:
    """Check that the tiles of a building kind can be shared out as they lie on the fjords.

    Each lies on the fjord of a seat that claimed it. Of a stack with tiles left, a seat that is not
    full has all it claimed. The rest can be shared out if no set of seats holds more than what is
    there for its claims together (Hall's theorem; that none holds less follows, for all is held).
    """
    places = [(s.q, s.r) for s in position.landscape.building_spaces if s.kind == kind]
    owed = position.owed.buildings
    laid = [list(seat.tiles.values()).count(kind) for seat in position.seats]
    gone = sum(BUILDING_TILES[kind] - position.buildings[place] for place in places)
    owed_now = sum(owed.get(place, 0) for place in places)
    if sum(laid) + owed_now != gone:
        raise InvalidPositionError(
            f"buildings: {gone} {kind} tiles are gone, but {sum(laid)} lie on fjords and"
            f" {owed_now} are owed (R3)"
        )
    open_tiles = []  # by space: how many to share out, and the claims of each seat
    fixed = [0] * position.players
    for place in places:
        tiles = BUILDING_TILES[kind] - position.buildings[place] - owed.get(place, 0)
        wanted = [claim[place] for claim in claimed]
        wanted[position.current_player] -= owed.get(place, 0)
        if position.buildings[place]:
            for player, seat in enumerate(position.seats):
                if not is_full(seat):
                    fixed[player] += wanted[player]
                    tiles -= wanted[player]
                    wanted[player] = 0
        if tiles:
            open_tiles.append((tiles, wanted))
    players = range(position.players)
    for size in range(1, position.players + 1):
        for some in combinations(players, size):
            held = sum(laid[player] for player in some)
            most = sum(fixed[player] for player in some) + sum(
                min(tiles, sum(wanted[player] for player in some)) for tiles, wanted in open_tiles
            )
            if held > most:
                together = f" together with seats {some[1:]}" if size > 1 else ""
                raise InvalidPositionError(
                    f"seats[{some[0]}].tiles: {held} {kind} tiles{together}, but the vikings"
                    f" where they stand can have won no more than {most} (R8-R11)"
                )


def _check_won_now(
    position: Position, vikings: Mapping[Hex, int], claimed: Counter[Hex], ground: Ground
) -> None:
    """Check that what is owed was won by the vikings of this turn.

    They are any of the seat's vikings, two if it has used the shield second. While the second is to
    be placed, all that the first has won is owed; later some of it may have been laid.
    """
    owed = position.owed
    player = position.current_player
    doubled = int(is_used(position, player, "double"))
    two = position.phase is Phase.TILES and is_used(position, player, "second")
    for latest in _latest_vikings(vikings, two):
        kinds = Counter(ground.kinds[place] for place in latest)
        more = Counter(owed.resources)
        more.subtract(kinds)
        if sum(max(0, number) for number in more.values()) > doubled:
            continue
        if any(number > 0 and not kinds[kind] for kind, number in more.items()):
            continue
        before = Counter(vikings)
        before.subtract(latest)
        won = claimed - claims({place: n for place, n in before.items() if n}, ground)
        if position.phase is Phase.TILES:
            explained = all(number <= won[place] for place, number in owed.buildings.items())
        else:
            explained = min(more.values()) >= 0 and all(
                owed.buildings.get(place, 0) == min(won[place], left + owed.buildings.get(place, 0))
                for place, left in position.buildings.items()
            )
        if explained:
            return
    raise InvalidPositionError(
        f"owed: no viking of seat {player} can have won these tiles in this turn (R7-R11, R18)"
    )


def _latest_vikings(vikings: Mapping[Hex, int], two: bool) -> Iterator[tuple[Hex, ...]]:
    for place in vikings:
        yield (place,)
    if two:
        for one, other in combinations_with_replacement(vikings, 2):
            if one != other or vikings[one] > 1:
                yield one, other
