"""How much jobs slow each other down, from what each does with its time: the publications' models, implemented again.

Slowdowns are in millionths (``_ppm``) of the time alone. LOMARC's hold for pairs and are the same for both jobs; SCOJO's are
those of a job beside others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import aligned
from scheduler_core.contracts import Machine

FULL = 1_000_000
CAPPED = 2.0
RESOURCES = ("cpu", "network", "disk")
CPU, _, DISK = range(len(RESOURCES))
FACTOR = 2.0  # for a resource used in turns
PAGING = 2.5


@dataclass(frozen=True)
class Behaviour:
    """The workload's data on its jobs' behaviour, in the order of ``asked``, and the slowdowns the policy derives from it."""

    asked: pl.DataFrame
    companions: Mapping[str, pl.DataFrame]
    machine: Machine
    parameters: Mapping[str, Any]

    @cached_property
    def table(self) -> pl.DataFrame:
        """The companion table ``behaviour``, a row per job of ``asked``."""
        return aligned(self.asked.select("job"), self.companions["behaviour"], "job")

    def column(self, name: str) -> np.ndarray:
        """Return a column of :attr:`table`."""
        return self.table[name].to_numpy()

    @cached_property
    def kind(self) -> np.ndarray:
        """The number of each job's dominant resource in :data:`RESOURCES`, as drawn."""
        words = self.table["kind"].cast(pl.String)
        return np.select([words == name for name in RESOURCES], list(range(len(RESOURCES))), -1)

    def fraction(self, resource: str) -> np.ndarray:
        """Return each job's fraction of a resource: the exclusive part and, to be safe, every overlap with another."""
        overlapped = [name for name in ("cpu_network", "cpu_disk", "network_disk") if resource in name.split("_")]
        return sum((self.column(name) for name in overlapped), start=self.column(resource))

    @cached_property
    def fractions(self) -> dict[str, np.ndarray]:
        """Each job's fraction of every resource."""
        return {name: self.fraction(name) for name in RESOURCES}

    @cached_property
    def memory_kb(self) -> np.ndarray:
        """Each job's need on each of its processors; 0 if unknown."""
        if "memory_kb" not in self.asked.columns:
            return np.zeros(self.asked.height, np.int64)
        return self.asked["memory_kb"].fill_null(0).to_numpy()

    def memory_fits(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return whether a processor has the memory that both jobs need there."""
        limit = self.machine.clusters[0].memory_kb
        return (limit == 0) | (self.memory_kb[one] + self.memory_kb[two] <= limit)

    def kinds_match(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return whether different resources dominate two jobs, or the CPU both; without hyperthreading, CPU and disk."""
        of_one, of_two = self.kind[one], self.kind[two]
        if self.parameters["cpu"] == "standard":
            return ((of_one == CPU) & (of_two == DISK)) | ((of_one == DISK) & (of_two == CPU))
        return (of_one != of_two) | (of_one == CPU)

    def slowed_too_much(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return which pairs are slowed down beyond the limit, compute incompatibly, or use the network too much."""
        too_much = self.pair_slowdown(one, two) > in_ppm(np.array(self.parameters["max_slowdown"]))
        if self.parameters["slowdown"] != "table":
            too_much |= (self.kind[one] == CPU) & (self.kind[two] == CPU) & ~self.compatible(one, two)
        if not isinstance(self.parameters["network_limit"], str):
            network = self.fractions["network"]
            too_much |= network[one] + network[two] > self.parameters["network_limit"]
        return too_much

    def compatible(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return whether two jobs' computing is compatible on a hyperthreading processor."""
        phase = self.column("cpu_phase")
        return (phase[one] + phase[two]) % 1.0 < self.parameters["compatible_share"]

    def cpu_factor(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return what computing at the same time costs each pair, relative to computing alone."""
        if self.parameters["cpu"] == "standard":
            return np.full(len(one), FACTOR)
        return np.where(self.compatible(one, two), self.parameters["shared_compatible"], FACTOR)

    def pair_slowdown(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return each pair's slowdown as the scheduler believes it, the same for both jobs."""
        if self.parameters["slowdown"] == "table":
            slowdown = np.maximum(self.in_table(one, two), self.in_table(two, one))
        else:
            slowdown = self.by_formula(one, two)
        return in_ppm(np.where(self.memory_fits(one, two), slowdown, self.paging(slowdown)))

    def by_formula(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return each pair's slowdown from the resources that both use; at most as if they took turns."""
        cpu, network, disk = (np.minimum(self.fractions[name][one], self.fractions[name][two]) for name in RESOURCES)
        factor = self.cpu_factor(one, two)
        if self.parameters["slowdown"] == "unshared_counted":
            return np.minimum(CAPPED, 1 + (factor - 1) * cpu + network + disk)
        slowdown = np.minimum(CAPPED, factor * cpu + 2 * network + 2 * disk)
        return np.maximum(1.0, slowdown) if self.parameters["slowdown"] == "printed" else slowdown

    def paging(self, slowdown: np.ndarray) -> np.ndarray:
        """Return the slowdown of pairs whose memory does not fit."""
        how = self.parameters["memory_conflict"]
        if how == "replace":
            return np.maximum(slowdown, PAGING)
        return slowdown + (PAGING if how == "additive" else PAGING - 1)

    def actual_slowdown(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Return each pair's actual slowdown: the believed one, changed by a fixed share of the model's error per pair."""
        believed, error = self.pair_slowdown(one, two), self.parameters["model_error"]
        if not error:
            return believed
        phase = self.column("error_phase")
        share = (phase[one] + phase[two]) % 1.0
        off = 2 * share - 1 if self.parameters["error_side"] == "both" else share
        return in_ppm(np.maximum(1.0, believed / FULL * (1 + error * off)))

    @cached_property
    def cells(self) -> np.ndarray:
        """The companion table ``slowdowns`` as a matrix: application by application beside it."""
        table = self.companions["slowdowns"]
        most = int(max(table["application"].max(), table["beside"].max(), self.column("application").max())) + 1
        cells = np.full((most, most), np.nan)
        cells[table["application"].to_numpy(), table["beside"].to_numpy()] = table["slowdown"].to_numpy()
        return cells

    def in_table(self, one: np.ndarray, beside: np.ndarray) -> np.ndarray:
        """Return the slowdowns of jobs beside others from the table."""
        application = self.column("application")
        return self.cells[application[one], application[beside]]

    def slowdown_beside(self, together: np.ndarray) -> np.ndarray:
        """Return each job's slowdown by the other jobs of its line (positions; -1: no job) under SCOJO's models."""
        there = together >= 0
        jobs = there.sum(axis=1)
        if self.parameters["slowdown"] == "constants":
            return np.repeat(self.by_number(jobs)[:, None], together.shape[1], axis=1)
        slowdown = np.where((jobs > 1)[:, None], 0, np.full(together.shape, FULL))
        for one in range(together.shape[1]):
            for other in range(together.shape[1]):
                both = there[:, one] & there[:, other] & (one != other)
                cell = in_ppm(self.in_table(together[both, one], together[both, other]))
                slowdown[both, one] = np.maximum(slowdown[both, one], cell)
        return slowdown

    def by_number(self, jobs: np.ndarray) -> np.ndarray:
        """Return the slowdown of so many jobs at once, if it is a constant."""
        named = (1.0, 1.0, self.parameters["slowdown_of_two"], self.parameters["slowdown_of_three"])
        return in_ppm(np.array(named))[np.minimum(jobs, len(named) - 1)]

    @cached_property
    def shares_asked(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most share each job requests, in millionths."""
        table = aligned(self.asked.select("job"), self.companions["shares"], "job")
        return in_ppm(table["share_low"].to_numpy()), in_ppm(table["share_high"].to_numpy())


def in_ppm(slowdown: np.ndarray) -> np.ndarray:
    """Return a slowdown rounded to millionths, halves up, and at least one."""
    return np.maximum(np.floor(1e6 * slowdown + 0.5).astype(np.int64), 1)
