"""Simulate parallel job schedulers, check every schedule, and compare them.

>>> import slotwise as sw
>>> workload = sw.read_log("SDSC-SP2-1998-4.2-cln.swf.gz")
>>> run = sw.simulate(workload, "easy", backfill_order="shortest")
>>> run.check().legal
True
>>> run.frame()
>>> run.gantt(window=(0, 24)).save("day.svg")
>>> run.compare(sw.simulate(workload, "fcfs"))["metrics"]["mean_wait_s"]
>>> sw.whatif(workload, ["conservative"], processors=["+10%"]).save("whatif.html")

Each name is loaded on first use, so importing this package takes no time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scheduler_core.common.errors import SlotwiseError
    from scheduler_core.declarations.policy import policies
    from scheduler_core.runs.comparison import compare
    from scheduler_core.runs.replay import check
    from scheduler_core.space_sharing.own_view import CallAgain, Promise, Start, Suspend, moldable, preemptive
    from slotwise.notebook.runs import Run, simulate
    from slotwise.notebook.stores import open_store
    from slotwise.planning.answers import fit, validate, whatif
    from traces.generate import generate
    from traces.ingest import read_log

HOMES = {
    **dict.fromkeys(
        ("CallAgain", "Promise", "Start", "Suspend", "moldable", "preemptive"), "scheduler_core.space_sharing.own_view"
    ),
    **dict.fromkeys(("Run", "simulate"), "slotwise.notebook.runs"),
    **dict.fromkeys(("fit", "validate", "whatif"), "slotwise.planning.answers"),
    "SlotwiseError": "scheduler_core.common.errors",
    "check": "scheduler_core.runs.replay",
    "compare": "scheduler_core.runs.comparison",
    "generate": "traces.generate",
    "open_store": "slotwise.notebook.stores",
    "policies": "scheduler_core.declarations.policy",
    "read_log": "traces.ingest",
}
"""The module that defines each name."""

__all__ = [
    "CallAgain",
    "Promise",
    "Run",
    "SlotwiseError",
    "Start",
    "Suspend",
    "check",
    "compare",
    "fit",
    "generate",
    "moldable",
    "open_store",
    "policies",
    "preemptive",
    "read_log",
    "simulate",
    "validate",
    "whatif",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'slotwise' has no attribute '{name}'; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
