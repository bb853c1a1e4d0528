"""The engine as JSON lines, for tools that start it as a process: see docs/json_lines.md."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from google.protobuf import json_format, message_factory
from google.protobuf.message import Message
from google.rpc import status_pb2

from looot.v1 import engine_service_pb2 as pb
from server.engine import Engine
from server.errors import FAULT, Refusal

LONGEST_ID = 64
LINE_BYTES_PER_REQUEST_BYTE = 16
"""How much longer a request may be in JSON than in protobuf's own form."""

_KEYS = {"id", "method", "request"}
_Id: TypeAlias = str | int
_log = logging.getLogger(__name__)


class LineError(Exception):
    """A line that is no call."""

    def __init__(self, message: str, code: grpc.StatusCode = grpc.StatusCode.INVALID_ARGUMENT):
        super().__init__(message)
        self.status = status_pb2.Status(code=code.value[0], message=message)


class JsonLines:
    """Answers lines.

    Safe to use from one event loop only.

    Parameters
    ----------
    engine : Engine
    max_request_bytes : int
        Of a request, in protobuf's own form.
    max_calls : int
        How many may run at once.
    write : callable
        Takes a line out, without its end.
    """

    def __init__(
        self, engine: Engine, max_request_bytes: int, max_calls: int, write: Callable[[str], None]
    ) -> None:
        self._max_request_bytes = max_request_bytes
        self._max_calls = max_calls
        self._write = write
        self._running: dict[_Id, asyncio.Task[None]] = {}
        self._methods: dict[str, _Method] = {
            "Suggest": _Method("Suggest", lambda request: engine.suggest(request, None)),
            "PlayTurn": _Method("PlayTurn", lambda request: engine.play_turn(request, None)),
            "ListLegalActions": _Method("ListLegalActions", engine.list_legal_actions),
            "ApplyActions": _Method("ApplyActions", engine.apply_actions),
            "GetScore": _Method("GetScore", engine.get_score),
            "GetEngineInfo": _Method("GetEngineInfo", engine.get_engine_info),
            "Analyze": _Method("Analyze", None, lambda request: engine.analyze(request, None)),
        }

    @property
    def longest_line(self) -> int:
        """Bytes of the longest line that is read."""
        return LINE_BYTES_PER_REQUEST_BYTE * self._max_request_bytes

    def take(self, line: bytes) -> None:
        """Begin what a line asks for; it never fails, whatever the line is."""
        identity: _Id | None = None
        try:
            call = _read_object(line, self.longest_line)
            identity = _read_id(call)
            if identity in self._running:
                raise LineError(f"id: {identity!r} is that of a call that still runs")
            for key in sorted(call.keys() - _KEYS):
                self._put(identity, warning=f"{key[:LONGEST_ID]}: unknown, and ignored")
            self._begin(identity, call.get("method"), call.get("request", {}))
        except LineError as error:
            self._put(identity, error=_to_json(error.status))

    async def finish(self) -> None:
        """Wait until every call has ended."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def cancel(self, identity: _Id | None = None) -> list[_Id]:
        """Cancel one call, or all if none is named; give the ids of those that ran."""
        chosen = [one for one in self._running if identity is None or one == identity]
        for one in chosen:
            self._running[one].cancel()
        return chosen

    def _begin(self, identity: _Id, method: object, request: object) -> None:
        if method == "CancelAll":
            self._put(identity, response={"ids": self.cancel()})
        elif method == "Cancel":
            target = _read_id(request if isinstance(request, dict) else {}, "request.id")
            self._put(identity, response={"ids": self.cancel(target)})
        elif isinstance(method, str) and method in self._methods:
            if len(self._running) >= self._max_calls:
                raise LineError(
                    f"{self._max_calls} calls run already", grpc.StatusCode.RESOURCE_EXHAUSTED
                )
            message = self._read_request(identity, self._methods[method], request)
            task = asyncio.create_task(self._answer(identity, self._methods[method], message))
            self._running[identity] = task
            task.add_done_callback(lambda task: self._end(identity, task))
        else:
            names = ", ".join([*sorted(self._methods), "Cancel", "CancelAll"])
            raise LineError(f"method: {str(method)[:LONGEST_ID]!r} is none of {names}")

    def _read_request(self, identity: _Id, method: _Method, request: object) -> Message:
        message, ignored = method.read(request)
        if ignored:
            self._put(identity, warning=f"request: {ignored}; ignored")
        if message.ByteSize() > self._max_request_bytes:
            raise LineError(
                f"request: {message.ByteSize()} bytes are more than {self._max_request_bytes}",
                grpc.StatusCode.RESOURCE_EXHAUSTED,
            )
        return message

    async def _answer(self, identity: _Id, method: _Method, request: Message) -> None:
        try:
            if method.stream is None:
                assert method.answer is not None
                self._put(identity, response=_to_json(await method.answer(request)))
                return
            answers = method.stream(request)
            try:
                async for answer in answers:
                    self._put(
                        identity, **{"response" if answer.final else "update": _to_json(answer)}
                    )
            finally:
                await answers.aclose()
        except Refusal as refusal:
            self._put(identity, error=_to_json(refusal.status()))
        except Exception:
            _log.exception("a call failed")
            error = LineError(FAULT, grpc.StatusCode.INTERNAL)
            self._put(identity, error=_to_json(error.status))

    def _end(self, identity: _Id, task: asyncio.Task[None]) -> None:
        del self._running[identity]
        if task.cancelled():  # perhaps before it began
            error = LineError("cancelled", grpc.StatusCode.CANCELLED)
            self._put(identity, error=_to_json(error.status))

    def _put(self, identity: _Id | None, **content: object) -> None:
        self._write(json.dumps({"id": identity, **content}, separators=(",", ":")))


class _Method:
    """A method of the service: how its request is read, and what answers it."""

    def __init__(
        self,
        name: str,
        answer: Callable[[Any], Awaitable[Message]] | None,
        stream: Callable[[Any], AsyncGenerator[pb.AnalyzeResponse]] | None = None,
    ) -> None:
        service = pb.DESCRIPTOR.services_by_name["EngineService"]
        self._request = message_factory.GetMessageClass(service.methods_by_name[name].input_type)
        self.answer = answer
        self.stream = stream

    def read(self, request: Any) -> tuple[Message, str]:
        """Read a request; give it with what was ignored in it, in words."""
        try:
            try:
                return json_format.ParseDict(request, self._request()), ""
            except json_format.ParseError as error:
                known = json_format.ParseDict(request, self._request(), ignore_unknown_fields=True)
                return known, _shorten(error)
        except Exception as error:  # for some values it raises more than it says
            raise LineError(f"request: {_shorten(error)}") from error


def _read_object(line: bytes, longest: int) -> dict[str, Any]:
    if len(line) > longest:
        raise LineError(
            f"the line has more than {longest} bytes", grpc.StatusCode.RESOURCE_EXHAUSTED
        )
    try:
        call = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError(f"the line is not JSON: {_shorten(error)}") from error
    if not isinstance(call, dict):
        raise LineError("the line is no object")
    return call


def _read_id(call: dict[str, Any], field: str = "id") -> _Id:
    identity = call.get("id")
    if type(identity) is str and len(identity) <= LONGEST_ID:
        return identity
    if type(identity) is int and abs(identity) < 1 << 63:
        return identity
    raise LineError(
        f"{field}: it is neither a text of up to {LONGEST_ID} characters nor an integer"
    )


def _to_json(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(message)


def _shorten(error: Exception) -> str:
    text = " ".join((str(error) or type(error).__name__).split())
    return text if len(text) <= 200 else f"{text[:200]}…"
