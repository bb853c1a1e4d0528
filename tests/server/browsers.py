"""A server with a port for browsers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from server.settings import Settings
from tests.server.service import Service, running_service

ORIGIN = "https://example.org"


@dataclass
class Browsers:
    """A running service and where browsers find it."""

    service: Service
    url: str

    def curl(self, path: str, *arguments: str, request: object = None) -> Answer:
        """Call with curl: with a request a POST of its JSON, else what the arguments say."""
        command = ["curl", "--silent", "--show-error", "--max-time", "20"]
        command += ["--write-out", "\n%{http_code}", *arguments, f"{self.url}/{path}"]
        body = None
        if request is not None:
            body = request if isinstance(request, str) else json.dumps(request)
            command += ["--header", "Content-Type: application/json", "--data-binary", "@-"]
        done = subprocess.run(command, input=body, capture_output=True, text=True, check=True)
        text, _, code = done.stdout.rpartition("\n")
        return Answer(int(code), text)


@dataclass
class Answer:
    """What HTTP answered."""

    code: int
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@contextmanager
def running_browsers(settings: Settings, origin: str = ORIGIN) -> Iterator[Browsers]:
    with running_service(settings.model_copy(update={"web_origins": origin})) as service:
        port = service.run(service.server.start_browsers("127.0.0.1", 0))
        # A certificate is of a name.
        url = (
            f"https://localhost:{port}" if settings.tls_certificate else f"http://127.0.0.1:{port}"
        )
        yield Browsers(service, url)
