"""Compare what tasks did in the window with their programs: one statement after another, and the computing between."""

from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.concurrent_gang import draws
from scheduler_core.checker.concurrent_gang.evidence import LENGTH, ConcurrentGangEvidence, latest
from scheduler_core.checker.concurrent_gang.programs import program_of
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import aligned
from scheduler_core.common.units import NS_PER_US

DUE = {"number": pl.Int64, "kind": pl.String, "id": pl.Int64, "at": pl.Int64, "before_ns": pl.Int64}
"""The columns of a program: a statement's kind and number (for disks, the time), its place among the task's statements, and the
computing since the statement before."""


def statements_follow_programs(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Sends, receives and arrivals follow each other as programs say, with the computing in between that programs say."""
    seen = with_computing(evidence).filter(~pl.col("application").is_in(["io", "program"]))
    due = pl.concat([pl.DataFrame(schema=DUE), *(due_of(evidence, job) for job in jobs_seen(evidence, seen))])
    both = aligned(seen, due, "number", "kind", "id")
    return broken_steps(both)


def broken_steps(both: pl.DataFrame) -> tuple[int, pl.DataFrame]:
    """Return the statements that do not follow the one before as the program says."""
    same = (pl.col("number") == pl.col("number").shift(1)).fill_null(False)
    begun = ~same & pl.col("came")
    after = pl.when(same).then(pl.col("at").shift(1) + 1).when(begun).then(0)
    computed = pl.when(same | begun).then(pl.col("computed_ns"))
    broken = (
        pl.col("at").is_null()
        | (pl.col("at") != after).fill_null(False)
        | (computed != pl.col("before_ns")).fill_null(False)
    )
    names = ("job", "task", "time_ns", "kind", "id", "at", "computed_ns", "before_ns")
    return both.height, both.filter(broken).select(*names)


def with_computing(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return what tasks did, with their computing since the statement before, or since their placement."""
    rows = trace_of(evidence).rows.filter(pl.col("activity") == "compute", pl.col("number").is_not_null())
    done = rows.sort("end_ns", maintain_order=True)
    done = done.select("number", "end_ns", sum_ns=LENGTH.cum_sum().over("number"))
    tokens = trace_of(evidence).tokens.with_row_index("row")
    tokens = latest(tokens, "time_ns", done, "end_ns", by="number")
    tokens = tokens.sort("row").with_columns(pl.col("sum_ns").fill_null(0))
    kind = evidence.bound.select("number", "job", "task", pl.col("application").cast(pl.String))
    came = evidence.came.select("number", came=pl.lit(True))
    tokens = aligned(tokens, kind, "number")
    tokens = aligned(tokens, came, "number")
    before = pl.col("sum_ns").shift(1).over("number").fill_null(0)
    return tokens.with_columns(pl.col("came").fill_null(False), computed_ns=pl.col("sum_ns") - before).drop(
        "row", "sum_ns"
    )


def jobs_seen(evidence: ConcurrentGangEvidence, seen: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the jobs whose tasks did something, each with its first task's number and the observed range of statements."""
    first = evidence.bound.group_by("job").agg(first=pl.col("number").min())
    barriers = pl.col("id").filter(kind="barrier")
    others = pl.col("id").filter(pl.col("kind") != "barrier")
    ranges = seen.group_by("job").agg(
        low=others.min(), high=others.max(), low_barrier=barriers.min(), high_barrier=barriers.max()
    )
    came = pl.col("job").is_in(evidence.came["job"].implode())
    jobs = evidence.placed.join(ranges, on="job").join(first, on="job", how="left").sort("position")
    return list(jobs.with_columns(came=came).iter_rows(named=True))


def due_of(evidence: ConcurrentGangEvidence, job: dict[str, Any]) -> pl.DataFrame:
    """Return the statements that a job's program gives for the observed range."""
    kind = job["application"]
    if kind == "messages":
        return messages_due(job)
    if kind == "supersteps":
        return supersteps_due(job)
    if kind == "barriers":
        return barriers_due(job)
    return phases_due(evidence, job) if kind == "irregular" else pl.DataFrame(schema=DUE)


def messages_due(job: dict[str, Any]) -> pl.DataFrame:
    """Return sends and receives of messages, from the first observed, or from 0 if the job came in the window."""
    low, high, first = 0 if job["came"] else job["low"], job["high"], job["first"]
    rows = np.zeros((high - low + 1, 4), np.int64)
    own, count = np.zeros(job["size"], np.uint64), np.zeros(job["size"], np.int64)
    draws.message_rows(program_of(job), low, own, count, rows)
    table = pl.DataFrame(rows, schema=["sender", "receiver", "sends_ns", "receives_ns"]).with_columns(
        id=pl.int_range(pl.len(), dtype=pl.Int64) + low
    )
    both = pl.concat(
        table.select(number=pl.col(who) + first, kind=pl.lit(kind), id="id", before_ns=gap)
        for who, kind, gap in (("sender", "send", "sends_ns"), ("receiver", "receive", "receives_ns"))
    )
    place = pl.int_range(pl.len(), dtype=pl.Int64).over("number")
    return both.sort("number", "id").with_columns(at=place).select(*DUE)


def supersteps_due(job: dict[str, Any]) -> pl.DataFrame:
    """Return sends, receives and arrivals of supersteps, from the first observed to the last."""
    size, first = job["size"], job["first"]
    steps = [job[name] // size for name in ("low", "high") if job[name] is not None]
    steps += [job[name] for name in ("low_barrier", "high_barrier") if job[name] is not None]
    low, high = min(steps), max(steps)
    rows = np.zeros((high - low + 1, 1 + size), np.int64)
    draws.superstep_rows(program_of(job), low, rows)
    step, task = np.repeat(np.arange(low, high + 1), size), np.tile(np.arange(size), high - low + 1)
    work, shift = rows[:, 1:].ravel(), np.repeat(rows[:, 0], size)
    half, number = work // 2, task + first
    partner = (task - shift) % size
    three = [
        ("send", step * size + task, 3 * step, half),
        ("receive", step * size + partner, 3 * step + 1, work - half),
        ("barrier", step, 3 * step + 2, np.zeros_like(step)),
    ]
    return pl.concat(
        pl.DataFrame({"number": number, "kind": kind, "id": name, "at": at, "before_ns": before}, schema=DUE)
        for kind, name, at, before in three
    )


def barriers_due(job: dict[str, Any]) -> pl.DataFrame:
    """Return arrivals at barriers, from the first observed to the last, with the work before each, the same for all tasks."""
    size, low, high = job["size"], job["low_barrier"], job["high_barrier"]
    works = np.zeros(high - low + 1, np.int64)
    draws.barrier_rows(program_of(job), low, works)
    step, task = np.repeat(np.arange(low, high + 1), size), np.tile(np.arange(size), high - low + 1)
    columns = {"number": task + job["first"], "kind": "barrier", "id": step, "at": step, "before_ns": works[step - low]}
    return pl.DataFrame(columns, schema=DUE)


def phases_due(evidence: ConcurrentGangEvidence, job: dict[str, Any]) -> pl.DataFrame:
    """Return the ends of phases, from the first observed to the last; with balancing, it is open which task does which piece."""
    size, first, low, high = job["size"], job["first"], job["low_barrier"], job["high_barrier"]
    rows = np.zeros((high - low + 1, size), np.int64)
    draws.phases(program_of(job), low, rows)
    phase, task = np.repeat(np.arange(low, high + 1), size), np.tile(np.arange(size), high - low + 1)
    table = pl.DataFrame(
        {"number": task + first, "kind": "barrier", "id": phase, "at": phase, "before_ns": rows.ravel()}, schema=DUE
    )
    open_to_others = pl.lit(evidence.facts.balances and size > 2)
    return table.with_columns(before_ns=pl.when(~open_to_others).then("before_ns"))


def written_programs_are_followed(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Tasks of io and of written programs follow their statements from some place on: from the first if all is observed."""
    seen = with_computing(evidence).filter(pl.col("application").is_in(["io", "program"]))
    if not evidence.facts.overhead_ns:  # statements that take no time have no order in the trace
        seen = seen.filter(pl.col("application") == "io")
    kinds = {"send": 0, "receive": 1, "barrier": 2, "disk": 3}
    wrong, checked = [], 0
    seen = seen.with_columns(number_of_kind=pl.col("kind").replace_strict(kinds, return_dtype=pl.Int64))
    for (number,), task in seen.group_by("number", maintain_order=True):
        did = task.select("number_of_kind", "id", "computed_ns").to_numpy()
        due = written_program(evidence, int(number), kinds)
        if due is None:
            continue
        checked += len(did)
        if not found_in(did, due, from_first=bool(task["came"][0])):
            wrong.append(task.head(1))
    found = pl.concat([seen.clear(), *wrong]).select("job", "task", "time_ns", "kind", "id", "computed_ns")
    return checked, found


def found_in(did: np.ndarray, due: np.ndarray, *, from_first: bool) -> bool:
    """Return whether a task followed its program from some place on; computing before its first statement may be unseen."""
    starts = [0] if from_first else np.flatnonzero((due[:, :2] == did[0, :2]).all(axis=1))
    for start in starts:
        part = due[start : start + len(did)]
        follows = len(part) == len(did) and (part[:, :2] == did[:, :2]).all() and (part[1:, 2] == did[1:, 2]).all()
        if follows and (part[0, 2] == did[0, 2] or (not from_first and did[0, 2] < part[0, 2])):
            return True
    return False


def written_program(evidence: ConcurrentGangEvidence, number: int, kinds: dict[str, int]) -> np.ndarray | None:
    """Return the statements of a task except computing: kind, number or time, and the computing before each.

    Return None for an io task that may have had more bursts by the end of the window than are drawn.
    """
    task = evidence.bound.row(number, named=True)
    job = evidence.placed.row(by_predicate=pl.col("job") == task["job"], named=True)
    if task["application"] == "io":
        rows, until = np.empty((MOST_BURSTS, 2), np.int64), evidence.window[1] - job["placed_ns"]
        count = draws.burst_rows(program_of(job), task["task"], until, rows)
        if count < 0:
            return None
        rows = rows[:count][rows[:count, 1] > 0]
        return np.column_stack([np.full(len(rows), kinds["disk"]), rows[:, 1], rows[:, 0]])
    program = evidence.companion("programs").filter(pl.col("job") == task["job"], pl.col("task") == task["task"])
    program = program.with_columns(pl.col("statement").cast(pl.String), time_ns=pl.col("time_us") * NS_PER_US)
    computes = pl.col("statement") == "compute"
    computed = pl.when(computes).then("time_ns").otherwise(0).cum_sum()
    program = program.with_columns(sum_ns=computed, barrier=(pl.col("statement") == "barrier").cum_sum() - 1)
    name = pl.when(statement="disk").then("time_ns").when(statement="barrier").then("barrier").otherwise("message")
    rest = program.filter(~computes).select(
        kind=pl.col("statement").replace_strict(kinds, return_dtype=pl.Int64),
        id=name,
        before=pl.col("sum_ns") - pl.col("sum_ns").shift(1).fill_null(0),
    )
    return rest.to_numpy()


MOST_BURSTS = 1 << 20
"""The most bursts drawn for an io task: those of a day at a tenth of a second for burst and request."""
