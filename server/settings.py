"""How a server is set up: from flags, the environment and a file, in this order of weight."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

import looot_core as lc
from server.limits import ServiceLimits

PREFIX = "LOOOT_"


class SettingsError(lc.LoootError):
    """A setting that is unknown, out of its range, or does not go with another one."""


def _default_database_url() -> str:
    try:
        states = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    except RuntimeError:
        raise SettingsError(
            "database_url: the user has no home for the default one; give one, or an empty one"
        ) from None
    return f"sqlite:///{states / 'looot' / 'games.db'}"


class Settings(BaseSettings, ServiceLimits):
    """All settings of ``looot serve``; the fields say what they mean.

    A field ``max_time_s`` is the flag ``--max-time-s``, the environment's ``LOOOT_MAX_TIME_S`` and
    the file's ``max_time_s``.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=PREFIX)

    host: str = Field(default="127.0.0.1", min_length=1, description="The address to listen on.")
    port: int = Field(
        default=50051, ge=0, le=65_535, description="The port of gRPC; 0: any free one."
    )
    web_port: int | None = Field(
        default=None,
        ge=0,
        le=65_535,
        description="The port for browsers, Connect and gRPC-Web; 0: any free one; none if not"
        " given.",
    )
    web_origins: str = Field(
        default="",
        description="Of the pages that may call from browsers, as https://example.org, with commas"
        " between; *: every page.",
    )
    database_url: str = Field(
        default_factory=_default_database_url,
        description="Where hosted games are stored: sqlite:///PATH, or"
        " postgresql://USER:PASSWORD@HOST:PORT/NAME for several servers; empty: none are hosted."
        " If not given, a file in the user's folder of states.",
    )
    bot_lease_s: float = Field(
        default=5.0,
        gt=0,
        le=3_600,
        description="Seconds without a sign of life after which other servers on the same database"
        " play a server's bots.",
    )
    games_in_memory: int = Field(
        default=2_000,
        ge=1,
        le=1_000_000,
        description="Hosted games kept in memory; the others are read from the database when"
        " needed.",
    )
    max_games: int = Field(
        default=100_000,
        ge=1,
        le=10_000_000,
        description="Hosted games stored at most, on all servers of the database; more are"
        " refused.",
    )
    keep_games_days: float | None = Field(
        default=None,
        gt=0,
        le=36_500,
        description="Days after which a hosted game in which nothing happens any more, over or"
        " not, is deleted; none is if not given.",
    )
    tls_certificate: Path | None = Field(
        default=None,
        description="The server's certificate and those that vouch for it (PEM): serves TLS.",
    )
    tls_key: Path | None = Field(
        default=None, description="The private key of the certificate (PEM)."
    )
    tls_client_ca: Path | None = Field(
        default=None,
        description="Certificates (PEM) by which clients must be vouched for: mutual TLS.",
    )
    keys_file: Path | None = Field(
        default=None,
        description="The keys that clients must show, hashed, with their limits (TOML; see 'looot"
        " key').",
    )
    allow_insecure: bool = Field(
        default=False,
        description="Listen on other addresses than loopback with neither TLS nor keys.",
    )
    metrics_host: str = Field(
        default="127.0.0.1", min_length=1, description="The address of Prometheus' metrics."
    )
    metrics_port: int | None = Field(
        default=None,
        ge=0,
        le=65_535,
        description="The port of Prometheus' metrics over HTTP; 0: any free"
        " one; none if not given.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="How log lines are written."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least of what is logged."
    )
    max_request_time_s: float = Field(
        default=30.0,
        gt=0,
        le=3_600,
        description="Seconds within which a request must have come whole; until then it takes a"
        " place.",
    )
    traces: bool = Field(
        default=False,
        description="Send OpenTelemetry traces over OTLP, as the standard OTEL_ variables say"
        " (needs the extra 'traces').",
    )
    grace_s: float = Field(
        default=5.0,
        ge=0,
        le=3_600,
        description="Seconds that running calls get when the server stops.",
    )

    @model_validator(mode="after")
    def _check_security(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate: a certificate and its tls_key go together")
        if self.tls_client_ca is not None and self.tls_certificate is None:
            raise ValueError("tls_client_ca: mutual TLS needs a tls_certificate and a tls_key")
        if not (self.allow_insecure or self.is_loopback or self.tls_certificate or self.keys_file):
            raise ValueError(
                f"host: {self.host[:100]!r} is not loopback, and there is neither TLS"
                " (--tls-certificate, --tls-key) nor a --keys-file; --allow-insecure serves anybody"
            )
        return self

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can call."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """The origins of the pages that may call from browsers."""
        return tuple(origin.strip() for origin in self.web_origins.split(",") if origin.strip())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let flags outweigh the environment, and that the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load_settings(flags: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Gather the settings.

    Parameters
    ----------
    flags : mapping of str to object
        By the names of the fields; these outweigh all else.
    file : Path, optional
        In TOML, by the names of the fields.

    Returns
    -------
    Settings

    Raises
    ------
    SettingsError
        If a setting is unknown, out of its range, or does not go with another one.
    OSError
        If the file cannot be read.
    """
    if file is not None:
        try:
            with file.open("rb") as stream:
                tomllib.load(stream)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: it is not TOML: {error}") from error

    class FromFile(Settings):
        model_config = SettingsConfigDict(toml_file=file)

    try:
        return FromFile(**flags)
    except ValidationError as error:
        raise SettingsError(describe(error)) from None


def describe(error: ValidationError) -> str:
    """Say the first thing that is wrong in one line: the field, the value and the rule."""
    first = error.errors(include_url=False, include_context=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    field = ".".join(map(str, first["loc"]))
    if not field:
        return message
    if first["type"] == "extra_forbidden":
        return f"{field}: there is no such setting"
    return f"{field}: {str(first['input'])[:100]}: {message[:1].lower()}{message[1:]}"
