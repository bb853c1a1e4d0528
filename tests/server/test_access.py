"""Keys and certificates: who may call, and how much."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
import trustme
from click.testing import CliRunner
from google.protobuf.duration_pb2 import Duration

import ai
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from looot.v1.errors_pb2 import ErrorReason
from server.access import Caller, KeyEntry, Keys, hash_key, new_key
from server.command_line import main
from server.conversion import position_to_message
from server.errors import Refusal
from server.grpc_server import Server
from server.settings import Settings, SettingsError
from tests.positions import position_in
from tests.server.certificates import Certificates
from tests.server.recorder import PATIENCE_S, Recorder
from tests.server.service import cancel, refused, running_service

INFO = pb.GetEngineInfoRequest()


def made_key(tmp_path: Path, *limits: str) -> tuple[str, Path]:
    """Make a key with the command, as an operator does."""
    result = CliRunner().invoke(main, ["key", "--name", "front-end", *limits])
    assert result.exit_code == 0, result.output
    file = tmp_path / "keys.toml"
    file.write_text(result.stdout)
    key = result.stderr.strip()
    assert key not in result.stdout
    return key, file


def test_a_key_is_asked_for(tmp_path: Path) -> None:
    key, file = made_key(tmp_path)
    with running_service(Settings(database_url="", keys_file=file)) as service:
        for metadata in (
            (),
            (("authorization", "Bearer looot_wrong"),),
            (("authorization", key),),
            (("x-api-key", ""),),
        ):
            answer = refused(
                lambda given=metadata: service.engine.GetEngineInfo(INFO, metadata=given)  # type: ignore[misc]
            )
            assert answer.code is grpc.StatusCode.UNAUTHENTICATED
            assert answer.reason == "KEY_REQUIRED"
            assert key not in answer.message
        for metadata in ((("authorization", f"Bearer {key}"),), (("x-api-key", key),)):
            assert service.engine.GetEngineInfo(INFO, metadata=metadata).agents
        stream = refused(lambda: list(service.engine.Analyze(pb.AnalyzeRequest())))
        assert stream.reason == "KEY_REQUIRED"
        assert service.is_healthy()


def test_limits_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(ai, "create_agent", recorder.create_agent)
    key, file = made_key(tmp_path, "--max-searches", "1", "--max-time-s", "30")
    metadata = (("x-api-key", key),)
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.limits.time.CopyFrom(Duration(seconds=30))
    with running_service(Settings(database_url="", keys_file=file, max_searches=2)) as service:
        running = service.engine.Suggest.future(request, metadata=metadata)
        recorder.wait_for_begin()
        answer = refused(lambda: service.engine.Suggest(request, metadata=metadata))
        assert answer.reason == "KEY_EXHAUSTED"
        assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert answer.retry_after_s > 0
        cancel(running)
        recorder.wait_for_end()
        request.options.limits.time.CopyFrom(Duration(seconds=31))
        answer = refused(lambda: service.engine.Suggest(request, metadata=metadata))
        assert (answer.reason, answer.field) == ("INVALID_LIMITS", "options.limits.time")
        request.options.limits.Clear()
        request.options.limits.simulations = 3
        service.engine.Suggest(request, metadata=metadata, timeout=PATIENCE_S)
        assert recorder.limits[-1].time_s == pytest.approx(30, rel=0.5)


def test_calls_a_second() -> None:
    now = 0.0
    entry = KeyEntry(name="a", sha256=hash_key("x"), calls_per_second=2)
    caller = Caller(entry, clock=lambda: now)
    caller.count_call()
    caller.count_call()
    with pytest.raises(Refusal) as caught:
        caller.count_call()
    assert caught.value.reason == ErrorReason.ERROR_REASON_KEY_EXHAUSTED
    assert caught.value.retry_after_s == pytest.approx(0.5)
    now = 0.5
    caller.count_call()
    now = 100.0
    caller.count_call()
    caller.count_call()
    with pytest.raises(Refusal):
        caller.count_call()


def test_keys_are_long_and_random() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(len(key) >= 40 for key in keys)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[keys]]\nname = 'a'\n", "keys.0.sha256"),
        ("[[keys]]\nname = 'a'\nsha256 = 'secret'\n", "keys.0.sha256"),
        ("[[keys]]\nname = 'a b'\nsha256 = '{hash}'\n", "keys.0.name"),
        ("[[keys]]\nname = 'a'\nsha256 = '{hash}'\nmax_search = 1\n", "max_search"),
        ("[[keys]]\nname = 'a'\nsha256 = '{hash}'\n" * 2, "name a is there twice"),
        ("keys", "it is not TOML"),
        ("", "keys"),
    ],
)
def test_keys_files_are_checked(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text.format(hash="0" * 64))
    with pytest.raises(SettingsError, match=words):
        Keys.load(file)


def test_tls(tmp_path: Path) -> None:
    made = Certificates(tmp_path)
    with running_service(made.settings()) as service:
        with made.channel(service.address) as channel:
            assert EngineServiceStub(channel).GetEngineInfo(INFO, timeout=PATIENCE_S).agents
        answer = refused(lambda: service.engine.GetEngineInfo(INFO, timeout=PATIENCE_S))
        assert answer.code is grpc.StatusCode.UNAVAILABLE


def test_mutual_tls(tmp_path: Path) -> None:
    made = Certificates(tmp_path)
    known, stranger = made.clients.issue_cert("client"), trustme.CA().issue_cert("client")
    with running_service(made.settings(mutual=True)) as service:
        with made.channel(service.address, known) as channel:
            assert EngineServiceStub(channel).GetEngineInfo(INFO, timeout=PATIENCE_S).agents
        for client in (None, stranger):
            with made.channel(service.address, client) as channel:
                stub = EngineServiceStub(channel)
                answer = refused(lambda stub=stub: stub.GetEngineInfo(INFO, timeout=PATIENCE_S))  # type: ignore[misc]
                assert answer.code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("setting", ["tls_certificate", "tls_key", "tls_client_ca", "keys_file"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, setting: str) -> None:
    made, missing = Certificates(tmp_path), tmp_path / "none.pem"
    settings = made.settings(mutual=True, **{setting: missing})
    with pytest.raises(OSError, match="No such file") as caught:
        Server(settings)
    assert Path(caught.value.filename) == missing


def test_certificates_that_are_none_are_refused(tmp_path: Path) -> None:
    made = Certificates(tmp_path)
    made.key.write_text("no key")
    result = CliRunner().invoke(
        main, ["serve", "--tls-certificate", str(made.chain), "--tls-key", str(made.key)]
    )
    assert result.exit_code == 2
    assert "Error: tls_certificate: " in result.stderr
    missing = CliRunner().invoke(main, ["serve", "--keys-file", str(tmp_path / "none.toml")])
    assert missing.exit_code == 2
    assert "none.toml" in missing.stderr
