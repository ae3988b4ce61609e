"""Rules of the processors that started jobs keep: each class has a virtual machine, and may lend idle processors."""

import numpy as np
import polars as pl

from scheduler_core.checker.common import LENGTH, work_adds_up
from scheduler_core.checker.evidence import NOTHING_CHECKED, column_of, counters_agree
from scheduler_core.checker.places import taken_twice
from scheduler_core.checker.slices.evidence import CLASSES, ClassTime, SlicesEvidence, class_name, expanded, meets
from scheduler_core.common.units import NEVER_US


def work_is_run_time(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """The work done is the work asked (up to the kill at the estimate); an allocation's work is its length, to the tick."""
    return work_adds_up(evidence, (pl.col("work_us") != LENGTH) | (pl.col("rate") != 1))


def jobs_keep_their_processors(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """Every allocation names its processors; all allocations of a job name the same ones."""
    runs, places = evidence.class_time.runs, evidence.places
    row = column_of(runs, "row")
    first = row[np.flatnonzero(column_of(runs, "first"))][np.cumsum(column_of(runs, "first")) - 1]
    unnamed = evidence.allocations["processor_ids"].is_null().to_numpy()[row]
    moved = places.count[row] != places.count[first]
    # Most allocations list the same processors in the same order, a quick test; only the rest are sorted.
    alike = np.flatnonzero(~moved)
    unsure = places.unlike(row[alike], first[alike])
    (owner, now), (_, before) = places.of(row[alike[unsure]]), places.of(first[alike[unsure]])
    differ = now[np.lexsort((now, owner))] != before[np.lexsort((before, owner))]
    moved[alike[unsure[np.unique(owner[differ])]]] = True
    wrong = np.flatnonzero(moved | unnamed)
    shown = runs.select("job", "begin_us")[wrong].with_columns(
        processor_ids=evidence.allocations["processor_ids"][row[wrong]],
        first_processor_ids=evidence.allocations["processor_ids"][first[wrong]],
    )
    return len(row), shown


def classes_hold_processors_apart(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """From first start to finish, running or suspended, no two jobs of a class have a processor in common."""
    time, places, processors = evidence.class_time, evidence.places, evidence.machine.processors
    firsts = time.runs.filter("first")
    outside = places.outside(np.zeros_like(places.count), np.full_like(places.count, processors))
    firsts = firsts.filter(pl.Series(~outside[column_of(firsts, "row")]))
    position, row = column_of(firsts, "position"), column_of(firsts, "row")
    start, finish, kind, job = (time.column(name)[position] for name in ("start_us", "finish_us", "kind", "job"))
    place, late, early = taken_twice(places, row, kind * processors, start, finish)
    shown = {
        "job": job[late],
        "start_us": start[late],
        "held_by_job": job[early],
        "until_us": finish[early],
        "processor": place % processors,
    }
    return int(places.count[row].sum()), pl.DataFrame(shown)


def own_slices_are_used(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """From its first start a job runs in every slice of its class, from the begin of the work to the end or its finish.

    Other rules hold that the runs in a job's own slices lie within their work and do not overlap. So it suffices that the runs
    add up to the advance of the class clock between start and finish.
    """
    time = evidence.class_time
    ran = np.flatnonzero(time.column("finish_us") < NEVER_US)
    kind, start, finish = (time.column(name)[ran] for name in ("kind", "start_us", "finish_us"))
    worked = time.clock(kind, finish) - time.clock(kind, start)
    runs, own = time.runs, column_of(time.runs, "own")
    length = (column_of(runs, "end_us") - column_of(runs, "begin_us"))[own]
    in_own = np.zeros(time.jobs.height, np.int64)
    np.add.at(in_own, column_of(runs, "position")[own], length)
    wrong = np.flatnonzero(worked != in_own[ran])
    shown = time.jobs[ran[wrong]].select("job", "start_us", "finish_us")
    ran_us, worked_us = pl.Series(in_own[ran[wrong]]), pl.Series(worked[wrong])
    return len(ran), shown.with_columns(in_own_slices_us=ran_us, own_slices_worked_us=worked_us)


def lent_when_allowed(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """No job runs in another class's slice unless the policy lends.

    ``smart`` lends to suspended and waiting jobs. Without it ``dynamic`` still places jobs around the plan of the slice's group,
    immediately or later in the same slice. Such a run is the job's first. The job was submitted while that slice worked and a
    group of its class was open, formed before that instant, because groups form after jobs are placed.
    """
    time = evidence.class_time
    lent = time.runs.filter(~pl.col("own"))
    shown = lent.select("job", "begin_us", "slot", class_of_job=class_name(lent["kind"]))
    if time.parameters["smart"]:
        return time.runs.height, shown.clear()
    return time.runs.height, shown.filter(pl.Series(~may_be_placed_around_plans(evidence, lent)))


def may_be_placed_around_plans(evidence: SlicesEvidence, lent: pl.DataFrame) -> np.ndarray:
    """Return whether ``dynamic`` may have begun these runs in slices of other classes."""
    time = evidence.class_time
    if not evidence.facts.around_plans or not len(time.kind):
        return np.zeros(lent.height, bool)
    row, submit = column_of(lent, "slice"), time.column("submit_us")[column_of(lent, "position")]
    in_slice = (row >= 0) & (time.work[row] <= submit) & (submit < time.end[row])
    return column_of(lent, "first") & in_slice & group_was_open(evidence, time.kind[row], submit)


def group_was_open(evidence: SlicesEvidence, kind: np.ndarray, time_us: np.ndarray) -> np.ndarray:
    """Return whether a group of the class formed before an instant and ended no earlier."""
    groups = evidence.tables["groups"].select(pl.col("class").to_physical().cast(pl.Int64), "formed_us", "ended_us")
    was_open = np.zeros(len(time_us), bool)
    for number in np.unique(kind):
        own = groups.filter(pl.col("class") == number).sort("formed_us")
        if own.is_empty():
            continue
        asked = np.flatnonzero(kind == number)
        last = np.searchsorted(column_of(own, "formed_us"), time_us[asked], side="left") - 1
        was_open[asked] = (last >= 0) & (time_us[asked] <= column_of(own, "ended_us")[last])
    return was_open


def slices_do_not_idle(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """In a working slice some job runs whenever jobs of its class wait: only running jobs can block the first of them.

    Two cases are exempt. In slices of groups around whose plan ``dynamic`` places jobs, requests may block it; while a booked job
    of the class waits that must not start yet, its reservation may.
    """
    time = evidence.class_time
    row, begin, end = idle_times(time)
    kind, left_out = time.kind[row], np.zeros(len(row), bool)
    groups = evidence.tables["groups"].with_columns(kind=pl.col("class").to_physical().cast(pl.Int64))
    waits = np.zeros(len(row), bool)
    for number in CLASSES:
        here, jobs = np.flatnonzero(kind == number), time.jobs.filter(kind=number)
        waits[here] = meets(column_of(jobs, "may_start_us"), column_of(jobs, "start_us"), begin[here], end[here])
        booked = jobs.filter("booked").with_columns(until_us=pl.min_horizontal("may_start_us", "start_us"))
        left_out[here] = meets(column_of(booked, "submit_us"), column_of(booked, "until_us"), begin[here], end[here])
        if evidence.facts.around_plans:
            formed, ended = (column_of(groups.filter(kind=number), name) for name in ("formed_us", "ended_us"))
            left_out[here] |= meets(formed, ended + 1, time.begin[row[here]], time.end[row[here]])
    wrong = waits & ~left_out
    shown = {"idle_from_us": begin[wrong], "until_us": end[wrong], "class": class_name(kind[wrong])}
    return int((~left_out).sum()), pl.DataFrame(shown)


def idle_times(time: ClassTime) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the times in which a slice works and no job runs: the slice, begin and end."""
    ran = time.runs.sort("begin_us")
    busy_from, busy_until = column_of(ran, "begin_us"), np.maximum.accumulate(column_of(ran, "end_us"))
    # Idle time lies between the latest end so far and the next begin; each slice takes its own part of it.
    idle_from, idle_until = np.concatenate([[-NEVER_US], busy_until]), np.concatenate([busy_from, [NEVER_US]])
    some = idle_from < idle_until
    idle_from, idle_until = idle_from[some], idle_until[some]
    first = np.searchsorted(idle_until, time.work, side="right")
    last = np.searchsorted(idle_from, time.end, side="left") - 1
    row, gap = expanded(first, last)
    begin, end = np.maximum(idle_from[gap], time.work[row]), np.minimum(idle_until[gap], time.end[row])
    some = begin < end
    return row[some], begin[some], end[some]


def lending_is_counted(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """The counters equal the number of slices and how often waiting and suspended jobs ran in slices of other classes.

    If ``smart`` lends nothing, all waiting jobs that started elsewhere were placed around a plan (counter ``dynamic``);
    otherwise that counter is at most the number of jobs that may have been.
    """
    lent = evidence.class_time.runs.filter(~pl.col("own"))
    started = int(lent["first"].sum())
    slices = evidence.tables["slices"].height
    expected = {"slices": slices, "started_elsewhere": started, "resumed_elsewhere": lent.height - started}
    placed = int(may_be_placed_around_plans(evidence, lent).sum())
    if evidence.class_time.parameters["smart"]:
        placed = min(placed, evidence.counters.get("dynamic", 0))
    return counters_agree(evidence, {**expected, "dynamic": placed})


def backfilling_is_counted(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """The counter of backfilled jobs is the number of jobs that started while a job of their class before them waited.

    The tables do not say which of several jobs starts first at one instant. So the rule checks bounds: at least the jobs that
    started strictly before a job submitted strictly earlier, at most those that started no later than a job before them in the
    queue. If a task of a workflow joins at the same instant as others of its class, each of them may be before the others.
    """
    if "backfilled" not in evidence.counters:
        return NOTHING_CHECKED
    task, together = pl.col("counts_us") != pl.col("submit_us"), ("kind", "submit_us")
    jobs = evidence.class_time.jobs
    tasks = jobs.select(task.any()).item()
    unsure = task.any().over(together) & (pl.len().over(together) > 1) if tasks else pl.lit(False)
    jobs = jobs.select("kind", "submit_us", "start_us", unsure=unsure)
    latest = pl.col("start_us").cum_max().shift(1)
    by_submission = jobs.group_by("kind", "submit_us").agg(pl.col("start_us").max()).sort("kind", "submit_us")
    before = by_submission.select("kind", "submit_us", before=latest.over("kind"))
    both = jobs.with_columns(or_at_once=latest.over("kind")).join(before, on=["kind", "submit_us"], how="left")
    least = int((both["start_us"] < both["before"]).sum())
    most = int(((both["start_us"] <= both["or_at_once"]) | both["unsure"]).sum())
    stated = evidence.counters["backfilled"]
    table = pl.DataFrame({"backfilled": [stated], "least": [least], "most": [most]})
    return 1, table.filter(~pl.col("backfilled").is_between("least", "most"))
