"""TLS and mutual TLS at the port for browsers."""

from __future__ import annotations

import logging
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration

import ai
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_service_pb2 as game_pb
from looot.v1.engine_service_connect import EngineServiceClientSync
from looot.v1.game_pb2 import EDITION_PRINTED
from looot.v1.game_service_connect import GameServiceClientSync
from server.access import hash_key, new_key
from server.conversion import position_to_message
from tests.positions import position_in
from tests.server.browsers import Browsers, running_browsers
from tests.server.certificates import Certificates
from tests.server.recorder import Recorder

INFO = "looot.v1.EngineService/GetEngineInfo"
PROTOCOLS = [ProtocolType.CONNECT, ProtocolType.GRPC_WEB]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def secure(made: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    database = f"sqlite:///{tmp_path_factory.mktemp('games')}/games.db"
    with running_browsers(made.settings(database_url=database)) as running:
        yield running


@pytest.fixture(scope="module")
def mutual(made: Certificates) -> Iterator[Browsers]:
    with running_browsers(made.settings(mutual=True)) as running:
        yield running


def write(client: trustme.LeafCert, folder: Path) -> list[str]:
    """Give curl's arguments for a client's certificate."""
    certificate, key = folder / "client.pem", folder / "client-key.pem"
    client.cert_chain_pems[0].write_to_path(str(certificate))
    client.private_key_pem.write_to_path(str(key))
    return ["--cert", str(certificate), "--key", str(key)]


def fails(browsers: Browsers, *arguments: str) -> bool:
    """Tell whether curl gets no answer at all."""
    with pytest.raises(subprocess.CalledProcessError) as caught:
        browsers.curl(INFO, *arguments, request={})
    assert caught.value.returncode not in (2, 28)  # neither misused nor out of time
    return True


def test_curl_with_the_authority_of_the_server(secure: Browsers, made: Certificates) -> None:
    answer = secure.curl(INFO, "--cacert", str(made.server_ca), request={})
    assert answer.code == 200
    assert answer.json["agents"]
    assert secure.curl("healthz", "--cacert", str(made.server_ca)).text == "serving\n"


def test_curl_trusts_no_other_server(
    secure: Browsers, made: Certificates, caplog: pytest.LogCaptureFixture
) -> None:
    assert fails(secure)
    assert fails(secure, "--cacert", str(made.client_ca))
    assert fails(Browsers(secure.service, secure.url.replace("https", "http")))
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: str(protocol.name))
def test_a_hosted_game_is_watched_over_tls(
    secure: Browsers, made: Certificates, protocol: ProtocolType
) -> None:
    seat = game_pb.SeatPlayer(bot=game_pb.Bot(agent="random"))
    request = game_pb.CreateGameRequest(seats=[seat, seat])
    request.random.edition = EDITION_PRINTED
    client = made.http_client()
    with GameServiceClientSync(secure.url, protocol=protocol, http_client=client) as games:
        game_id = games.create_game(request).game.game_id
        watch = game_pb.WatchGameRequest(game_id=game_id, after_version=0)
        events = [event for update in games.watch_game(watch) for event in update.events]
        game = games.get_game(game_pb.GetGameRequest(game_id=game_id)).game
    assert game.status == game_pb.GAME_STATUS_OVER
    assert [event.version for event in events] == list(range(1, game.version + 1))


def test_a_client_that_goes_away_over_tls_stops_its_search(
    secure: Browsers, made: Certificates, recorder: Recorder
) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.limits.time.CopyFrom(Duration(seconds=30))
    body = json_format.MessageToJson(request).encode()
    head = (
        "POST /looot.v1.EngineService/Suggest HTTP/1.1\r\nHost: here\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    port = int(secure.url.rpartition(":")[2])
    trusting = ssl.create_default_context(cafile=made.server_ca)
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        trusting.wrap_socket(plain, server_hostname="localhost") as client,
    ):
        client.sendall(head.encode() + body)
        recorder.wait_for_begin()
    assert recorder.wait_for_end() == ai.SearchAborted.__name__


def test_a_client_must_be_vouched_for(
    mutual: Browsers, made: Certificates, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trusting = ("--cacert", str(made.server_ca))
    known = write(made.clients.issue_cert("client"), tmp_path)
    assert mutual.curl(INFO, *trusting, *known, request={}).json["agents"]
    assert fails(mutual, *trusting)
    assert fails(mutual, *trusting, *write(trustme.CA().issue_cert("client"), tmp_path))
    # Also one of the server's own authority: that vouches for servers, not for clients.
    assert fails(mutual, *trusting, *write(made.authority.issue_cert("client"), tmp_path))
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: str(protocol.name))
def test_a_client_that_is_vouched_for_streams(
    mutual: Browsers, made: Certificates, protocol: ProtocolType
) -> None:
    request = pb.AnalyzeRequest(position=position_to_message(position_in("viking")))
    request.options.limits.simulations = 50
    client = made.http_client(made.clients.issue_cert("client"))
    with EngineServiceClientSync(mutual.url, protocol=protocol, http_client=client) as engine:
        *_, last = engine.analyze(request)
    assert last.final


def test_a_key_is_asked_for_over_tls_too(made: Certificates, tmp_path: Path) -> None:
    key, keys = new_key(), tmp_path / "keys.toml"
    keys.write_text(f'[[keys]]\nname = "page"\nsha256 = "{hash_key(key)}"\n', encoding="utf-8")
    trusting = ("--cacert", str(made.server_ca))
    with running_browsers(made.settings(keys_file=keys)) as running:
        assert running.curl(INFO, *trusting, request={}).code == 401
        shown = ("--header", f"Authorization: Bearer {key}")
        assert running.curl(INFO, *trusting, *shown, request={}).code == 200


def test_a_server_with_tls_stops_while_a_game_is_watched(
    made: Certificates, tmp_path: Path
) -> None:
    request = game_pb.CreateGameRequest()
    for _ in range(2):
        request.seats.add().human.SetInParent()
    request.random.edition = EDITION_PRINTED
    settings = made.settings(database_url=f"sqlite:///{tmp_path}/games.db")
    with (
        running_browsers(settings) as running,
        GameServiceClientSync(running.url, http_client=made.http_client()) as games,
    ):
        game_id = games.create_game(request).game.game_id
        updates = iter(games.watch_game(game_pb.WatchGameRequest(game_id=game_id)))
        assert next(updates).game.game_id == game_id
        running.service.stop(grace_s=1)
        with pytest.raises(ConnectError) as caught:
            next(updates)
        assert caught.value.code is Code.UNAVAILABLE
