"""The service over Connect and gRPC-Web: answers, errors and ends of searches are those of gRPC."""

from __future__ import annotations

import base64
import logging
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2

import ai
import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_service_pb2 as game_pb
from looot.v1.engine_service_connect import EngineServiceClientSync
from looot.v1.game_pb2 import EDITION_PRINTED
from looot.v1.game_service_connect import GameServiceClientSync
from server.access import hash_key, new_key
from server.conversion import position_to_message
from server.errors import FAULT
from tests.positions import position_in
from tests.server.browsers import ORIGIN, Browsers, running_browsers
from tests.server.conftest import LIMITS
from tests.server.recorder import PATIENCE_S, Recorder
from tests.server.service import refused

SERVICE = "looot.v1.EngineService"
PROTOCOLS = [ProtocolType.CONNECT, ProtocolType.GRPC_WEB]


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    with running_browsers(LIMITS) as running:
        yield running


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: str(protocol.name))
def engine(browsers: Browsers, request: pytest.FixtureRequest) -> Iterator[EngineServiceClientSync]:
    with EngineServiceClientSync(browsers.url, protocol=request.param) as client:
        yield client


def suggestion(**limits: int) -> pb.SuggestRequest:
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.seed = 1
    for name, value in limits.items():
        setattr(request.options.limits, name, value)
    return request


def long_suggestion() -> pb.SuggestRequest:
    request = suggestion()
    request.options.limits.time.CopyFrom(Duration(seconds=30))
    return request


def test_the_answers_are_those_of_grpc(browsers: Browsers, engine: EngineServiceClientSync) -> None:
    request = suggestion(simulations=100)
    here = engine.suggest(request).analysis
    there = browsers.service.engine.Suggest(request, timeout=30).analysis
    here.ClearField("time")
    there.ClearField("time")
    assert here == there


def test_errors_carry_the_details_of_grpc(
    browsers: Browsers, engine: EngineServiceClientSync
) -> None:
    request = suggestion(simulations=0)
    with pytest.raises(ConnectError) as caught:
        engine.suggest(request)
    there = refused(lambda: browsers.service.engine.Suggest(request, timeout=30))
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert caught.value.message == there.message
    info, violations = caught.value.details
    assert info.type_name == "google.rpc.ErrorInfo"
    assert error_details_pb2.ErrorInfo.FromString(info.message_bytes) == there.infos[0]
    fields = error_details_pb2.BadRequest.FromString(violations.message_bytes).field_violations
    assert list(fields) == there.violations


