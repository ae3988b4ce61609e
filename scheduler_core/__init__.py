"""The core of slotwise: a workload in, a checked schedule out. Users import :mod:`slotwise`."""

from scheduler_core.runs.simulation import simulate

__all__ = ["simulate"]
