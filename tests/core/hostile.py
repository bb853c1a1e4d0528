"""Values whose own code fails whenever it is run, and that are of a plain type underneath."""

from typing import Any, NoReturn

METHODS = (
    "__abs__", "__add__", "__and__", "__bool__", "__bytes__", "__call__", "__contains__",
    "__divmod__", "__eq__", "__float__", "__format__", "__ge__", "__getitem__", "__gt__",
    "__hash__", "__index__", "__int__", "__iter__", "__le__", "__len__", "__length_hint__",
    "__lt__", "__mod__", "__mul__", "__ne__", "__neg__", "__next__", "__radd__", "__repr__",
    "__reversed__", "__rmod__", "__rmul__", "__rsub__", "__str__", "__sub__", "__trunc__",
)  # fmt: skip


class OutsideError(Exception):
    """What code of the hostile classes raises: it must never come out of a call."""


def _fail(*_: Any, **__: Any) -> NoReturn:
    raise OutsideError


class FailingClass(type):
    """The class of the hostile classes: they cannot be compared or asked for anything either."""

    __hash__ = __eq__ = __getattribute__ = __instancecheck__ = __subclasscheck__ = _fail


_FAILING = {**dict.fromkeys(METHODS, _fail), "__getattribute__": _fail}
_CLASSES: dict[type, Any] = {
    base: FailingClass("Hostile", (base,), dict(_FAILING))
    for base in (object, str, bytes, int, float, list, dict, tuple, set, frozenset)
}


def hostile(value: Any) -> Any:
    """Give a value of the same contents whose every method fails; an object for other classes."""
    kind: Any = type(value)
    if kind not in _CLASSES:
        return object.__new__(_CLASSES[object])
    if kind is list or kind is dict:
        twin = kind.__new__(_CLASSES[kind])
        kind.__init__(twin, value)
        return twin
    return kind.__new__(_CLASSES[kind], value)


class Key(str):
    """A text with the hash of its contents that fails when it is compared with another text."""

    __slots__ = ()
    __hash__ = str.__hash__
    __eq__ = _fail


def impostor(claimed: type) -> Any:
    """Give an object that says it is of a class, and fails when it is used as one."""
    members: dict[str, Any] = dict.fromkeys(METHODS, _fail)
    members["__class__"] = property(lambda _: claimed)
    return type("Impostor", (), members)()


IMPOSTORS = [impostor(kind) for kind in (str, int, float, bool, list, tuple, dict)]
PLAIN: list[Any] = [None, "", "end", b"", 0, 1, 0.5, [], ["end"], (), {}, set()]
VALUES: list[Any] = [
    *map(hostile, PLAIN),
    *IMPOSTORS,
]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the path of every value inside a JSON value, itself included."""
    found = [path]
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            found.extend(paths(inner, (*path, key)))
    return found


def replaced(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    """Give a copy of a JSON value with one value inside changed by a function."""
    if not path:
        return change(value)
    twin = value.copy()
    twin[path[0]] = replaced(value[path[0]], path[1:], change)
    return twin


def with_failing_keys(value: dict[str, Any]) -> dict[str, Any]:
    """Give the same entries under keys that fail when they are compared."""
    return {Key(key): inner for key, inner in value.items()}


def is_plain(value: Any) -> bool:
    """Say whether a JSON value is of plain types all through."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(inner) for key, inner in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)
