"""The rule of the first job of a queue, on clusters in slices whose reservations are recalculated: it waits only for room."""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, column_of
from scheduler_core.checker.grid.class_plans import most_needed, processors_in, taken_by_jobs, taken_by_slots
from scheduler_core.checker.grid.class_slots import slots_on_clocks
from scheduler_core.checker.grid.clusters import lay_out
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.slices.evidence import CLASSES, ClassTime, expanded
from scheduler_core.common.units import NEVER_US


def the_first_waits_for_room(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Where reservations are recalculated, the first waiting job of a class that may start waits in its slices only for room.

    There is room if its processors are free, by estimates, for as long as it may run: beside started jobs, slots of tasks before
    it in the queue and kept slots. So no job starts in a slice of the class while one that came before all others could start
    instead. A task whose slot is kept is not such a job: its slot says when it starts. If tasks are not booked, jobs that join a
    queue together are left out, because the tables do not say which comes first.
    """
    if not evidence.recalculates:
        return NOTHING_CHECKED
    laid = lay_out(evidence)
    checked, broken = 0, [pl.DataFrame(schema={"job": pl.Int64})]
    for kind in CLASSES:
        moments, first = first_in_line(evidence, kind)
        needed = needed_with_the_first(evidence, kind, moments, first)
        at, position = (values[column_of(needed, "moment")] for values in (moments, first))
        shown = laid.class_time.jobs[position].select("job", at_us=pl.Series(at), start_us=pl.col("start_us"))
        shown = shown.with_columns(needed["needed"], processors=pl.Series(processors_in(laid, at)))
        broken.append(shown.filter(pl.col("needed") <= pl.col("processors")))
        checked += len(at)
    return checked, laid.told_apart(pl.concat(broken, how="diagonal"))


def first_in_line(evidence: GridEvidence, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Return times at which a class works and its first waiting job that may start waits, in order; and these jobs' positions."""
    time, moments = lay_out(evidence).class_time, when_plans_change(evidence, kind)
    since, start = since_when(evidence), time.column("start_us")
    own = np.flatnonzero((time.column("kind") == kind) & (start < NEVER_US))
    row, moment = expanded(np.searchsorted(moments, since[own], side="right"), np.searchsorted(moments, start[own]) - 1)
    first = np.full(len(moments), time.jobs.height)
    np.minimum.at(first, moment, own[row])
    some = first < time.jobs.height
    if not evidence.reserves:
        together = time.jobs.select(pl.struct("kind", "submit_us").is_duplicated()).to_series().to_numpy()
        some[some] &= ~together[first[some]]
    return moments[some], first[some]


def when_plans_change(evidence: GridEvidence, kind: int) -> np.ndarray:
    """Return the times at which a class works and its plan may change, in order: runs begin or end, slots move."""
    time = lay_out(evidence).class_time
    runs = time.runs.filter(pl.col("slot") == kind)
    times = [runs["begin_us"], runs["end_us"], time.work[time.kind == kind]]
    times.append(time.jobs.filter((pl.col("kind") == kind) & (pl.col("finish_us") < NEVER_US))["finish_us"])
    if evidence.reserves:
        times.append(slots_on_clocks(evidence).filter(pl.col("kind") == kind)["at_us"])
    moments = np.unique(np.concatenate(times))
    return moments[time.works_at(np.full(len(moments), kind), moments)]


def since_when(evidence: GridEvidence) -> np.ndarray:
    """Return, by position, after which time a job may start without a kept slot; NEVER_US for a task whose slot is unknown."""
    jobs = lay_out(evidence).class_time.jobs
    since: np.ndarray = np.where(jobs["booked"], NEVER_US, jobs["submit_us"])
    if evidence.reserves:
        last = slots_on_clocks(evidence).unique("job", keep="last")
        position, released = column_of(last, "position"), column_of(last, "released_us")
        since[position] = np.maximum(released, kept_until(evidence)[position])
    return since


def kept_until(evidence: GridEvidence) -> np.ndarray:
    """Return, by position, until when a task's slot is kept; a time before all others for all other jobs."""
    until = np.full(lay_out(evidence).class_time.jobs.height, -1)
    if evidence.reserves and evidence.keeps:
        slots = slots_on_clocks(evidence)
        until[column_of(slots, "position")] = column_of(slots, "latest_us")
    return until


def needed_with_the_first(evidence: GridEvidence, kind: int, moments: np.ndarray, first: np.ndarray) -> pl.DataFrame:
    """Return the most processors that a plan needs, at some moments, if the first job starts beside what goes before it.

    Moments are left out where it is not known at which reading a slot before it begins.
    """
    time, number = lay_out(evidence).class_time, np.arange(len(moments))
    clock, estimate, size = time.clock(np.full(len(moments), kind), moments), *times_of(time, first)
    own = pl.DataFrame({"moment": number, "low": clock, "high": clock + estimate, "size": size})
    jobs = taken_by_jobs(time, kind, moments)
    position, moment = column_of(jobs, "position"), column_of(jobs, "moment")
    order = np.arange(time.jobs.height) if evidence.reserves else time.column("submit_us")
    behind = (order[position] > order[first[moment]]) & (kept_until(evidence)[position] < moments[moment])
    behind &= (time.column("kind")[position] == kind) & (column_of(jobs, "since_us") == moments[moment])
    jobs = jobs.filter(pl.Series(~behind))
    if not evidence.reserves:
        return most_needed(own, jobs)
    slots = slots_before_the_first(evidence, kind, moments, first)
    unsure = slots.filter(~pl.col("sure"))["moment"]
    return most_needed(own, jobs, slots).filter(~pl.col("moment").is_in(unsure.implode()))


def times_of(time: ClassTime, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return estimates and sizes of jobs."""
    return time.column("estimate_us")[position], time.column("size")[position].astype(np.int64)


def slots_before_the_first(evidence: GridEvidence, kind: int, moments: np.ndarray, first: np.ndarray) -> pl.DataFrame:
    """Return the spans of the slots that a job is planned behind: of tasks before it in the queue, and kept ones.

    A slot that moves at a moment may have been in the way at that moment, so that both its places count.
    """
    slots = slots_on_clocks(evidence).filter(pl.col("kind") == kind)
    moves = pl.col("next_us") == pl.col("until_us")
    slots = slots.with_columns(gone_us=pl.col("until_us") + moves.fill_null(False))
    spans = taken_by_slots(lay_out(evidence).class_time, slots, moments, "gone_us")
    moment = column_of(spans, "moment")
    before = column_of(spans, "position") < first[moment]
    kept = kept_until(evidence)[column_of(spans, "position")] >= moments[moment]
    return spans.filter(pl.Series(before | kept))
