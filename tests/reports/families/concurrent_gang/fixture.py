"""Runs of Concurrent Gang in miniature, made and checked as the pipeline does: the worked example, and jobs of every kind."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from tests.reports.families.stores import simulate_store
from traces.models import get_model

SLICE_MS = 10.0
EXAMPLE = {"slice_ms": SLICE_MS, "spin_us": 800.0, "until_s": 0.09, "trace_s": 0.09, "sums_s": 0.03}
MIXED = {"slice_ms": 50.0, "until_s": 2.0, "trace_from_s": 0.5, "trace_s": 0.4, "sums_s": 0.5}
RUNS: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("cascade", "gang"): ("cg_gang", EXAMPLE),
    ("cascade", "rr"): ("cg_rr", EXAMPLE),
    ("mixed", "mixed-gang"): ("cg_gang", MIXED),
    ("mixed", "mixed-rt"): ("gang_rt", MIXED),
    ("mixed", "untraced"): ("cg_rr", {**MIXED, "trace_s": 0.0}),
}


def cascade() -> Workload:
    """Return the worked example."""
    return get_model("cascade").generate(3, np.random.default_rng(1))


def mixed() -> Workload:
    """Return a job of every kind on four processors; the second one ends, and one of one task, the others do not."""
    second = 1_000_000
    kinds = (
        (1, 3, 9.0, "io", 20_000, 30_000, 0.0),
        (2, 4, 0.2, "messages", 2_000, 0, 0.0),
        (3, 2, 9.0, "supersteps", 5_000, 0, 0.5),
        (4, 1, 0.1, "compute", 0, 0, 0.0),
        (5, 2, 9.0, "messages", 4_000, 0, 0.0),
    )
    rows = [(job, 1000 * job, round(time * second), round(time * second), size) for job, size, time, *_ in kinds]
    applications = [
        (job, word, 100 + job, burst, disk, "exponential", imbalance, 0)
        for job, _, _, word, burst, disk, imbalance in kinds
    ]
    return Workload(
        pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"),
        Machine(4, "small"),
        {"kind": "model", "source": "made"},
        companions={"applications": pl.DataFrame(applications, schema=APPLICATIONS_COLUMNS, orient="row")},
    )


def write_store(root: Path) -> Path:
    """Run the cells, and build their store."""
    policies = {cell: get_policy(preset, **parameters) for cell, (preset, parameters) in RUNS.items()}
    return simulate_store(root, {"cascade": cascade(), "mixed": mixed()}, policies)
