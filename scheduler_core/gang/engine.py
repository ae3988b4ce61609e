"""From a workload and a policy of this family to a schedule: prepare the state, run the event loop, make the tables."""

from __future__ import annotations

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
from scheduler_core.gang.family import FAMILY, LEVELS_COLUMNS, TURN_COLUMNS
from scheduler_core.gang.slot_clock import slice_at
from scheduler_core.gang.state import Rows, SlotPlans, World
from scheduler_core.kernel.records import Record, enlarged, record, records
from scheduler_core.kernel.tables import allocations_table, in_table_order, named_processors
from scheduler_core.stepping.engine_shell import Became, Shell, counted

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.gang.policy import GangPolicy, Setting

SYSTEMS = ("matrix", "buddy", "static", "equipartition", "folding", "compress", "lazy")
PACKINGS = ("first_fit", "best_fit", "one_job", "memory_fit", "memory_best_fit")
BACKFILLS = ("none", "head", "all", "greedy")
REPACKS = ("never", "arrivals", "changes")
"""Words of parameters, in the order of their numbers in the state."""

PASSES_AT_ONCE = 1 << 16
WORD = 64
KB_PER_MB = 1024


def run(policy: GangPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Return the schedule of a workload on the matrix."""
    setting = policy.setting(workload.machine.processors)
    shell = Shell(FAMILY, policy, workload, fitting(workload, setting))
    world = prepare(setting, shell)
    plans = make_plans(world)
    with shell.kernel():
        world = simulate_events(world, plans, progress)
    clock, became, numbers = world.clock, world.state, shell.column("job")
    schedule = shell.schedule(
        Became(became["start"], became["finish"], became["first_size"], became["preemptions"]),
        counted(state.COUNTERS, np.array(world.counters.tolist())),
        matrix_allocations(numbers, world.rows, int(clock.rows)),
        tables={"levels": levels_table(world.rows, int(clock.level_rows))},
    )
    check_capacity(schedule.jobs, workload.machine.processors, policy.name)
    return schedule


def simulate_events(world: World, plans: SlotPlans, progress: Progress | None) -> World:
    """Run the event loop to its end, enlarging tables on demand; return the world with the tables in use."""
    done = False
    while not done:
        wanted, done = run_events(world, plans, PASSES_AT_ONCE)
        if wanted != state.DONE:
            world = with_room(world, wanted)
        if progress is not None:
            progress(int(world.clock.next_arrival), len(world.asked))
    return world


def with_room(world: World, wanted: int) -> World:
    """Return the world with twice the room for a table, or with as much as the copies that fill slots need."""
    clock, rows = world.clock, world.rows
    if wanted == state.MORE_PLACES:
        count = 2 * int(clock.places_needed)
        return world._replace(
            copy_slot=enlarged(world.copy_slot, count),
            copy_mask=enlarged(world.copy_mask, count),
            fresh_slot=enlarged(world.fresh_slot, count),
            fresh_next=enlarged(world.fresh_next, count),
            fresh_mask=enlarged(world.fresh_mask, count),
        )
    if wanted == state.MORE_LEVELS:
        return world._replace(rows=rows._replace(levels=enlarged(rows.levels, 2 * len(rows.levels))))
    count = max(2 * len(rows.held), len(rows.held) + 4 * int(clock.places + clock.running))
    return world._replace(rows=rows._replace(held=enlarged(rows.held, count), mask=enlarged(rows.mask, count)))


def fitting(workload: Workload, setting: Setting) -> np.ndarray:
    """Return which jobs fit the machine in processors and, if the packing considers it, in memory."""
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


def prepare(setting: Setting, shell: Shell) -> World:
    """Return the state in which a simulation begins."""
    machine = shell.workload.machine
    blocks = fixed_blocks(setting, machine.processors)
    rules = make_rules(setting, machine.processors, len(blocks))
    asked = make_asked(setting, shell)
    total = len(asked)
    slots = max(len(blocks), int(rules.level) if rules.level > 0 else max(1, total))
    memory = machine.memory_kb if memory_binds(setting, shell.workload) else 0
    world = new_world(setting, rules, asked, slots, memory)
    world.clock.slice = slice_at(0, rules)
    lay_out(blocks, world)
    return world


def fixed_blocks(setting: Setting, processors: int) -> list[tuple[int, int]]:
    """Return the first processor and the number of processors of every fixed block of the machine."""
    if setting.system == "buddy":
        return tree_blocks(processors)
    return list(zip(accumulate(setting.parts, initial=0), setting.parts, strict=False))


def new_world(setting: Setting, rules: Record, asked: np.ndarray, slots: int, memory: int) -> World:
    """Return an empty matrix with room for so many slots, and so much memory on each processor."""
    total, processors = len(asked), int(rules.processors)
    words = -(-processors // WORD) if setting.names_processors else 0
    return World(
        rules=rules,
        clock=state.new_clock(),
        counters=record(state.COUNTED),
        asked=asked,
        state=state.new_states(total),
        order=np.zeros(slots, np.int64),
        slots=records(slots, state.SLOT),
        free_mask=np.zeros((slots, words), np.uint64),
        running=np.zeros(total, np.int64),
        memory=np.full(processors, memory, np.int64),
        mask=np.zeros((total, words), np.uint64),
        lines=state.new_lines(),
        links=records(total, state.LINK),
        waits=state.new_waits(total if setting.system == "lazy" else 0),
        fronts=np.zeros((2, state.LINES), np.int64),
        copy_slot=np.zeros(0, np.int64),
        copy_mask=np.zeros((0, words), np.uint64),
        rows=state.new_rows(total, words),
        fresh=records(total if setting.fill else 0, state.FRESH),
        fresh_slot=np.zeros(0, np.int64),
        fresh_next=np.zeros(0, np.int64),
        fresh_mask=np.zeros((0, words), np.uint64),
        new_mask=np.zeros((total, words), np.uint64),
        scratch=records(max(total, processors, slots) + 1, state.SCRATCH),
        scratch_mask=np.zeros(words, np.uint64),
    )


def make_plans(world: World) -> SlotPlans:
    """Return room for the plans of all slots, where backfilling makes any."""
    planned = len(world.slots) if world.rules.backfill == state.PROTECT_ALL else 0
    return state.new_plans(planned, int(world.rules.processors) + 2 * len(world.asked) + 8 if planned else 0)


def set_patience(setting: Setting, asked: np.ndarray, memory: np.ndarray) -> None:
    """Set how long each job waits before it may preempt others, and runs before others may preempt it."""
    least_us = np.round(memory * (setting.run_s_per_mb / KB_PER_MB) * MICROSECONDS)
    asked["least_run"] = np.maximum(least_us, 1)
    waits = (setting.short_wait_s, setting.medium_wait_s, setting.long_wait_s)
    asked["longest_wait"] = np.array([seconds_to_us(wait) for wait in waits])[asked["job_class"]]


def make_asked(setting: Setting, shell: Shell) -> np.ndarray:
    """Return the jobs that take part as records of :data:`~scheduler_core.gang.state.ASKED`."""
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
    if setting.system == "lazy":
        set_patience(setting, asked, memory_of(workload)[shell.fits])
    set_target_sizes(setting, asked)
    return asked


def set_target_sizes(setting: Setting, asked: np.ndarray) -> None:
    """Set the size each job is given from the queue, in every state of the load."""
    size, flexible = asked["best_size"], asked["flexibility"] != state.RIGID
    if setting.sizing == "efficiency":
        size = np.where(flexible, efficient_sizes(asked, setting.efficiency), size)
    asked["normal_size"] = asked["low_size"] = asked["high_size"] = size
    if setting.sizing in ("load", "load_at_start"):
        asked["low_size"] = np.where(flexible, (asked["size_max"] - size + 1) // 2 + size, size)
        asked["high_size"] = np.where(flexible, (size - asked["size_min"]) // 2 + asked["size_min"], size)


def efficient_sizes(asked: np.ndarray, efficiency: float) -> np.ndarray:
    """Return each job's largest size at which its efficiency S(N) / N is at least ``efficiency``, else its smallest.

    Efficiency falls with N on the three-point curve, so bisection finds the size.
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


def lay_out(blocks: list[tuple[int, int]], world: World) -> None:
    """Let the first slots represent the fixed blocks of the machine."""
    bits = np.zeros((len(blocks), WORD * world.free_mask.shape[1]), np.uint8)
    for number, (first, count) in enumerate(blocks):
        bits[number, first : first + count] = 1
        world.slots[number].free = count
        world.slots[number].block_begin, world.slots[number].block_end = first, first + count
        world.slots[number].first = world.slots[number].last = -1
    world.free_mask[: len(blocks)] = np.packbits(bits, axis=1, bitorder="little").view("<u8")


def make_rules(setting: Setting, processors: int, blocks: int) -> Record:
    """Return the parameters as the plain numbers the event loop reads; ``blocks`` is the number of fixed blocks."""
    rules = record(state.RULES)
    level = 0 if isinstance(setting.level, str) else setting.level
    values = {
        "processors": processors,
        "level": level,
        "packing": PACKINGS.index("first_fit" if setting.packing == "first_fit_decreasing" else setting.packing),
        "packs_by_memory": setting.packs_by_memory,
        "new_slot_competes": setting.new_slot == "always",
        "repack": REPACKS.index(setting.repacks),
        "largest_first": setting.packing == "first_fit_decreasing",
        "fills": setting.fill,
        "slice_us": seconds_to_us(setting.slice_s),
        "scaled": setting.slice == "scaled" and setting.slice_s > 0,
        "switch_cost": setting.switch_cost,
        "switch_slows": setting.switch_slows,
        "priority": setting.queue == "priority",
        "aging_us": 0 if isinstance(setting.aging_s, str) else seconds_to_us(setting.aging_s),
        "backfill": BACKFILLS.index(setting.backfill),
        "depth": 0 if isinstance(setting.backfill_depth, str) else setting.backfill_depth,
        "adapt": setting.sizing in ("load", "load_at_start"),
        "resize_running": setting.sizing == "load",
        "eliminate_fragmentation": setting.eliminate_fragmentation,
        "demand_optimum": setting.demand == "optimum",
        "very_short_counted": setting.very_short == "mean",
        "load_level": level if isinstance(setting.load_level, str) else setting.load_level,
        "reconfiguration_us": seconds_to_us(setting.reconfiguration_s),
        "stall_us": setting.reconfiguration_cost_s * MICROSECONDS,
        "system": SYSTEMS.index(setting.system),
        "blocks": blocks // 2 if setting.system == "buddy" else blocks,
        "selective_disabling": setting.selective_disabling,
        "alternative": setting.alternative,
    }
    for name, value in values.items():
        rules[name] = value
    return rules


def matrix_allocations(numbers: np.ndarray, rows: Rows, count: int) -> pl.DataFrame:
    """Return the ``allocations`` table of the first ``count`` rows; ``numbers`` are the jobs' numbers by position."""
    held, places = in_table_order(rows.held[:count])
    columns = {
        "processors": held["processors"],
        "processor_ids": named_processors(rows.mask.take(places, axis=0)),
        "rate": held["rate"],
        "work_us": held["work"],
        "turn_us": held["turn"],
        "overhead_us": held["overhead"],
    }
    return allocations_table(held, numbers, columns, TURN_COLUMNS)


def levels_table(rows: Rows, count: int) -> pl.DataFrame:
    """Return the ``levels`` table."""
    levels = rows.levels[:count]
    columns = {
        "cluster": np.zeros(count, np.int16),
        "begin_us": levels["begin"],
        "end_us": levels["end"],
        "level": levels["level"],
        "share": levels["share"],
    }
    return pl.DataFrame(columns, schema=LEVELS_COLUMNS)
