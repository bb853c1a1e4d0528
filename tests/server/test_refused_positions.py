"""Every malformed position is refused with the path of the field, its value and the rule."""

from collections.abc import Callable

import pytest

from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_pb2
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import position_to_message
from tests.positions import position_in
from tests.server.service import refused

Change = Callable[[game_pb2.Position], object]


def _twice(position: game_pb2.Position) -> None:
    position.seats[0].tiles.append(position.seats[0].tiles[0])


CHANGES: dict[str, tuple[Change, str, list[str]]] = {
    "no arrangement": (lambda p: p.ClearField("arrangement"), "arrangement", ["missing"]),
    "no edition": (
        lambda p: p.arrangement.ClearField("edition"),
        "arrangement.edition",
        ["0 is", "rulebook (1)"],
    ),
    "unknown edition": (
        lambda p: setattr(p.arrangement, "edition", 77),
        "arrangement.edition",
        ["77 is", "printed (2)"],
    ),
    "no origin": (
        lambda p: p.arrangement.landscape[1].ClearField("origin"),
        "arrangement.landscape[1].origin",
        ["missing"],
    ),
    "unknown board": (
        lambda p: setattr(p.arrangement.landscape[1], "board", "9Z"),
        "arrangement.landscape[1]",
        ["'9Z'", "(R1)"],
    ),
    "rotation": (
        lambda p: setattr(p.arrangement.landscape[0], "rotation", 6),
        "arrangement.landscape[0]",
        ["rotation 6", "(R1)"],
    ),
    "far away": (
        lambda p: setattr(p.arrangement.ocean.origin, "q", 2**31 - 1),
        "arrangement.ocean.origin.q",
        ["2147483647", "1000"],
    ),
    "board torn off": (
        lambda p: setattr(p.arrangement.landscape[1].origin, "q", 500),
        "arrangement.landscape[1]",
        ["500,-4", "(R1)"],
    ),
    "no boards": (
        lambda p: p.arrangement.ClearField("landscape"),
        "arrangement.landscape",
        ["[] is", "(R1)"],
    ),
    "no ocean": (lambda p: p.arrangement.ClearField("ocean"), "arrangement.ocean", ["missing"]),
    "unknown site": (
        lambda p: p.arrangement.sites[0].port.append(game_pb2.TILE_KIND_GOLD),
        "arrangement.sites[0]",
        ["'HHSG'", "(R5)"],
    ),
    "no tile of a site": (
        lambda p: p.arrangement.sites[1].altar.append(game_pb2.TILE_KIND_UNSPECIFIED),
        "arrangement.sites[1].altar[4]",
        ["0 is", "axe (4)"],
    ),
    "a seat too few": (lambda p: p.seats.pop(), "seats", ["1 instead of 2", "(R5)"]),
    "vikings in hand": (
        lambda p: setattr(p.seats[1], "vikings_in_hand", 14),
        "seats[1].vikings_in_hand",
        ["14 is", "(R5)"],
    ),
    "a viking too many": (
        lambda p: setattr(p.seats[1], "vikings_in_hand", p.seats[1].vikings_in_hand + 1),
        "seats[1].vikings_in_hand",
        ["2 in hand", "(R5)"],
    ),
    "a shield twice": (
        lambda p: p.seats[0].shields.extend([game_pb2.SHIELD_DOUBLE_GAIN] * 2),
        "seats[0].shields[1]",
        ["'double'", "(R5)"],
    ),
    "a cell twice": (_twice, "seats[0].tiles[16]", ["a2 is given twice"]),
    "no cell": (
        lambda p: p.seats[0].tiles[0].ClearField("cell"),
        "seats[0].tiles[0].cell",
        ["missing"],
    ),
    "column": (
        lambda p: setattr(p.seats[0].tiles[0].cell, "column", 7),
        "seats[0].tiles[0].cell.column",
        ["7 is", "6"],
    ),
    "a cell that is none": (
        lambda p: p.seats[0].tiles[0].cell.CopyFrom(game_pb2.FjordCell(column=0, row=0)),
        "seats[0].tiles[0].cell",
        ["column 0, row 0", "(R11)"],
    ),
    "tile kind": (
        lambda p: setattr(p.seats[0].tiles[0], "kind", 0),
        "seats[0].tiles[0].kind",
        ["0 is", "castle (7)"],
    ),
    "trophy": (lambda p: setattr(p.seats[0], "trophy", 7), "seats[0].trophy", ["7 is", "(R14)"]),
    "vikings of too many seats": (
        lambda p: p.vikings[0].vikings.append(1),
        "vikings[0]",
        ["[1, 0, 1]", "(R6)"],
    ),
    "vikings in the water": (
        lambda p: p.vikings[0].space.CopyFrom(game_pb2.Space(q=900, r=900)),
        "vikings[0]",
        ["900,900", "(R6)"],
    ),
    "building stack": (
        lambda p: setattr(p.buildings[0], "tiles", 4),
        "buildings[0]",
        ["4 is", "(R3)"],
    ),
    "a building space too few": (lambda p: p.buildings.pop(), "buildings", ["11,-4", "(R3)"]),
    "ocean slots": (lambda p: p.ocean_longships.add(), "ocean_longships", ["6 slots", "(R4)"]),
    "longship bonus": (
        lambda p: setattr(p.unseen[0], "bonus_value", 5),
        "unseen[0].bonus_value",
        ["5 is", "4"],
    ),
    "longship needs": (lambda p: p.unseen[0].needs.pop(), "unseen[0].needs", ["2 resources", "3"]),
    "a longship that is none": (
        lambda p: setattr(p.unseen[0], "bonus_value", 4 - p.unseen[0].bonus_value),
        "unseen[0]",
        ["'castle+1 AAW'", "(R4)"],
    ),
    "a longship too few": (lambda p: p.unseen.pop(), "unseen", ["'sheep+1 AAS'", "(R4)"]),
    "current player": (
        lambda p: setattr(p, "current_player", 2),
        "current_player",
        ["2 is", "(R5)"],
    ),
    "turn number": (lambda p: setattr(p, "turn_number", -1), "turn_number", ["-1 is", "(R5, R19)"]),
    "no phase": (lambda p: p.ClearField("phase"), "phase", ["0 is", "tiles (3)"]),
    "owed from nowhere": (
        lambda p: p.owed.buildings.add(space=game_pb2.Space(q=1, r=900), tiles=1),
        "owed.buildings[0]",
        ["1,900", "(R3)"],
    ),
    "owed axe count": (
        lambda p: p.owed.resources.add(kind=game_pb2.TILE_KIND_AXE, count=-5),
        "owed.resources[0]",
        ["-5 is", "(R7"],
    ),
    "a building is no resource": (
        lambda p: p.owed.resources.add(kind=game_pb2.TILE_KIND_CASTLE, count=1),
        "owed.resources[0].kind",
        ["7 is", "axe (4)"],
    ),
}


