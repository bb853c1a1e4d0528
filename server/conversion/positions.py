"""Positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import looot_core as lc
from looot.v1 import game_pb2
from looot_core.components import SITE_KINDS
from looot_core.setup import FORMAT
from server.conversion.fields import (
    FieldError,
    known,
    known_each,
    read_cell,
    read_longship,
    read_space,
    require,
    write_cell,
    write_longship,
    write_space,
)
from server.conversion.paths import Paths
from server.conversion.vocabulary import (
    EDITION_NAMES,
    PHASE_NAMES,
    RESOURCE_KINDS,
    SHIELD_NAMES,
    TILE_KINDS,
    edition,
    kinds_of,
    phase,
    shield,
    site_text,
    spell,
    tile_kind,
)

_Value = TypeVar("_Value")


def position_from_message(message: game_pb2.Position, field: str) -> lc.Position:
    """Read a position and check that it can come from a game.

    Parameters
    ----------
    message : game_pb2.Position
    field : str
        The path of the message in its request, for errors.

    Returns
    -------
    lc.Position

    Raises
    ------
    FieldError
        If a field is missing, out of its range, or breaks a rule.
    """
    reader = _Reader(field)
    data = reader.position(message)
    try:
        return lc.Position.from_dict(data)
    except lc.LoootError as error:
        raise FieldError(*reader.paths.locate(str(error))) from error


def setup_from_message(
    arrangement: game_pb2.Arrangement, longships: Iterable[game_pb2.Longship], field: str
) -> tuple[dict[str, Any], Paths]:
    """Read an arrangement and the longships on the ocean as a set-up in JSON form, unchecked.

    Parameters
    ----------
    arrangement : game_pb2.Arrangement
    longships : iterable of game_pb2.Longship
    field : str
        The path of the message that has both, as ``arrangement`` and ``ocean_longships``.

    Returns
    -------
    data : dict
    paths : Paths
        From the field that an error names to that of the message.

    Raises
    ------
    FieldError
        If a field is missing or out of its range.
    """
    reader = _Reader(field)
    data = {
        "format": FORMAT,
        **reader.arrangement(arrangement, f"{field}.arrangement"),
        "ocean_longships": [
            read_longship(longship, f"{field}.ocean_longships[{at}]")
            for at, longship in enumerate(longships)
        ],
    }
    return data, reader.paths


class _Reader:
    """Turns a position message into the JSON form, noting which field became which part."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.paths = Paths(root)

    def position(self, message: game_pb2.Position) -> dict[str, Any]:
        root = self.root
        require(message, "arrangement", root)
        return {
            "format": FORMAT,
            **self.arrangement(message.arrangement, f"{root}.arrangement"),
            "seats": [self._seat(seat, f"seats[{at}]") for at, seat in enumerate(message.seats)],
            "vikings": self._by_key(
                "vikings",
                (
                    (f"vikings[{at}]", self._space(stack, f"vikings[{at}]"), list(stack.vikings))
                    for at, stack in enumerate(message.vikings)
                ),
            ),
            "buildings": self._stacks(message.buildings, "buildings"),
            "ocean_longships": [
                read_longship(slot.longship, f"{root}.ocean_longships[{at}].longship")
                if slot.HasField("longship")
                else None
                for at, slot in enumerate(message.ocean_longships)
            ],
            "unseen": [
                read_longship(longship, f"{root}.unseen[{at}]")
                for at, longship in enumerate(message.unseen)
            ],
            "current_player": message.current_player,
            "turn_number": message.turn_number,
            "phase": known(PHASE_NAMES, message.phase, f"{root}.phase"),
            "active_shields": known_each(
                SHIELD_NAMES, message.active_shields, f"{root}.active_shields"
            ),
            "owed": self._owed(message.owed),
            "longship_taken": message.longship_taken,
        }

    def arrangement(self, message: game_pb2.Arrangement, field: str) -> dict[str, Any]:
        require(message, "ocean", field)
        require(message, "trophy_board", field)
        edition_name = known(EDITION_NAMES, message.edition, f"{field}.edition")
        return {
            "edition": edition_name,
            "players": len(message.landscape),
            "landscape": [
                _placement(board, f"{field}.landscape[{at}]")
                for at, board in enumerate(message.landscape)
            ],
            "ocean": _placement(message.ocean, f"{field}.ocean"),
            "trophy_board": _placement(message.trophy_board, f"{field}.trophy_board"),
            "sites": [
                [
                    _site(edition_name, kind, getattr(sites, kind), f"{field}.sites[{at}].{kind}")
                    for kind in SITE_KINDS
                ]
                for at, sites in enumerate(message.sites)
            ],
        }

    def _seat(self, message: game_pb2.Seat, path: str) -> dict[str, Any]:
        field = f"{self.root}.{path}"
        return {
            "vikings_in_hand": message.vikings_in_hand,
            "shields": known_each(SHIELD_NAMES, message.shields, f"{field}.shields"),
            "tiles": self._by_key(
                f"{path}.tiles",
                (
                    (
                        f"{path}.tiles[{at}]",
                        self._cell(tile, f"{path}.tiles[{at}]"),
                        known(TILE_KINDS, tile.kind, f"{field}.tiles[{at}].kind"),
                    )
                    for at, tile in enumerate(message.tiles)
                ),
            ),
            "longships": self._by_key(
                f"{path}.longships",
                (
                    (
                        f"{path}.longships[{at}]",
                        self._cell(longship, f"{path}.longships[{at}]"),
                        self._longship(longship, f"{path}.longships[{at}]"),
                    )
                    for at, longship in enumerate(message.longships)
                ),
            ),
            "trophy": message.trophy,
        }

    def _owed(self, message: game_pb2.OwedTiles) -> dict[str, Any]:
        field = f"{self.root}.owed.resources"
        return {
            "resources": self._by_key(
                "owed.resources",
                (
                    (
                        f"owed.resources[{at}]",
                        known(RESOURCE_KINDS, resource.kind, f"{field}[{at}].kind"),
                        resource.count,
                    )
                    for at, resource in enumerate(message.resources)
                ),
            ),
            "buildings": self._stacks(message.buildings, "owed.buildings"),
        }

    def _stacks(self, stacks: Iterable[game_pb2.BuildingStack], path: str) -> dict[str, int]:
        return self._by_key(
            path,
            (
                (f"{path}[{at}]", self._space(stack, f"{path}[{at}]"), stack.tiles)
                for at, stack in enumerate(stacks)
            ),
        )

    def _by_key(self, path: str, items: Iterable[tuple[str, str, _Value]]) -> dict[str, _Value]:
        """Give a list as an object of the JSON form, its keys taken from its items."""
        given: dict[str, _Value] = {}
        for item_path, key, value in items:
            field = f"{self.root}.{item_path}"
            if key in given:
                raise FieldError(field, f"{key} is given twice")
            given[key] = value
            self.paths.note(f"{path}.{key}", field)
        return given

    def _space(self, message: game_pb2.VikingStack | game_pb2.BuildingStack, path: str) -> str:
        return read_space(message.space, require(message, "space", f"{self.root}.{path}"))

    def _cell(self, message: game_pb2.FjordTile | game_pb2.FjordLongship, path: str) -> str:
        return read_cell(message.cell, require(message, "cell", f"{self.root}.{path}"))

    def _longship(self, message: game_pb2.FjordLongship, path: str) -> str:
        field = require(message, "longship", f"{self.root}.{path}")
        return read_longship(message.longship, field)


