"""The errors of the engine, and how a refused value is shown in their messages.

Every error is a ``ValueError``. A message names the field, the value and the rule it breaks, as in
``landscape[1]: board '1B' is the other face of '1A' in landscape[0] (R1)``.
"""

from __future__ import annotations

from typing import Any

_LONGEST_TEXT = 40
_MOST_ITEMS = 4
_MOST_BITS = 64
_CLASS_NAME = type.__dict__["__name__"]  # whatever attributes the class of a class defines


class LoootError(ValueError):
    """Base of all errors that the engine raises for input it refuses."""


class IllegalActionError(LoootError):
    """An action that the rules do not allow now, or that is no action at all."""


class InvalidPositionError(LoootError):
    """A position that cannot come from a game."""


class InvalidSetupError(LoootError):
    """A set-up that breaks a rule of the set-up (R1-R5) or is malformed."""


class InvalidRecordError(LoootError):
    """A record of a game that cannot be read."""


class RecordMismatchError(LoootError):
    """A record whose stored checks differ from what its replay gives."""


def shorten(value: Any) -> str:
    """Show any value in a bounded length and in bounded time.

    Unlike ``repr`` it never runs code of the value, never fails and never grows with the value.

    Examples
    --------
    >>> shorten("castle+4 GGA")
    "'castle+4 GGA'"
    >>> shorten(10**5000)
    'an int of 16610 bits'
    >>> shorten([1, 2, 3, 4, 5, 6])
    '[1, 2, 3, 4, … 6 items]'
    """
    if type(value) is list or type(value) is tuple:
        items = [_shorten_item(item) for item in value[:_MOST_ITEMS]]
        if len(value) > _MOST_ITEMS:
            items.append(f"… {len(value)} items")
        return f"[{', '.join(items)}]"
    return _shorten_item(value)


def _shorten_item(value: Any) -> str:
    kind = type(value)  # compared by identity alone: its own class may define == and hash
    if value is None or kind is bool or kind is float:
        return repr(value)
    if kind is int:
        bits = value.bit_length()
        return repr(value) if bits <= _MOST_BITS else f"an int of {bits} bits"
    if kind is str:
        if len(value) <= _LONGEST_TEXT:
            return repr(value)
        return f"{value[:_LONGEST_TEXT]!r}… ({len(value)} characters)"
    if any(kind is sized for sized in (list, tuple, dict, set, frozenset, bytes)):
        return f"a {kind.__name__} of {len(value)}"
    return f"a {_CLASS_NAME.__get__(kind)[:_LONGEST_TEXT]}"
