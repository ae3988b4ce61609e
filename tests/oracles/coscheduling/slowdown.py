"""The LOMARC oracle: how much two jobs slow each other down, as believed and as it is, in millionths."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.machine import MILLION
from tests.oracles.job import Job


def in_millionths(value: float) -> int:
    """Round to millionths."""
    return math.floor(MILLION * value + 0.5)


def fractions(job: Job) -> tuple[float, float, float]:
    """Return how long the job uses CPU, network and disk; time in which it uses two of them counts for each."""
    told = job.behaviour
    return (
        told.cpu + told.cpu_network + told.cpu_disk,
        told.network + told.cpu_network + told.network_disk,
        told.disk + told.cpu_disk + told.network_disk,
    )


def frac(x: float, y: float) -> float:
    """Return the sum of two phases, which is a phase again."""
    return x + y - 1.0 if x + y >= 1.0 else x + y


@dataclass(frozen=True)
class Slowdowns:
    """What slows jobs down under a policy, with so much memory on a processor, or by a table of measurements."""

    policy: Policy
    memory: int
    table: Mapping[tuple[int, int], float]

    def in_conflict(self, a: Job, b: Job) -> bool:
        """Tell whether two jobs need more memory together than a processor has."""
        return self.memory > 0 and a.held_memory + b.held_memory > self.memory

    def compatible(self, a: Job, b: Job) -> bool:
        """Tell whether the computing of two jobs goes well together."""
        return frac(a.behaviour.cpu_phase, b.behaviour.cpu_phase) < self.policy.compatible_share

    def by_behaviour(self, a: Job, b: Job) -> float:
        """Return the slowdown of two jobs, memory left aside."""
        if self.policy.slowdown == "table":
            one, other = a.behaviour.application, b.behaviour.application
            return max(self.table[one, other], self.table[other, one])
        hyperthreading = self.policy.cpu == "hyperthreading"
        c = float(self.policy.shared_compatible) if hyperthreading and self.compatible(a, b) else 2.0
        cpu, network, disk = (min(one, other) for one, other in zip(fractions(a), fractions(b), strict=True))
        if self.policy.slowdown == "unshared_counted":
            return min(2.0, 1.0 + (c - 1.0) * cpu + network + disk)
        raw = min(2.0, c * cpu + 2.0 * network + 2.0 * disk)
        return max(1.0, raw) if self.policy.slowdown == "printed" else raw

    def believed(self, a: Job, b: Job) -> int:
        """Return the slowdown that the scheduler believes in."""
        s = self.by_behaviour(a, b)
        if self.in_conflict(a, b):
            s = {"additive": s + 2.5, "replace": max(s, 2.5), "excess": s + 1.5}[self.policy.memory_conflict]
        return max(1, in_millionths(s))

    def actual(self, a: Job, b: Job) -> int:
        """Return the slowdown that the jobs have."""
        if self.policy.model_error == 0:
            return self.believed(a, b)
        x = frac(a.behaviour.error_phase, b.behaviour.error_phase)
        if self.policy.error_side == "both":
            x = 2.0 * x - 1.0
        s = self.believed(a, b) / MILLION
        return in_millionths(max(1.0, s * (1.0 + self.policy.model_error * x)))
