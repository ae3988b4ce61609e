"""Schedules with shared processors, worked by hand: pairs that slow each other down, and jobs with shares of all processors."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Machine, Schedule
from scheduler_core.coscheduling.family import FAMILY, RATE_COLUMNS
from scheduler_core.space_sharing.family import FAMILY as SPACE
from tests.reports.families import stores

SECOND = 1_000_000
WHOLE = 1_000_000
"""A share, or a slowdown, of 1 in millionths."""


@dataclass(frozen=True)
class Example:
    """A schedule in seconds: jobs, who held which processors when at which share and slowdown, pairs and offers."""

    policy: str
    processors: int
    jobs: tuple[tuple[int, float, float, int], ...]
    """Job, submission, run time, size."""
    held: tuple[tuple[int, float, float, range, int, float, float], ...]
    """Job, begin, end, processors, place, share, slowdown."""
    matches: tuple[tuple, ...] = ()
    offers: tuple[tuple, ...] = ()
    kinds: tuple[str, ...] = ()


PAIRS = Example(
    "lomarc",
    10,
    # 1 and 2 begin as a pair; when 2 ends, 5 joins 1; 6 joins 3, is suspended for its sake and resumes when it has ended
    ((1, 0, 100, 6), (2, 0, 60, 4), (3, 10, 80, 4), (4, 20, 30, 10), (5, 30, 20, 2), (6, 15, 30, 3)),
    (
        (1, 0, 75, range(6), 0, 1, 1.25),
        (2, 0, 75, range(4), 1, 1, 1.25),
        (3, 10, 20, range(6, 10), 0, 1, 1),
        (3, 20, 50, range(6, 10), 0, 1, 1.5),
        (6, 20, 50, range(6, 9), 1, 1, 1.5),
        (3, 50, 100, range(6, 10), 0, 1, 1),
        (1, 75, 107, range(6), 0, 1, 1.6),
        (5, 75, 107, range(2), 1, 1, 1.6),
        (6, 100, 110, range(6, 9), 1, 1, 1),
        (1, 107, 127, range(6), 0, 1, 1),
        (4, 127, 157, range(10), 0, 1, 1),
    ),
    matches=(
        (0, 1, 2, "waiting", False, 40, 20, 10, 8, 4, 2, 2, 0.5, 1_250_000),
        (20, 6, 3, "running", True, 2, 2, 1, 1, 1, 1, 1, 0.0, 1_500_000),
        (75, 1, 5, "waiting", False, 20, 10, 8, 6, 6, 4, 1, 0.25, 1_600_000),
    ),
    kinds=("cpu", "disk", "cpu", "cpu", "disk", "network"),
)

SHARES = Example(
    "scojo_shares",
    4,
    ((1, 0, 40, 4), (2, 10, 20, 4), (3, 20, 5, 4)),
    (
        (1, 0, 10, range(4), 0, 1, 1),
        (1, 10, 40, range(4), 0, 0.4, 1.2),
        (2, 10, 40, range(4), 1, 0.4, 1.2),
        (1, 40, 72.5, range(4), 0, 0.4, 1.3),
        (2, 40, 72.5, range(4), 1, 0.4, 1.3),
        (3, 40, 72.5, range(4), 2, 0.2, 1.3),
        (1, 72.5, 82.5, range(4), 0, 1, 1),
    ),
    offers=((3, 1, 20, 38, 200_000, 1_300_000, "reserved"), (3, 2, 20, 72.5, 600_000, 1_200_000, "no")),
)


def millionths(value: float) -> int:
    return round(WHOLE * value)


def work_us(length: float, share: float, slowdown: float) -> int:
    """Return the work of a stretch; those of the examples are whole seconds."""
    return round(length * share / slowdown) * SECOND


def schedule(example: Example) -> Schedule:
    """Make the schedule of an example."""
    rows = [
        (job, millionths(begin), millionths(end), len(ids), list(ids), 0, slot, share / slowdown,
         work_us(end - begin, share, slowdown), millionths(share), millionths(slowdown))
        for job, begin, end, ids, slot, share, slowdown in example.held
    ]  # fmt: skip
    allocations = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS | RATE_COLUMNS, orient="row")
    own = allocations.sort("begin_us").with_columns(
        (pl.col("begin_us") > pl.col("end_us").shift(1).over("job")).fill_null(False).alias("resumes")
    )
    fates = own.group_by("job").agg(
        pl.col("begin_us").min().alias("start_us"), pl.col("end_us").max().alias("finish_us"),
        pl.col("processors").first(), pl.col("resumes").sum().cast(pl.Int32).alias("preemptions"),
    )  # fmt: skip
    asked = pl.DataFrame(
        [(job, millionths(at), millionths(run), millionths(run), size) for job, at, run, size in example.jobs],
        schema={name: JOBS_COLUMNS[name] for name in ("job", "submit_us", "runtime_us", "estimate_us", "size")},
        orient="row",
    )
    jobs = (
        asked.join(fates, on="job", maintain_order="left")
        .with_columns(
            pl.lit(0, dtype=pl.Int16).alias("cluster"),
            pl.lit("finished", dtype=JOBS_COLUMNS["outcome"]).alias("outcome"),
        )
        .sort("submit_us", "job")
    )
    pairs = [(millionths(row[0]), *row[1:]) for row in example.matches]
    offers = [(*row[:2], millionths(row[2]), millionths(row[3]), *row[4:]) for row in example.offers]
    tables = {
        "matches": pl.DataFrame(pairs, schema=FAMILY.tables["matches"].columns, orient="row"),
        "offers": pl.DataFrame(offers, schema=FAMILY.tables["offers"].columns, orient="row"),
    }
    note = {"policy": {"name": example.policy, "parameters": {}, "source": "by hand"}, "counters": {}}
    return Schedule(jobs.select(*JOBS_COLUMNS), allocations, Machine(example.processors), note, FAMILY, tables=tables)


def behaviour(example: Example) -> pl.DataFrame:
    """Return how the jobs of an example use their time: half of it one resource, a quarter each two at once."""
    kinds = pl.Series(example.kinds, dtype=pl.Enum(("cpu", "network", "disk")))
    uses = {name: [0.5 if kind == name else 0.0 for kind in example.kinds] for name in ("cpu", "network", "disk")}
    both = {"cpu_network": 0.25, "cpu_disk": 0.25, "network_disk": 0.0}
    jobs = list(range(1, len(kinds) + 1))
    columns = uses | {name: [part] * len(kinds) for name, part in both.items()}
    table = pl.DataFrame({"job": jobs, "kind": kinds, **columns, "cpu_phase": [0.1] * len(kinds)})
    return table.with_columns(pl.lit(0, dtype=pl.Int16).alias("replication"))


def alone(example: Example) -> Schedule:
    """Return a schedule of space sharing, which counts processors: an example's jobs one after the other."""
    rows, at = [], 0.0
    for job, submit, run, size in example.jobs:
        begin = max(at, submit)
        at = begin + run
        rows.append((job, millionths(begin), millionths(at), size, None, 0, 0, 1.0, millionths(run)))
    allocations = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS, orient="row")
    own = allocations.select("job", start_us="begin_us", finish_us="end_us")
    jobs = schedule(example).jobs.drop("start_us", "finish_us").join(own, on="job", maintain_order="left")
    note = {"policy": {"name": "easy", "parameters": {}, "source": "by hand"}, "counters": {}}
    table = jobs.with_columns(pl.lit(0, dtype=pl.Int32).alias("preemptions")).select(*JOBS_COLUMNS)
    return Schedule(table, allocations, Machine(example.processors), note, SPACE)


def write_store(root: Path) -> Path:
    """Write a store of both examples, and of the first one's jobs alone."""
    (root / "workloads").mkdir(parents=True, exist_ok=True)
    behaviour(PAIRS).write_parquet(root / "workloads" / "pairs.behaviour.parquet")
    runs = {
        ("pairs", "lomarc"): schedule(PAIRS),
        ("shares", "scojo"): schedule(SHARES),
        ("pairs", "easy"): alone(PAIRS),
    }
    return stores.write_store(root, "shared", runs)