def test_every_refusal_is_pinned() -> None:
    for _, field, words in CHANGES.values():
        assert field
        assert words
        assert all(words)


@pytest.mark.parametrize("name", CHANGES)
def test_refused(engine: EngineServiceStub, name: str) -> None:
    change, field, words = CHANGES[name]
    position = position_to_message(position_in("end_of_turn"))
    change(position)
    answer = refused(lambda: engine.GetScore(pb.GetScoreRequest(position=position), timeout=10))
    assert answer.reason == "INVALID_POSITION"
    assert answer.field == f"position.{field}"
    for word in words:
        assert word in answer.violations[0].description
    assert answer.message == f"{answer.field}: {answer.violations[0].description}"


def test_missing_position(engine: EngineServiceStub) -> None:
    for call in (
        lambda: engine.GetScore(pb.GetScoreRequest(), timeout=10),
        lambda: engine.ListLegalActions(pb.ListLegalActionsRequest(), timeout=10),
        lambda: engine.ApplyActions(pb.ApplyActionsRequest(), timeout=10),
        lambda: engine.Suggest(pb.SuggestRequest(), timeout=10),
        lambda: engine.PlayTurn(pb.PlayTurnRequest(), timeout=10),
    ):
        answer = refused(call)
        assert (answer.reason, answer.field) == ("INVALID_POSITION", "position")
