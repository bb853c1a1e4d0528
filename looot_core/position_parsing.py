"""Read a position from its JSON form: types, lengths, names and ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from looot_core.components import (
    EDITIONS,
    FJORD_CELLS,
    RESOURCES,
    SHIELDS,
    TILES,
    TROPHIES,
    VIKINGS_PER_PLAYER,
)
from looot_core.errors import InvalidPositionError, InvalidSetupError, LoootError, shorten
from looot_core.hexes import Hex, parse_hex
from looot_core.position import Owed, Phase, Position, SeatPosition
from looot_core.setup import GameSetup

_CELL_NAMES = tuple(cell.name for cell in FJORD_CELLS)
_MOST_TURNS = 4 * VIKINGS_PER_PLAYER


def parse_position(data: Any) -> Position:
    """Read the JSON form of a position.

    Whether the parts fit together is left to `position_rules`.

    Raises
    ------
    InvalidPositionError
        If a field is missing or malformed.
    """
    if not isinstance(data, dict):
        raise InvalidPositionError(f"position: {shorten(data)} is not a JSON object")
    setup = _setup(data)
    longships = {str(tile) for tile in EDITIONS[setup.edition].longships}
    resource_spaces = {(space.q, space.r) for space in setup.landscape.resource_spaces}
    building_spaces = [(space.q, space.r) for space in setup.landscape.building_spaces]
    buildings = _spaces(data, "buildings", set(building_spaces), _stack)
    for place in building_spaces:
        if place not in buildings:
            raise InvalidPositionError(f"buildings: {place[0]},{place[1]} is missing (R3)")
    owed = _entry(data, "owed", dict)
    owed_resources = _entry(owed, "resources", dict, "owed.")
    for kind, number in owed_resources.items():
        _one_of(kind, RESOURCES, "owed.resources", "R11")
        _integer(number, f"owed.resources.{kind}", 1, 4, "R7, R18")
    slots = _entry(data, "ocean_longships", list)
    if len(slots) != 5:
        raise InvalidPositionError(f"ocean_longships: {len(slots)} slots instead of 5 (R4)")
    for slot, text in enumerate(slots):
        if text is not None:
            _one_of(text, longships, f"ocean_longships[{slot}]", "R4")
    unseen = _entry(data, "unseen", list)
    if len(unseen) > 30:
        raise InvalidPositionError(f"unseen: {len(unseen)} longships are more than 30 (R4)")
    for index, text in enumerate(unseen):
        _one_of(text, longships, f"unseen[{index}]", "R4")
    if len(set(unseen)) != len(unseen):
        raise InvalidPositionError("unseen: a longship stands in it twice (R4)")
    seats = _entry(data, "seats", list)
    if len(seats) != setup.players:
        raise InvalidPositionError(f"seats: {len(seats)} instead of {setup.players} (R5)")
    vikings = _spaces(data, "vikings", resource_spaces, _counts(setup.players))
    return Position._make(
        edition=setup.edition,
        landscape=setup.landscape,
        sites=setup.sites,
        seats=tuple(_seat(seat, f"seats[{n}].", longships) for n, seat in enumerate(seats)),
        vikings=vikings,
        buildings=buildings,
        ocean_longships=tuple(slots),
        unseen=tuple(
            str(tile) for tile in EDITIONS[setup.edition].longships if str(tile) in set(unseen)
        ),
        current_player=_integer(
            data.get("current_player"), "current_player", 0, setup.players - 1, "R5"
        ),
        turn_number=_integer(data.get("turn_number"), "turn_number", 0, _MOST_TURNS, "R5"),
        phase=Phase(_one_of(data.get("phase"), tuple(Phase), "phase", "R6-R15")),
        active_shields=_shields(data, "active_shields", ""),
        owed=Owed(
            {kind: owed_resources[kind] for kind in RESOURCES if kind in owed_resources},
            _spaces(owed, "buildings", set(building_spaces), _owed, "owed."),
        ),
        longship_taken=_entry(data, "longship_taken", bool),
    )


def _setup(data: dict[str, Any]) -> GameSetup:
    """Read what the set-up fixes; its longships on the ocean have changed since."""
    fixed = ("format", "edition", "players", "landscape", "ocean", "trophy_board", "sites")
    edition = data.get("edition")
    tiles = EDITIONS[edition].longships if isinstance(edition, str) and edition in EDITIONS else ()
    start = {key: data[key] for key in fixed if key in data}
    try:
        return GameSetup.from_dict({**start, "ocean_longships": [str(tile) for tile in tiles[:5]]})
    except InvalidSetupError as error:
        raise InvalidPositionError(str(error)) from error


def _seat(data: Any, path: str, longships: set[str]) -> SeatPosition:
    if not isinstance(data, dict):
        raise InvalidPositionError(f"{path[:-1]}: {shorten(data)} is not a JSON object")
    tiles = _cells(data, "tiles", path, TILES)
    ships = _cells(data, "longships", path, longships)
    for name in ships:
        if name in tiles:
            raise InvalidPositionError(
                f"{path}longships.{name}: a tile lies on this cell too (R11, R13)"
            )
    trophy = data.get("trophy")
    if trophy != 0 or type(trophy) is not int:
        _integer(trophy, f"{path}trophy", min(TROPHIES), max(TROPHIES), "R14")
    return SeatPosition(
        vikings_in_hand=_integer(
            data.get("vikings_in_hand"), f"{path}vikings_in_hand", 0, VIKINGS_PER_PLAYER, "R5"
        ),
        shields=_shields(data, "shields", path),
        tiles=tiles,
        longships=ships,
        trophy=int(trophy or 0),
    )


def _cells(
    data: dict[str, Any], key: str, path: str, names: tuple[str, ...] | set[str]
) -> dict[str, str]:
    given = _entry(data, key, dict, path)
    if len(given) > len(_CELL_NAMES):
        raise InvalidPositionError(f"{path}{key}: {len(given)} cells are more than 34 (R11)")
    for cell, name in given.items():
        _one_of(cell, _CELL_NAMES, f"{path}{key}", "R11")
        _one_of(name, names, f"{path}{key}.{cell}", "R11, R13")
    return {cell: given[cell] for cell in _CELL_NAMES if cell in given}


def _shields(data: dict[str, Any], key: str, path: str) -> tuple[str, ...]:
    given = _entry(data, key, list, path)
    if len(given) > len(SHIELDS):
        raise InvalidPositionError(f"{path}{key}: {len(given)} are more than 3 (R5)")
    for index, shield in enumerate(given):
        _one_of(shield, SHIELDS, f"{path}{key}[{index}]", "R16-R18")
        if shield in given[:index]:
            raise InvalidPositionError(f"{path}{key}[{index}]: {shield} twice (R5)")
    return tuple(shield for shield in SHIELDS if shield in given)


def _spaces(
    data: dict[str, Any],
    key: str,
    spaces: set[Hex],
    read: Callable[[Any, str], Any],
    path: str = "",
) -> dict[Hex, Any]:
    given = _entry(data, key, dict, path)
    if len(given) > len(spaces):
        raise InvalidPositionError(f"{path}{key}: {len(given)} spaces are more than there are")
    found = {}
    for text, value in given.items():
        try:
            place = parse_hex(text)
        except LoootError as error:
            raise InvalidPositionError(f"{path}{key}: {error}") from None
        if place not in spaces:
            kind = "resource space" if key == "vikings" else "building space"
            raise InvalidPositionError(f"{path}{key}: {text} is no {kind} (R6, R3)")
        found[place] = read(value, f"{path}{key}.{text}")
    return dict(sorted(found.items()))


def _stack(value: Any, path: str) -> int:
    return _integer(value, path, 0, 3, "R3")


def _owed(value: Any, path: str) -> int:
    return _integer(value, path, 1, 3, "R11")


def _counts(players: int) -> Callable[[Any, str], tuple[int, ...]]:
    def read(value: Any, path: str) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) != players:
            raise InvalidPositionError(f"{path}: {shorten(value)} is not a number for each seat")
        counts = tuple(_integer(n, f"{path}[{seat}]", 0, 2, "R17") for seat, n in enumerate(value))
        if not any(counts):
            raise InvalidPositionError(f"{path}: nobody has a viking there")
        return counts

    return read


def _entry(data: dict[str, Any], key: str, kind: type, path: str = "") -> Any:
    if key not in data:
        raise InvalidPositionError(f"{path}{key}: missing")
    value = data[key]
    if type(value) is not kind:
        names = {dict: "a JSON object", list: "a list", bool: "true or false"}
        raise InvalidPositionError(f"{path}{key}: {shorten(value)} is not {names[kind]}")
    return value


def _integer(value: Any, path: str, low: int, high: int, rule: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise InvalidPositionError(
            f"{path}: {shorten(value)} is not an integer from {low} to {high} ({rule})"
        )
    return value


def _one_of(value: Any, names: Any, path: str, rule: str) -> str:
    if not isinstance(value, str) or value not in names:
        raise InvalidPositionError(f"{path}: {shorten(value)} is unknown ({rule})")
    return value
