"""Broken schedules of a grid: by name the rule that must catch it, and what is changed in the schedule worked by hand."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    again,
    changed,
    counters,
    held_by,
    in_two,
    named,
    of_job,
    parameters,
    said,
    table,
    without,
    written,
)
from tests.scheduler_core.checker.grid.grid_by_hand import COUNTERS, S

JOB, TASK = pl.col("job"), pl.col("task")


def job_moved(schedule, job, by_us):
    """Run a job earlier or later, and let the table of jobs say so."""
    moved = held_by(schedule, job, **{name: pl.col(name) + by_us for name in ("begin_us", "end_us")})
    return of_job(moved, job, **{name: pl.col(name) + by_us for name in ("start_us", "finish_us")})


def elsewhere(schedule, job, cluster):
    """Let a job run on another cluster, and the table of jobs say so."""
    return of_job(held_by(schedule, job, cluster=cluster), job, cluster=cluster)


def both(schedule, name, other, column, by, *conditions):
    """Add to a column of the same task in two tables."""
    return changed(changed(schedule, name, column, by, *conditions), other, column, by, *conditions)


def with_row(schedule, name, **values):
    """Add a row like the last one to a table."""
    rows = schedule.tables[name]
    return table(schedule, name, pl.concat([rows, rows.tail(1).with_columns(**written(rows, values))]))


def rejected(schedule, job):
    """Call a job rejected, which holds nothing then."""
    called = of_job(schedule, job, start_us=None, finish_us=None, outcome="rejected", processors=0)
    return replace(called, held=called.allocations.filter(job != JOB))


GRID_MUTATIONS = {
    ("every job appears once", "worked by hand"): {
        "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 12))
    },
    ("what was asked is unchanged", "worked by hand"): {"a home is another": lambda s: of_job(s, 1, home=1)},
    ("finished, killed and rejected jobs are the right ones", "worked by hand"): {
        "a task is called killed": lambda s: of_job(s, 11, outcome="killed"),
        "a local job is rejected without need": lambda s: rejected(s, 2),
    },
    ("no job starts before its submission", "worked by hand"): {
        "a task starts before its workflow is submitted": lambda s: job_moved(s, 11, -3 * S)
    },
    ("start and finish agree with the allocations", "worked by hand"): {
        "a finish that is no allocation's end": lambda s: of_job(s, 13, finish_us=pl.col("finish_us") + 1)
    },
    ("allocations are sound", "worked by hand"): {
        "an allocation of no length": lambda s: held_by(s, 2, end_us=pl.col("begin_us"))
    },
    ("a rigid job keeps its size", "worked by hand"): {
        "fewer processors than asked": lambda s: held_by(s, 13, processors=2)
    },
    ("work done is work asked", "worked by hand"): {
        "a task does the work of another cluster": lambda s: held_by(s, 11, work_us=pl.col("work_us") // 2)
    },
    ("no more processors than the machine has", "worked by hand"): {
        "two jobs on a full cluster": lambda s: job_moved(s, 11, -1 * S)
    },
    ("no processor is given twice", "worked by hand"): {
        "a processor of another cluster": lambda s: held_by(s, 2, processor_ids=named([0, 4]))
    },
    ("jobs stay on their cluster, local jobs at home", "worked by hand"): {
        "a local job away from home": lambda s: elsewhere(s, 2, 0),
        "a run on another cluster than the job's": lambda s: of_job(s, 11, cluster=0),
    },
    ("jobs run at once to their end under space sharing", "worked by hand"): {
        "a task in two pieces": lambda s: in_two(s, s.allocations["job"].index_of(12)),
        "slices under space sharing": lambda s: table(
            s, "slices", pl.DataFrame([(0, 0, 9, "long", 1)], schema=s.tables["slices"].schema, orient="row")
        ),
    },
    ("workflows run whole or are rejected whole", "worked by hand"): {"half a workflow": lambda s: rejected(s, 13)},
    ("transfers take what the workload says", "worked by hand"): {
        "data leave before the task is done": lambda s: changed(s, "arrivals", "sent_us", -1),
        "another time is drawn for a transfer": lambda s: changed(
            s, "arrivals", "arrived_us", 1, pl.col("to_task") == 3
        ),
        "a transfer within a cluster takes time": lambda s: changed(
            s, "arrivals", "arrived_us", 2 * S, pl.col("to_task") == 2
        ),
        "a transfer is missing": lambda s: without(s, "arrivals"),
        "a transfer is there twice": lambda s: again(s, "arrivals"),
        "a transfer to another cluster": lambda s: said(s, "arrivals", pl.col("to_task") == 3, to_cluster=1),
    },
    ("tasks wait for their data", "worked by hand"): {
        "a task starts before its predecessor is done": lambda s: job_moved(s, 12, -1),
        "a task starts before its data are there": lambda s: job_moved(s, 13, -1),
    },
    ("tasks start no earlier than their frame says", "worked by hand"): {
        "the earliest start in force is another": lambda s: changed(s, "reservations", "freed_us", -1, TASK == 3),
        "a frame is pulled without propagation": lambda s: said(s, "reservations", TASK == 3, freed_us=28 * S),
        "a frame is not pulled with propagation": lambda s: parameters(
            changed(s, "reservations", "earliest_us", 6 * S, TASK == 3), propagation=True
        ),
        "data are said to be there before": lambda s: changed(s, "reservations", "ready_us", -1, TASK == 3),
    },
    ("ranks follow from mean times", "worked by hand"): {
        "a rank is another": lambda s: changed(s, "reservations", "rank", 1.0, TASK == 2),
        "a rank of a task there is not": lambda s: changed(s, "reservations", "task", 9, TASK == 3),
    },
    ("tasks are booked in the order of ranks", "worked by hand"): {
        "bookings in ascending order": lambda s: table(s, "reservations", s.tables["reservations"].reverse()),
        "a task is not booked": lambda s: without(s, "reservations", TASK == 3),
        "a task is booked twice": lambda s: again(s, "reservations"),
        "a task is booked late": lambda s: changed(s, "reservations", "made_us", 1),
        "a booking where there are no reservations": lambda s: parameters(s, tasks="when_ready"),
    },
    ("every cluster large enough is asked", "worked by hand"): {
        "a cluster is not asked": lambda s: without(s, "candidates", ~pl.col("chosen")),
        "a cluster is asked twice": lambda s: again(s, "candidates"),
        "a cluster that is too small is asked": lambda s: with_row(s, "candidates", cluster=1, chosen=False),
        "clusters are asked in another order": lambda s: table(s, "candidates", s.tables["candidates"].reverse()),
    },
    ("frames follow from what was predicted", "worked by hand"): {
        "an earliest start without slack": lambda s: both(
            s, "candidates", "reservations", "earliest_us", 5 * S, TASK == 3
        ),
        "a latest finish a tick late": lambda s: both(s, "candidates", "reservations", "latest_us", 1, TASK == 3),
        "a start asked before data are expected": lambda s: both(
            s, "candidates", "reservations", "from_us", -S, TASK == 3
        ),
        "a start predicted before it was asked for": lambda s: both(
            s, "candidates", "reservations", "start_us", -S, TASK == 3
        ),
        "a prediction shorter than the estimate": lambda s: changed(
            changed(s, "candidates", "finish_us", -S), "candidates", "latest_us", -S
        ),
        "a booking with the frame of another cluster": lambda s: changed(
            s, "reservations", "earliest_us", 1, TASK == 2
        ),
        "data expected too early": lambda s: changed(s, "reservations", "expected_us", -1, TASK == 3),
        "frames by another rule": lambda s: parameters(s, frame_rule="scheduled_start", slpa=0.0),
        "frames by more slack behind": lambda s: parameters(s, slpb=0.5),
        "frames by another way to move ahead": lambda s: parameters(s, maf=0.0),
        "frames by mean transfers": lambda s: parameters(s, transfers_known="mean"),
    },
    ("the cluster with the least latest finish is chosen", "worked by hand"): {
        "the first cluster is chosen": lambda s: table(s, "candidates", chosen=pl.col("cluster") == 0),
        "none is chosen": lambda s: table(s, "candidates", chosen=False),
        "a later finish is chosen": lambda s: changed(s, "candidates", "latest_us", -7 * S, ~pl.col("chosen")),
        "the second of equals is chosen": lambda s: changed(s, "candidates", "latest_us", -6 * S, ~pl.col("chosen")),
        "a task runs elsewhere": lambda s: elsewhere(s, 12, 0),
    },
    ("slots are made as tasks are booked", "worked by hand"): {
        "a slot other than predicted": lambda s: changed(s, "slides", "start_us", 1),
        "a task without a slot": lambda s: without(s, "slides", JOB == 11),
        "a slot of a local job": lambda s: said(s, "slides", job=1),
        "a slot made late": lambda s: changed(s, "slides", "at_us", 1),
        "a slot booked twice": lambda s: said(s, "slides", pl.col("cause") == "freed", cause="booked"),
    },
    ("slots slide by the rules", "worked by hand"): {
        "a slot before the data are there": lambda s: changed(
            changed(s, "slides", "start_us", -S, JOB == 13, pl.col("cause") == "freed"), "slides", "finish_us", -S
        ),
        "a slot that is too short": lambda s: changed(s, "slides", "finish_us", -1, pl.col("cause") == "freed"),
        "a slot moves down as there is room": lambda s: with_row(
            s, "slides", at_us=12 * S, start_us=13 * S, finish_us=23 * S, cause="room"
        ),
        "a slot moves after the start": lambda s: with_row(s, "slides", at_us=12 * S + 1, cause="room"),
        "slides out of order": lambda s: with_row(
            s, "slides", at_us=11 * S, start_us=14 * S, finish_us=24 * S, cause="room"
        ),
        "a task freed before its predecessors are done": lambda s: changed(
            s, "slides", "at_us", -1, pl.col("cause") == "freed"
        ),
        "a slot slides down without permission": lambda s: with_row(
            s, "slides", at_us=12 * S, start_us=12 * S, finish_us=22 * S, cause="slid_down"
        ),
        "a pinned slot slides up": lambda s: parameters(
            said(s, "slides", pl.col("cause") == "freed", cause="room"), frame_rule="rigid"
        ),
    },
    ("tasks run in their slots", "worked by hand"): {
        "a task starts after its slot": lambda s: job_moved(s, 13, 1),
        "a task is started before its slot": lambda s: job_moved(s, 11, -1),
    },
    ("placing is counted", "worked by hand"): {
        **{f"{name} counted wrongly": lambda s, name=name: counters(s, **{name: 1}) for name in COUNTERS},
        "a late task not counted": lambda s: changed(s, "reservations", "latest_us", -3 * S, TASK == 3),
    },
}
