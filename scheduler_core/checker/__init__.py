"""Prove from workload and schedule alone, without the engines, that a schedule is legal.

The checker applies the rules of the schedule's family. The certificate lists what they do not prove.
"""

from __future__ import annotations

from scheduler_core.checker.certificate import Certificate, Finding
from scheduler_core.checker.check import check

__all__ = ["Certificate", "Finding", "check"]
