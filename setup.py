"""Build the Cython modules and the protocol's Python stubs; all else is in pyproject.toml.

Environment
-----------
LOOOT_NATIVE=1
    Compile for the processor of this machine (the result may not run on another one).
LOOOT_BENCH=1
    Compile what only the benchmarks need, too.
LOOOT_SANITIZE=1
    Compile with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import ClassVar

from Cython.Build import cythonize
from setuptools import Command, Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

COMPILED_FOLDERS = ["looot_core", "ai"]
if os.environ.get("LOOOT_BENCH") == "1":
    COMPILED_FOLDERS.append("bench")
PROTO_ROOT = Path("proto")
PROTOC_PLUGINS = ("protoc-gen-mypy", "protoc-gen-mypy_grpc", "protoc-gen-connectrpc")

SANITIZE = os.environ.get("LOOOT_SANITIZE") == "1"
NATIVE = os.environ.get("LOOOT_NATIVE") == "1"
KIND = "sanitize" if SANITIZE else "native" if NATIVE else "portable"
BUILD_BASE = Path("build", KIND)  # a folder a kind, so that objects of two kinds never mix

DIRECTIVES = {
    "language_level": 3,
    "cdivision": True,
    "boundscheck": SANITIZE,
    "wraparound": False,
    "initializedcheck": SANITIZE,
    "embedsignature": True,
}


def compile_flags() -> list[str]:
    """Give the compiler's flags; none of them may change a floating-point result."""
    flags = ["-ffp-contract=off"]
    if SANITIZE:
        flags += ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer"]
        flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    else:
        flags += ["-O3"]
    if NATIVE:
        flags += ["-march=native"]
    elif platform.machine().lower() in ("x86_64", "amd64"):
        flags += ["-march=x86-64-v2"]
    return flags


def extensions() -> list[Extension]:
    """Give every .pyx of the compiled folders as an extension module."""
    link_flags = ["-fsanitize=address,undefined"] if SANITIZE else []
    sources = sorted(path for folder in COMPILED_FOLDERS for path in Path(folder).rglob("*.pyx"))
    modules = [
        Extension(
            ".".join(path.with_suffix("").parts),
            [path.as_posix()],
            include_dirs=["."],
            depends=["setup.py", *(p.as_posix() for p in path.parent.glob("*.h"))],
            extra_compile_args=compile_flags(),
            extra_link_args=link_flags,
        )
        for path in sources
    ]
    if not modules:
        return []
    built: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        modules,
        build_dir=str(BUILD_BASE / "cython"),
        compiler_directives=DIRECTIVES,
        force=False,
    )
    return built


class Build(build):
    """The usual build in a folder of its own for each kind, with the stubs as one step."""

    sub_commands: ClassVar = [*build.sub_commands, ("build_stubs", None)]

    def initialize_options(self) -> None:
        """Choose the folder of this kind of build."""
        super().initialize_options()
        self.build_base = str(BUILD_BASE)


class BuildExtensions(build_ext):
    """Build in place from the objects of this kind, whatever kind lies there now."""

    def finalize_options(self) -> None:
        """Keep an editable install's objects, so that the next build finds them."""
        super().finalize_options()
        if self.inplace or self.editable_mode:
            self.build_lib = str(BUILD_BASE / "lib")
            self.build_temp = str(BUILD_BASE / "temp")

    def copy_extensions_to_source(self) -> None:
        """Copy every module: one of another kind may be the newer file."""
        self.force = True
        super().copy_extensions_to_source()


class BuildStubs(Command):
    """Generate ``looot.v1`` from the .proto files (setuptools' SubCommand protocol)."""

    description = "generate Python modules and type stubs from proto/"
    user_options: ClassVar = [
        ("build-lib=", "d", "directory to generate into"),
        ("inplace", "i", "generate beside the .proto files"),
    ]
    boolean_options: ClassVar = ["inplace"]

    editable_mode = False

    def initialize_options(self) -> None:
        """Start with nothing chosen."""
        self.build_lib: str | None = None
        self.inplace = False

    def finalize_options(self) -> None:
        """Take the build folder from the build command."""
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        """Call protoc unless every output is newer than every source."""
        from grpc_tools import protoc  # type: ignore[import-untyped]

        target = self._target()
        outputs = [target / name for names in self._generated().values() for name in names]
        sources = [Path(name) for name in (*self.get_source_files(), "setup.py")]
        if all(path.exists() for path in outputs):
            oldest_output = min(path.stat().st_mtime for path in outputs)
            if oldest_output > max(path.stat().st_mtime for path in sources):
                return
        target.mkdir(parents=True, exist_ok=True)
        well_known_types = Path(protoc.__file__).with_name("_proto")
        arguments = [
            "protoc",
            f"--proto_path={PROTO_ROOT}",
            f"--proto_path={well_known_types}",
            f"--python_out={target}",
            f"--grpc_python_out={target}",
            f"--mypy_out=quiet:{target}",
            f"--mypy_grpc_out=quiet:{target}",
            f"--connectrpc_out=protobuf=google:{target}",
            *(f"--plugin={name}={_find_program(name)}" for name in PROTOC_PLUGINS),
            *self.get_source_files(),
        ]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc failed: see its message above")

    def get_source_files(self) -> list[str]:
        """Give the .proto files; an sdist carries them."""
        return sorted(path.as_posix() for path in PROTO_ROOT.rglob("*.proto"))

    def get_outputs(self) -> list[str]:
        """Give every generated file, under the build folder."""
        return list(self.get_output_mapping()) or [
            str(Path(self.build_lib or "", name))
            for names in self._generated().values()
            for name in names
        ]

    def get_output_mapping(self) -> dict[str, str]:
        """Give for an editable install where each output lies beside its .proto."""
        if not self.editable_mode:
            return {}
        return {
            str(Path(self.build_lib or "", name)): str(PROTO_ROOT / name)
            for names in self._generated().values()
            for name in names
        }

    def _target(self) -> Path:
        return PROTO_ROOT if self.editable_mode or self.inplace else Path(self.build_lib or "")

    def _generated(self) -> dict[str, list[Path]]:
        generated = {}
        for source in self.get_source_files():
            stem = Path(source).relative_to(PROTO_ROOT).with_suffix("")
            suffixes = ["_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi"]
            if "\nservice " in Path(source).read_text(encoding="utf-8"):
                suffixes.append("_connect.py")
            generated[source] = [stem.with_name(stem.name + suffix) for suffix in suffixes]
        return generated


def _find_program(name: str) -> str:
    """Find a protoc plugin beside this interpreter (a venv need not be active) or on PATH."""
    beside = Path(sys.executable).parent
    found = shutil.which(name, path=os.pathsep.join((str(beside), os.environ.get("PATH", ""))))
    if found is None:
        raise SystemExit(f"{name} not found: install the build requirements of pyproject.toml")
    return found


setup(
    ext_modules=extensions(),
    cmdclass={"build": Build, "build_ext": BuildExtensions, "build_stubs": BuildStubs},
)
