"""Analyses."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

import ai
import looot_core as lc
from looot.v1 import analysis_pb2
from server.conversion.actions import action_to_message

_STOP_REASONS = {
    "time": analysis_pb2.STOP_REASON_TIME,
    "simulations": analysis_pb2.STOP_REASON_SIMULATIONS,
    "memory": analysis_pb2.STOP_REASON_MEMORY,
    "only_move": analysis_pb2.STOP_REASON_ONLY_ACTION,
    "stop": analysis_pb2.STOP_REASON_STOPPED,
    "complete": analysis_pb2.STOP_REASON_COMPLETE,
}


def analysis_to_message(
    analysis: ai.Analysis, mover: int, agent: str, level: int, max_candidates: int
) -> analysis_pb2.Analysis:
    """Give the message of what an agent of a level found, from the side of seat `mover`."""
    return analysis_pb2.Analysis(
        mover=mover,
        candidates=[_candidate(candidate) for candidate in analysis.candidates[:max_candidates]],
        turn=[action_to_message(action) for action in analysis.turn],
        expected_scores=analysis.expected_scores,
        simulations=analysis.simulations,
        nodes=analysis.nodes,
        depth=analysis.depth,
        time=duration(analysis.time_s),
        stop_reason=_STOP_REASONS.get(analysis.stopped_by, analysis_pb2.STOP_REASON_UNSPECIFIED),
        engine_version=lc.__version__,
        agent=agent,
        level=level,
    )


def _candidate(candidate: ai.Candidate) -> analysis_pb2.Candidate:
    return analysis_pb2.Candidate(
        action=action_to_message(candidate.action),
        turn=[action_to_message(action) for action in candidate.turn],
        visits=candidate.visits,
        mover_win_probability=candidate.win_probability,
        mover_score_lead=candidate.score_lead,
        prior=candidate.prior,
        standard_error=candidate.standard_error,
        principal_variation=[action_to_message(step) for step in candidate.principal_variation],
    )


def duration(seconds: float) -> Duration:
    """Give a time in seconds as a message."""
    message = Duration()
    message.FromNanoseconds(round(seconds * 1e9))
    return message
