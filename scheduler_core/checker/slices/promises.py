"""Rules of promises: which jobs get one, how finish and clock agree, and that promises are kept."""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of, once
from scheduler_core.checker.slices.evidence import (
    CLASSES,
    LONG,
    MEDIUM,
    SHORT,
    ClassTime,
    SlicesEvidence,
    expanded,
    meets,
)
from scheduler_core.checker.slices.layout import share_of
from scheduler_core.common.units import NEVER_US

PROMISED = ("job", "made_us", "group", "clock_us", "finish_us")


@once
def promises_of_jobs(evidence: SlicesEvidence) -> pl.DataFrame:
    """Return the promises in the order in which they were made, with their jobs and the class clock at that time."""
    time = evidence.class_time
    promises = evidence.tables["promises"].select(*PROMISED).with_row_index("order")
    columns = ("job", "kind", "submit_us", "counts_us", "estimate_us", "size", "start_us")
    asked = time.jobs.select(*columns, ended_us="finish_us")
    both = promises.join(asked.with_row_index("position"), on="job").sort("order")
    clock = time.clock(column_of(both, "kind"), column_of(both, "made_us"))
    return both.with_columns(pl.col("position").cast(pl.Int64), clock_then=pl.Series(clock, dtype=pl.Int64))


def promises_are_made_when_due(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """With reservations, each job is promised a start at its submission, and again when a group forms or ends.

    The group's promises go to every job of its class that waits then, and carry the group's number. Without reservations there
    are no promises; booked jobs get none.
    """
    promises = evidence.tables["promises"]
    if not evidence.facts.promises:
        return promises.height, promises.select("job", "made_us", "group", found=pl.lit("nothing is promised"))
    key = ("job", "made_us", "group")
    due = promises_due(evidence)
    given = promises.select(*key, "cluster", later=pl.col("made_us") < pl.col("made_us").shift(1))
    given = given.with_columns(again=pl.struct(*key).is_duplicated())
    known = aligned(given, due, *key)
    odd = pl.col("due").is_null() | pl.col("again") | pl.col("later") | (pl.col("cluster") != 0)
    unexpected = known.filter(odd).select(*key, found=pl.lit("not due, made twice, or out of order"))
    missing = due.filter("due").join(promises, on=key, how="anti").select(*key, found=pl.lit("missing"))
    return due.height + promises.height, pl.concat([unexpected, missing.sort(*key)])


def promises_due(evidence: SlicesEvidence) -> pl.DataFrame:
    """List the promises that must exist (``due``) and those that may: when a group ends because the next one forms."""
    jobs = evidence.class_time.jobs.filter(~pl.col("booked")).select("job", "submit_us", "start_us", "kind")
    first = jobs.select("job", made_us="submit_us", group=pl.lit(0, pl.Int64), due=pl.lit(True))
    groups = evidence.tables["groups"].with_columns(kind=pl.col("class").to_physical().cast(pl.Int64))
    formed = groups.select("group", "kind", made_us="formed_us", due=pl.lit(True))
    forming = groups.select(forming=pl.struct("kind", ended_us="formed_us"))["forming"]
    followed = pl.struct("kind", "ended_us").is_in(forming.implode())
    ended = groups.select("group", "kind", made_us="ended_us", due=~followed)
    waiting = pl.concat([formed, ended]).join(jobs, on="kind")
    waiting = waiting.filter(pl.col("made_us").is_between("submit_us", "start_us"))
    return pl.concat([first, waiting.select("job", "made_us", "group", "due")])


def promised_finishes_follow(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A promised finish is when, in the worst case, the class clock reaches the promised clock plus the estimate.

    The rest of the interval goes as laid out; after it, each class gets the least it can get in every interval. An interval that
    begins when the promise is made is not laid out yet. It may be when a group renews promises, or for a task of a workflow that
    comes at that time.
    """
    promises = promises_of_jobs(evidence)
    expected = worst_finish(evidence.class_time, promises, laid_out=False)
    shown = promises.select(*PROMISED, expected_us=pl.Series(expected, dtype=pl.Int64))
    wrong = column_of(promises, "finish_us") != expected
    if wrong.any():
        laid_out = worst_finish(evidence.class_time, promises, laid_out=True)
        local = column_of(promises, "counts_us") == column_of(promises, "submit_us")
        sure = (column_of(promises, "group") == 0) & local
        wrong &= sure | (column_of(promises, "finish_us") != laid_out)
    return promises.height, shown.filter(pl.Series(wrong))


def worst_finish(time: ClassTime, promises: pl.DataFrame, *, laid_out: bool) -> np.ndarray:
    """Return the latest finish of each promise; ``laid_out``: an interval that begins with the promise is laid out."""
    interval = time.setting_us("interval_s")
    made, kind = column_of(promises, "made_us"), column_of(promises, "kind")
    following = (made // interval + 1) * interval
    if not laid_out:
        following = np.where(made % interval == 0, made, following)
    clock = column_of(promises, "clock_us") + column_of(promises, "estimate_us")
    left = clock - time.clock(kind, following)
    length, offset = least_slices(time)
    passed = np.maximum(-(-left // length[kind]) - 1, 0)
    later = following + passed * interval + offset[kind] + left - passed * length[kind]
    return np.where(left <= 0, time.time_of(kind, clock), later)


def least_slices(time: ClassTime) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each class, its slice's least work in an interval, and the offset in the interval at which it then begins."""
    interval, switch, short = (time.setting_us(name) for name in ("interval_s", "switch_s", "short_slice_s"))
    left = interval - 3 * switch - short
    medium, long = left, left
    for shares in {share_of(time, "share"), share_of(time, "night_share")}:
        of_medium = left * shares[0] // sum(shares)
        medium, long = min(medium, of_medium), min(long, left - of_medium)
    length, offset = np.zeros(3, np.int64), np.zeros(3, np.int64)
    length[[SHORT, MEDIUM, LONG]] = short, medium, long
    offset[[SHORT, MEDIUM, LONG]] = switch, 2 * switch + short, interval - long
    return np.maximum(length, 1), offset


def promises_are_kept(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """On its class's clock a job starts no later than its last promise before, and finishes no later than promised then."""
    time, promises = evidence.class_time, promises_of_jobs(evidence)
    last = promises.filter(pl.col("made_us") <= pl.col("start_us")).group_by("position", maintain_order=True).last()
    last = last.filter(pl.col("start_us") < NEVER_US)
    clock = pl.Series(time.clock(column_of(last, "kind"), column_of(last, "start_us")), dtype=pl.Int64)
    shown = last.select("job", "made_us", "start_us", "clock_us", promised_us="finish_us", finish_us="ended_us")
    late = (pl.col("start_clock_us") > pl.col("clock_us")) | (pl.col("finish_us") > pl.col("promised_us"))
    return last.height, shown.with_columns(start_clock_us=clock).filter(late).sort("job")


def promises_are_no_later_than_needed(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A promised clock is not before the class clock, nor after the time by which all earlier promises would be done.

    Behind the ends of all earlier promises of the class, only jobs of other classes can block the job, in the slice that works
    now, until its end. A started booked job counts as a promise at its start; a waiting one may block anywhere.
    """
    time, promises = evidence.class_time, with_booked_starts(evidence.class_time, promises_of_jobs(evidence))
    made, kind = column_of(promises, "made_us"), column_of(promises, "kind")
    row = time.slice_of(made)
    until = time.end[row] if len(time.end) else made
    lent_until = np.where(time.works_at(kind, made), time.clock(kind, until), column_of(promises, "clock_then"))
    end = pl.col("clock_us") + pl.col("estimate_us")
    latest = pl.max_horizontal(end.cum_max().shift(1).over("kind", "cluster"), "lent_until")
    both = promises.with_columns(
        lent_until=pl.Series(lent_until, dtype=pl.Int64),
        cluster=pl.Series(evidence.cluster_at(made)),
        in_the_way=pl.Series(booked_job_waits(time, kind, made)),
    ).with_columns(latest=pl.when("in_the_way").then(NEVER_US).otherwise(latest))
    broken = both.filter(pl.col("position").is_not_null() & ~pl.col("clock_us").is_between("clock_then", "latest"))
    return both["position"].count(), broken.select(
        "job", "made_us", "clock_us", clock_then_us="clock_then", latest_clock_us="latest"
    )


def with_booked_starts(time: ClassTime, promises: pl.DataFrame) -> pl.DataFrame:
    """Return the promises and the starts of booked jobs in order of time; the latter have no ``position``."""
    booked = time.jobs.filter("booked").with_columns(made_us="start_us")
    if booked.is_empty():
        return promises
    clock = pl.Series(time.clock(column_of(booked, "kind"), column_of(booked, "made_us")), dtype=pl.Int64)
    starts = booked.select("job", "kind", "made_us", "estimate_us", clock_us=clock, clock_then=clock)
    return pl.concat([promises, starts], how="diagonal").sort("made_us", maintain_order=True)


def booked_job_waits(time: ClassTime, kind: np.ndarray, made: np.ndarray) -> np.ndarray:
    """Return whether a booked job of the class waits at an instant, one that joins or starts then included."""
    waits = np.zeros(len(kind), bool)
    booked = time.jobs.filter("booked")
    for number in CLASSES:
        own, asked = booked.filter(pl.col("kind") == number), np.flatnonzero(kind == number)
        since, until = column_of(own, "submit_us"), column_of(own, "start_us") + 1
        waits[asked] = meets(since, until, made[asked], made[asked] + 1)
    return waits


def promises_leave_room(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """Promises made at one time fit on the machine beside the rests of the class's started jobs, on the class clock.

    The promises of a group are made together. Every other promise is compared with the started jobs alone, because the tables do
    not say where jobs with earlier promises are planned by then.
    """
    time, promises = evidence.class_time, promises_of_jobs(evidence)
    if promises.is_empty():
        return NOTHING_CHECKED
    batch = pl.struct("made_us", "group", pl.when(pl.col("group") == 0).then("job")).rank("dense").cast(pl.Int64)
    promises = promises.with_columns(batch=batch)
    low, promised = pl.col("clock_us"), promises.select("batch", "job", "size", "clock_us", "estimate_us")
    asked = promised.select("batch", "job", "size", low=low, high=low + pl.col("estimate_us"))
    spans = pl.concat([asked, started_beside(time, promises.unique("batch", keep="first"))])
    size = pl.col("size").cast(pl.Int64)
    begins = spans.select("batch", "job", clock_us="low", change=size)
    ends = spans.select("batch", "job", clock_us="high", change=-size)
    changes = pl.concat([begins, ends]).sort("batch", "clock_us", "change")
    needed = changes.with_columns(needed=pl.col("change").cum_sum())
    made = promises.unique("batch", keep="first").select("batch", "made_us", "group")
    both = needed.join(made, on="batch", maintain_order="left")
    processors = evidence.processors_of_clusters[evidence.cluster_at(column_of(both, "made_us"))]
    over = (both["needed"] > pl.Series(processors)) & (both["change"] > 0)
    return promises.height, both.filter(over).select("job", "made_us", "group", "clock_us", "needed")


def started_beside(time: ClassTime, batches: pl.DataFrame) -> pl.DataFrame:
    """Return the started, unfinished jobs of each batch's class, from the class clock at that time to the end of their rest.

    Jobs that start or finish at that instant are left out.
    """
    spans = []
    for kind in CLASSES:
        own = batches.filter(pl.col("kind") == kind).sort("made_us")
        jobs = np.flatnonzero((time.column("kind") == kind) & (time.column("start_us") < NEVER_US))
        made, clock, batch = (column_of(own, name) for name in ("made_us", "clock_then", "batch"))
        first = np.searchsorted(made, time.column("start_us")[jobs], side="right")
        last = np.searchsorted(made, time.column("finish_us")[jobs], side="left") - 1
        row, at = expanded(first, last)
        position = jobs[row]
        rest = time.column("estimate_us")[position] - time.done(position, made[at])
        table = {"batch": batch[at], "size": time.column("size")[position], "low": clock[at], "high": clock[at] + rest}
        spans.append(pl.DataFrame(table).with_columns(job=pl.lit(None, pl.Int64)))
    return pl.concat(spans).select("batch", "job", "size", "low", "high")
