"""How bad input ends a command: in one line, with exit code 2."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

import looot_core as lc


class BadInput(click.ClickException):
    """Input that is refused."""

    exit_code = 2


@contextmanager
def refusing_bad_input() -> Iterator[None]:
    """Turn what the engine or the system refuses into a line and exit code 2."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        what = error.strerror or str(error)
        if error.filename is not None:
            what = f"{os.fsdecode(error.filename) or repr('')}: {what}"
        raise BadInput(what) from error
    except lc.LoootError as error:
        raise BadInput(str(error).replace("\n", " ")) from error
