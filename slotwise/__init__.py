"""Simulate parallel job schedulers, check every schedule, and compare them.

>>> import slotwise as sw
>>> workload = sw.read_log("SDSC-SP2-1998-4.2-cln.swf.gz")
>>> schedule = sw.simulate(workload, "easy", backfill_order="shortest")
>>> sw.check(workload, schedule).legal
True
>>> sw.compare(schedule, sw.simulate(workload, "fcfs"))["metrics"]["mean_wait_s"]
>>> sw.whatif(workload, ["conservative"], processors=["+10%"]).save("whatif.html")

Each name is loaded on first use, so importing this package takes no time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.draw.drawing import open_store
    from scheduler_core.declarations.policy import policies
    from scheduler_core.runs.comparison import compare
    from scheduler_core.runs.replay import check
    from scheduler_core.runs.simulation import simulate
    from scheduler_core.space_sharing.own_view import CallAgain, Promise, Start
    from slotwise.planning.answers import fit, validate, whatif
    from traces.generate import generate
    from traces.ingest import read_log

HOMES = {
    "CallAgain": "scheduler_core.space_sharing.own_view",
    "Promise": "scheduler_core.space_sharing.own_view",
    "Start": "scheduler_core.space_sharing.own_view",
    "check": "scheduler_core.runs.replay",
    "compare": "scheduler_core.runs.comparison",
    "fit": "slotwise.planning.answers",
    "generate": "traces.generate",
    "open_store": "reports.draw.drawing",
    "policies": "scheduler_core.declarations.policy",
    "read_log": "traces.ingest",
    "simulate": "scheduler_core.runs.simulation",
    "validate": "slotwise.planning.answers",
    "whatif": "slotwise.planning.answers",
}
"""The module that defines each name."""

__all__ = [
    "CallAgain",
    "Promise",
    "Start",
    "check",
    "compare",
    "fit",
    "generate",
    "open_store",
    "policies",
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
