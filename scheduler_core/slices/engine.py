"""From a workload and a policy of this family to a schedule: one cluster that is stepped through time, and its tables."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS, NEVER_US, seconds_to_us
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.kernel.records import enlarged, records
from scheduler_core.slices import state
from scheduler_core.slices.calls import go_on_with, no_jobs
from scheduler_core.slices.family import FAMILY
from scheduler_core.slices.optimise import optimise
from scheduler_core.slices.rules import make_rules, make_search_rules, set_class_rules
from scheduler_core.slices.state import LONG, MEDIUM, Cluster, new_cluster
from scheduler_core.slices.tables import Searches, slice_allocations, slice_tables
from scheduler_core.slices.virtual_schedule import Search, new_search
from scheduler_core.stepping.engine_shell import Became, Shell, counted
from scheduler_core.stepping.local_scheduler import BookingRules

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.slices.policies.pect import Pect
    from scheduler_core.slices.policies.pect_o import GroupOptimisation

INSTANTS_AT_ONCE = 1 << 14

SLIDING_UP = BookingRules()

MOST_INTERVALS = 1_000_000
"""Intervals that one job may run for: 114 years in intervals of an hour."""

SEARCH_COUNTS = ("orders", "tree_nodes", "pruned", "pruned_leaves")


class SliceScheduler:
    """One cluster under SCOJO-PECT, which a caller may step through time.

    ``jobs`` has the workload's columns, in the order of submission. No job may be larger than the machine.
    """

    def __init__(self, policy: Pect, jobs: pl.DataFrame, processors: int, bookings: BookingRules = SLIDING_UP) -> None:
        rules = make_rules(policy, processors, bookings)
        self.cluster: Cluster = new_cluster(asked_of(policy, jobs), rules)
        set_class_rules(self.cluster.classes, policy, rules)
        facts = policy.facts()
        groups = cast("GroupOptimisation", policy) if facts.groups else None
        self.search_rules = {k: make_search_rules(groups, k, processors) for k in (MEDIUM, LONG)} if groups else {}
        room = 4 * processors if groups or facts.searches else 0
        self.search: Search = new_search(processors, room, groups.orders if groups else 0)
        self.coming = no_jobs()
        self.searches = Searches()
        self.optimiser_s = 0.0

    @property
    def now_us(self) -> int:
        """Time of the last instant so far."""
        return int(self.cluster.clock.now)

    @property
    def finished(self) -> bool:
        """Whether every job is done."""
        clock = self.cluster.clock
        return bool(clock.present == 0 and clock.next_arrival == clock.known)

    def advance(self, until_us: int = NEVER_US - 1, instants: int = INSTANTS_AT_ONCE) -> None:
        """Simulate up to ``until_us``, that time included, but at most so many instants."""
        while True:
            wanted, *_ = go_on_with(self.cluster, self.search, self.coming, until_us, instants, False, 0)
            if wanted == state.MORE_ROWS:
                self.enlarge()
            elif wanted == state.GROUP_FORMED:
                self.optimise_group()
            else:
                return

    def make_room(self, jobs: int) -> None:
        """Make room for so many jobs in what is kept of them, where there is less."""
        before = self.cluster
        if jobs <= len(before.state):
            return
        fresh = new_cluster(records(2 * jobs, state.ASKED), before.rules)
        for name in ("asked", "state", "sets", "requests"):
            old = getattr(before, name)
            getattr(fresh, name)[: len(old)] = old
        fresh.plans[:, :, : before.plans.shape[2]] = before.plans
        larger: dict[str, Any] = {
            name: getattr(fresh, name) for name in ("asked", "state", "sets", "requests", "plans")
        }
        self.cluster = before._replace(**larger)

    def make_booking_room(self, bookings: int) -> None:
        """Make room for so many booked and followed jobs in what is kept of them, where there is less."""
        if bookings > len(self.cluster.bookings):
            self.cluster = self.cluster._replace(bookings=enlarged(self.cluster.bookings, 2 * bookings))

    def begin_interval(self, now: int) -> None:
        """Lay out the interval around now, as for a job that comes now, if no interval is in force."""
        clock = self.cluster.clock
        self.end_interval(now)
        if clock.phase == state.IDLE:
            clock.present += 1
            self.advance(now, NEVER_US)
            clock.present -= 1

    def end_interval(self, now: int) -> None:
        """End the slices that no job waited for; if no interval is in force then, the one around now is due."""
        clock = self.cluster.clock
        clock.goes_on = True
        self.advance(now, NEVER_US)
        clock.goes_on = False
        if clock.phase == state.IDLE:
            clock.wake = max(0, now // self.cluster.rules.interval * self.cluster.rules.interval)

    def enlarge(self) -> None:
        """Give each table room for twice its rows and for what the next instant may write."""
        clock, rows, processors = self.cluster.clock, self.cluster.rows, self.cluster.rules.processors
        waiting = int(self.cluster.lines["count"].sum() + clock.known - clock.next_arrival)
        slides = 2 * clock.slide_rows + 4 * waiting + 64 if len(self.cluster.bookings) else 0
        ended = longer(rows.ended, 2 * clock.groups + 8)
        ended[len(rows.ended) :] = -1
        larger = state.Rows(
            held=longer(rows.held, 2 * clock.held_rows + processors + 64),
            slices=longer(rows.slices, 2 * clock.slice_rows + 64),
            promises=longer(rows.promises, 2 * clock.promise_rows + 3 * waiting + 64),
            slides=longer(rows.slides, slides),
            ended=ended,
        )
        self.cluster = self.cluster._replace(rows=larger)

    def optimise_group(self) -> None:
        """Order the group that was formed just now, and record the search."""
        clock, counters = self.cluster.clock, self.cluster.counters
        kind = int(clock.slice)
        steps = int(self.cluster.bounds[kind, 1] - self.cluster.bounds[kind, 0])
        if steps + 2 * state.MOST_GROUPED + 8 > self.search.steps.shape[1]:
            self.search = new_search(self.cluster.rules.processors, 2 * steps, self.search_rules[kind].orders)
        begun = time.perf_counter()
        optimise(self.cluster, self.search, self.search_rules[kind])
        self.optimiser_s += time.perf_counter() - begun
        search, count = self.search, int(self.cluster.classes[kind].members)
        found = {name: int(search.note[name]) for name in SEARCH_COUNTS} | {"placements": int(search.note.placed)}
        for name, value in found.items():
            counters[name] += value
        self.searches.groups.append(
            {
                "class": kind,
                "formed_us": int(clock.now),
                "jobs": count,
                "long_wide": int(search.note.long_wide),
                **found,
                "heuristic_slowdown": float(search.note.heuristic_total),
                "slowdown": float(search.note.chosen_total),
            }
        )
        self.searches.members.append(self.cluster.members[kind, :count].copy())
        self.searches.improvements.append(search.improvements[: search.note.improved].copy())


def longer(table: np.ndarray, rows: int) -> np.ndarray:
    """Return a table with room for so many rows: itself, or a longer copy."""
    return table if rows <= len(table) else enlarged(table, rows)


def asked_of(policy: Pect, jobs: pl.DataFrame) -> np.ndarray:
    """Return what the jobs ask as records."""
    asked = records(jobs.height, state.ASKED)
    asked["submit"] = jobs["submit_us"].to_numpy()
    asked["estimate"] = jobs["estimate_us"].to_numpy()
    asked["work"] = np.minimum(jobs["runtime_us"].to_numpy(), asked["estimate"])
    asked["processors"] = jobs["size"].to_numpy()
    by_estimate = pl.Series(classes_by_estimate(policy, asked["estimate"]))
    stated = jobs["class"].to_physical().cast(pl.Int64) if "class" in jobs.columns else by_estimate
    asked["job_class"] = stated.fill_null(by_estimate).to_numpy() if stated.null_count() else stated.to_numpy()
    return asked


def classes_by_estimate(policy: Pect, estimates_us: np.ndarray) -> np.ndarray:
    """Return the numbers of the classes of jobs whose class is not stated."""
    limits = [seconds_to_us(policy.short_limit_s), seconds_to_us(policy.medium_limit_s)]
    return np.searchsorted(limits, estimates_us, side="right").astype(np.int64)


def refuse_endless_jobs(policy: Pect, jobs: pl.DataFrame) -> None:
    """Refuse the longest of some jobs if it is endless; see :func:`refuse_endless`."""
    if jobs.height:
        runs_us = np.minimum(jobs["runtime_us"].to_numpy(), jobs["estimate_us"].to_numpy())
        longest = int(runs_us.argmax())
        refuse_endless(policy, jobs["job"][longest], int(runs_us[longest]))


def refuse_endless(policy: Pect, job: int, run_us: int) -> None:
    """Raise :class:`ParameterError` for a job with more than ``MOST_INTERVALS`` intervals, each with an allocation."""
    intervals = run_us // seconds_to_us(policy.interval_s)
    if intervals > MOST_INTERVALS:
        raise ParameterError(
            f"{policy.name}: job {job} runs for {run_us / MICROSECONDS:,.0f} s, which is {intervals:,} intervals of "
            f"{policy.interval_s:g} s, each with an allocation; expected at most {MOST_INTERVALS:,}: set a longer interval_s, "
            "or leave the job out of the workload"
        )


def run(policy: Pect, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload in slices; the one way in for the policies of this family."""
    shell = Shell(FAMILY, policy, workload)
    refuse_endless_jobs(policy, shell.jobs)
    scheduler = SliceScheduler(policy, shell.jobs, workload.machine.processors)
    total = len(scheduler.cluster.asked)
    with shell.kernel():
        while not scheduler.finished:
            scheduler.advance()
            if progress is not None:
                progress(int(scheduler.cluster.clock.next_arrival), total)
    numbers, cluster = shell.column("job"), scheduler.cluster
    became = cluster.state
    return shell.schedule(
        Became(became["start"], became["finish"], preemptions=became["stretches"] - 1),
        counted(state.COUNTERS, cluster.counters),
        slice_allocations(numbers, cluster),
        tables=slice_tables(numbers, cluster, scheduler.searches),
        timing={"optimiser_s": scheduler.optimiser_s} if policy.facts().groups else None,
    )
