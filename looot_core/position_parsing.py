"""Read a position from its JSON form: types, lengths, names and ranges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from looot_core.components import (
    BUILDING_TILES,
    CELL_NAMES,
    EDITIONS,
    OCEAN_SLOTS,
    PLAYER_COUNTS,
    RESOURCES,
    SHIELDS,
    TILES,
    TROPHIES,
    VIKINGS_PER_PLAYER,
)
from looot_core.errors import InvalidPositionError, InvalidSetupError, LoootError, shorten
from looot_core.hexes import Hex, format_hex, parse_hex
from looot_core.plain import fields_of, text_of
from looot_core.position import Owed, Phase, Position, SeatPosition
from looot_core.position_claims import ground_of
from looot_core.setup import GameSetup

_KINDS = {list: "a list", bool: "true or false"}
_MOST_TURNS = max(PLAYER_COUNTS) * VIKINGS_PER_PLAYER
_LARGEST_STACK = max(BUILDING_TILES.values())
_MOST_OWED_OF_A_RESOURCE = 3  # two vikings and a double gain (R7, R16, R18)
_MOST_NAMED = 7
_MOST_ON_A_SPACE = 2  # vikings of one seat: each but the first needs the seat's one shield (R17)


def parse_position(given: Any) -> Position:
    """Read the JSON form of a position.

    Whether the parts fit together is left to `position_rules`. Reading stops at the first entry
    that is unknown or there twice, so that the work is bounded by the size of the input.

    Returns
    -------
    Position
        Without a state.

    Raises
    ------
    InvalidPositionError
        If a field is missing or malformed.
    """
    data = _object(given, "position", "")
    setup = _setup(data)
    longships = [str(tile) for tile in EDITIONS[setup.edition].longships]
    ground = ground_of(setup.landscape)
    building_spaces = [(space.q, space.r) for space in setup.landscape.building_spaces]
    buildings = _spaces(data, "buildings", building_spaces, _stack)
    for place in building_spaces:
        if place not in buildings:
            raise InvalidPositionError(f"buildings: {format_hex(place)} is missing (R3)")
    owed = _entry(data, "owed", dict)
    unseen = _unseen(data, longships)
    seats = [
        _object(seat, f"seats[{n}]", " (R5)") for n, seat in enumerate(_entry(data, "seats", list))
    ]
    if len(seats) != setup.players:
        raise InvalidPositionError(f"seats: {len(seats)} instead of {setup.players} (R5)")
    vikings = _spaces(data, "vikings", ground.beside, _counts(setup.players))
    return Position._make(
        edition=setup.edition,
        landscape=setup.landscape,
        sites=setup.sites,
        seats=tuple(_seat(seat, f"seats[{n}].", longships) for n, seat in enumerate(seats)),
        vikings=vikings,
        buildings=buildings,
        ocean_longships=_ocean(data, longships),
        unseen=unseen,
        current_player=_integer(
            _field(data, "current_player"), "current_player", 0, setup.players - 1, "R5"
        ),
        turn_number=_integer(_field(data, "turn_number"), "turn_number", 0, _MOST_TURNS, "R5, R19"),
        phase=Phase(_one_of(_field(data, "phase"), tuple(Phase), "phase", "R6-R19")),
        active_shields=_shields(data, "active_shields", ""),
        owed=Owed(
            _owed_resources(owed), _spaces(owed, "buildings", building_spaces, _owed, "owed.")
        ),
        longship_taken=_entry(data, "longship_taken", bool),
    )


def _setup(data: dict[str, Any]) -> GameSetup:
    """Read what the set-up fixes; its longships on the ocean have changed since."""
    fixed = ("format", "edition", "players", "landscape", "ocean", "trophy_board", "sites")
    edition = EDITIONS.get(text_of(data.get("edition")) or "")
    tiles = edition.longships if edition is not None else ()
    start = {key: data[key] for key in fixed if key in data}
    try:
        return GameSetup.from_dict(
            {**start, "ocean_longships": [str(tile) for tile in tiles[:OCEAN_SLOTS]]}
        )
    except InvalidSetupError as error:
        raise InvalidPositionError(str(error)) from error


def _owed_resources(data: dict[str, Any]) -> dict[str, int]:
    given = _entry(data, "resources", dict, "owed.")
    found = {}
    for name, value in given.items():
        kind = _one_of(name, RESOURCES, "owed.resources", "R11")
        found[kind] = _integer(
            value, f"owed.resources.{kind}", 1, _MOST_OWED_OF_A_RESOURCE, "R7, R16, R18"
        )
    return {kind: found[kind] for kind in RESOURCES if kind in found}


def _ocean(data: dict[str, Any], longships: list[str]) -> tuple[str | None, ...]:
    given = _entry(data, "ocean_longships", list)
    if len(given) != OCEAN_SLOTS:
        raise InvalidPositionError(
            f"ocean_longships: {len(given)} slots instead of {OCEAN_SLOTS} (R4)"
        )
    return tuple(
        None if value is None else _one_of(value, longships, f"ocean_longships[{slot}]", "R4")
        for slot, value in enumerate(given)
    )


def _unseen(data: dict[str, Any], longships: list[str]) -> tuple[str, ...]:
    """Read the bag in any order and give it in that of the edition."""
    given = _entry(data, "unseen", list)
    found: set[str] = set()
    for index, value in enumerate(given):
        text = _one_of(value, longships, f"unseen[{index}]", "R4")
        if text in found:
            raise InvalidPositionError(f"unseen[{index}]: '{text}' is there twice (R4)")
        found.add(text)
    return tuple(text for text in longships if text in found)


def _seat(data: dict[str, Any], path: str, longships: list[str]) -> SeatPosition:
    tiles = _cells(data, "tiles", path, TILES)
    ships = _cells(data, "longships", path, longships)
    for name in ships:
        if name in tiles:
            raise InvalidPositionError(
                f"{path}longships.{name}: a tile lies on this cell too (R11, R13)"
            )
    trophy = _field(data, "trophy", path)
    if type(trophy) is not int or (trophy != 0 and trophy not in TROPHIES):
        raise InvalidPositionError(
            f"{path}trophy: {shorten(trophy)} is neither a trophy from {min(TROPHIES)} to"
            f" {max(TROPHIES)} nor 0 for none (R14)"
        )
    return SeatPosition(
        vikings_in_hand=_integer(
            _field(data, "vikings_in_hand", path),
            f"{path}vikings_in_hand",
            0,
            VIKINGS_PER_PLAYER,
            "R5",
        ),
        shields=_shields(data, "shields", path),
        tiles=tiles,
        longships=ships,
        trophy=trophy,
    )


def _cells(data: dict[str, Any], key: str, path: str, names: Sequence[str]) -> dict[str, str]:
    given = _entry(data, key, dict, path)
    found = {}
    for name, value in given.items():
        cell = _one_of(name, CELL_NAMES, f"{path}{key}", "R11")
        found[cell] = _one_of(value, names, f"{path}{key}.{cell}", "R11, R13")
    return {cell: found[cell] for cell in CELL_NAMES if cell in found}


def _shields(data: dict[str, Any], key: str, path: str) -> tuple[str, ...]:
    given = _entry(data, key, list, path)
    found: set[str] = set()
    for index, value in enumerate(given):
        shield = _one_of(value, SHIELDS, f"{path}{key}[{index}]", "R16-R18")
        if shield in found:
            raise InvalidPositionError(f"{path}{key}[{index}]: '{shield}' is there twice (R5)")
        found.add(shield)
    return tuple(shield for shield in SHIELDS if shield in found)


def _spaces(
    data: dict[str, Any],
    key: str,
    spaces: Collection[Hex],
    read: Callable[[Any, str], Any],
    path: str = "",
) -> dict[Hex, Any]:
    """Read an object whose keys are resource spaces (R6) or building spaces (R3)."""
    given = _entry(data, key, dict, path)
    what, rule = ("resource", "R6") if key == "vikings" else ("building", "R3")
    found = {}
    for text, value in given.items():
        try:
            place = parse_hex(text)
        except LoootError as error:
            raise InvalidPositionError(f"{path}{key}: {error} ({rule})") from None
        if place not in spaces:
            raise InvalidPositionError(f"{path}{key}: {text} is no {what} space ({rule})")
        found[place] = read(value, f"{path}{key}.{text}")
    return dict(sorted(found.items()))


def _stack(value: Any, path: str) -> int:
    return _integer(value, path, 0, _LARGEST_STACK, "R3")


def _owed(value: Any, path: str) -> int:
    return _integer(value, path, 1, _LARGEST_STACK, "R3, R11")


def _counts(players: int) -> Callable[[Any, str], tuple[int, ...]]:
    def read(value: Any, path: str) -> tuple[int, ...]:
        if type(value) is not list or len(value) != players:
            raise InvalidPositionError(
                f"{path}: {shorten(value)} is not a list of {players} numbers, one a seat (R6)"
            )
        counts = tuple(
            _integer(number, f"{path}[{seat}]", 0, _MOST_ON_A_SPACE, "R17")
            for seat, number in enumerate(value)
        )
        if not any(counts):
            raise InvalidPositionError(
                f"{path}: nobody has a viking there, so that it is to be left out (R6)"
            )
        return counts

    return read


def _field(data: dict[str, Any], key: str, path: str = "") -> Any:
    if key not in data:
        raise InvalidPositionError(f"{path}{key}: missing")
    return data[key]


def _object(value: Any, path: str, rule: str) -> dict[str, Any]:
    fields = fields_of(value)
    if fields is None:
        raise InvalidPositionError(f"{path}: {shorten(value)} is not a JSON object{rule}")
    return fields


def _entry(data: dict[str, Any], key: str, kind: type, path: str = "") -> Any:
    value = _field(data, key, path)
    if kind is dict:
        return _object(value, f"{path}{key}", "")
    if type(value) is not kind:
        raise InvalidPositionError(f"{path}{key}: {shorten(value)} is not {_KINDS[kind]}")
    return value


def _integer(value: Any, path: str, low: int, high: int, rule: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise InvalidPositionError(
            f"{path}: {shorten(value)} is not an integer from {low} to {high} ({rule})"
        )
    return value


def _one_of(value: Any, names: Sequence[str], path: str, rule: str) -> str:
    text = text_of(value)
    if text is None or text not in names:
        some = ", ".join(names) if len(names) <= _MOST_NAMED else f"{names[0]}, …, {names[-1]}"
        raise InvalidPositionError(f"{path}: {shorten(value)} is not one of {some} ({rule})")
    return text
