"""Rules of slots on clusters in slices, on the clocks of classes: tasks start by them, they have room, kept ones stay.

A slot begins at a reading of its class's clock. The reading follows from the predicted start and the slices then known.
"""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of, once
from scheduler_core.checker.grid.class_plans import most_needed, processors_in, taken_by_jobs, taken_by_slots
from scheduler_core.checker.grid.clusters import lay_out
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.grid.kept_slots import with_latest_places
from scheduler_core.checker.grid.predictions import follow, ways_to_come
from scheduler_core.checker.grid.slots import slots
from scheduler_core.checker.slices.evidence import CLASSES, ClassTime, class_name, covered
from scheduler_core.common.units import NEVER_US

MOVED = ("at_us", "start_us", "finish_us", "begin_us", "latest_us", "held_back_us", "released_us", "freed_at_us")
SHOWN = ("job", "at_us", "start_us", "finish_us", "cause")


@once
def slots_on_clocks(evidence: GridEvidence) -> pl.DataFrame:
    """Return the slides in order, each with its slot on the clock of its class; times and clocks are those of ``lay_out``.

    Beside the columns of :func:`~scheduler_core.checker.grid.slots.slots`: ``position`` (of its job in ``ClassTime.jobs``),
    ``size``, ``place`` (in the order of bookings), ``own`` (whether the task started in a slice of its class); ``clock`` (at the
    time of the slide), ``low`` and ``high`` (the slot begins at one of these readings or between them), ``shown`` and ``hidden``
    (see :func:`readings`); ``next_us`` (the job's next slide) and ``until_us`` (when the slot is given up: for the next, at the
    start, or set aside). Where slots are kept, ``most`` is as :mod:`~scheduler_core.checker.grid.kept_slots` says.
    """
    rows = slides_of_jobs(evidence)
    rows = rows.with_columns(*readings(evidence, rows), next_us=pl.col("at_us").shift(-1).over("job"))
    # A slot whose reading is hidden, but that moved to a later one.
    later = pl.max_horizontal("low", pl.min_horizontal("high", pl.col("low").shift(1).over("job") + 1))
    moved = pl.col("hidden") & (pl.col("cause") == "recalculated")
    rows = rows.with_columns(low=pl.when(moved).then(later).otherwise("low"))
    limit = pl.max_horizontal("held_back_us", "latest_us") if evidence.keeps else pl.col("held_back_us")
    aside = (pl.col("at_us") < pl.col("freed_at_us")) & (limit < pl.col("freed_at_us"))
    rows = rows.with_columns(until_us=pl.min_horizontal("next_us", "begin_us", pl.when(aside).then(limit + 1)))
    return with_latest_places(lay_out(evidence), rows) if evidence.keeps else rows


def slides_of_jobs(evidence: GridEvidence) -> pl.DataFrame:
    """Return the slides of tasks that ran, moved in time by their clusters."""
    time, span = lay_out(evidence).class_time, lay_out(evidence).span_us
    jobs = time.jobs.select("job", pl.col("size").cast(pl.Int64), position=pl.int_range(pl.len()))
    place = evidence.tables["reservations"].unique("job", keep="first", maintain_order=True)
    rows = slots(evidence).drop_nulls(["cluster", "kind", *MOVED]).join(jobs, on="job", maintain_order="left")
    rows = aligned(rows, place.select("job", place=pl.int_range(pl.len())), "job")
    rows = aligned(rows, time.runs.filter("first").select("job", "own"), "job")
    since = pl.col("cluster").cast(pl.Int64) * span
    return rows.filter(pl.col("own").is_not_null()).with_columns(pl.col(*MOVED) + since, since_us=since)


