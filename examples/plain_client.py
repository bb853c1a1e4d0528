"""A client of the service made from the .proto files alone: nothing of the engine is imported.

It takes a position in protobuf's JSON from the standard input, asks what to do, and lets a bot play
the game out, for all seats::

    looot new --players 3 | looot position - --protojson | python examples/plain_client.py

The client is the table: it holds the position, and reveals the longships.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

import grpc
from google.protobuf import json_format, text_format
from google.protobuf.duration_pb2 import Duration

from looot.v1 import analysis_pb2, engine_service_pb2_grpc, game_pb2
from looot.v1 import engine_service_pb2 as pb


def main() -> None:
    """Suggest a turn, then play the game out."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--address", default="localhost:50051", help="default: %(default)s")
    parser.add_argument("--milliseconds", type=int, default=100, help="of a turn")
    arguments = parser.parse_args()

    position = json_format.Parse(sys.stdin.read(), game_pb2.Position())
    time = Duration()
    time.FromMilliseconds(arguments.milliseconds)
    options = analysis_pb2.SearchOptions(limits=analysis_pb2.SearchLimits(time=time))

    with grpc.insecure_channel(arguments.address) as channel:
        engine = engine_service_pb2_grpc.EngineServiceStub(channel)
        try:
            suggest(engine, position, options)
            play_out(engine, position, options)
        except grpc.RpcError as error:
            sys.exit(f"{error.code().name}: {error.details()}")


def suggest(
    engine: engine_service_pb2_grpc.EngineServiceStub,
    position: game_pb2.Position,
    options: analysis_pb2.SearchOptions,
) -> None:
    """Show the three best turns."""
    request = pb.SuggestRequest(position=position, options=options)
    analysis = engine.Suggest(request, timeout=30).analysis
    print(f"player {analysis.mover} is to move; {analysis.simulations} simulations")
    for candidate in analysis.candidates[:3]:
        print(f"{candidate.mover_win_probability:6.1%}  {'; '.join(map(text, candidate.turn))}")


def play_out(
    engine: engine_service_pb2_grpc.EngineServiceStub,
    position: game_pb2.Position,
    options: analysis_pb2.SearchOptions,
) -> None:
    """Let the bot play for all seats until the game is over."""
    score = engine.GetScore(pb.GetScoreRequest(position=position), timeout=30).score
    while not score.game_over:
        turn = engine.PlayTurn(pb.PlayTurnRequest(position=position, options=options), timeout=30)
        events = as_events(turn.actions, position.unseen)
        request = pb.ApplyActionsRequest(position=position, events=events)
        answer = engine.ApplyActions(request, timeout=30)
        position, score = answer.position, answer.score
    print("points:", ", ".join(str(seat.total) for seat in score.seats))
    print("won by:", ", ".join(f"player {seat}" for seat in score.winners))


def as_events(
    actions: Sequence[game_pb2.Action], unseen: Sequence[game_pb2.Longship]
) -> list[game_pb2.Event]:
    """Put behind a longship that is taken the one that the bag reveals, if it has any."""
    events = []
    for action in actions:
        events.append(game_pb2.Event(action=action))
        if action.HasField("take_longship") and unseen:
            draw = game_pb2.DrawLongship(
                slot=action.take_longship.slot, longship=random.choice(unseen)
            )
            events.append(game_pb2.Event(draw=draw))
    return events


def text(action: game_pb2.Action) -> str:
    """Write an action on a line."""
    return text_format.MessageToString(action, as_one_line=True)


if __name__ == "__main__":
    main()
