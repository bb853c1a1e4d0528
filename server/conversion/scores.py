"""Scores."""

from __future__ import annotations

import looot_core as lc
from looot.v1 import game_pb2
from looot_core.state import SCORED_KINDS
from server.conversion.vocabulary import tile_kind


def score_to_message(state: lc.State) -> game_pb2.Score:
    """Give the points of all seats."""
    return game_pb2.Score(
        seats=[_seat(state, player) for player in range(state.players)],
        game_over=state.is_over,
        winners=state.winners(),
    )


def _seat(state: lc.State, player: int) -> game_pb2.SeatScore:
    points = state.score_breakdown(player)
    return game_pb2.SeatScore(
        total=points["total"],
        kinds=[game_pb2.KindScore(kind=tile_kind(kind), **points[kind]) for kind in SCORED_KINDS],
        sites=points["sites"],
        trophy=points["trophy"],
        penalty=points["penalty"],
    )
