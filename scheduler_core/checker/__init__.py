"""Independent validation: from workload and schedule alone, without the engines, it proves a schedule legal.

What it proves are the rules of the schedule's family; what it does not, the certificate says.
"""

from __future__ import annotations

from scheduler_core.checker.certificate import Certificate, Finding
from scheduler_core.checker.check import check

__all__ = ["Certificate", "Finding", "check"]