def readings(evidence: GridEvidence, rows: pl.DataFrame) -> list[pl.Series]:
    """Return the ``clock`` at each slide, and the least and the greatest reading at which its slot may begin.

    They are equal but in three cases. A kept slot that the clock reaches before its bound is predicted as if it began at the
    bound, and may begin before: its reading is ``hidden``. For a slot that moves as an interval begins the interval may be laid
    out or not. A slot whose prediction does not follow is unknown. ``shown`` is the least reading that was predicted from.
    """
    time = lay_out(evidence).class_time
    names = ("at_us", "start_us", "finish_us", "estimate_us", "kind", "since_us")
    at, start, finish, estimate, kind, since = (column_of(rows, name) for name in names)
    bound = column_of(rows.select(bound=pl.max_horizontal("at_us", bound_then())), "bound")
    moved_up = pl.col("cause").is_in(("booked", "room")) | (pl.col("at_us") > pl.col("latest_us"))
    may_hide = column_of(rows.select(may=~moved_up & pl.lit(evidence.keeps)), "may")
    clock = time.clock(kind, at)
    low, high, hidden = np.full(rows.height, NEVER_US), np.full(rows.height, -1), may_hide
    shown = low
    for to_come, may_be in zip(ways_to_come(evidence, at, kind, since), may_be_laid_out(time, rows), strict=True):
        right, gained = follow(to_come, start, start, finish, estimate) & may_be, to_come.gained(start)
        hides = may_hide & (gained <= to_come.gained(bound))
        hidden = hidden & (hides | ~right)
        low = np.where(right, np.minimum(low, clock + np.where(hides, 0, gained)), low)
        shown = np.where(right, np.minimum(shown, clock + gained), shown)
        high = np.where(right, np.maximum(high, clock + gained), high)
    unknown = high < 0
    low, high = np.where(unknown, clock, low), np.where(unknown, NEVER_US, high)
    found = {"clock": clock, "low": low, "high": high, "shown": shown, "hidden": hidden & ~unknown}
    return [pl.Series(name, values) for name, values in found.items()]


