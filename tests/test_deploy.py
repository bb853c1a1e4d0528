"""The files of deploy/: as far as they can be checked without a cluster or a container engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.settings import PREFIX, Settings, load_settings

WHY = "the extra 'deploy' is not installed"
yaml: Any = pytest.importorskip("yaml", reason=WHY)
compose_spec: Any = pytest.importorskip("compose_spec", reason=WHY)
kubernetes_validate: Any = pytest.importorskip("kubernetes_validate", reason=WHY)

DEPLOY = Path(__file__).parents[1] / "deploy"
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
COMPOSE = DEPLOY / "compose.yaml"
ADDRESSES = {
    f"LOOOT_REPLICA_{number}{kind}": f"127.0.0.1:{port}"
    for number, kind, port in [(1, "", 1), (2, "", 2), (1, "_WEB", 3), (2, "_WEB", 4)]
}


def program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    path = (
        str(beside)
        if beside.exists()
        else shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    )
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def accepted(*command: str, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def resources() -> list[dict[str, Any]]:
    return [
        resource
        for path in KUBERNETES
        for resource in yaml.safe_load_all(path.read_text(encoding="utf-8"))
    ]


def test_haproxy_takes_its_configuration() -> None:
    path = str(DEPLOY / "haproxy.cfg")
    accepted(program("haproxy"), "-c", "-f", path, environment=ADDRESSES)


def test_haproxy_takes_its_configuration_of_kubernetes(tmp_path: Path) -> None:
    (text,) = [
        resource["data"]["haproxy.cfg"]
        for resource in resources()
        if "haproxy.cfg" in resource.get("data", {})
    ]
    path = tmp_path / "haproxy.cfg"
    path.write_text(re.sub(r" ssl crt \S+ alpn \S+", "", text), encoding="utf-8")
    accepted(program("haproxy"), "-c", "-f", str(path))


def test_prometheus_takes_its_configuration() -> None:
    accepted(program("promtool"), "check", "config", str(DEPLOY / "prometheus.yml"))


def test_the_container_file_is_sound() -> None:
    accepted(program("hadolint"), str(DEPLOY / "Containerfile"))


def test_what_the_container_file_copies_is_there() -> None:
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    sources = [
        source
        for line in lines
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    ]
    assert "server" in sources
    for source in sources:
        assert (DEPLOY.parent / source).exists(), source


def test_the_compose_file_is_sound() -> None:
    compose = compose_spec.PyCompose.from_yaml(COMPOSE.read_text(encoding="utf-8"))
    compose.validate()
    assert {"server-1", "server-2", "postgres", "balancer", "prometheus"} == set(
        compose.service_names()
    )


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.name)
def test_the_manifests_have_the_form_of_kubernetes(path: Path) -> None:
    for resource in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        kubernetes_validate.validate(resource, "1.37", strict=True)


def test_the_settings_of_all_files_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    compose = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    (config,) = [r["data"] for r in resources() if "LOOOT_PORT" in r.get("data", {})]
    for environment in (compose["services"]["server-1"]["environment"], config):
        for name, value in environment.items():
            assert name.startswith(PREFIX)
            assert name.removeprefix(PREFIX).lower() in Settings.model_fields
            monkeypatch.setenv(name, value)
        assert load_settings({}).web_port == 8080
