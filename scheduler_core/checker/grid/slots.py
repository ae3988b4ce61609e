"""Rules of the slots of booked tasks: where they are, how they slide, that tasks start in them, and their counters."""

import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, counters_agree, once
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.slices.evidence import SHORT

SLOT = ("job", "at_us", "cause", "start_us", "finish_us")


@once
def slots(evidence: GridEvidence) -> pl.DataFrame:
    """Return the slides in order, each with the row of its job before, its reservation and the task's run."""
    slides = evidence.tables["slides"].with_columns(pl.col("cause").cast(pl.String)).with_row_index("row")
    before = {f"{name}_before": pl.col(name).shift(1).over("job") for name in ("at_us", "start_us", "finish_us")}
    booked = evidence.tables["reservations"].unique("job", keep="first").drop("workflow", "task")
    booked = booked.rename({"start_us": "predicted_start_us", "finish_us": "predicted_finish_us"})
    freed = evidence.freed.select("job", "freed_at_us")
    ran = evidence.held.select("job", "begin_us", "end_us")
    rows = slides.with_columns(**before)
    for beside in (booked, freed, ran):
        rows = aligned(rows, beside, "job")
    there = evidence.anywhere.select("job", "cluster", "estimate_us", "kind")
    rows = aligned(rows, there, "job", "cluster")
    return rows.with_columns(
        number=pl.int_range(pl.len()).over("job"),
        held_back_us=pl.max_horizontal("earliest_us", "expected_us"),
        released_us=pl.max_horizontal("freed_us", "ready_us"),
    )


def set_aside(evidence: GridEvidence) -> pl.Expr:
    """Return whether a task was still held back when its slot was given back: after its bound, or its latest finish."""
    until = ["earliest_us", "expected_us"]
    if evidence.keeps:
        until.append("latest_us")
    return pl.col("freed_at_us") > pl.max_horizontal(until)


