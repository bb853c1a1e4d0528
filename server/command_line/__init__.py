"""The ``looot`` command: play with set-ups, records and positions, and serve the engine."""

from server.command_line.main import main

__all__ = ["main"]
