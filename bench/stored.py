"""The stored results of measurements: JSON in ``bench/results``, with what they were made by."""

import json
import platform
from pathlib import Path
from typing import Any

import looot_core as lc
from ai.weights import learned_evaluation
from bench.games import ROOT, build_kind

RESULTS = ROOT / "bench" / "results"


def save(path: Path, measured: dict[str, Any]) -> None:
    """Write results, and by which engine, weights, build and processor they were made."""
    made_by = {
        "engine": lc.__version__,
        "weights": learned_evaluation().hash,
        "build": build_kind(),
        "processor": processor(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**made_by, **measured}, indent=1) + "\n", encoding="utf-8")


def processor() -> str:
    """Name the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
