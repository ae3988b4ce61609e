"""Broken schedules of a grid: by name the rule that must catch it, and what is changed in the schedule worked by hand."""

import dataclasses

import polars as pl

from scheduler_core.contracts import Outcome
from tests.scheduler_core.checker.broken_schedules import at_row, counters, for_job, held, jobs, parameters
from tests.scheduler_core.checker.grid.grid_by_hand import S
from tests.scheduler_core.checker.slices.broken_slices import again, changed, first_row, table, without

JOB, TASK = pl.col("job"), pl.col("task")


def job_moved(schedule, job, by_us):
    """Run a job earlier or later, and let the table of jobs say so."""
    moved = {name: for_job(job, name, pl.col(name) + by_us) for name in ("begin_us", "end_us")}
    shown = {name: for_job(job, name, pl.col(name) + by_us) for name in ("start_us", "finish_us")}
    return held(jobs(schedule, **shown), **moved)


def elsewhere(schedule, job, cluster):
    """Let a job run on another cluster, and the table of jobs say so."""
    there = for_job(job, "cluster", pl.lit(cluster, pl.Int16))
    return held(jobs(schedule, cluster=there), cluster=there)


def both(schedule, name, other, column, by, *conditions):
    """Add to a column of the same task in two tables."""
    return changed(changed(schedule, name, column, by, *conditions), other, column, by, *conditions)


def in_another_order(schedule, name):
    return table(schedule, name, schedule.tables[name].reverse())


def said_of(schedule, name, column, value, *conditions):
    """Say something else in a column of the first row that fulfils the conditions."""
    rows = schedule.tables[name]
    value = pl.lit(value, rows.schema[column])
    return table(schedule, name, **{column: at_row(first_row(rows, *conditions), column, value)})


def with_row(schedule, name, **values):
    """Add a row like the last one to a table."""
    rows = schedule.tables[name]
    row = rows.tail(1).with_columns(
        pl.lit(value, rows.schema[column]).alias(column) for column, value in values.items()
    )
    return table(schedule, name, pl.concat([rows, row]))


def rejected(schedule, job):
    """Call a job rejected, which holds nothing then."""
    nothing = {name: for_job(job, name, None) for name in ("start_us", "finish_us")}
    outcome = for_job(job, "outcome", pl.lit("rejected", Outcome))
    called = jobs(schedule, **nothing, outcome=outcome, processors=for_job(job, "processors", 0))
    return dataclasses.replace(called, held=called.allocations.filter(pl.col("job") != job))


