# Every target sets up what it needs in .venv; a second run starts at once.
# LOOOT_NATIVE=1 make … compiles for this machine's processor.

PYTHON ?= python3
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
JOBS ?= 2
KIND := $(if $(filter 1,$(LOOOT_NATIVE)),native,portable)

COMPILED := $(shell find looot_core ai \( -name '*.pyx' -o -name '*.pxd' -o -name '*.h' \) 2>/dev/null)
STUBBED := $(subst /,.,$(basename $(shell find looot_core ai -name '*.pyi' 2>/dev/null)))
PROTOS := $(shell find proto -name '*.proto')
SANITIZE := build/sanitize
PYTHON_FOLDERS := $(wildcard looot_core ai server tests bench examples docs) setup.py

.DEFAULT_GOAL := help
.PHONY: help run demo test lint format bench soak sanitize dist proto-image docs build develop clean FORCE

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

run: .venv/test.stamp build ## serve the engine over gRPC
	.venv/bin/looot serve $(ARGS)

demo: .venv/test.stamp build ## ask a server for the best turn in a recorded game, and play it out
	$(PY) -m server.demo $(ARGS)

test: .venv/test.stamp build ## run the tests
	$(PY) -m pytest -q -n $(JOBS) $(ARGS)

lint: .venv/dev.stamp build ## check style, types, stubs and the protocol
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy $(PYTHON_FOLDERS)
	PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/cython-lint looot_core ai bench
	MYPYPATH=proto .venv/bin/stubtest $(STUBBED) --ignore-missing-stub \
	    --mypy-config-file pyproject.toml
	cd proto && ../.venv/bin/buf lint
	cd proto && ../.venv/bin/buf format --diff --exit-code
	cd proto && ../.venv/bin/buf breaking --against image.binpb

format: .venv/dev.stamp ## format Python and .proto files
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	cd proto && ../.venv/bin/buf format --write

bench: .venv/dev.stamp build ## run the benchmarks, the core beside plain C++, and a quick match
	LOOOT_BENCH=1 $(PY) setup.py -q build_ext --inplace --parallel $(JOBS)
	$(PY) -m pytest bench -q $(ARGS)
	$(PY) -m bench.compare
	$(PY) -m bench.quick_match

soak: .venv/test.stamp build ## kill servers of hosted games again and again, and look for losses
	$(PY) -m bench.soak $(ARGS)

# Tests of what is Python only, and slow.
UNCOMPILED := */test_arena*.py */test_process_agent.py */test_open_spiel.py */test_training*.py \
    */test_command_line*.py */test_demo.py */games/test_*.py */test_browser*.py */test_chromium.py \
    */test_load.py */test_access.py */test_settings.py */test_observation.py */test_start.py \
    */test_held_open.py

# The sanitized modules live in a tree of their own, with a copy of the tests beside them.
sanitize: .venv/test.stamp ## run the tests on a build with bounds checks, ASan and UBSan
	LOOOT_SANITIZE=1 $(PY) setup.py -q build --build-lib $(SANITIZE)/lib \
	    build_ext --parallel $(JOBS)
	rm -rf $(SANITIZE)/lib/tests
	cp -r tests pyproject.toml $(SANITIZE)/lib/
	cd $(SANITIZE)/lib && \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	$(CURDIR)/$(PY) -m pytest -q -n $(JOBS) --lockstep-games=100 $(UNCOMPILED:%=--ignore-glob=%) \
	    tests/core tests/ai tests/server $(ARGS)

# The wheel is built from the sdist, so that one shows what the other lacks.
dist: .venv/requirements.stamp ## build the sdist and the wheel into dist/
	rm -rf dist
	$(PY) setup.py -q egg_info --egg-base build sdist
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist dist/looot-*.tar.gz

docs: .venv/test.stamp ## write docs/protocol.md from the .proto files
	$(PY) docs/make_protocol.py

proto-image: .venv/dev.stamp ## store the protocol as it is now, for 'buf breaking'
	cd proto && ../.venv/bin/buf build --exclude-source-info -o image.binpb

develop: .venv/dev.stamp build ## everything for work on the project

build: build/inplace.stamp ## compile the modules and generate the stubs, in place

build/inplace.stamp: .venv/requirements.stamp build/kind setup.py $(COMPILED) $(PROTOS)
	$(PY) setup.py -q build_stubs --inplace build_ext --inplace --parallel $(JOBS)
	@touch $@

build/kind: FORCE
	@mkdir -p build
	@echo $(KIND) | cmp -s - $@ || echo $(KIND) > $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

# What the build needs, so that nothing is built in isolation (and compiled twice).
.venv/requirements.stamp: pyproject.toml | .venv/bin/python
	@mkdir -p build
	@$(PY) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > build/requirements.txt
	$(PIP) install -r build/requirements.txt
	@touch $@

# The package itself, in place, with the packages of one extra (test or dev).
.venv/%.stamp: pyproject.toml .venv/requirements.stamp
	$(PIP) install --no-build-isolation -e '.[$*]'
	@touch $@

clean: ## remove everything that was built (not .venv, and no results of bench)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find looot_core ai proto bench \( -name '*.so' -o -name '*_pb2*.py' -o -name '*_pb2*.pyi' -o -name '*_connect.py' \) -delete
	find looot_core ai server proto tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
