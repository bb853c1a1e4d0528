"""What ``EngineService`` does, whatever carries its calls: from a request to its response.

Each method is described in ``engine_service.proto``. It raises `Refusal` for what it refuses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, TypeVarTuple

import ai
import looot_core as lc
from looot.v1 import analysis_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.access import CALLER
from server.conversion import (
    FieldError,
    action_to_message,
    analysis_to_message,
    position_from_message,
    position_to_message,
    score_to_message,
    turn_to_message,
)
from server.conversion.vocabulary import EDITION_NAMES, edition
from server.errors import Refusal, refusing_fields
from server.events import apply_events
from server.limits import ServiceLimits
from server.options import DEFAULT_AGENT, SearchRequest, read_duration, read_search
from server.searches import Searches, stopping
from server.updates import Updates

PROTOCOL_VERSION = "looot.v1"
CAPABILITIES = (pb.CAPABILITY_RULES, pb.CAPABILITY_SEARCH, pb.CAPABILITY_ANALYZE)

_DEFAULT_INTERVAL_S = 0.5
_LEAST_TIME_S = 1e-6


_SearchCall: TypeAlias = pb.SuggestRequest | pb.PlayTurnRequest | pb.AnalyzeRequest
_PositionCall: TypeAlias = (
    _SearchCall | pb.ListLegalActionsRequest | pb.ApplyActionsRequest | pb.GetScoreRequest
)
_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class _Question:
    """What a request asks to search."""

    position: lc.Position
    search: SearchRequest
    agent: ai.Agent
    deadline: float | None


class Engine:
    """Answers requests.

    Safe to use from one event loop only, which it never holds up: messages are read, and the rules
    applied, in a thread of its own; searches run in others.

    Parameters
    ----------
    limits : ServiceLimits

    Attributes
    ----------
    game_limits : pb.GameLimits or None
        Those of the games that are hosted beside it, of which it only tells; None: none are.
    """

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self.game_limits: pb.GameLimits | None = None
        # One is enough: this work holds the GIL.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="rules")
        self.searches = Searches(limits)

    async def suggest(
        self, request: pb.SuggestRequest, remaining_s: float | None
    ) -> pb.SuggestResponse:
        """Search a position; `remaining_s` is the time until the call's deadline."""
        question = await self._question(request, remaining_s)
        analysis = await self._search(question)
        return pb.SuggestResponse(analysis=await self._message(question, analysis))

    async def analyze(
        self, request: pb.AnalyzeRequest, remaining_s: float | None
    ) -> AsyncGenerator[pb.AnalyzeResponse]:
        """Search a position, and tell what is found on the way.

        Close the generator to end the search: when it is closed, the search has ended.
        """
        question = await self._question(request, remaining_s)
        interval_s = self._interval_s(request)
        updates = Updates(interval_s)
        search = asyncio.create_task(self._search(question, updates.put))
        search.add_done_callback(updates.end)
        try:
            async for update in updates:
                yield await self._answer(question, update)
            analysis = await search
            answer = await self._answer(question, analysis)
            answer.final = not self.searches.stopping
            yield answer
            if not answer.final:
                raise stopping()
        finally:
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)

    async def play_turn(
        self, request: pb.PlayTurnRequest, remaining_s: float | None
    ) -> pb.PlayTurnResponse:
        """Search a position; `remaining_s` is the time until the call's deadline."""
        question = await self._question(request, remaining_s)
        analysis = await self._search(question)
        return turn_to_message(analysis, question.search.agent, question.search.level)

    async def list_legal_actions(
        self, request: pb.ListLegalActionsRequest
    ) -> pb.ListLegalActionsResponse:
        """List the legal actions."""
        return await self._in_worker(_list_legal_actions, request)

    async def apply_actions(self, request: pb.ApplyActionsRequest) -> pb.ApplyActionsResponse:
        """Apply events."""
        return await self._in_worker(self._apply_actions, request)

    async def get_score(self, request: pb.GetScoreRequest) -> pb.GetScoreResponse:
        """Count the points."""
        return await self._in_worker(_get_score, request)

    async def get_engine_info(self, request: pb.GetEngineInfoRequest) -> pb.GetEngineInfoResponse:
        """Describe the server."""
        agents = [
            pb.AgentInfo(
                name=info.name,
                min_level=info.levels[0],
                max_level=info.levels[-1],
                max_threads=min(info.max_threads, self._limits.max_threads),
                description=info.description,
            )
            for info in map(ai.agent_info, ai.agent_names())
        ]
        return pb.GetEngineInfoResponse(
            engine_version=lc.__version__,
            protocol_version=PROTOCOL_VERSION,
            agents=agents,
            default_agent=DEFAULT_AGENT,
            editions=map(edition, EDITION_NAMES.values()),
            limits=self._limits.message(max(agent.max_threads for agent in agents)),
            capabilities=CAPABILITIES + ((pb.CAPABILITY_GAMES,) if self.game_limits else ()),
            games=self.game_limits,
        )

    def close(self) -> None:
        """Abort every running search and let go of the threads."""
        self.searches.close()
        self._worker.shutdown(wait=False)

    async def _question(self, request: _SearchCall, remaining_s: float | None) -> _Question:
        """Read what is asked; refuse it before any work if it could neither begin nor wait."""
        loop = asyncio.get_running_loop()
        deadline = None if remaining_s is None else loop.time() + remaining_s
        self.searches.check_room(request.options.priority)
        return await self._in_worker(
            self._read_question, request, deadline, CALLER.get().max_time_s
        )

    def _read_question(
        self, request: _SearchCall, deadline: float | None, longest_s: float | None
    ) -> _Question:
        position = _position(request)
        if position.phase == lc.Phase.OVER:
            raise Refusal(
                ErrorReason.ERROR_REASON_GAME_OVER, "the game is over (R19)", "position.phase"
            )
        limits = self._limits.within(longest_s)
        search = read_search(request.options, position, limits, "options")
        return _Question(position, search, search.create_agent(), deadline)

    async def _search(
        self, question: _Question, on_update: Callable[[ai.Analysis], object] | None = None
    ) -> ai.Analysis:
        with CALLER.get().searching():
            return await self.searches.run(
                question.agent, question.position, question.search, question.deadline, on_update
            )

    async def _message(self, question: _Question, analysis: ai.Analysis) -> analysis_pb2.Analysis:
        search, mover = question.search, question.position.current_player
        return await self._in_worker(
            analysis_to_message, analysis, mover, search.agent, search.level, search.max_candidates
        )

    async def _answer(self, question: _Question, analysis: ai.Analysis) -> pb.AnalyzeResponse:
        return pb.AnalyzeResponse(
            analysis=await self._message(question, analysis),
            simulations_per_second=analysis.simulations / max(analysis.time_s, _LEAST_TIME_S),
        )

    def _interval_s(self, request: pb.AnalyzeRequest) -> float:
        shortest, longest = self._limits.min_interval_s, self._limits.max_interval_s
        if not request.HasField("interval"):
            return min(max(_DEFAULT_INTERVAL_S, shortest), longest)
        return read_duration(request.interval, shortest, longest, "interval")

    def _apply_actions(self, request: pb.ApplyActionsRequest) -> pb.ApplyActionsResponse:
        state = lc.State.from_position(_position(request))
        apply_events(state, request.events, self._limits.max_events)
        return pb.ApplyActionsResponse(
            position=position_to_message(state.position()), score=score_to_message(state)
        )

    async def _in_worker(
        self, work: Callable[[*_Arguments], _Answer], *arguments: *_Arguments
    ) -> _Answer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, work, *arguments)


def _list_legal_actions(request: pb.ListLegalActionsRequest) -> pb.ListLegalActionsResponse:
    state = lc.State.from_position(_position(request))
    return pb.ListLegalActionsResponse(actions=map(action_to_message, state.legal_actions()))


def _get_score(request: pb.GetScoreRequest) -> pb.GetScoreResponse:
    return pb.GetScoreResponse(score=score_to_message(lc.State.from_position(_position(request))))


def _position(request: _PositionCall) -> lc.Position:
    with refusing_fields(ErrorReason.ERROR_REASON_INVALID_POSITION):
        if not request.HasField("position"):
            raise FieldError("position", "missing: it is required")
        return position_from_message(request.position, "position")
