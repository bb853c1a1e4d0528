"""Flags made of the settings of a server."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from server import logs
from server.settings import PREFIX, Settings, load_settings

_SHORT_NAMES = {
    "max_threads": "--threads",
    "max_searches": "--searches",
    "max_time_s": "--max-time",
}


def setting_options(names: Iterable[str]) -> list[click.Parameter]:
    """Make the flags of settings, and the one that names a file of them."""
    config = click.Option(
        ["--config"],
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        envvar=f"{PREFIX}CONFIG",
        help=f"A file of settings in TOML, by their names in lower case. [{PREFIX}CONFIG]",
    )
    return [*(_option(name, Settings.model_fields[name]) for name in names), config]


def gather_settings(config: Path | None, flags: dict[str, Any]) -> Settings:
    """Give the settings of all sources, and log as they say."""
    given = {name: value for name, value in flags.items() if value is not None}
    settings = load_settings(given, config)
    logs.configure(settings.log_format, settings.log_level)
    return settings


def _option(name: str, field: FieldInfo) -> click.Option:
    """Make the flag of a setting; its value is checked with those of the other sources."""
    flag = f"--{name.replace('_', '-')}"
    kind = _kind(field.annotation)
    if kind is click.BOOL:
        flag = f"{flag}/--no{flag[1:]}"
    default = field.default
    known = default is not None and default is not PydanticUndefined
    told = f" [{PREFIX}{name.upper()}" + (f"; default: {default}]" if known else "]")
    short = [_SHORT_NAMES[name]] if name in _SHORT_NAMES else []
    # No default here: only what was given outweighs the environment and the file.
    return click.Option(
        [flag, *short, name], type=kind, default=None, help=f"{field.description}{told}"
    )


def _kind(annotation: Any) -> Any:
    """Give click's type of a field's annotation."""
    if get_origin(annotation) is Literal:
        return click.Choice(get_args(annotation))
    (annotation,) = [part for part in get_args(annotation) if part is not NoneType] or [annotation]
    path = click.Path(dir_okay=False, path_type=Path)
    return {bool: click.BOOL, int: click.INT, float: click.FLOAT, Path: path}.get(
        annotation, click.STRING
    )
