"""The main job on real input: a recorded game's middle, a suggestion, and the game played out.

A server and a client in one process talk gRPC over the loopback address. The client is the table:
it holds the position and the bag, and asks the server for everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click
import grpc
from google.protobuf.duration_pb2 import Duration
from rich.console import Console

import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.command_line.errors import refusing_bad_input
from server.command_line.inputs import read_game, start_of_turn
from server.command_line.parameters import Seconds
from server.command_line.tables import Row, candidate_table, turn_text
from server.conversion import (
    action_from_message,
    draw_to_message,
    position_from_message,
    position_to_message,
)
from server.grpc_server import Server
from server.settings import load_settings

if TYPE_CHECKING:
    from looot.v1.engine_service_pb2_grpc import EngineServiceAsyncStub

Estimate: TypeAlias = Literal["mover_win_probability", "mover_score_lead"]

LONGEST_S = 60.0
RECORDS = Path(__file__).with_name("data") / "recorded_game.json"


class Table:
    """A game at a table: the position, the bag, and the engine that is asked.

    Parameters
    ----------
    engine : EngineServiceAsyncStub
    record : lc.GameRecord
        Of a game whose bag is known.
    turn : int
        The turn to begin at, from 0.

    Raises
    ------
    LoootError
        If the record cannot be played on from there.
    """

    def __init__(self, engine: EngineServiceAsyncStub, record: lc.GameRecord, turn: int) -> None:
        state = record.replay(start_of_turn(record, turn))
        if state.is_over:
            raise lc.InvalidRecordError(f"{record.name}: --turn {turn}: the game is over by then")
        if record.setup.bag is None:
            raise lc.InvalidRecordError(f"{record.name}: bag: missing, so nothing can be revealed")
        self._engine = engine
        self._bag = list(record.setup.bag[len(record.setup.bag) - len(state.unseen) :])
        self.position = position_to_message(state.position())
        self.score = game_pb2.Score()

    @property
    def state(self) -> lc.State:
        """The position as a state, to draw it and to write actions."""
        return lc.State.from_position(position_from_message(self.position, "position"))

    def texts(self, actions: Iterable[game_pb2.Action]) -> list[str]:
        """Write actions in the notation."""
        state = self.state
        return [str(action_from_message(action, state, "action")) for action in actions]

    async def suggest(self, time_s: float) -> analysis_pb2.Analysis:
        """Ask what to do."""
        answer = await self._engine.Suggest(
            pb.SuggestRequest(position=self.position, options=_options(time_s))
        )
        return answer.analysis

    async def bot_turn(self, time_s: float) -> Sequence[game_pb2.Action]:
        """Ask for a whole turn."""
        request = pb.PlayTurnRequest(position=self.position, options=_options(time_s))
        return (await self._engine.PlayTurn(request)).actions

    async def apply(self, actions: Iterable[game_pb2.Action]) -> None:
        """Apply a turn, and reveal what the bag holds."""
        events = []
        for action in actions:
            events.append(game_pb2.Event(action=action))
            if action.HasField("take_longship") and self._bag:
                draw = draw_to_message(action.take_longship.slot, self._bag.pop(0))
                events.append(game_pb2.Event(draw=draw))
        request = pb.ApplyActionsRequest(position=self.position, events=events)
        answer = await self._engine.ApplyActions(request)
        self.position, self.score = answer.position, answer.score


def _options(time_s: float) -> analysis_pb2.SearchOptions:
    time = Duration()
    time.FromNanoseconds(int(time_s * 1e9))
    return analysis_pb2.SearchOptions(limits=analysis_pb2.SearchLimits(time=time))


async def play(record: lc.GameRecord, turn: int, time_s: float) -> None:
    """Suggest a turn, and let the bot play the game out.

    Parameters
    ----------
    record : lc.GameRecord
        Of a game whose bag is known.
    turn : int
        The turn to begin at, from 0.
    time_s : float
        Seconds for the suggestion; the turns behind it get a tenth each.

    Raises
    ------
    LoootError
        If the record cannot be played on from there.
    """
    server = Server(load_settings({"database_url": "", "max_time_s": LONGEST_S}))
    port = await server.start("127.0.0.1", 0)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            await _play_out(Table(EngineServiceStub(channel), record, turn), time_s)
    finally:
        await server.stop()


async def _play_out(table: Table, time_s: float) -> None:
    number = table.position.turn_number
    print(f"A recorded game, before turn {number}:\n\n{table.state}\n")
    analysis = await table.suggest(time_s)
    show_analysis(table, analysis)
    await table.apply(analysis.turn)
    while not table.score.game_over:
        player, number = table.position.current_player, table.position.turn_number
        actions = await table.bot_turn(time_s / 10)
        print(f"turn {number}, player {player}: {turn_text(table.texts(actions))}")
        await table.apply(actions)
    print(f"\n{table.state}")
    totals = ", ".join(f"player {at}: {seat.total}" for at, seat in enumerate(table.score.seats))
    winners = " and ".join(f"player {seat}" for seat in table.score.winners)
    print(f"\nFinal score: {totals}. Won by {winners}.")


def show_analysis(table: Table, analysis: analysis_pb2.Analysis) -> None:
    """Print the ranked candidates and the turn."""
    rows = [
        Row(
            turn=table.texts(candidate.turn),
            visits=candidate.visits,
            win_probability=_given(candidate, "mover_win_probability"),
            score_lead=_given(candidate, "mover_score_lead"),
        )
        for candidate in analysis.candidates[:8]
    ]
    Console(highlight=False).print(candidate_table(rows, analysis.mover))
    print(f"{analysis.simulations:,} simulations by {analysis.agent}")
    print(f"\nThe turn: {turn_text(table.texts(analysis.turn))}\n")


def _given(candidate: analysis_pb2.Candidate, field: Estimate) -> float | None:
    return getattr(candidate, field) if candidate.HasField(field) else None


@click.command(context_settings={"show_default": True, "help_option_names": ["-h", "--help"]})
@click.option(
    "--records",
    metavar="FILE",
    default=str(RECORDS),
    show_default="a game that comes with the engine",
    help="A record of games whose bag is known (JSON Lines).",
)
@click.option("--game", type=click.IntRange(1), default=1, help="Which game of FILE, from 1.")
@click.option("--turn", type=click.IntRange(0), default=13, help="The turn to begin at, from 0.")
@click.option(
    "--time",
    "time_s",
    type=Seconds(LONGEST_S),
    default=2.0,
    help="Seconds for the suggestion; each turn behind it gets a tenth.",
)
def main(records: str, game: int, turn: int, time_s: float) -> None:
    """Load a recorded game, ask a server over gRPC for the best turn, and play the game out."""
    with refusing_bad_input():
        asyncio.run(play(read_game(records, game), turn, time_s))


if __name__ == "__main__":
    main()
