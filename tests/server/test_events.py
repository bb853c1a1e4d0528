"""ApplyActions: the rules over gRPC."""

import random
from itertools import product

import pytest

import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_pb2
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from looot_core.components import EDITIONS, FJORD_CELLS
from server.conversion import action_to_message, draw_to_message, position_to_message
from tests.positions import position_in, position_to_take_a_longship_in
from tests.server.service import Refused, refused


def _event(action: lc.Action) -> game_pb2.Event:
    return game_pb2.Event(action=action_to_message(action))


def _apply(
    engine: EngineServiceStub, position: lc.Position, events: list[game_pb2.Event]
) -> pb.ApplyActionsResponse:
    request = pb.ApplyActionsRequest(position=position_to_message(position), events=events)
    return engine.ApplyActions(request, timeout=10)


def _refused(
    engine: EngineServiceStub, position: lc.Position, events: list[game_pb2.Event]
) -> Refused:
    return refused(lambda: _apply(engine, position, events))


def _taking() -> tuple[lc.Position, lc.Action, int, str]:
    """Give a position, an action that takes a longship, its slot, and an unseen longship."""
    position, action = position_to_take_a_longship_in()
    return position, action, int(str(action).split()[1]), position.unseen[-1]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_that_of_the_core(
    engine: EngineServiceStub, players: int, edition: str
) -> None:
    chance = random.Random(players)
    state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=5))
    while not state.is_over:
        before = state.position()
        events = []
        turn = state.turn_number
        while not state.is_over and state.turn_number == turn:
            legal = engine.ListLegalActions(
                pb.ListLegalActionsRequest(position=position_to_message(state.position())),
                timeout=10,
            )
            assert list(legal.actions) == list(map(action_to_message, state.legal_actions()))
            action = chance.choice(state.legal_actions())
            ocean = state.position().ocean_longships
            state.apply(action)
            events.append(_event(action))
            for slot, (old, new) in enumerate(
                zip(ocean, state.position().ocean_longships, strict=True)
            ):
                if old != new and new is not None:
                    events.append(game_pb2.Event(draw=draw_to_message(slot, new)))
        answer = _apply(engine, before, events)
        assert answer.position == position_to_message(state.position())
        assert [seat.total for seat in answer.score.seats] == state.scores()
    assert answer.score.game_over
    assert list(answer.score.winners) == state.winners()


def test_no_events_change_nothing(engine: EngineServiceStub) -> None:
    position = position_in("tiles")
    assert _apply(engine, position, []).position == position_to_message(position)


def test_illegal_action(engine: EngineServiceStub) -> None:
    position = position_in("tiles")
    events = [game_pb2.Event(action=game_pb2.Action(end_turn=game_pb2.EndTurn()))]
    answer = _refused(engine, position, events)
    assert (answer.reason, answer.field) == ("ILLEGAL_ACTION", "events[0].action")
    assert answer.message.startswith("events[0].action: 'end' is not legal: ")
    assert "(R" in answer.message


def test_the_event_to_blame_is_named(engine: EngineServiceStub) -> None:
    position = position_in("end_of_turn")
    end = game_pb2.Event(action=game_pb2.Action(end_turn=game_pb2.EndTurn()))
    assert _refused(engine, position, [end, end]).field == "events[1].action"


def test_space_that_the_landscape_has_not(engine: EngineServiceStub) -> None:
    place = game_pb2.PlaceViking(space=game_pb2.Space(q=999, r=0))
    events = [game_pb2.Event(action=game_pb2.Action(place_viking=place))]
    answer = _refused(engine, position_in("viking"), events)
    assert answer.reason == "ILLEGAL_ACTION"
    assert "999,0" in answer.message


def test_draw_is_required(engine: EngineServiceStub) -> None:
    position, action, _, _ = _taking()
    answer = _refused(engine, position, [_event(action)])
    assert (answer.reason, answer.field) == ("DRAW_REQUIRED", "events[1]")
    end = game_pb2.Event(action=game_pb2.Action(end_turn=game_pb2.EndTurn()))
    answer = _refused(engine, position, [_event(action), end])
    assert (answer.reason, answer.field) == ("DRAW_REQUIRED", "events[1]")


