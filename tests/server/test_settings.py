"""Settings: where they come from, what is refused, and that a server open to all must be meant."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.command_line import main
from server.command_line.serve import serve
from server.settings import Settings, SettingsError, load_settings


def test_flags_outweigh_the_environment_and_that_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "looot.toml"
    file.write_text('port = 1\nmax_events = 2\nmax_waiting = 3\nlog_format = "json"\n')
    monkeypatch.setenv("LOOOT_PORT", "4")
    monkeypatch.setenv("LOOOT_MAX_EVENTS", "5")
    settings = load_settings({"port": 6}, file)
    assert (settings.port, settings.max_events, settings.max_waiting) == (6, 5, 3)
    assert settings.log_format == "json"
    assert settings.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = ", "it is not TOML"),
        ("port = 70000", "port: 70000: "),
        ("prot = 1", "prot: there is no such setting"),
        ('log_format = "xml"', "log_format: xml: "),
        ("max_time_s = nan", "max_time_s: nan: "),
        ("default_time_s = 9\nmax_time_s = 5", "default_time_s: 9 is more than max_time_s, 5"),
        ("max_threads = 9\nmax_searches = 5", "max_threads: 9 is more than max_searches, 5"),
        ('tls_key = "key.pem"', "tls_certificate: a certificate and its tls_key go together"),
        ('tls_client_ca = "ca.pem"', "tls_client_ca: mutual TLS needs"),
        ('host = "0.0.0.0"', "host: '0.0.0.0' is not loopback"),
        ('host = "example.org"', "host: 'example.org' is not loopback"),
    ],
)
def test_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "looot.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings({}, file)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_addresses_must_be_protected_or_meant() -> None:
    for protection in (
        {"keys_file": "keys.toml"},
        {"tls_certificate": "a.pem", "tls_key": "b.pem"},
        {"allow_insecure": True},
    ):
        assert not load_settings({"host": "::", **protection}).is_loopback
    for host in ("127.0.0.1", "127.8.0.1", "::1", "localhost"):
        assert load_settings({"host": host}).is_loopback


def test_defaults_follow_from_what_is_given() -> None:
    assert Settings(max_time_s=0.25).default_time_s == 0.25
    assert Settings(max_threads=200).max_searches == 200
    assert Settings(max_searches=1).bulk_searches == 1
    assert Settings(max_searches=4).bulk_searches == 3
    assert Settings(max_searches=4, max_bulk_searches=9).bulk_searches == 4


def test_every_setting_is_a_flag_with_its_help() -> None:
    options = {p.name: p for p in serve.params if isinstance(p, click.Option)}
    assert set(options) == {*Settings.model_fields, "config"}
    shown = " ".join(CliRunner().invoke(main, ["serve", "--help"]).output.split())
    for name, field in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')}" in shown
        assert f"LOOOT_{name.upper()}" in shown
        assert field.description
        assert field.description.split()[0] in shown


def test_a_file_of_settings_is_named_when_it_is_missing(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--config", str(tmp_path / "none.toml")])
    assert result.exit_code == 2
    assert "none.toml" in result.stderr


def test_a_user_without_a_home_names_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(SettingsError, match=r"^database_url: "):
        load_settings({})
    assert load_settings({"database_url": ""}).database_url == ""