def slots_are_as_booked(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """The first slot of every booked task is made at its booking, as predicted; no other job has slots.

    The slot may be earlier than predicted only if the prediction includes spare time (``frame_rule="spare_time"``). If
    predictions take the mean of slices it may be elsewhere, because an interval may be laid out first for a job that comes.
    """
    rows = slots(evidence)
    spare, mean = (
        evidence.parameters[name] == word for name, word in (("frame_rule", "spare_time"), ("nominal", "mean"))
    )
    start, finish = (pl.col(f"predicted_{name}") - pl.col(name) for name in ("start_us", "finish_us"))
    predicted = (start >= 0) & (finish >= 0) if spare else (start == 0) & (finish == 0)
    predicted |= pl.lit(mean and evidence.facts.in_slices)
    first = (pl.col("cause") == "booked") & (pl.col("at_us") == pl.col("made_us")) & predicted
    broken = pl.when(pl.col("number") == 0).then(~first).otherwise(pl.col("cause") == "booked")
    odd = rows.filter(broken.fill_null(True))
    missing = evidence.tables["reservations"].join(rows, on="job", how="anti")
    return rows.height, pl.concat([odd.select(*SLOT), missing.select("job")], how="diagonal")


def slots_slide_by_the_rules(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A slot moves up when there is room or its task is freed, and down when its task may not start in it or may slide down.

    Slots are long enough and never before the task's bound. The bound is the later of its earliest start and, until its
    predecessors are done, the time its data are expected; then the time they arrive. A pinned slot moves up only after it was
    lost, or after its latest finish. Sliding down needs the policy's permission and stays in the frame; only where
    reservations are made anew at every instant may a slot move down for that. If predictions are worst cases, room moves a
    slot down only for the bound (or for a short task, because there may be no short slices before it).
    """
    rows = slots(evidence)
    at, freed = pl.col("at_us"), pl.col("freed_at_us")
    held_back, released = pl.col("held_back_us"), pl.col("released_us")
    # The cluster's act at the instant of freeing may come before or after.
    either = pl.min_horizontal(held_back, released)
    bound = pl.when(at < freed).then(held_back).when(at > freed).then(released).otherwise(either)
    cause = pl.col("cause")
    lost = set_aside(evidence) | ((cause == "not_ready").cum_sum().over("job") > 0)
    lost |= (at > pl.col("latest_us")) & pl.lit(evidence.keeps)
    least = pl.col("start_us") + pl.col("estimate_us")
    earlier = pl.col("start_us") <= pl.max_horizontal("start_us_before", bound)
    up = earlier & (pl.col("finish_us") <= pl.max_horizontal("finish_us_before", least))
    pinned = evidence.parameters["frame_rule"] == "rigid"
    down = evidence.parameters["slide_down_backfill"] or evidence.parameters["slide_down_avoid_preemption"]
    bounded = evidence.parameters["nominal"] == "worst_case"
    broken = {
        "before its bound": pl.col("start_us") < bound,
        "too short": pl.col("finish_us") - pl.col("start_us") < pl.col("estimate_us"),
        "after the start": at > pl.col("begin_us"),
        "out of order": at < pl.col("at_us_before"),
        "down for room": (cause == "room") & ~up & pl.lit(bounded) & (pl.col("kind") != SHORT),
        "freed too early": (cause == "freed") & (at < freed),
        "a pinned slot slides": pl.lit(pinned) & cause.is_in(("room", "slid_down")) & ~lost,
        "slid down without permission": (cause == "slid_down") & pl.lit(not down),
        "recalculated without permission": (cause == "recalculated") & pl.lit(not evidence.recalculates),
        "rebooked where slots are recalculated": (cause == "not_ready") & pl.lit(evidence.recalculates),
        "slid down past its frame": (cause == "slid_down") & (pl.col("finish_us") > pl.col("latest_us")),
    }
    found = pl.coalesce(pl.when(wrong).then(pl.lit(words)) for words, wrong in broken.items())
    return rows.height, rows.with_columns(found=found).filter(pl.col("found").is_not_null()).select(*SLOT, "found")


def tasks_run_in_their_slots(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A booked task starts and finishes no later than its last slot says; under space sharing it starts exactly there.

    A task that must not start when its slot comes may start later, because the class clock may not reach the slot before the
    task is freed. So may a short task on a cluster in slices, which has no short slice where no short job could run. If
    predictions take the mean of slices, they bound nothing. A slot that is kept bounds nothing until its task may start: it
    may wait at the class clock, and the class's slice may pass sooner than predicted. Rules on the clocks of classes say more.
    """
    last = slots(evidence).unique("job", keep="last", maintain_order=True)
    if evidence.parameters["nominal"] == "mean" and evidence.facts.in_slices:
        return NOTHING_CHECKED
    in_time = pl.col("released_us") <= pl.col("start_us")
    if evidence.facts.in_slices:
        in_time &= pl.col("kind") != SHORT
    if evidence.keeps:
        in_time &= pl.col("released_us") <= pl.col("at_us")
    late = in_time & ((pl.col("begin_us") > pl.col("start_us")) | (pl.col("end_us") > pl.col("finish_us")))
    if not evidence.facts.in_slices:
        late = late | (pl.col("begin_us") != pl.col("start_us"))
    return last.height, last.filter(late.fill_null(True)).select(*SLOT, "begin_us", "end_us")


def placing_is_counted(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Counters of workflows, predictions, bookings, slides, lost slots and late tasks agree with the tables.

    A slot is lost when it is reached and its task may not start, and when the task's bound (and, where slots are kept, its
    latest finish) passes while it is held back. The cause of such a task's next slot is ``not_ready`` under space sharing and
    ``freed`` in slices.
    """
    tables, tasks = evidence.tables, evidence.tasks
    rows = slots(evidence)
    booked = tables["reservations"].join(evidence.freed.select("job", "freed_at_us"), on="job", how="left")
    booked = booked.join(evidence.held.select("job", "end_us"), on="job", how="left")
    passed = booked.filter(set_aside(evidence)).height if evidence.facts.in_slices else 0
    expected = {
        "workflows": tasks["workflow"].n_unique(),
        "rejected_workflows": tasks.filter(~pl.col("fits"))["workflow"].n_unique(),
        "tasks": tasks.filter("fits").height,
        "predictions": tables["candidates"].height,
        "bookings": tables["reservations"].height,
        "slides_up": rows.filter(pl.col("start_us") < pl.col("start_us_before")).height,
        "slides_down": rows.filter(pl.col("start_us") > pl.col("start_us_before")).height,
        "lost_slots": rows.filter(pl.col("cause") == "not_ready").height + passed,
        "late_tasks": booked.filter(pl.col("end_us") > pl.col("latest_us")).height,
    }
    return counters_agree(evidence, expected)
