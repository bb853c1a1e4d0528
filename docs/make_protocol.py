"""Write docs/protocol.md from the comments of the .proto files: ``make docs``."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from google.protobuf import descriptor_pb2 as d
from grpc_tools import protoc  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "protocol.md"
FOLDER = "looot/v1"
# In the order in which somebody new reads them.
FILES = ("engine_service", "game_service", "analysis", "game", "errors")
HEAD = """<!-- Made from proto/looot/v1 by 'make docs': change it there. -->

# The protocol

"""
_FIELD = d.FieldDescriptorProto
_NUMBERS = {
    _FIELD.TYPE_DOUBLE: "double",
    _FIELD.TYPE_FLOAT: "float",
    _FIELD.TYPE_INT64: "int64",
    _FIELD.TYPE_UINT64: "uint64",
    _FIELD.TYPE_INT32: "int32",
    _FIELD.TYPE_UINT32: "uint32",
    _FIELD.TYPE_SINT32: "sint32",
    _FIELD.TYPE_BOOL: "bool",
    _FIELD.TYPE_STRING: "string",
    _FIELD.TYPE_BYTES: "bytes",
}

_Path: TypeAlias = tuple[int, ...]
# The numbers of these fields in descriptor.proto: a path to a comment is made of them.
_SYNTAX, _MESSAGE, _ENUM, _SERVICE = 12, 4, 5, 6
_MEMBER, _ONEOF = 2, 8  # a field of a message, a value of an enum, a method of a service


class Document:
    """One .proto file as Markdown."""

    def __init__(self, file: d.FileDescriptorProto) -> None:
        self._file = file
        self._comments = {
            tuple(location.path): location.leading_comments
            for location in file.source_code_info.location
        }

    def lines(self) -> Iterator[str]:
        """Give the page's part of this file."""
        yield f"## {Path(self._file.name).name}"
        yield self._text(_SYNTAX)
        for at, service in enumerate(self._file.service):
            yield f"### {service.name}"
            yield self._text(_SERVICE, at)
            for number, method in enumerate(service.method):
                yield f"#### {service.name}.{method.name}"
                kinds = (_link(method.input_type), _link(method.output_type))
                stream = "a stream of " if method.server_streaming else ""
                yield f"{kinds[0]} → {stream}{kinds[1]}"
                yield self._text(_SERVICE, at, _MEMBER, number)
        for at, message in enumerate(self._file.message_type):
            yield f"### {message.name}"
            yield self._text(_MESSAGE, at)
            yield from self._fields(message, (_MESSAGE, at))
        for at, enum in enumerate(self._file.enum_type):
            yield f"### {enum.name}"
            yield self._text(_ENUM, at)
            rows = [
                (str(value.number), f"`{value.name}`", self._cell(_ENUM, at, _MEMBER, number))
                for number, value in enumerate(enum.value)
            ]
            yield _table(("number", "value", "meaning"), rows)

    def _fields(self, message: d.DescriptorProto, path: _Path) -> Iterator[str]:
        optional = {field.oneof_index for field in message.field if field.proto3_optional}
        for at, oneof in enumerate(message.oneof_decl):
            if at not in optional:
                yield f"One of the fields of `{oneof.name}` is set. {self._text(*path, _ONEOF, at)}"
        rows = []
        for at, field in enumerate(message.field):
            about = self._cell(*path, _MEMBER, at)
            if field.HasField("oneof_index") and not field.proto3_optional:
                about = f"One of `{message.oneof_decl[field.oneof_index].name}`: {about}"
            rows.append((str(field.number), f"`{field.name}`", _kind(field), about))
        if rows:
            yield _table(("number", "field", "type", "meaning"), rows)

    def _text(self, *path: int) -> str:
        comment = self._comments.get(path, "")
        lines = [line.removeprefix(" ").rstrip() for line in comment.splitlines()]
        # What is indented is drawn as it is.
        lines = [f"  {line}" if line.startswith("  ") else line for line in lines]
        return re.sub(r"(?<=\S:)\n(?=    )", "\n\n", "\n".join(lines)).strip()

    def _cell(self, *path: int) -> str:
        return " ".join(self._text(*path).split()).replace("|", "\\|")


def _kind(field: d.FieldDescriptorProto) -> str:
    named = field.type in (_FIELD.TYPE_MESSAGE, _FIELD.TYPE_ENUM)
    kind = _link(field.type_name) if named else _NUMBERS[field.type]
    if field.label == _FIELD.LABEL_REPEATED:
        return f"repeated {kind}"
    return f"optional {kind}" if field.proto3_optional else kind


def _link(type_name: str) -> str:
    package, _, name = type_name.removeprefix(".").rpartition(".")
    return f"[{name}](#{name.lower()})" if package == "looot.v1" else f"{package}.{name}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page() -> str:
    """Give docs/protocol.md as it should be."""
    with tempfile.NamedTemporaryFile() as image:
        names = [f"{FOLDER}/{name}.proto" for name in FILES]
        well_known_types = Path(protoc.__file__).with_name("_proto")
        arguments = ["protoc", f"--proto_path={ROOT / 'proto'}", f"--proto_path={well_known_types}"]
        arguments += ["--include_source_info", f"--descriptor_set_out={image.name}", *names]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc failed: see its message above")
        files = d.FileDescriptorSet.FromString(image.read()).file
    by_name = {file.name: file for file in files}
    parts = [part for name in names for part in Document(by_name[name]).lines()]
    return HEAD + "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
