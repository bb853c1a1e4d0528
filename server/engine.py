"""What ``EngineService`` does, whatever carries its calls: from a request to its response.

Each method is described in ``engine_service.proto``. It raises `Refusal` for what it refuses.
"""

from __future__ import annotations

from typing import TypeAlias

import ai
import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.conversion import (
    FieldError,
    action_to_message,
    analysis_to_message,
    position_from_message,
    position_to_message,
    score_to_message,
)
from server.conversion.vocabulary import EDITION_NAMES, edition
from server.errors import Refusal, refusing_fields
from server.events import apply_events
from server.limits import Limits
from server.options import DEFAULT_AGENT, MAX_LEVEL, MIN_LEVEL, Search, read_options
from server.searches import Searches

PROTOCOL_VERSION = "looot.v1"
CAPABILITIES = (pb.CAPABILITY_RULES, pb.CAPABILITY_SEARCH)


_SearchRequest: TypeAlias = pb.SuggestRequest | pb.PlayTurnRequest
_PositionRequest: TypeAlias = (
    _SearchRequest | pb.ListLegalActionsRequest | pb.ApplyActionsRequest | pb.GetScoreRequest
)


class Engine:
    """Answers requests.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.searches = Searches(limits.max_searches, limits.max_waiting)

    async def suggest(
        self, request: pb.SuggestRequest, remaining_s: float | None
    ) -> pb.SuggestResponse:
        """Search a position; `remaining_s` is the time until the call's deadline."""
        mover, search, analysis = await self._search(request, remaining_s)
        return pb.SuggestResponse(
            analysis=analysis_to_message(
                analysis, mover, search.agent, search.level, search.max_candidates
            )
        )

    async def play_turn(
        self, request: pb.PlayTurnRequest, remaining_s: float | None
    ) -> pb.PlayTurnResponse:
        """Search a position; `remaining_s` is the time until the call's deadline."""
        _, _, analysis = await self._search(request, remaining_s)
        return pb.PlayTurnResponse(actions=map(action_to_message, analysis.turn))

    async def list_legal_actions(
        self, request: pb.ListLegalActionsRequest
    ) -> pb.ListLegalActionsResponse:
        """List the legal actions."""
        state = lc.State.from_position(_position(request))
        return pb.ListLegalActionsResponse(actions=map(action_to_message, state.legal_actions()))

    async def apply_actions(self, request: pb.ApplyActionsRequest) -> pb.ApplyActionsResponse:
        """Apply events."""
        state = lc.State.from_position(_position(request))
        apply_events(state, request.events, self._limits.max_events)
        return pb.ApplyActionsResponse(
            position=position_to_message(state.position()), score=score_to_message(state)
        )

    async def get_score(self, request: pb.GetScoreRequest) -> pb.GetScoreResponse:
        """Count the points."""
        state = lc.State.from_position(_position(request))
        return pb.GetScoreResponse(score=score_to_message(state))

    async def get_engine_info(self, request: pb.GetEngineInfoRequest) -> pb.GetEngineInfoResponse:
        """Describe the server."""
        return pb.GetEngineInfoResponse(
            engine_version=lc.__version__,
            protocol_version=PROTOCOL_VERSION,
            agents=[
                pb.AgentInfo(name=name, min_level=MIN_LEVEL, max_level=MAX_LEVEL)
                for name in ai.agent_names()
            ],
            default_agent=DEFAULT_AGENT,
            editions=map(edition, EDITION_NAMES.values()),
            limits=self._limits.message(),
            capabilities=CAPABILITIES,
        )

    async def _search(
        self, request: _SearchRequest, remaining_s: float | None
    ) -> tuple[int, Search, ai.Analysis]:
        position = _position(request)
        if position.phase == lc.Phase.OVER:
            raise Refusal(
                ErrorReason.ERROR_REASON_GAME_OVER, "the game is over (R19)", "position.phase"
            )
        search = read_options(request.options, self._limits, "options")
        agent = search.create_agent("options")
        analysis = await self.searches.run(agent, position, search, remaining_s)
        return position.current_player, search, analysis


def _position(request: _PositionRequest) -> lc.Position:
    with refusing_fields(ErrorReason.ERROR_REASON_INVALID_POSITION):
        if not request.HasField("position"):
            raise FieldError("position", "missing: it is required")
        return position_from_message(request.position, "position")