def test_draw_is_applied(engine: EngineServiceStub) -> None:
    position, action, slot, longship = _taking()
    draw = draw_to_message(slot, longship)
    answer = _apply(engine, position, [_event(action), game_pb2.Event(draw=draw)])
    assert answer.position.ocean_longships[slot].longship == draw.longship
    assert draw.longship not in answer.position.unseen


@pytest.mark.parametrize("wrong", ["slot", "longship", "early"])
def test_illegal_draw(engine: EngineServiceStub, wrong: str) -> None:
    position, action, slot, longship = _taking()
    if wrong == "slot":
        events = [_event(action), game_pb2.Event(draw=draw_to_message((slot + 1) % 5, longship))]
        field = "events[1].draw.slot"
    elif wrong == "longship":
        seen = next(text for text in position.ocean_longships if text is not None)
        events = [_event(action), game_pb2.Event(draw=draw_to_message(slot, seen))]
        field = "events[1].draw.longship"
    else:
        events = [game_pb2.Event(draw=draw_to_message(slot, longship))]
        field = "events[0].draw"
    answer = _refused(engine, position, events)
    assert (answer.reason, answer.field) == ("ILLEGAL_DRAW", field)
    assert "(R" in answer.message


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (game_pb2.Event(), "events[0]"),
        (game_pb2.Event(action=game_pb2.Action()), "events[0].action"),
        (
            game_pb2.Event(action=game_pb2.Action(use_shield=game_pb2.UseShield())),
            "events[0].action.use_shield.shield",
        ),
        (
            game_pb2.Event(action=game_pb2.Action(place_viking=game_pb2.PlaceViking())),
            "events[0].action.place_viking.space",
        ),
        (
            game_pb2.Event(action=game_pb2.Action(claim_trophy=game_pb2.ClaimTrophy(trophy=1))),
            "events[0].action.claim_trophy.trophy",
        ),
        (
            game_pb2.Event(
                action=game_pb2.Action(
                    take_longship=game_pb2.TakeLongship(slot=5, cell=game_pb2.FjordCell())
                )
            ),
            "events[0].action.take_longship.slot",
        ),
        (
            game_pb2.Event(
                action=game_pb2.Action(take_longship=game_pb2.TakeLongship(slot=4)),
            ),
            "events[0].action.take_longship.cell",
        ),
    ],
)
def test_malformed_event(engine: EngineServiceStub, event: game_pb2.Event, field: str) -> None:
    answer = _refused(engine, position_in("end_of_turn"), [event])
    assert (answer.reason, answer.field) == ("INVALID_EVENT", field)


def test_a_cell_that_the_fjord_has_not_is_named_as_it_was_sent(engine: EngineServiceStub) -> None:
    cells = {(cell.column, cell.row) for cell in FJORD_CELLS}
    for column, row in product(range(7), range(7)):
        cell = game_pb2.FjordCell(column=column, row=row)
        place = game_pb2.PlaceTile(kind=game_pb2.TILE_KIND_WOOD, cell=cell)
        events = [game_pb2.Event(action=game_pb2.Action(place_tile=place))]
        answer = _refused(engine, position_in("end_of_turn"), events)
        if (column, row) in cells:
            assert answer.reason == "ILLEGAL_ACTION"
        else:
            assert (answer.reason, answer.field) == (
                "INVALID_EVENT",
                "events[0].action.place_tile.cell",
            )
            assert f"column {column}, row {row} is no cell" in answer.message


def test_too_many_events(engine: EngineServiceStub) -> None:
    answer = _refused(engine, position_in("viking"), [game_pb2.Event()] * 51)
    assert (answer.reason, answer.field) == ("INVALID_EVENT", "events")
    assert "51" in answer.message
    assert "50" in answer.message
