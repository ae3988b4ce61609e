"""The checker: it proves from workload and schedule alone, without the engines, that a schedule is feasible.

Each family has its own rules. The certificate lists what was not checked.
"""

from scheduler_core.checker.certificate import Certificate, Finding, Replay
from scheduler_core.checker.check import check

__all__ = ["Certificate", "Finding", "Replay", "check"]
