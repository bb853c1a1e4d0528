"""The words of ``looot_core`` and the enum numbers of ``looot.v1``, and how tiles are spelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from looot.v1 import game_pb2
from looot_core.components import EDITIONS, RESOURCES, TILE_LETTERS, TILES

EDITION_NAMES: Mapping[int, str] = {
    game_pb2.Edition.Value(f"EDITION_{name.upper()}"): name for name in EDITIONS
}
TILE_KINDS: Mapping[int, str] = {
    game_pb2.TileKind.Value(f"TILE_KIND_{tile.upper()}"): tile for tile in TILES
}
RESOURCE_KINDS: Mapping[int, str] = {
    number: tile for number, tile in TILE_KINDS.items() if tile in RESOURCES
}
_SHIELDS: Mapping[str, game_pb2.Shield.ValueType] = {
    "second": game_pb2.SHIELD_SECOND_VIKING,
    "occupied": game_pb2.SHIELD_OCCUPIED_SPACE,
    "double": game_pb2.SHIELD_DOUBLE_GAIN,
}
SHIELD_NAMES: Mapping[int, str] = {number: name for name, number in _SHIELDS.items()}
PHASE_NAMES: Mapping[int, str] = {
    number: name.removeprefix("PHASE_").lower() for name, number in game_pb2.Phase.items() if number
}

_LETTERS: Mapping[str, str] = {tile: letter for letter, tile in TILE_LETTERS.items()}
_LONGSHIP_TEXTS = {
    (longship.kind, longship.bonus, "".join(sorted(longship.needs))): str(longship)
    for edition in EDITIONS.values()
    for longship in edition.longships
}
_SITE_TEXTS = {
    (edition.name, kind, "".join(sorted(tile))): tile
    for edition in EDITIONS.values()
    for kind, tiles in edition.sites.items()
    for tile in tiles
}


def edition(name: str) -> game_pb2.Edition.ValueType:
    """Give the enum number of an edition."""
    return game_pb2.Edition.Value(f"EDITION_{name.upper()}")


def phase(name: str) -> game_pb2.Phase.ValueType:
    """Give the enum number of a phase."""
    return game_pb2.Phase.Value(f"PHASE_{name.upper()}")


def shield(name: str) -> game_pb2.Shield.ValueType:
    """Give the enum number of a shield."""
    return _SHIELDS[name]


def tile_kind(tile: str) -> game_pb2.TileKind.ValueType:
    """Give the enum number of a tile."""
    return game_pb2.TileKind.Value(f"TILE_KIND_{tile.upper()}")


def spell(tiles: Iterable[str]) -> str:
    """Give tile kinds as letters."""
    return "".join(_LETTERS[tile] for tile in tiles)


def kinds_of(letters: str) -> list[game_pb2.TileKind.ValueType]:
    """Give letters as tile kinds."""
    return [tile_kind(TILE_LETTERS[letter]) for letter in letters]


def longship_text(kind: str, bonus: int, needs: str) -> str:
    """Write a longship, its needs in the order in which an edition lists them if one does."""
    return _LONGSHIP_TEXTS.get((kind, bonus, "".join(sorted(needs))), f"{kind}+{bonus} {needs}")


def site_text(edition_name: str, kind: str, needs: str) -> str:
    """Write a construction site, in the order in which the edition lists it if it does."""
    return _SITE_TEXTS.get((edition_name, kind, "".join(sorted(needs))), needs)
