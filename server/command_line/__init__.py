"""The ``looot`` command: play with set-ups, records and positions, and serve the engine."""

from server.command_line.streams import hold_standard_descriptors

hold_standard_descriptors()  # before gRPC is imported, which opens descriptors of its own

from server.command_line.main import main  # noqa: E402

__all__ = ["main"]
