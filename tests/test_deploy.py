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


def the(kind: str, name: str) -> dict[str, Any]:
    (found,) = [r for r in resources() if (r["kind"], r["metadata"]["name"]) == (kind, name)]
    return found


def pod(name: str) -> dict[str, Any]:
    described: dict[str, Any] = the("Deployment", name)["spec"]["template"]["spec"]
    return described


def services() -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    return described


def ports(settings: dict[str, str]) -> dict[str, int]:
    names = {"grpc": "PORT", "web": "WEB_PORT", "metrics": "METRICS_PORT"}
    return {name: int(settings[PREFIX + setting]) for name, setting in names.items()}


def test_haproxy_takes_its_configuration() -> None:
    path = str(DEPLOY / "haproxy.cfg")
    accepted(program("haproxy"), "-c", "-f", path, environment=ADDRESSES)


def test_haproxy_takes_its_configuration_of_kubernetes(tmp_path: Path) -> None:
    text = the("ConfigMap", "looot-balancer")["data"]["haproxy.cfg"]
    path = tmp_path / "haproxy.cfg"
    path.write_text(re.sub(r" ssl crt \S+ alpn \S+", "", text), encoding="utf-8")
    environment = {"LOOOT_NAMESPACE": "games"}
    accepted(program("haproxy"), "-c", "-f", str(path), environment=environment)


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


def test_a_new_volume_for_games_belongs_to_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/looot")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    folder = Path(load_settings({}).database_url.removeprefix("sqlite:///")).parent
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    _, after = text.split("USER 10001\nWORKDIR /home/looot\n")
    assert f"RUN mkdir -p {folder.relative_to('/home/looot')}\n" in after
    assert f":{folder} " in (DEPLOY / "README.md").read_text(encoding="utf-8")


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
    config = the("ConfigMap", "looot-server")["data"]
    for environment in (services()["server-1"]["environment"], config):
        for name, value in environment.items():
            assert name.startswith(PREFIX)
            assert name.removeprefix(PREFIX).lower() in Settings.model_fields
            monkeypatch.setenv(name, value)
        assert load_settings({}).web_port == 8080


def test_the_servers_of_the_compose_file_are_alike() -> None:
    assert services()["server-1"] == services()["server-2"]


def test_the_ports_of_all_files_are_the_same() -> None:
    containerfile = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (exposed,) = re.findall(r"^EXPOSE (.+)$", containerfile, re.MULTILINE)
    expected = dict(zip(("grpc", "web", "metrics"), map(int, exposed.split()), strict=True))
    assert ports(services()["server-1"]["environment"]) == expected
    assert ports(the("ConfigMap", "looot-server")["data"]) == expected
    (container,) = pod("looot-server")["containers"]
    assert {port["name"]: port["containerPort"] for port in container["ports"]} == expected
    service = the("Service", "looot-server")["spec"]["ports"]
    assert {port["name"]: port["port"] for port in service} == expected
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["grpc"]["port"] == expected["grpc"]
    for kind, port in (("", "grpc"), ("_WEB", "web")):
        for number in (1, 2):
            address = services()["balancer"]["environment"][f"LOOOT_REPLICA_{number}{kind}"]
            assert address == f"server-{number}:{expected[port]}"


def test_prometheus_asks_services_of_the_compose_file() -> None:
    scraped = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
    targets = {
        job["job_name"]: [
            target for config in job["static_configs"] for target in config["targets"]
        ]
        for job in scraped["scrape_configs"]
    }
    metrics = services()["server-1"]["environment"]["LOOOT_METRICS_PORT"]
    assert targets["looot"] == [f"server-{number}:{metrics}" for number in (1, 2)]
    assert targets["balancer"] == ["balancer:8404"]
    assert "LOOOT_BALANCER_METRICS_BIND" not in services()["balancer"]["environment"]
    assert "METRICS_BIND-:8404" in (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")


def test_the_balancers_are_given_the_variables_that_they_read() -> None:
    text = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    without_default = set(re.findall(r"\$\{(\w+)\}", text))
    assert without_default == set(ADDRESSES) == set(services()["balancer"]["environment"])
    text = the("ConfigMap", "looot-balancer")["data"]["haproxy.cfg"]
    (container,) = pod("looot-balancer")["containers"]
    assert set(re.findall(r"\$\{(\w+)", text)) == {entry["name"] for entry in container["env"]}


def test_the_balancer_of_kubernetes_asks_for_whole_names() -> None:
    text = the("ConfigMap", "looot-balancer")["data"]["haproxy.cfg"]
    asked = re.findall(r"^ *server-template \S+ \d+ \"?([^ \"]+)", text, re.MULTILINE)
    service = the("Service", "looot-server")
    named = {port["name"] for port in service["spec"]["ports"]}
    assert service["spec"]["clusterIP"] == "None"
    assert asked == [
        f"_{port}._tcp.looot-server.${{LOOOT_NAMESPACE}}.svc.cluster.local"
        for port in ("grpc", "web")
    ]
    assert {"grpc", "web"} <= named


def test_the_balancer_of_kubernetes_asks_all_servers_by_http_1() -> None:
    text = the("ConfigMap", "looot-balancer")["data"]["haproxy.cfg"]
    assert " check-proto h" not in text  # a template would keep it for its first server alone
    web = ports(the("ConfigMap", "looot-server")["data"])["web"]
    assert f"http-check connect port {web} proto h1" in text


def test_no_service_of_kubernetes_sets_variables_of_the_server() -> None:
    for name in ("looot-server", "looot-balancer"):
        assert pod(name)["enableServiceLinks"] is False


def test_the_database_is_healthy_only_when_it_takes_connections() -> None:
    assert "--host" in services()["postgres"]["healthcheck"]["test"]


def test_a_server_is_given_more_time_to_stop_than_it_takes() -> None:
    server = services()["server-1"]
    patience = float(server["stop_grace_period"].removesuffix("s"))
    assert patience > float(server["environment"]["LOOOT_GRACE_S"])
    grace = float(the("ConfigMap", "looot-server")["data"]["LOOOT_GRACE_S"])
    assert pod("looot-server")["terminationGracePeriodSeconds"] > grace
