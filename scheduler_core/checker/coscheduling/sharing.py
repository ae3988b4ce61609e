"""Rules of shared processors: which jobs may share one, which processors a job gets, and that it keeps them."""

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of


def processors_are_named(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Every row names its processors: as many as it holds, all of the machine, none twice."""
    table = evidence.allocations
    wrong = (table["processor_ids"].list.len().fill_null(0) != table["processors"]).to_numpy(writable=True)
    held_by, number = evidence.in_time
    wrong[held_by[(number < 0) | (number >= evidence.machine.processors)]] = True
    processor, row = evidence.by_processor
    again = (processor[1:] == processor[:-1]) & (row[1:] == row[:-1])
    wrong[row[1:][again]] = True
    return len(number), table.filter(pl.Series(wrong)).select("job", "begin_us", "processors")


def few_jobs_share(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """At no instant are more jobs on a processor, or beside a job, than the policy allows."""
    most = evidence.facts.jobs_at_once
    processor, row = evidence.by_processor
    jobs = np.ones(len(row), np.int8)
    for after in evidence.overlaps:
        jobs[after] += 1
    crowded = jobs > most
    found = {"processor": pl.Series(processor[crowded]), "jobs": pl.Series(jobs[crowded])}
    on_processor = evidence.allocations[row[crowded]].select("job", "begin_us", **found)
    counts = pl.col("job", "begin_us").first(), pl.col("other_job").n_unique().alias("jobs_beside")
    beside = evidence.meetings.group_by("row").agg(counts)
    beside = beside.filter(pl.col("jobs_beside") >= most).sort("row").drop("row")
    return len(row) + evidence.allocations.height, pl.concat([on_processor, beside], how="diagonal")


def rows_meet_whole(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Rows that share a processor begin and end together, so the jobs beside a row stay the same."""
    apart = (pl.col("begin_us") != pl.col("other_begin_us")) | (pl.col("end_us") != pl.col("other_end_us"))
    shown = ("job", "begin_us", "end_us", "other_job", "other_begin_us", "other_end_us")
    return evidence.meetings.height, evidence.meetings.filter(apart, pl.col("row") < pl.col("other")).select(*shown)


def rows_end_for_a_reason(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A row follows another at once only when the jobs beside it, its share or its slowdown have changed."""
    beside = evidence.meetings.group_by("row").agg(
        least=pl.col("other_job").min(), most=pl.col("other_job").max(), added=pl.col("other_job").sum()
    )
    rows = aligned(evidence.rows, beside, "row")
    followed = ~pl.col("first") & (pl.col("begin_us") == pl.col("end_us").shift(1))
    names = ("least", "most", "added", "share_ppm", "slowdown_ppm")
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift(1)) for name in names)
    return rows.height, rows.filter(followed & same).select("job", "begin_us", "share_ppm", "slowdown_ppm")


def jobs_keep_their_processors(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job has the same processors of the only cluster, and the same place on them, in all its rows, even after a suspension."""
    names = ("processor_ids", "slot", "cluster")
    stated = evidence.jobs.select("job", stated=pl.col("cluster").fill_null(-1))
    rows = evidence.allocations.select("job", "begin_us", *names).join(stated, on="job", how="left")
    other = pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in names)
    moved = (pl.col("job") == pl.col("job").shift(1)) & other
    elsewhere = pl.col("cluster").ne_missing(0) | (pl.col("stated") != 0)
    return rows.height, rows.sort("job", "begin_us").filter(moved | elsewhere).select("job", "begin_us", "slot")


def partners_are_within(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job that joins another is no larger and uses only processors of that job. With shares, all use the lowest processors."""
    if evidence.facts.shares:
        return NOTHING_CHECKED
    pairs = evidence.pairs
    outside = (pl.col("share") != pl.col("partner_size")) | (pl.col("partner_size") > pl.col("holder_size"))
    shown = ("holder", "partner", "formed_us", "holder_size", "partner_size", "share")
    return pairs.height, pairs.filter(outside).select(*shown)


def lowest_processors_are_given(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job that starts alone gets the lowest free processors; a job that joins another gets the lowest of that job's.

    Jobs that start at one instant are compared with the processors free after all of them. A suspended job's processors belong to
    its holder meanwhile. If jobs have shares of all processors, each gets the lowest of the machine.
    """
    last = pl.col("processor_ids").list.max().fill_null(0)
    highest = evidence.allocations.select(row=pl.int_range(pl.len()), highest=last)
    starts = aligned(evidence.rows.filter("first"), highest, "row")
    if evidence.facts.shares:
        wrong = starts.filter(pl.col("highest") != pl.col("processors") - 1)
        return starts.height, wrong.select("job", "begin_us", "highest")
    joined = evidence.pairs.select("holder", job="partner", begin_us="formed_us")
    joined = joined.unique(["job", "begin_us"], keep="first", maintain_order=True)
    starts = aligned(starts, joined, "job", "begin_us")
    over = passed_over(evidence, starts.filter(pl.col("holder").is_null()).sort("begin_us"))
    joins = starts.filter(pl.col("holder").is_not_null())
    joins = joins.join(ids_of_jobs(evidence, joins["holder"]), left_on="holder", right_on="job")
    joins = joins.join(ids_of_jobs(evidence, joins["job"]), on="job", suffix="_own")
    others = joins.filter(pl.col("processor_ids").list.head(pl.col("processors")) != pl.col("processor_ids_own"))
    return starts.height, pl.concat([over, others.select("job", "begin_us", "holder")], how="diagonal")


def ids_of_jobs(evidence: CoschedulingEvidence, jobs: pl.Series) -> pl.DataFrame:
    """Return the processors of the first row of some jobs, ascending."""
    rows = evidence.allocations.filter(pl.col("job").is_in(jobs.implode())).sort("job", "begin_us")
    return rows.unique("job", keep="first").select("job", pl.col("processor_ids").list.sort())


def passed_over(evidence: CoschedulingEvidence, starts: pl.DataFrame) -> pl.DataFrame:
    """List the times for which a processor is free while a job starts, in order of ``begin_us``, on a higher one.

    Times are counted in starts: ``first`` is the first start within the time, ``last`` the first after it.
    """
    processor, row = evidence.by_processor
    instants, highest = column_of(starts, "begin_us"), column_of(starts, "highest")
    begin, end = (
        np.searchsorted(instants, column_of(evidence.allocations, name)).astype(np.int32)[row]
        for name in ("begin_us", "end_us")
    )
    other = np.flatnonzero(processor[1:] != processor[:-1]) + 1
    opens, closes = np.append(0, other)[: len(row)], np.append(other, len(row))[: len(row)] - 1
    again = np.flatnonzero((processor[1:] == processor[:-1]) & (begin[1:] > end[:-1])) + 1
    unused = np.setdiff1d(np.arange(evidence.machine.processors), processor[opens])
    spans = (
        (processor[again], end[again - 1], begin[again]),
        (processor[opens], np.zeros(len(opens), np.int64), begin[opens]),
        (processor[closes], end[closes], np.full(len(closes), len(instants))),
        (unused, np.zeros(len(unused), np.int64), np.full(len(unused), len(instants))),
    )
    free, first, last = (np.concatenate(parts).astype(np.int64) for parts in zip(*spans, strict=True))
    some = first < last
    free, first, last = free[some], first[some], last[some]
    most = largest_within(highest, first, last)
    found = {"processor": free, "begin_us": instants[first], "given_instead": most}
    return pl.DataFrame(found).filter(pl.Series(most > free))


def largest_within(values: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return the largest value from ``first`` on and before ``last``, for each of some nonempty ranges."""
    levels = [values]
    while 2 ** len(levels) <= len(values):
        half = 2 ** (len(levels) - 1)
        levels.append(np.maximum(levels[-1][:-half], levels[-1][half:]))
    level = np.frexp(last - first)[1] - 1  # of the largest power of two within the range
    largest = np.zeros(len(first), np.int64)
    for number, table in enumerate(levels):
        here = np.flatnonzero(level == number)
        largest[here] = np.maximum(table[first[here]], table[last[here] - 2**number])
    return largest


def places_are_lowest(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job's place is the lowest number free on all its processors when it gets them; no two jobs there have the same place."""
    places = evidence.rows.select("row", place="slot")
    others = places.select(other="row", other_place="place")
    both = evidence.meetings.select("row", "other").join(places, on="row").join(others, on="other")
    lower, same = pl.col("other_place") < pl.col("place"), pl.col("other_place") == pl.col("place")
    beside = both.group_by("row").agg(lower=lower.sum(), same=same.sum())
    rows = aligned(evidence.rows, beside, "row").with_columns(pl.col("lower", "same").fill_null(0))
    wrong = (pl.col("same") > 0) | (pl.col("first") & (pl.col("slot") != pl.col("lower")))
    return rows.height, rows.filter(wrong).select("job", "begin_us", place="slot", lower_places_taken="lower")