def test_a_fault_is_answered_without_its_text(
    engine: EngineServiceClientSync,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(state: lc.State) -> None:
        raise KeyError("secret")

    monkeypatch.setattr("server.engine.score_to_message", fail)
    with pytest.raises(ConnectError) as caught:
        engine.get_score(pb.GetScoreRequest(position=position_to_message(position_in("viking"))))
    assert caught.value.code is Code.INTERNAL
    assert (caught.value.message, list(caught.value.details)) == (FAULT, [])
    assert "secret" in caplog.text


def test_a_request_that_is_too_large(engine: EngineServiceClientSync) -> None:
    request = pb.GetScoreRequest()
    request.position.arrangement.ocean.board = "A" * (LIMITS.max_request_bytes + 1)
    with pytest.raises(ConnectError) as caught:
        engine.get_score(request)
    assert caught.value.code is Code.RESOURCE_EXHAUSTED


def test_the_deadline_reaches_the_search(
    engine: EngineServiceClientSync, recorder: Recorder
) -> None:
    assert engine.suggest(long_suggestion(), timeout_ms=2_000).analysis.turn
    (time_s,) = recorder.times_s
    assert time_s is not None
    assert 0 < time_s < 2


@pytest.mark.parametrize("kind", ["json", "grpc-web+proto"])
def test_a_client_that_goes_away_stops_its_search(
    browsers: Browsers, recorder: Recorder, kind: str
) -> None:
    request = long_suggestion()
    body = json_format.MessageToJson(request).encode()
    if kind != "json":
        body = request.SerializeToString()
        body = b"\0" + len(body).to_bytes(4) + body
    head = f"POST /{SERVICE}/Suggest HTTP/1.1\r\nHost: here\r\nContent-Type: application/{kind}\r\n"
    host, port = browsers.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        recorder.wait_for_begin()
    assert recorder.wait_for_end() == ai.SearchAborted.__name__


def test_curl_with_json(browsers: Browsers) -> None:
    position = json_format.MessageToDict(position_to_message(position_in("viking", players=3)))
    request = {"position": position, "options": {"limits": {"simulations": "20"}}}
    answer = browsers.curl(f"{SERVICE}/PlayTurn", request=request)
    assert answer.code == 200
    assert answer.json["actions"][-1] == {"endTurn": {}}


def test_curl_is_told_why_it_is_refused(browsers: Browsers) -> None:
    answer = browsers.curl(f"{SERVICE}/PlayTurn", request={})
    assert answer.code == 400
    assert answer.json["code"] == "invalid_argument"
    assert answer.json["message"] == "position: missing: it is required"
    info, _ = answer.json["details"]
    value = base64.b64decode(info["value"] + "==")
    assert info["type"] == "google.rpc.ErrorInfo"
    assert error_details_pb2.ErrorInfo.FromString(value).reason == "INVALID_POSITION"


@pytest.mark.parametrize("body", ["{", '{"position": 7}', "[" * 50_000, '{"a":' * 10_000, "\0"])
def test_what_is_no_message_is_refused_and_not_logged(
    browsers: Browsers, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    answer = browsers.curl(f"{SERVICE}/PlayTurn", request=body)
    assert answer.code == 400
    assert answer.json["code"] == "invalid_argument"
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


def test_native_grpc_is_told_that_it_is_wrong_here(
    browsers: Browsers, caplog: pytest.LogCaptureFixture
) -> None:
    grpc = ("--header", "Content-Type: application/grpc", "--data-binary", "x")
    assert browsers.curl(f"{SERVICE}/PlayTurn", *grpc).code == 415
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("name", ["X-Request-Id", "Authorization", "X-Anything"])
def test_headers_that_are_no_text_are_refused(
    browsers: Browsers, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    header = f"{name}: Bearer " + os.fsdecode(b"\xe9")  # no UTF-8
    answer = browsers.curl(f"{SERVICE}/GetEngineInfo", "--header", header, request={})
    assert answer.code == 400
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


def test_pages_of_named_origins_may_call_and_others_may_not(browsers: Browsers) -> None:
    def preflight(origin: str) -> str:
        asked = ("Access-Control-Request-Method: POST", f"Origin: {origin}")
        headers = [part for header in asked for part in ("--header", header)]
        wanted = (
            "Access-Control-Request-Headers: content-type,connect-protocol-version,authorization"
        )
        arguments = ["--include", "--request", "OPTIONS", *headers, "--header", wanted]
        return browsers.curl(f"{SERVICE}/Suggest", *arguments).text.lower()

    assert f"access-control-allow-origin: {ORIGIN}" in preflight(ORIGIN)
    assert "access-control-allow-origin" not in preflight("https://example.net")


def test_the_id_of_a_request_comes_back(browsers: Browsers) -> None:
    given = ("--include", "--header", "X-Request-Id: game-7")
    requests: tuple[object, ...] = ({}, "no message")
    for request in requests:
        answer = browsers.curl(f"{SERVICE}/GetScore", *given, request=request)
        assert "x-request-id: game-7" in answer.text.lower()


def test_a_key_is_asked_for_before_anything_is_read(tmp_path: Path) -> None:
    key, keys = new_key(), tmp_path / "keys.toml"
    keys.write_text(f'[[keys]]\nname = "page"\nsha256 = "{hash_key(key)}"\n', encoding="utf-8")
    with running_browsers(LIMITS.model_copy(update={"keys_file": keys})) as running:
        answer = running.curl(f"{SERVICE}/GetEngineInfo", request="no message")
        assert answer.code == 401
        assert answer.json["code"] == "unauthenticated"
        shown = ("--header", f"Authorization: Bearer {key}")
        assert running.curl(f"{SERVICE}/GetEngineInfo", *shown, request={}).code == 200


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: str(protocol.name))
def test_a_hosted_game_is_watched_to_its_end(tmp_path: Path, protocol: ProtocolType) -> None:
    seat = game_pb.SeatPlayer(bot=game_pb.Bot(agent="random"))
    request = game_pb.CreateGameRequest(seats=[seat, seat])
    request.random.edition = EDITION_PRINTED
    database = {"database_url": f"sqlite:///{tmp_path}/games.db"}
    with (
        running_browsers(LIMITS.model_copy(update=database)) as running,
        GameServiceClientSync(running.url, protocol=protocol) as games,
    ):
        game_id = games.create_game(request).game.game_id
        watch = game_pb.WatchGameRequest(game_id=game_id, after_version=0)
        events = [event for update in games.watch_game(watch) for event in update.events]
        game = games.get_game(game_pb.GetGameRequest(game_id=game_id)).game
        with pytest.raises(ConnectError) as caught:
            games.get_game(game_pb.GetGameRequest(game_id="A" * 22))
    assert game.status == game_pb.GAME_STATUS_OVER
    assert [event.version for event in events] == list(range(1, game.version + 1))
    assert caught.value.code is Code.NOT_FOUND


def test_health(browsers: Browsers) -> None:
    assert browsers.curl("healthz").text == "serving\n"


def test_a_server_that_stops_lets_a_call_end(recorder: Recorder) -> None:
    with running_browsers(LIMITS) as running:
        answers: list[pb.SuggestResponse] = []

        def ask() -> None:
            with EngineServiceClientSync(running.url) as engine:
                answers.append(engine.suggest(long_suggestion()))

        asking = threading.Thread(target=ask)
        asking.start()
        recorder.wait_for_begin()
        running.service.stop(PATIENCE_S)
        asking.join(PATIENCE_S)
        (answer,) = answers
        assert answer.analysis.turn
        with pytest.raises(subprocess.CalledProcessError):
            running.curl("healthz")
