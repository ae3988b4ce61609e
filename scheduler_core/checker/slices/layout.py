"""Rules of the slices of a machine that belongs to one class of jobs at a time: their times, and which jobs run in them."""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import aligned
from scheduler_core.checker.slices.evidence import (
    HOURS_A_DAY,
    LONG,
    MEDIUM,
    SHORT,
    ClassTime,
    SlicesEvidence,
    class_name,
    covered,
    expanded,
)
from scheduler_core.common.units import HOUR_US, MICROSECONDS, NEVER_US


def slices_are_laid_out(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """Every interval in which a job is present has a medium and a long slice, and first a short one if short jobs are present.

    Intervals begin at the multiples of ``interval_s``. Slices follow each other without gaps, and each switches for ``switch_s``
    first. ``share_medium`` and ``share_long`` (or the shares of the night) divide the time beside the short slice. This rule
    takes the length of a short slice from its row; another rule checks it. Tasks of workflows that have not started, or that
    come at the begin itself, may count as short jobs or not.
    """
    time, slices = evidence.class_time, evidence.tables["slices"]
    expected = expected_slices(time)
    columns = ("cluster", "begin_us", "end_us", "class", "overhead_us")
    given = slices.select(*columns).with_columns(again=pl.struct(*columns).is_duplicated())
    known = given.join(expected.with_columns(expected=pl.lit(True)), on=columns, how="left")
    odd = known.filter(pl.col("expected").is_null() | pl.col("again")).select(*columns, found=pl.lit("not expected"))
    missing = expected.join(slices, on=columns, how="anti").select(*columns, found=pl.lit("missing"))
    return slices.height, pl.concat([odd, missing]).sort("begin_us", "found")


def expected_slices(time: ClassTime) -> pl.DataFrame:
    """Return the slices that the intervals must have; short slices take the work of their rows."""
    interval, switch = time.setting_us("interval_s"), time.setting_us("switch_s")
    number = intervals_with_jobs(time, interval)
    begin = number * interval
    own = time.kind == SHORT
    short = np.isin(number, intervals_with_short_jobs(time, interval, "counts_us"))
    may_count = np.isin(number, intervals_with_short_jobs(time, interval, "submit_us"))
    short |= may_count & np.isin(begin, time.begin[own])
    works = dict(zip((time.begin[own] // interval).tolist(), (time.end - time.work)[own].tolist(), strict=True))
    work = np.array([works.get(key, 0) for key in number.tolist()], np.int64) * short
    left = interval - (2 + short) * switch - work
    medium, long = shares(time, begin)
    first = short * (switch + work)
    second = first + switch + left * medium // (medium + long)
    parts = (
        (SHORT, begin[short], (begin + first)[short]),
        (MEDIUM, begin + first, begin + second),
        (LONG, begin + second, begin + interval),
    )
    rows = pl.concat(
        pl.DataFrame({"begin_us": low, "end_us": high, "class": class_name(np.full(len(low), kind))})
        for kind, low, high in parts
    )
    return rows.with_columns(cluster=pl.lit(0, pl.Int16), overhead_us=pl.lit(switch, pl.Int64))


def intervals_with_jobs(time: ClassTime, interval: int) -> np.ndarray:
    """Return the intervals in which a job is present or submitted; a job that finishes as an interval begins has left."""
    ran = time.column("finish_us") < NEVER_US
    submit, finish = time.column("submit_us")[ran], time.column("finish_us")[ran]
    return covered(submit // interval, (finish - 1) // interval)


def intervals_with_short_jobs(time: ClassTime, interval: int, since: str) -> np.ndarray:
    """Return the intervals at whose begin a short job waits or is unfinished, counted from the time in column ``since``."""
    short = (time.column("kind") == SHORT) & (time.column("finish_us") < NEVER_US)
    begin, finish = time.column(since)[short], time.column("finish_us")[short]
    return covered(-(-begin // interval), (finish - 1) // interval)


def shares(time: ClassTime, begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of medium and long jobs, in millionths, in the intervals that begin at given times."""
    night = is_night(time, begin)
    day, dark = (share_of(time, prefix) for prefix in ("share", "night_share"))
    medium, long = (np.where(night, late, early) for early, late in zip(day, dark, strict=True))
    return medium, long


def share_of(time: ClassTime, prefix: str) -> tuple[int, int]:
    """Return the two shares in millionths; the night's are the day's if they are the same."""
    shares = [time.parameters[f"{prefix}_{kind}"] for kind in ("medium", "long")]
    if any(isinstance(share, str) for share in shares):
        shares = [time.parameters[f"share_{kind}"] for kind in ("medium", "long")]
    return round(shares[0] * MICROSECONDS), round(shares[1] * MICROSECONDS)


def is_night(time: ClassTime, begin: np.ndarray) -> np.ndarray:
    """Return whether intervals begin in the night's hours, which may span midnight."""
    from_hour, to_hour = time.parameters["night_begins_h"], time.parameters["night_ends_h"]
    hour = begin // HOUR_US % HOURS_A_DAY
    if from_hour <= to_hour:
        return (from_hour <= hour) & (hour < to_hour)
    return (from_hour <= hour) | (hour < to_hour)


def short_slices_suffice(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A short slice works as long as the short jobs need, at least 1 s and at most ``short_slice_s``.

    Their need follows from reservations, and the tables have only the promises. So the rule checks bounds. Lower bounds: the
    longest rest of a short job; and, with ``guard``, the time that all their work takes on the whole machine (without it, plans
    may assign more processors than there are). Upper bound: the end of the last promise; if only the first job has a
    reservation, all rests one after another. A waiting booked job may count and has no promise: then only ``short_slice_s``
    bounds the slice.
    """
    time, needs = evidence.class_time, short_needs(evidence)
    own = time.kind == SHORT
    slices = pl.DataFrame({"begin_us": time.begin[own], "works_us": (time.end - time.work)[own]})
    both = slices.join(needs, on="begin_us", how="left").with_columns(pl.col("least", "most").fill_null(0))
    limit = time.setting_us("short_slice_s")
    bounds = {name: pl.max_horizontal(name, MICROSECONDS).clip(upper_bound=limit) for name in ("least", "most")}
    broken = both.with_columns(**bounds).filter(~pl.col("works_us").is_between("least", "most"))
    return slices.height, broken.rename({"least": "least_us", "most": "most_us"}).sort("begin_us")


def short_needs(evidence: SlicesEvidence) -> pl.DataFrame:
    """Return bounds of the time that short jobs need, at the begin of each interval with any."""
    time, interval = evidence.class_time, evidence.class_time.setting_us("interval_s")
    short = np.flatnonzero((time.column("kind") == SHORT) & (time.column("finish_us") < NEVER_US))
    submit, finish, start, estimate, size = (
        time.column(name)[short] for name in ("submit_us", "finish_us", "start_us", "estimate_us", "size")
    )
    row, number = expanded(-(-submit // interval), (finish - 1) // interval)
    begin = number * interval
    started = start[row] < begin
    rest = estimate[row] - time.done(short[row], begin)
    ends = rest
    if evidence.facts.promises:
        promised = evidence.tables["promises"].group_by("job").agg(pl.col("clock_us").max())
        clock = aligned(time.jobs.select("job"), promised, "job")["clock_us"]
        waits = clock.fill_null(0).to_numpy()[short][row] - time.clock(np.full(len(row), SHORT), begin)
        ends = np.where(started, rest, waits + rest)
    counts, booked = time.column("counts_us")[short][row] <= begin, time.column("booked")[short][row] & ~started
    each = pl.DataFrame(
        {
            "begin_us": begin,
            "rest": rest * counts,
            "work": rest * size[row] * counts,
            "ends": np.where(booked, NEVER_US, ends),
            "processors": evidence.processors_of_clusters[evidence.cluster_at(begin)],
        }
    )
    least = [pl.col("rest").max()]
    if evidence.guards:
        least.append((pl.col("work").sum() + pl.col("processors").first() - 1) // pl.col("processors").first())
    most = pl.lit(NEVER_US)
    if evidence.facts.promises:
        most = pl.col("ends").max()
    elif time.parameters["backfilling"] != "conservative":
        most = pl.col("rest").sum()
    return each.group_by("begin_us").agg(least=pl.max_horizontal(least), most=most)


def runs_are_in_slices(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A job runs within one slice while that works, never during a switch; its slot is the slice's class.

    There is one machine: cluster 0.
    """
    time = evidence.class_time
    row = time.runs["slice"].to_numpy()
    begin, end = time.runs["begin_us"].to_numpy(), time.runs["end_us"].to_numpy()
    if not len(time.kind):
        return len(row), time.runs.select("job", "begin_us", "end_us", "slot")
    inside = (time.runs["cluster"] == 0).to_numpy() & (row >= 0) & (time.work[row] <= begin) & (end <= time.end[row])
    of_class = time.kind[row] == time.runs["slot"].to_numpy()
    shown = time.runs.select("job", "begin_us", "end_us", "slot").with_columns(
        slice_works_from_us=pl.Series(time.work[row]), slice_ends_us=pl.Series(time.end[row])
    )
    return len(row), shown.filter(pl.Series(~(inside & of_class)))


def no_job_is_suspended_within_slices(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A run ends with its slice or its job and is one allocation, so a job has at most one allocation in a slice."""
    time = evidence.class_time
    finish = time.column("finish_us")[time.runs["position"].to_numpy()]
    end, row = time.runs["end_us"].to_numpy(), time.runs["slice"].to_numpy()
    last = time.end[row] if len(time.end) else np.full(len(row), NEVER_US)
    again = ((pl.col("slice") == pl.col("slice").shift(1)) & ~pl.col("first")).fill_null(False)
    early = pl.Series((end != finish) & (end != last))
    shown = time.runs.with_columns(slice_ends_us=pl.Series(last), job_ends_us=pl.Series(finish))
    broken = shown.filter(again | early)
    return time.runs.height, broken.select("job", "begin_us", "end_us", "slice_ends_us", "job_ends_us")
