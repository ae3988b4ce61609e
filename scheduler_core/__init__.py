"""slotwise's core: a workload in, a checked schedule out.

>>> from scheduler_core import simulate
>>> from traces import read_log
>>> schedule = simulate(read_log("SDSC-SP2-1998-4.2-cln.swf.gz"), "easy", backfill_order="shortest")
>>> schedule.jobs.head()
"""

from __future__ import annotations

from scheduler_core.runs.simulation import simulate

__all__ = ["simulate"]
