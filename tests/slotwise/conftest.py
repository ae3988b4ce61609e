"""The small workload of the core's tests, for the tests of the front door."""

from tests.scheduler_core.conftest import small_workload

__all__ = ["small_workload"]
