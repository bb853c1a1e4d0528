"""Plain values out of whatever is given from outside, without running any code of its class.

A class of somebody else's may lie about its values or raise when they are compared, hashed, counted
or printed, and so may the keys of a dict. So exact types are asked for first, and the texts and
keys that are kept are copied to plain ones.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeGuard

from looot_core.errors import LoootError, shorten

_DEEPEST = 100


def text_of(value: Any) -> str | None:
    """Give a text as a plain str, whatever class of str it is, or None if it is no text."""
    return str.__str__(value) if issubclass(type(value), str) else None


def is_sequence(value: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Say whether a value is a list or a tuple, and of no class made from them."""
    return type(value) is list or type(value) is tuple


def fields_of(value: Any) -> dict[str, Any] | None:
    """Give the entries of a dict under plain keys, or None if it is no dict with texts as keys."""
    if not issubclass(type(value), dict):
        return None
    fields = {}
    for key, inner in dict.items(value):
        name = text_of(key)
        if name is None:
            return None
        fields[name] = inner
    return fields


def json_of(value: Any, depth: int = _DEEPEST) -> Any:
    """Copy a JSON value; tuples become lists.

    Parameters
    ----------
    value : Any
    depth : int
        How many lists and objects may lie inside one another.

    Raises
    ------
    LoootError
        If it is no JSON value, or has one too deep inside.
    """
    kind = type(value)
    if value is None or kind is bool or kind is int or (kind is float and isfinite(value)):
        return value
    text = text_of(value)
    if text is not None:
        return text
    if depth > 0:
        if is_sequence(value):
            return [json_of(item, depth - 1) for item in value]
        fields = fields_of(value)
        if fields is not None:
            return {key: json_of(inner, depth - 1) for key, inner in fields.items()}
    raise LoootError(f"{shorten(value)} is not a JSON value, or lies too deep in one")
