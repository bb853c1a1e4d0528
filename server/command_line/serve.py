"""``looot serve``."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from server.command_line.setting_options import gather_settings, setting_options
from server.settings import Settings


@click.command(params=setting_options(Settings.model_fields))
def serve(config: Path | None, **flags: Any) -> None:
    """Serve the engine over gRPC until SIGTERM or Ctrl-C.

    Each setting is a flag, a variable of the environment (in brackets), or a name in the file of
    --config; a flag outweighs a variable, and that the file.

    Example: looot serve --port 50077 --searches 4
    """
    settings = gather_settings(config, flags)
    from server import grpc_server  # only here: it is slow to import, and no other command needs it

    asyncio.run(grpc_server.serve(settings))