def may_be_laid_out(time: ClassTime, rows: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return whether an interval that begins with a slide may be laid out by then, and whether it may not be.

    A booking finds it laid out if a job of the cluster is present before: one that came before and stays, or a local job.
    """
    at = column_of(rows, "at_us")
    booked = (column_of(rows, "cause") == "booked") & (at % time.setting_us("interval_s") == 0)
    came, done = np.sort(time.column("submit_us")), np.sort(time.column("finish_us"))
    local = np.sort(time.column("submit_us")[~time.column("booked")])
    comes = np.searchsorted(local, at, side="right") > np.searchsorted(local, at)
    before = np.searchsorted(came, at)
    present = (before > np.searchsorted(done, at, side="right")) | comes
    absent = (before == np.searchsorted(done, at)) & ~comes
    return ~(booked & absent), ~(booked & present)


def bound_then() -> pl.Expr:
    """Return the bound at the time of a slide, the later one if the task was freed at that time."""
    at, freed, before, after = (pl.col(name) for name in ("at_us", "freed_at_us", "held_back_us", "released_us"))
    return pl.when(at < freed).then(before).when(at > freed).then(after).otherwise(pl.max_horizontal(before, after))


def next_work(time: ClassTime, kind: np.ndarray, since: np.ndarray) -> np.ndarray:
    """Return the first time, from another on, at which each class works; NEVER_US if it does not."""
    found = np.full(len(since), NEVER_US)
    for number in CLASSES:
        own, asked = time.kind == number, np.flatnonzero(kind == number)
        row = np.searchsorted(time.end[own], since[asked], side="right")
        known = row < own.sum()
        asked, row = asked[known], row[known]
        found[asked] = np.maximum(time.work[own][row], since[asked])
    return found


def tasks_start_by_the_clock(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A booked task starts as soon as its class works, its class's clock has come to its last slot and its bound has passed.

    It starts before only on lent processors. So a task that is released in time starts in its slot, be it rigid or not. If the
    clock has come to a kept slot before, its task starts in the first slice of its class that works from its bound on. With
    ``slide_down_backfill`` a task may start before its slot, because others slide down for it.
    """
    rows = slots_on_clocks(evidence) if evidence.facts.in_slices else slots(evidence).clear()
    last = rows.unique("job", keep="last", maintain_order=True)
    if last.is_empty():
        return NOTHING_CHECKED
    time = lay_out(evidence).class_time
    kind, begin = column_of(last, "kind"), column_of(last, "begin_us")
    free = np.maximum(column_of(last, "at_us"), column_of(last, "released_us"))
    first, due = (
        next_work(time, kind, np.maximum(free, time.time_of(kind, column_of(last, name)))) for name in ("low", "high")
    )
    early = column_of(last, "own") & (begin < first) & (not evidence.parameters["slide_down_backfill"])
    shown = last.select(*SHOWN, "begin_us", due_us=pl.Series(due))
    return last.height, lay_out(evidence).told_apart(shown.filter(pl.Series(early | (begin > due))))


def kept_slots_stay(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A kept slot stays where it is until the clock takes it along; it moves down only to make way for kept slots before it.

    It gets the earliest time, from its begin or the clock on, that started jobs and the kept slots of tasks booked before leave.
    Those get theirs first, in the order of bookings. So others of the class never take its place.
    """
    if not evidence.keeps:
        return NOTHING_CHECKED
    rows = slots_on_clocks(evidence)
    kept = rows.filter((pl.col("number") > 0) & (pl.col("at_us") <= pl.col("latest_us")))
    return kept.height, lay_out(evidence).told_apart(kept.filter(pl.col("low") > pl.col("most")).select(*SHOWN))


def slots_follow_their_bounds(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Where reservations are recalculated, no slot begins before the reading that its class's clock is to show at the bound.

    When an interval is laid out, that reading may become later, and the slot with it. So each slot is compared once: when a slice
    of its cluster begins to work for the last time before the slot moves, is set aside or its task starts. Slots that were kept
    may lie before their bounds.
    """
    if not evidence.recalculates or not evidence.reserves:
        return NOTHING_CHECKED
    time, rows = lay_out(evidence).class_time, slots_on_clocks(evidence)
    works = np.unique(time.work[time.work % time.setting_us("interval_s") > 0])
    last = np.concatenate([[-1], works])[np.searchsorted(works, column_of(rows, "until_us"))]
    rows = rows.rename({"at_us": "placed_us"}).with_columns(at_us=pl.Series(last))
    kept = (pl.col("placed_us") <= pl.col("latest_us")) & pl.lit(evidence.keeps)
    rows = rows.filter((pl.col("placed_us") <= pl.col("at_us")) & (pl.col("at_us") != pl.col("freed_at_us")) & ~kept)
    at, kind, since = (column_of(rows, name) for name in ("at_us", "kind", "since_us"))
    bound = column_of(rows.select(bound=pl.max_horizontal("at_us", bound_then())), "bound")
    least = time.clock(kind, at) + ways_to_come(evidence, at, kind, since)[0].gained(bound)
    early = rows.filter(pl.col("high") < pl.Series(least))
    return rows.height, lay_out(evidence).told_apart(early.select(*SHOWN, "placed_us"))


def slots_have_their_processors(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """On clusters in slices, started jobs and slots of a class never need more processors than there are, by estimates.

    Jobs of other classes that run in its slice count until that ends. A slot that the clock has reached needs its processors from
    the clock on. So no job starts that would take them, and those of a kept slot idle until its task starts. The rule looks at
    all times at which a job starts or is lent processors, and at which a slot moves. A slot whose reading is not known counts
    when the clock has surely reached it.
    """
    if not evidence.facts.in_slices or not evidence.reserves:
        return NOTHING_CHECKED
    laid, slots = lay_out(evidence), slots_on_clocks(evidence)
    time, checked, broken = laid.class_time, 0, [pl.DataFrame(schema={"at_us": pl.Int64})]
    for kind in CLASSES:
        own = slots.filter(pl.col("kind") == kind)
        moments = while_slots_stand(time, own, kind)
        of_slots = taken_by_slots(time, own, moments, "until_us").filter("sure")
        needed = most_needed(of_slots, taken_by_jobs(time, kind, moments))
        at = moments[column_of(needed, "moment")]
        shown = needed.select("needed", at_us=pl.Series(at), processors=pl.Series(processors_in(laid, at)))
        shown = shown.with_columns(class_name(np.full(len(at), kind)))
        broken.append(shown.filter(pl.col("needed") > pl.col("processors")))
        checked += of_slots.height
    return checked, laid.told_apart(pl.concat(broken, how="diagonal"))


def while_slots_stand(time: ClassTime, slots: pl.DataFrame, kind: int) -> np.ndarray:
    """Return the times, in order, at which a class's slots move or a job takes processors of its plan, while a slot stands."""
    starts = time.jobs.filter((pl.col("kind") == kind) & (pl.col("start_us") < NEVER_US))["start_us"]
    lent = time.runs.filter((pl.col("slot") == kind) & ~pl.col("own"))["begin_us"]
    moments = np.unique(np.concatenate([slots["at_us"], starts, lent]))
    first, last = (np.searchsorted(moments, column_of(slots, name)) for name in ("at_us", "until_us"))
    return moments[covered(first, last - 1)]
