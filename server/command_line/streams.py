"""The three standard descriptors."""

from __future__ import annotations

import os


def hold_standard_descriptors() -> None:
    """Keep 0, 1 and 2 for the standard streams, also where they were closed at the start.

    Else a library would get one of these numbers for a file of its own, and lose it to whoever
    closes or redirects a standard stream. Python's ``sys.stdin`` stays None where it was closed.
    """
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor <= 2:
        descriptor = os.dup(descriptor)
    os.close(descriptor)
