"""A page in headless Chromium calls the service with ``@connectrpc/connect-web``."""

from __future__ import annotations

import http.server
import json
import shutil
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from google.protobuf import json_format

import ai
from server.conversion import position_to_message
from tests.node_project import ROOT, node, run, set_up
from tests.positions import position_in
from tests.server.browsers import running_browsers
from tests.server.conftest import LIMITS
from tests.server.recorder import Recorder

PROTOS = [
    *sorted((ROOT / "proto" / "looot" / "v1").glob("*.proto")),
    "google/rpc/error_details.proto",
]


@pytest.fixture(scope="module")
def page() -> Path:
    """The folder of the page, bundled, and of what drives it."""
    node()
    return set_up(ROOT / "tests" / "browser", _bundle)


def _bundle(project: Path) -> None:
    plugin = project / "node_modules" / ".bin" / "protoc-gen-es"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={ROOT / 'proto'}"]
    command += [f"--proto_path={sysconfig.get_path('purelib')}", f"--plugin={plugin}"]
    run([*command, f"--es_out=target=ts:{project}", *map(str, PROTOS)], project)
    run(["npm", "run", "bundle"], project)


def chromium() -> str:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium on PATH")
    return path


@contextmanager
def served(folder: Path, recorder: Recorder) -> Iterator[str]:
    """Serve the page's files, and at ``/began`` an answer as soon as a search begins."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/began":
                recorder.wait_for_begin()
                self.send_response(204)
                self.end_headers()
            else:
                super().do_GET()

        def log_message(self, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Handler, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("protocol", ["connect", "grpc-web"])
def test_a_page_calls(page: Path, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(ai, "create_agent", recorder.create_agent)
    position = json_format.MessageToJson(position_to_message(position_in("viking")))
    with served(page, recorder) as origin, running_browsers(LIMITS, origin) as browsers:
        command = [node(), "drive.mjs", chromium(), f"{origin}/page.html", browsers.url, protocol]
        found = json.loads(run(command, page, input=position))
    assert found["unary"]["actions"][-1] == {"endTurn": {}}
    assert found["error"] == {
        "code": "InvalidArgument",
        "reason": "INVALID_POSITION",
        "message": "position: missing: it is required",
    }
    assert found["abort"] == "Canceled"
    assert recorder.outcomes.count(ai.SearchAborted.__name__) == 2
    *growing, last = found["stream"]
    assert growing
    assert last["final"]
    assert not any(answer["final"] for answer in growing)
    counts = [answer["simulations"] for answer in found["stream"]]
    assert counts == sorted(counts)
    assert found["abortStream"] == "Canceled"
