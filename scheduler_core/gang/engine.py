"""From a workload and a policy of this family to a schedule: prepares the arrays, runs the event loop, makes the tables."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.contracts.reach import check_capacity
from scheduler_core.gang import state
from scheduler_core.gang.buddy import tree_blocks
from scheduler_core.gang.event_loop import run_events
from scheduler_core.gang.family import FAMILY
from scheduler_core.gang.slot_clock import slice_at
from scheduler_core.gang.state import Jobs, Matrix, Plan, Rows, Rules, Waiting, new_matrix, new_waiting
from scheduler_core.gang.tables import levels_table, matrix_allocations
from scheduler_core.kernel.records import enlarged, records
from scheduler_core.stepping.engine_shell import Became, Shell, counted

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Policy, Progress

SYSTEMS = {
    "matrix": state.MATRIX,
    "buddy": state.BUDDY,
    "static": state.STATIC,
    "equipartition": state.EQUIPARTITION,
    "folding": state.FOLDING,
    "compress": state.COMPRESSION,
    "lazy": state.LAZY,
}
PACKINGS = {
    "first_fit": state.FIRST_FIT,
    "best_fit": state.BEST_FIT,
    "first_fit_decreasing": state.FIRST_FIT,
    "one_job": state.ONE_JOB,
    "memory_fit": state.MEMORY_FIT,
    "memory_best_fit": state.MEMORY_BEST_FIT,
}
BACKFILLS = {
    "none": state.NO_BACKFILL,
    "head": state.PROTECT_HEAD,
    "all": state.PROTECT_ALL,
    "greedy": state.GREEDY,
}
REPACKS = {"never": state.REPACK_NEVER, "arrivals": state.REPACK_ARRIVALS, "changes": state.REPACK_CHANGES}
MEMORY_PACKINGS = ("memory_fit", "memory_best_fit")
PASSES_AT_ONCE = 1 << 16
WORD = 64
KB_PER_MB = 1024


@dataclass(frozen=True)
class Setting:
    """Everything in which policies of this family differ, under the names that they give their own parameters.

    ``system`` says which rule serves the queue; ``parts`` are the processors of each partition of a machine that is cut into
    fixed partitions.
    """

    system: str = "matrix"
    packing: str = "first_fit"
    new_slot: str = "last_resort"
    repack: str = "never"
    fill: bool = False
    level: int | str = 1
    slice_s: float = 0.0
    slice: str = "fixed"
    switch_cost: float = 0.0
    switch_slows: bool = False
    queue: str = "fcfs"
    short_limit_s: float = 0.0
    medium_limit_s: float = 0.0
    aging_s: float | str = "off"
    backfill: str = "none"
    backfill_depth: int | str = "all"
    sizing: str = "optimum"
    efficiency: float = 1.0
    eliminate_fragmentation: bool = False
    demand: str = "current"
    reconfiguration_s: float = 0.0
    reconfiguration_cost_s: float = 0.0
    parts: tuple[int, ...] = ()
    selective_disabling: bool = False
    alternative: bool = False
    short_wait_s: float = 0.0
    medium_wait_s: float = 0.0
    long_wait_s: float = 0.0
    run_s_per_mb: float = 0.0
    name_processors: bool = True

    @property
    def repacks(self) -> str:
        """When jobs are re-packed: first fit decreasing does at every change."""
        return "changes" if self.packing == "first_fit_decreasing" else self.repack

    @property
    def packs_by_memory(self) -> bool:
        """Whether the packing looks at memory."""
        return self.packing in MEMORY_PACKINGS

    def blocks(self, processors: int) -> list[tuple[int, int]]:
        """Return the first processor and the number of processors of every fixed block of the machine."""
        if self.system == "buddy":
            return tree_blocks(processors)
        return list(zip(accumulate(self.parts, initial=0), self.parts, strict=False))


@dataclass
class Room:
    """The arrays of one simulation; those that can run out of room are replaced by larger ones."""

    jobs: Jobs
    matrix: Matrix
    waiting: Waiting
    rules: Rules
    plan: Plan
    rows: Rows
    counters: np.ndarray

    def enlarge(self, wanted: int) -> None:
        """Give the table that wants it twice the room, or the copies that fill slots as much as they need."""
        if wanted == state.MORE_PLACES:
            count = 2 * int(self.matrix.clock.places_needed)
            names = ("copy_slot", "copy_mask", "fresh_slot", "fresh_mask")
            self.matrix = self.matrix._replace(**{n: enlarged(getattr(self.matrix, n), count) for n in names})
            return
        if wanted == state.MORE_LEVELS:
            self.rows = self.rows._replace(levels=enlarged(self.rows.levels, 2 * len(self.rows.levels)))
            return
        present = int(self.matrix.clock.places) + int(self.matrix.clock.running)
        count = max(2 * len(self.rows.held), len(self.rows.held) + 4 * present)
        held, mask = enlarged(self.rows.held, count), enlarged(self.rows.mask, count)
        self.rows = self.rows._replace(held=held, mask=mask)


def run(policy: Policy, workload: Workload, progress: Progress | None, setting: Setting) -> Schedule:
    """Simulate a workload on the matrix; the one way in for the policies of this family."""
    shell = Shell(FAMILY, policy, workload, fitting(workload, setting))
    room = prepare(setting, shell)
    with shell.kernel():
        simulate_events(room, progress)
    clock, became, numbers = room.matrix.clock, room.matrix.state, shell.column("job")
    schedule = shell.schedule(
        Became(became["start"], became["finish"], became["first_size"], became["preemptions"]),
        counted(state.COUNTERS, room.counters),
        matrix_allocations(numbers, room.rows, int(clock.rows)),
        tables={"levels": levels_table(room.rows, int(clock.level_rows))},
    )
    check_capacity(schedule.jobs, workload.machine.processors, policy.name)
    return schedule


def simulate_events(room: Room, progress: Progress | None) -> None:
    """Run the event loop to its end, giving tables more room when they want it."""
    total = len(room.jobs.asked)
    done = False
    while not done:
        wanted, done = run_events(
            room.jobs, room.matrix, room.waiting, room.rules, room.plan, room.rows, room.counters, PASSES_AT_ONCE
        )
        if wanted != state.DONE:
            room.enlarge(wanted)
        if progress is not None:
            progress(int(room.matrix.clock.next_arrival), total)


def fitting(workload: Workload, setting: Setting) -> np.ndarray:
    """Return which jobs the machine is large enough for, in processors and, where a packing minds it, in memory."""
    fits = workload.column("size") <= max(setting.parts, default=workload.machine.processors)
    if memory_binds(setting, workload):
        fits = fits & (memory_of(workload) <= workload.machine.memory_kb)
    return fits


def memory_binds(setting: Setting, workload: Workload) -> bool:
    """Return whether memory can run out."""
    return setting.packs_by_memory and workload.machine.memory_kb > 0


def memory_of(workload: Workload) -> np.ndarray:
    """Return the memory each job needs per processor; 0 where it is unknown."""
    if "memory_kb" not in workload.jobs.columns:
        return np.zeros(len(workload), np.int64)
    return workload.jobs["memory_kb"].fill_null(0).to_numpy()


def prepare(setting: Setting, shell: Shell) -> Room:
    """Make the arrays of a simulation."""
    workload = shell.workload
    processors = workload.machine.processors
    blocks = setting.blocks(processors)
    rules = make_rules(setting, processors, len(blocks))
    jobs = make_jobs(setting, shell)
    if setting.system == "lazy":
        set_patience(setting, jobs, memory_of(workload)[shell.fits])
    total = len(jobs.asked)
    named = setting.name_processors or setting.packs_by_memory or (setting.fill and setting.repacks == "never")
    words = -(-processors // WORD) if named else 0
    slots = max(len(blocks), rules.level if rules.level > 0 else max(1, total))
    memory = workload.machine.memory_kb if memory_binds(setting, workload) else 0
    matrix = new_matrix(total, processors, memory, slots, words, setting.fill)
    matrix.clock.slice = slice_at(0, rules)
    lay_out(blocks, matrix)
    planned = slots if setting.backfill == "all" else 0
    steps = processors + 2 * total + 8 if planned else 0
    shape = (planned, steps)
    tables = (np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros((planned, 2), np.int64))
    plan = Plan(*tables, behind=np.zeros(state.LINES, np.int64))
    counters = np.zeros(len(state.COUNTERS), np.int64)
    return Room(jobs, matrix, new_waiting(total), rules, plan, new_rows(total, words), counters)


def set_patience(setting: Setting, jobs: Jobs, memory: np.ndarray) -> None:
    """Set how long each job waits before it may preempt others, and runs before others may preempt it."""
    least_us = np.round(memory * (setting.run_s_per_mb / KB_PER_MB) * MICROSECONDS)
    jobs.asked["least_run"] = np.maximum(least_us, 1)
    waits = (setting.short_wait_s, setting.medium_wait_s, setting.long_wait_s)
    jobs.asked["longest_wait"] = np.array([seconds_to_us(wait) for wait in waits])[jobs.asked["job_class"]]


def make_jobs(setting: Setting, shell: Shell) -> Jobs:
    """Return the jobs that take part as arrays, with the size each is given in every state of the load."""
    table, workload = shell.jobs, shell.workload
    asked = records(table.height, state.ASKED)
    size, estimate = table["size"].to_numpy(), table["estimate_us"].to_numpy()
    asked["submit"] = table["submit_us"].to_numpy()
    asked["work"] = np.minimum(table["runtime_us"].to_numpy(), estimate)
    asked["estimate"], asked["best_size"] = estimate, size
    asked["size_min"] = given(table, "size_min", np.maximum(1, size // 2))
    asked["size_max"] = np.minimum(given(table, "size_max", 2 * size), workload.machine.processors)
    asked["flexibility"] = given(table, "flexibility", np.full(len(size), state.RIGID))
    limits = [seconds_to_us(setting.short_limit_s), seconds_to_us(setting.medium_limit_s)]
    asked["job_class"] = given(table, "class", np.searchsorted(limits, estimate, side="left"))
    if memory_binds(setting, workload):
        asked["memory"] = memory_of(workload)[shell.fits]
    return Jobs(asked, target_sizes(setting, asked))


def target_sizes(setting: Setting, asked: np.ndarray) -> np.ndarray:
    """Return the size a queued job is given: a row per state of the load, a column per job."""
    size, flexible = asked["best_size"], asked["flexibility"] != state.RIGID
    target = np.tile(size, (3, 1))
    if setting.sizing == "efficiency":
        target[:] = np.where(flexible, efficient_sizes(asked, setting.efficiency), size)
    elif setting.sizing != "optimum":
        wider = (asked["size_max"] - size + 1) // 2 + size
        narrower = (size - asked["size_min"]) // 2 + asked["size_min"]
        target[state.LOW] = np.where(flexible, wider, size)
        target[state.HIGH] = np.where(flexible, narrower, size)
    return target


def efficient_sizes(asked: np.ndarray, efficiency: float) -> np.ndarray:
    """Return the most processors at which each job's efficiency S(N) / N still is at least ``efficiency``, or its fewest.

    Efficiency falls with N on the three-point curve, so that the size is found by halving.
    """
    least, best, most = (asked[name].astype(np.int64) for name in ("size_min", "best_size", "size_max"))
    below, above = np.maximum(best - least, 1), np.maximum(most - best, 1)
    found, failing = least.copy(), most + 1
    while (failing - found > 1).any():
        size = (found + failing) // 2
        # S(N) in hundredths times the length of its line, and efficiency in ten-thousandths: whole numbers throughout
        narrow = 80 * least * below + (65 * best - 80 * least) * (size - least)
        wide = 65 * best * above + (50 * most - 65 * best) * (size - best)
        span = np.where(size <= best, below, above)
        speed = np.where(size == best, 65 * best * span, np.where(size < best, narrow, wide))
        enough = 100 * speed >= round(efficiency * 10_000) * size * span
        found, failing = np.where(enough, size, found), np.where(enough, failing, size)
    return found


def given(table: pl.DataFrame, name: str, default: np.ndarray) -> np.ndarray:
    """Return a column as whole numbers, with the default where it is missing or null."""
    if name not in table.columns:
        return default
    column = table[name].to_physical().cast(pl.Int64)
    return pl.select(pl.coalesce(column, pl.Series(default.astype(np.int64)))).to_series().to_numpy()


def lay_out(blocks: list[tuple[int, int]], matrix: Matrix) -> None:
    """Make the first slots stand for fixed blocks of the machine."""
    bits = np.zeros((len(blocks), WORD * matrix.free_mask.shape[1]), np.uint8)
    for number, (first, count) in enumerate(blocks):
        bits[number, first : first + count] = 1
        matrix.slots[number].free = count
        matrix.slots[number].first = matrix.slots[number].last = -1
    matrix.free_mask[: len(blocks)] = np.packbits(bits, axis=1, bitorder="little").view("<u8")


def make_rules(setting: Setting, processors: int, blocks: int) -> Rules:
    """Return the parameters as the plain numbers the event loop reads."""
    return Rules(
        processors=processors,
        level=0 if isinstance(setting.level, str) else setting.level,
        packing=PACKINGS[setting.packing],
        new_slot_competes=setting.new_slot == "always",
        repack=REPACKS[setting.repacks],
        largest_first=setting.packing == "first_fit_decreasing",
        fill=setting.fill,
        slice_us=seconds_to_us(setting.slice_s),
        scaled=setting.slice == "scaled" and setting.slice_s > 0,
        switch_cost=float(setting.switch_cost),
        switch_slows=setting.switch_slows,
        priority=setting.queue == "priority",
        aging_us=0 if isinstance(setting.aging_s, str) else seconds_to_us(setting.aging_s),
        backfill=BACKFILLS[setting.backfill],
        depth=0 if isinstance(setting.backfill_depth, str) else setting.backfill_depth,
        adapt=setting.sizing in ("load", "load_at_start"),
        resize_running=setting.sizing == "load",
        eliminate_fragmentation=setting.eliminate_fragmentation,
        demand_optimum=setting.demand == "optimum",
        reconfiguration_us=seconds_to_us(setting.reconfiguration_s),
        stall_us=float(setting.reconfiguration_cost_s) * MICROSECONDS,
        system=SYSTEMS[setting.system],
        blocks=blocks // 2 if setting.system == "buddy" else blocks,
        selective_disabling=setting.selective_disabling,
        alternative=setting.alternative,
    )


def new_rows(total: int, words: int) -> Rows:
    """Make the empty tables, with room for a run in which little changes."""
    count = 2 * total + 64
    return Rows(
        records(count, state.HELD_ROW), np.zeros((count, words), np.uint64), records(total + 64, state.LEVEL_ROW)
    )