GRID_MUTATIONS = {
    # What is true of any schedule
    "a job is left out": (
        "every job appears once",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 12)),
    ),
    "a home is another": (
        "what was asked is unchanged",
        lambda s: jobs(s, home=for_job(1, "home", pl.lit(1, pl.Int16))),
    ),
    "a task is called killed": (
        "finished, killed and rejected jobs are the right ones",
        lambda s: jobs(s, outcome=for_job(11, "outcome", pl.lit("killed", Outcome))),
    ),
    "a local job is rejected without need": (
        "finished, killed and rejected jobs are the right ones",
        lambda s: rejected(s, 2),
    ),
    "a task starts before its workflow is submitted": (
        "no job starts before its submission",
        lambda s: job_moved(s, 11, -3 * S),
    ),
    "a finish that is no allocation's end": (
        "start and finish agree with the allocations",
        lambda s: jobs(s, finish_us=for_job(13, "finish_us", pl.col("finish_us") + 1)),
    ),
    "an allocation of no length": (
        "allocations are sound",
        lambda s: held(s, end_us=for_job(2, "end_us", pl.col("begin_us"))),
    ),
    "fewer processors than asked": (
        "a rigid job keeps its size",
        lambda s: held(s, processors=for_job(13, "processors", 2)),
    ),
    "a task does the work of another cluster": (
        "work done is work asked",
        lambda s: held(s, work_us=for_job(11, "work_us", pl.col("work_us") // 2)),
    ),
    "two jobs on a full cluster": (
        "no more processors than the machine has",
        lambda s: job_moved(s, 11, -1 * S),
    ),
    "a processor of another cluster": (
        "no processor is given twice",
        lambda s: held(
            s, processor_ids=for_job(2, "processor_ids", pl.lit(pl.Series([[0, 4]], dtype=pl.List(pl.Int32))).first())
        ),
    ),
    # Where jobs run
    "a local job away from home": (
        "jobs stay on their cluster, local jobs at home",
        lambda s: elsewhere(s, 2, 0),
    ),
    "a run on another cluster than the job's": (
        "jobs stay on their cluster, local jobs at home",
        lambda s: jobs(s, cluster=for_job(11, "cluster", pl.lit(0, pl.Int16))),
    ),
    "a task in two pieces": (
        "jobs run at once to their end under space sharing",
        lambda s: dataclasses.replace(
            s,
            held=pl.concat(
                [
                    s.allocations.with_columns(end_us=for_job(12, "end_us", pl.col("begin_us") + S)),
                    s.allocations.filter(JOB == 12).with_columns(begin_us=pl.col("begin_us") + S),
                ]
            ),
        ),
    ),
    "slices under space sharing": (
        "jobs run at once to their end under space sharing",
        lambda s: table(
            s,
            "slices",
            pl.DataFrame([(0, 0, 9, "long", 1)], schema=s.tables["slices"].schema, orient="row"),
        ),
    ),
    "half a workflow": ("workflows run whole or are rejected whole", lambda s: rejected(s, 13)),
    # Data
    "data leave before the task is done": (
        "transfers take what the workload says",
        lambda s: changed(s, "arrivals", "sent_us", -1),
    ),
    "another time is drawn for a transfer": (
        "transfers take what the workload says",
        lambda s: changed(s, "arrivals", "arrived_us", 1, pl.col("to_task") == 3),
    ),
    "a transfer within a cluster takes time": (
        "transfers take what the workload says",
        lambda s: changed(s, "arrivals", "arrived_us", 2 * S, pl.col("to_task") == 2),
    ),
    "a transfer is missing": ("transfers take what the workload says", lambda s: without(s, "arrivals")),
    "a transfer is there twice": ("transfers take what the workload says", lambda s: again(s, "arrivals")),
    "a transfer to another cluster": (
        "transfers take what the workload says",
        lambda s: said_of(s, "arrivals", "to_cluster", 1, pl.col("to_task") == 3),
    ),
    "a task starts before its predecessor is done": ("tasks wait for their data", lambda s: job_moved(s, 12, -1)),
    "a task starts before its data are there": ("tasks wait for their data", lambda s: job_moved(s, 13, -1)),
    "the earliest start in force is another": (
        "tasks start no earlier than their frame says",
        lambda s: changed(s, "reservations", "freed_us", -1, TASK == 3),
    ),
    "a frame is pulled without propagation": (
        "tasks start no earlier than their frame says",
        lambda s: said_of(s, "reservations", "freed_us", 28 * S, TASK == 3),
    ),
    "a frame is not pulled with propagation": (
        "tasks start no earlier than their frame says",
        lambda s: parameters(changed(s, "reservations", "earliest_us", 6 * S, TASK == 3), propagation=True),
    ),
    "data are said to be there before": (
        "tasks start no earlier than their frame says",
        lambda s: changed(s, "reservations", "ready_us", -1, TASK == 3),
    ),
    # Ranks
    "a rank is another": ("ranks follow from mean times", lambda s: changed(s, "reservations", "rank", 1.0, TASK == 2)),
    "a rank of a task there is not": (
        "ranks follow from mean times",
        lambda s: changed(s, "reservations", "task", 9, TASK == 3),
    ),
    "bookings in ascending order": (
        "tasks are booked in the order of ranks",
        lambda s: in_another_order(s, "reservations"),
    ),
    "a task is not booked": ("tasks are booked in the order of ranks", lambda s: without(s, "reservations", TASK == 3)),
    "a task is booked twice": ("tasks are booked in the order of ranks", lambda s: again(s, "reservations")),
    "a task is booked late": (
        "tasks are booked in the order of ranks",
        lambda s: changed(s, "reservations", "made_us", 1),
    ),
    "a booking where there are no reservations": (
        "tasks are booked in the order of ranks",
        lambda s: parameters(s, tasks="when_ready"),
    ),
    # Clusters asked
    "a cluster is not asked": (
        "every cluster large enough is asked",
        lambda s: without(s, "candidates", ~pl.col("chosen")),
    ),
    "a cluster is asked twice": ("every cluster large enough is asked", lambda s: again(s, "candidates")),
    "a cluster that is too small is asked": (
        "every cluster large enough is asked",
        lambda s: with_row(s, "candidates", cluster=1, chosen=False),
    ),
    "clusters are asked in another order": (
        "every cluster large enough is asked",
        lambda s: in_another_order(s, "candidates"),
    ),
    # Frames
    "an earliest start without slack": (
        "frames follow from what was predicted",
        lambda s: both(s, "candidates", "reservations", "earliest_us", 5 * S, TASK == 3),
    ),
    "a latest finish a tick late": (
        "frames follow from what was predicted",
        lambda s: both(s, "candidates", "reservations", "latest_us", 1, TASK == 3),
    ),
    "a start asked before data are expected": (
        "frames follow from what was predicted",
        lambda s: both(s, "candidates", "reservations", "from_us", -S, TASK == 3),
    ),
    "a start predicted before it was asked for": (
        "frames follow from what was predicted",
        lambda s: both(s, "candidates", "reservations", "start_us", -S, TASK == 3),
    ),
    "a prediction shorter than the estimate": (
        "frames follow from what was predicted",
        lambda s: changed(changed(s, "candidates", "finish_us", -S), "candidates", "latest_us", -S),
    ),
    "a booking with the frame of another cluster": (
        "frames follow from what was predicted",
        lambda s: changed(s, "reservations", "earliest_us", 1, TASK == 2),
    ),
    "data expected too early": (
        "frames follow from what was predicted",
        lambda s: changed(s, "reservations", "expected_us", -1, TASK == 3),
    ),
    "frames by another rule": (
        "frames follow from what was predicted",
        lambda s: parameters(s, frame_rule="scheduled_start", slpa=0.0),
    ),
    "frames by more slack behind": ("frames follow from what was predicted", lambda s: parameters(s, slpb=0.5)),
    "frames by another way to move ahead": ("frames follow from what was predicted", lambda s: parameters(s, maf=0.0)),
    "frames by mean transfers": (
        "frames follow from what was predicted",
        lambda s: parameters(s, transfers_known="mean"),
    ),
    # Choice
    "the first cluster is chosen": (
        "the cluster with the least latest finish is chosen",
        lambda s: table(s, "candidates", chosen=pl.col("cluster") == 0),
    ),
    "none is chosen": (
        "the cluster with the least latest finish is chosen",
        lambda s: table(s, "candidates", chosen=pl.lit(False)),
    ),
    "a later finish is chosen": (
        "the cluster with the least latest finish is chosen",
        lambda s: changed(s, "candidates", "latest_us", -7 * S, ~pl.col("chosen")),
    ),
    "the second of equals is chosen": (
        "the cluster with the least latest finish is chosen",
        lambda s: changed(s, "candidates", "latest_us", -6 * S, ~pl.col("chosen")),
    ),
    "a task runs elsewhere": (
        "the cluster with the least latest finish is chosen",
        lambda s: elsewhere(s, 12, 0),
    ),
    # Slots
    "a slot other than predicted": (
        "slots are made as tasks are booked",
        lambda s: changed(s, "slides", "start_us", 1),
    ),
    "a task without a slot": ("slots are made as tasks are booked", lambda s: without(s, "slides", JOB == 11)),
    "a slot of a local job": ("slots are made as tasks are booked", lambda s: said_of(s, "slides", "job", 1)),
    "a slot made late": ("slots are made as tasks are booked", lambda s: changed(s, "slides", "at_us", 1)),
    "a slot booked twice": (
        "slots are made as tasks are booked",
        lambda s: said_of(s, "slides", "cause", "booked", pl.col("cause") == "freed"),
    ),
    "a slot before the data are there": (
        "slots slide by the rules",
        lambda s: changed(
            changed(s, "slides", "start_us", -S, JOB == 13, pl.col("cause") == "freed"), "slides", "finish_us", -S
        ),
    ),
    "a slot that is too short": (
        "slots slide by the rules",
        lambda s: changed(s, "slides", "finish_us", -1, pl.col("cause") == "freed"),
    ),
    "a slot moves down as there is room": (
        "slots slide by the rules",
        lambda s: with_row(s, "slides", at_us=12 * S, start_us=13 * S, finish_us=23 * S, cause="room"),
    ),
    "a slot moves after the start": (
        "slots slide by the rules",
        lambda s: with_row(s, "slides", at_us=12 * S + 1, cause="room"),
    ),
    "slides out of order": (
        "slots slide by the rules",
        lambda s: with_row(s, "slides", at_us=11 * S, start_us=14 * S, finish_us=24 * S, cause="room"),
    ),
    "a task freed before its predecessors are done": (
        "slots slide by the rules",
        lambda s: changed(s, "slides", "at_us", -1, pl.col("cause") == "freed"),
    ),
    "a slot slides down without permission": (
        "slots slide by the rules",
        lambda s: with_row(s, "slides", at_us=12 * S, start_us=12 * S, finish_us=22 * S, cause="slid_down"),
    ),
    "a pinned slot slides up": (
        "slots slide by the rules",
        lambda s: parameters(said_of(s, "slides", "cause", "room", pl.col("cause") == "freed"), frame_rule="rigid"),
    ),
    "a task starts after its slot": ("tasks run in their slots", lambda s: job_moved(s, 13, 1)),
    "a task is started before its slot": ("tasks run in their slots", lambda s: job_moved(s, 11, -1)),
    # Counters
    **{
        f"{name} counted wrongly": ("placing is counted", lambda s, name=name: counters(s, **{name: 1}))
        for name in (
            "workflows",
            "rejected_workflows",
            "tasks",
            "predictions",
            "bookings",
            "slides_up",
            "slides_down",
            "lost_slots",
            "late_tasks",
        )
    },
    "a late task not counted": (
        "placing is counted",
        lambda s: changed(s, "reservations", "latest_us", -3 * S, TASK == 3),
    ),
}
