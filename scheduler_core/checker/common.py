"""Rules that families share. Each family lists the ones that hold for its schedules."""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, Evidence, Rule, aligned, ascending, in_order_of
from scheduler_core.checker.places import taken_twice
from scheduler_core.contracts import DECIDING_COLUMNS, WORKLOAD_COLUMNS

WORK_TOLERANCE_US = 1  # work is rate x length, rounded to the tick; for rates above 1, the tolerance is the rate

LENGTH = pl.col("end_us") - pl.col("begin_us")

OUTCOME = pl.col("outcome").cast(pl.String)

IS_UNFINISHED = OUTCOME == "unfinished"

NOT_PLACED = (OUTCOME == "rejected") | (IS_UNFINISHED & pl.col("start_us").is_null())
"""Whether a job of ``held`` may have no allocation."""


def every_job_once(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """The jobs table has every job of the workload exactly once, and nothing else."""
    if ascending(evidence.asked["job"]) and evidence.asked["job"].equals(evidence.jobs["job"]):
        return evidence.asked.height, evidence.asked.select("job").clear()
    counts = evidence.jobs.group_by("job").len("rows_in_schedule")
    both = evidence.asked.select("job", in_workload=pl.lit(True)).join(counts, on="job", how="full", coalesce=True)
    odd = pl.col("in_workload").is_null() | (pl.col("rows_in_schedule").fill_null(0) != 1)
    return both.height, both.filter(odd).sort("job")


def asked_unchanged(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """The schedule repeats unchanged what the workload asks for."""
    asked, stated = (
        [name for name in (*WORKLOAD_COLUMNS, *DECIDING_COLUMNS) if name in table.columns and name != "job"]
        for table in (evidence.asked, evidence.jobs)
    )
    again = {f"{name}_in_schedule" if name in asked else name: name for name in stated}
    both = aligned(evidence.asked, evidence.jobs.select("job", **again), "job", how="inner")
    changed = [
        pl.col(name).ne_missing(pl.col(f"{name}_in_schedule")) if name in stated else pl.lit(True) for name in asked
    ]
    added = [pl.col(name).is_not_null() for name in stated if name not in asked]
    return both.height, both.filter(pl.any_horizontal(*changed, *added))


def fate_is_right(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Jobs larger than the machine are rejected, jobs that outrun their estimate are killed, all others finish.

    If the policy ends runs at a given time, jobs that have not ended by then are unfinished.
    """
    killed = pl.col("runtime_us") > pl.col("estimate_us")
    fate = (
        pl.when(evidence.too_much)
        .then(pl.lit("rejected"))
        .when(evidence.unfinished)
        .then(pl.lit("unfinished"))
        .when(killed)
        .then(pl.lit("killed"))
        .otherwise(pl.lit("finished"))
    )
    known = evidence.held.filter(OUTCOME.is_not_null())
    wrong = known.filter(fate != OUTCOME)
    return known.height, wrong.select("job", "size", "runtime_us", "estimate_us", "outcome")


def not_before_submission(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """No job holds processors before its submission."""
    broken = evidence.held.filter(pl.col("begin_us") < pl.col("submit_us"))
    return evidence.held.height, broken.select("job", "submit_us", "begin_us")


def start_and_finish_agree(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A job's start, finish and cluster are those of its allocations, and ``preemptions`` counts its suspensions.

    A change of rate is no preemption. An unfinished job has no finish; if it was never placed, it has no start and no allocation
    either.
    """
    columns = ("job", "start_us", "begin_us", "finish_us", "end_us", "preemptions", "allocations", "gaps", "stated_on")
    finish = pl.col("finish_us").eq_missing(pl.col("end_us"))
    agree = (
        pl.col("start_us").eq_missing(pl.col("begin_us"))
        & pl.when(IS_UNFINISHED).then(pl.col("finish_us").is_null()).otherwise(finish)
        & (pl.col("preemptions") == evidence.suspensions)
        & (pl.col("allocations").is_null() == NOT_PLACED)
        & (pl.col("stated_on") == pl.coalesce("held_on", pl.col("stated_on").clip(0, len(evidence.clusters) - 1)))
    )
    known = evidence.held.filter(pl.col("outcome").is_not_null())
    return known.height, known.filter(~agree).select(*columns)


def allocations_are_sound(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """An allocation has a positive length, belongs to a job of the workload, and a job's allocations do not overlap."""
    ordered = in_order(evidence, evidence.allocations, "job")
    return ordered.height, ordered.filter(UNSOUND).select("job", "begin_us", "end_us", "earlier_end")


UNSOUND = (
    (pl.col("end_us") <= pl.col("begin_us")) | (pl.col("earlier_end") > pl.col("begin_us")) | pl.col("asked").is_null()
)
"""Whether a row of :func:`in_order` has no length, begins before the one before it has ended, or belongs to no job."""


def in_order(evidence: Evidence, allocations: pl.DataFrame, *place: str) -> pl.DataFrame:
    """Sort allocations by place and time, with the end of the one before and whether the workload ``asked`` for the job."""
    same = pl.all_horizontal(pl.col(name) == pl.col(name).shift(1) for name in place)
    ordered = in_order_of(allocations.drop("processor_ids", strict=False), *place, "begin_us", "end_us").with_columns(
        earlier_end=pl.when(same).then(pl.col("end_us").shift(1))
    )
    return aligned(ordered, evidence.asked.select("job", asked=pl.lit(True)), "job")


def size_is_kept(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A rigid job holds exactly the processors it asked for, in every allocation; a rejected or unplaced job holds none."""
    both = aligned(
        evidence.allocations.select("job", "begin_us", "processors"), evidence.held.select("job", "size"), "job"
    )
    expected = pl.when(NOT_PLACED).then(0).otherwise("size")
    table = evidence.held.filter(OUTCOME.is_not_null()).select("job", "size", "allotted", expected=expected)
    broken = both.filter(pl.col("processors") != pl.col("size")).select("job", "begin_us", "processors", "size")
    stated = table.filter(pl.col("allotted") != pl.col("expected")).select("job", "allotted", "size")
    return both.height + table.height, pl.concat([broken, stated], how="diagonal")


def work_is_conserved(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """The work done is the work asked (up to the kill at the estimate); the work of an allocation is rate times length."""
    tolerance = pl.max_horizontal(pl.lit(WORK_TOLERANCE_US), "rate")
    uneven = ((pl.col("rate") * LENGTH - pl.col("work_us")).abs() > tolerance) | (pl.col("rate") <= 0)
    return work_adds_up(evidence, uneven)


def work_adds_up(evidence: Evidence, uneven: pl.Expr, *shown: str) -> tuple[int, pl.DataFrame]:
    """A job's allocations do the work asked (up to the kill at the estimate), and none of them is ``uneven``."""
    ran = evidence.held.filter(pl.col("allocations").is_not_null())
    due = pl.min_horizontal("runtime_us", "estimate_us")
    unequal = ran.select("job", "work_us", due_us=due).filter(pl.col("work_us") != pl.col("due_us"))
    wrong = evidence.allocations.filter(uneven).select("job", "begin_us", "end_us", "rate", *shown, "work_us")
    return evidence.allocations.height + ran.height, pl.concat([wrong, unequal], how="diagonal")


def machine_is_large_enough(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """At no instant do jobs hold more processors than their cluster has; where slots take turns, in no slot do they.

    If several jobs run on one processor at once, each processor counts as often as the family allows jobs on it. Without such a
    limit the rule checks nothing, and the certificate says so
    (:meth:`scheduler_core.declarations.families.Family.not_checked`). Ends sort before begins of the same instant. The changes
    of each cluster (or slot) sum to 0, so one running sum serves them all.
    """
    together = evidence.family.jobs_per_processor if evidence.family.sharing == "jobs" else 1
    if together is None:
        return NOTHING_CHECKED
    where = ("cluster", "slot") if evidence.family.sharing == "slots" else ("cluster",)
    change = pl.col("processors")
    begins = evidence.allocations.select(*where, time_us="begin_us", change=change)
    ends = evidence.allocations.select(*where, time_us="end_us", change=-change)
    changes = in_order_of(pl.concat([begins, ends]), *where, "time_us", "change")
    held = changes.with_columns(held=pl.col("change").cast(pl.Int64).cum_sum())
    _, processors = evidence.processors_of(held["cluster"])
    return held.height, held.filter(pl.col("held") > together * pl.Series(processors)).drop("change")


def slot_numbers(evidence: Evidence) -> np.ndarray:
    """Return the slot number of each allocation: allocations with equal numbers must not share a processor.

    Where slots take turns, the slots of all clusters are numbered from 0. If a processor serves one job at a time, every
    allocation has the number 0. If several jobs may run on it at once, each allocation has its own number.
    """
    if evidence.family.sharing == "none":
        return np.zeros(evidence.allocations.height, np.int64)
    if evidence.family.sharing == "jobs":
        return np.arange(evidence.allocations.height)
    cluster, slot = (evidence.allocations[name].to_numpy().astype(np.int64) for name in ("cluster", "slot"))
    return np.unique((cluster << 32) + slot, return_inverse=True)[1]


def processors_are_exclusive(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Named processors are as many as held, belong to the cluster, and are given to one allocation at a time.

    The family defines "at a time": in one slot, or in one allocation. A cluster names the processors of all its allocations, or
    of none. An allocation with a processor of another cluster is not compared with others.
    """
    table, places, processors = evidence.allocations, evidence.places, evidence.machine.processors
    begin, end = table["begin_us"].to_numpy(), table["end_us"].to_numpy()
    outside = places.outside(*evidence.processors_of(table["cluster"]))
    names_them = pl.col("processor_ids").is_not_null().any().over("cluster")
    miscounted = table.select(names_them).to_series().to_numpy() & (places.count != table["processors"].to_numpy())
    rows = np.flatnonzero(~outside & (places.count > 0))
    offset = slot_numbers(evidence) * processors
    place, late, _ = taken_twice(places, rows, offset[rows], begin[rows], end[rows])
    wrong = table.filter(miscounted | outside).select("job", "begin_us", "processors")
    shown = table.select("job", "begin_us", "slot")[rows[late]].with_columns(processor=pl.Series(place % processors))
    return len(places.processor_ids), pl.concat([wrong, shown], how="diagonal")


RULES: dict[str, Rule] = {
    "every job appears once": every_job_once,
    "what was asked is unchanged": asked_unchanged,
    "finished, killed and rejected jobs are the right ones": fate_is_right,
    "no job starts before its submission": not_before_submission,
    "start and finish agree with the allocations": start_and_finish_agree,
}
"""The rules that hold in every family, by their names in certificates and the report."""

RIGID_RULES: dict[str, Rule] = {
    **RULES,
    "allocations are sound": allocations_are_sound,
    "a rigid job keeps its size": size_is_kept,
}
"""The rules of families in which every job has the size it asks for, the first in their certificates."""
