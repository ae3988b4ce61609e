"""A run of gang scheduling worked by hand: eight processors, up to three slots, a malleable job that shrinks and grows."""

from pathlib import Path

import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, WORKLOAD_OPTIONAL, Machine, Schedule
from scheduler_core.gang.family import FAMILY, LEVELS_COLUMNS, TURN_COLUMNS
from tests.reports.families import stores

SECOND = 1_000_000
PROCESSORS = 8
POLICY = {
    "name": "gang",
    "parameters": {"level": 3, "slice_s": 2.0, "slice": "scaled", "switch_slows": False},
    "source": "by hand",
}
LEVELS = [(0, 6, 1), (6, 24, 2), (24, 36, 3), (36, 48, 2), (48, 54, 1)]
"""Begin, end (seconds) and level: slices of 6, 3 and 2 s, so that a cycle stays 6 s."""

JOBS = {
    1: ("long", "malleable", 5, 2, 8, 0),
    2: ("short", "rigid", 3, 3, 3, 0),
    3: ("medium", "moldable", 6, 3, 8, 1),
    4: ("medium", "rigid", 3, 3, 3, 7),
    5: ("short", "rigid", 2, 2, 2, 10),
    6: ("medium", "malleable", 4, 2, 8, 15),
    7: ("short", "rigid", 8, 8, 8, 20),
}
"""Class, flexibility, optimum, least, most processors, and submission in seconds."""

HELD = [
    (1, 0, 24, 0, [0, 1, 2, 3, 4], 1.0),
    (1, 24, 36, 0, [0, 1, 2], 0.7),
    (1, 36, 54, 0, [0, 1, 2, 5, 6, 7], 1.1),
    (2, 0, 12, 0, [5, 6, 7], 1.0),
    (4, 12, 30, 0, [5, 6, 7], 1.0),
    (3, 6, 20, 1, [0, 1, 2, 3, 4, 5], 1.0),
    (5, 12, 36, 1, [6, 7], 1.0),
    (6, 24, 48, 1, [0, 1, 4, 5], 1.0),
    (7, 24, 35, 2, [0, 1, 2, 3, 4, 5, 6, 7], 1.0),
]
"""Job, begin, end (seconds), slot, processors by number, rate."""


def levels() -> pl.DataFrame:
    rows = [(0, begin * SECOND, end * SECOND, level, 1 / level) for begin, end, level in LEVELS]
    return pl.DataFrame(rows, schema=LEVELS_COLUMNS, orient="row")


def allocations(named: bool = True) -> pl.DataFrame:
    rows = []
    for job, begin, end, slot, processor_ids, rate in HELD:
        turn = sum((min(end, e) - max(begin, b)) / level for b, e, level in LEVELS if b < end and e > begin)
        times = begin * SECOND, end * SECOND
        turn_us = round(turn * SECOND)
        held = len(processor_ids), processor_ids if named else None
        rows.append((job, *times, *held, 0, slot, rate, round(rate * turn_us), turn_us, 0))
    return pl.DataFrame(rows, schema={**ALLOCATIONS_COLUMNS, **TURN_COLUMNS}, orient="row")


def jobs() -> pl.DataFrame:
    rows = []
    for job, (kind, flexibility, size, least, most, submit) in JOBS.items():
        own = [row for row in HELD if row[0] == job]
        work = round(sum((end - begin) / 2 for _, begin, end, *_ in own) * SECOND)
        asked = (job, submit * SECOND, work, 2 * work, size)
        became = (own[0][1] * SECOND, own[-1][2] * SECOND, len(own[0][4]), 0, 0, "finished")
        rows.append((*asked, *became, kind, flexibility, least, most, None))
    stated = ("class", "flexibility", "size_min", "size_max", "memory_kb")
    kinds = {**JOBS_COLUMNS, **{name: WORKLOAD_OPTIONAL[name] for name in stated}}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def schedule(named: bool = True, policy: dict | None = None) -> Schedule:
    return Schedule(
        jobs(),
        allocations(named),
        Machine(PROCESSORS),
        {"policy": policy or POLICY, "counters": {}},
        FAMILY,
        tables={"levels": levels()},
    )


def write_store(root: Path, runs: dict[str, Schedule]) -> Path:
    """Write a store of one workload, ``worked``, under a policy for each run."""
    return stores.write_store(root, "sharing", {("worked", policy): made for policy, made in runs.items()})
