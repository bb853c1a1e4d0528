"""Analyses."""

from __future__ import annotations

import ai
import looot_core as lc
from looot.v1 import analysis_pb2, engine_service_pb2
from server.conversion.actions import shared_action_message
from server.conversion.fields import duration_to_message

_STOP_REASONS = {
    "time": analysis_pb2.STOP_REASON_TIME,
    "simulations": analysis_pb2.STOP_REASON_SIMULATIONS,
    "only_move": analysis_pb2.STOP_REASON_ONLY_ACTION,
    "stop": analysis_pb2.STOP_REASON_STOPPED,
    "complete": analysis_pb2.STOP_REASON_COMPLETE,
    "early_end": analysis_pb2.STOP_REASON_DECIDED,
}


def analysis_to_message(
    analysis: ai.Analysis, mover: int, agent: str, level: int, max_candidates: int
) -> analysis_pb2.Analysis:
    """Give the message of what an agent of a level found, from the side of seat `mover`."""
    message = analysis_pb2.Analysis(
        mover=mover,
        turn=map(shared_action_message, analysis.turn),
        expected_scores=analysis.expected_scores,
        simulations=analysis.simulations,
        nodes=analysis.nodes,
        depth=analysis.depth,
        time=duration_to_message(analysis.time_s),
        stop_reason=_stop_reason(analysis),
        engine_version=lc.__version__,
        agent=agent,
        level=level,
        weights_hash=analysis.weights_hash,
        memory_bytes=analysis.memory_bytes,
    )
    for candidate in analysis.candidates[:max_candidates]:
        _add_candidate(message, candidate)
    return message


def turn_to_message(
    analysis: ai.Analysis, agent: str, level: int
) -> engine_service_pb2.PlayTurnResponse:
    """Give the message of the turn that an agent of a level found."""
    return engine_service_pb2.PlayTurnResponse(
        actions=map(shared_action_message, analysis.turn),
        stop_reason=_stop_reason(analysis),
        engine_version=lc.__version__,
        agent=agent,
        level=level,
        weights_hash=analysis.weights_hash,
    )


def _stop_reason(analysis: ai.Analysis) -> analysis_pb2.StopReason.ValueType:
    return _STOP_REASONS.get(analysis.stopped_by, analysis_pb2.STOP_REASON_UNSPECIFIED)


def _add_candidate(message: analysis_pb2.Analysis, candidate: ai.Candidate) -> None:
    """Add a candidate in place: there are many, and each copy of one copies all its actions."""
    added = message.candidates.add(
        visits=candidate.visits,
        mover_win_probability=candidate.win_probability,
        mover_score_lead=candidate.score_lead,
        prior=candidate.prior,
        standard_error=candidate.standard_error,
    )
    added.action.CopyFrom(shared_action_message(candidate.action))
    added.turn.extend(map(shared_action_message, candidate.turn))
    added.principal_variation.extend(map(shared_action_message, candidate.principal_variation))