def _placement(message: game_pb2.BoardPlacement, field: str) -> list[str | int]:
    place = require(message, "origin", field)
    read_space(message.origin, place)
    return [message.board, message.origin.q, message.origin.r, message.rotation]


def _site(edition_name: str, kind: str, needs: Iterable[int], field: str) -> str:
    return site_text(edition_name, kind, spell(known_each(TILE_KINDS, needs, field)))


def position_to_message(position: lc.Position) -> game_pb2.Position:
    """Give the message of a position."""
    data = position.to_dict()
    return game_pb2.Position(
        arrangement=game_pb2.Arrangement(
            edition=edition(data["edition"]),
            landscape=[_placement_message(board) for board in data["landscape"]],
            ocean=_placement_message(data["ocean"]),
            trophy_board=_placement_message(data["trophy_board"]),
            sites=[
                game_pb2.ConstructionSites(
                    **{kind: kinds_of(site) for kind, site in zip(SITE_KINDS, sites, strict=True)}
                )
                for sites in data["sites"]
            ],
        ),
        seats=[_seat_message(seat) for seat in data["seats"]],
        vikings=[
            game_pb2.VikingStack(space=write_space(space), vikings=counts)
            for space, counts in data["vikings"].items()
        ],
        buildings=_stack_messages(data["buildings"]),
        ocean_longships=[
            game_pb2.OceanSlot(longship=write_longship(text) if text else None)
            for text in data["ocean_longships"]
        ],
        unseen=[write_longship(text) for text in data["unseen"]],
        current_player=data["current_player"],
        turn_number=data["turn_number"],
        phase=phase(data["phase"]),
        active_shields=[shield(name) for name in data["active_shields"]],
        owed=_owed_message(data["owed"]),
        longship_taken=data["longship_taken"],
    )


def _placement_message(placement: tuple[str, int, int, int]) -> game_pb2.BoardPlacement:
    board, q, r, rotation = placement
    return game_pb2.BoardPlacement(board=board, origin=game_pb2.Space(q=q, r=r), rotation=rotation)


def _seat_message(seat: Mapping[str, Any]) -> game_pb2.Seat:
    return game_pb2.Seat(
        vikings_in_hand=seat["vikings_in_hand"],
        shields=[shield(name) for name in seat["shields"]],
        tiles=[
            game_pb2.FjordTile(cell=write_cell(cell), kind=tile_kind(tile))
            for cell, tile in seat["tiles"].items()
        ],
        longships=[
            game_pb2.FjordLongship(cell=write_cell(cell), longship=write_longship(text))
            for cell, text in seat["longships"].items()
        ],
        trophy=seat["trophy"],
    )


def _stack_messages(stacks: Mapping[str, int]) -> list[game_pb2.BuildingStack]:
    return [
        game_pb2.BuildingStack(space=write_space(space), tiles=tiles)
        for space, tiles in stacks.items()
    ]


def _owed_message(owed: Mapping[str, Mapping[str, int]]) -> game_pb2.OwedTiles | None:
    if not owed["resources"] and not owed["buildings"]:
        return None
    return game_pb2.OwedTiles(
        resources=[
            game_pb2.OwedResource(kind=tile_kind(tile), count=count)
            for tile, count in owed["resources"].items()
        ],
        buildings=_stack_messages(owed["buildings"]),
    )
