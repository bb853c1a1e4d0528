"""A server for all tests of the service, and agents whose searches are recorded."""

from collections.abc import Iterator

import pytest

import ai
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.settings import Settings
from tests.server.recorder import Recorder
from tests.server.service import Service, running_service

LIMITS = Settings(
    max_request_bytes=64 * 1024,
    max_events=50,
    max_threads=2,
    max_candidates=5,
    default_time_s=0.02,
    max_time_s=30.0,
    max_searches=2,
    max_waiting=2,
    database_url="",
)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with running_service(LIMITS) as running:
        yield running


@pytest.fixture(scope="session")
def engine(service: Service) -> EngineServiceStub:
    return service.engine


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Record the searches of all agents that are made during a test."""
    recorder = Recorder()
    monkeypatch.setattr(ai, "create_agent", recorder.create_agent)
    return recorder
