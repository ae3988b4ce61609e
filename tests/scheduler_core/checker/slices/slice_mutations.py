"""Broken slices of classes: by name the rule that must catch it, the kind of schedule, what is changed."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    again,
    changed,
    counters,
    first_row,
    held,
    held_by,
    jobs,
    of_job,
    parameters,
    said,
    shifted_work,
    table,
    with_allocation,
    with_processors,
    without,
)
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S
from tests.scheduler_core.checker.slices.broken_slices import (
    CLASS,
    alone,
    later_run,
    on_the_processors_of_another,
    other_slot,
    run_in_two,
    runs,
    without_run,
)

SLICE_MUTATIONS = {
    ("every job appears once", "own"): {
        "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 3))
    },
    ("what was asked is unchanged", "own"): {"a class is called another": lambda s: jobs(s, **{"class": "long"})},
    ("finished, killed and rejected jobs are the right ones", "own"): {
        "a killed job is called finished": lambda s: jobs(s, outcome="finished")
    },
    ("no job starts before its submission", "own"): {"a start before submission": lambda s: held_by(s, 9, begin_us=0)},
    ("start and finish agree with the allocations", "own"): {
        "a preemption not counted": lambda s: of_job(s, 9, preemptions=99),
        "a finish that is no allocation's end": lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    },
    ("allocations are sound", "own"): {
        "an allocation of no length": lambda s: held_by(s, 9, end_us=pl.col("begin_us")),
        "an allocation of an unknown job": lambda s: held_by(s, 9, job=999),
    },
    ("a rigid job keeps its size", "own"): {
        "fewer processors than asked": lambda s: held(s, processors=pl.col("processors") - 1)
    },
    ("work done is work asked", "own"): {
        "work is lost": lambda s: held_by(s, 9, work_us=pl.col("work_us") - 1),
        "a job is slower": lambda s: held_by(s, 9, rate=1 - 1e-9),
        "a tick lost here and won there": lambda s: shifted_work(s, later_run(s), by=1),
    },
    ("no more processors than the machine has", "lent"): {
        "jobs of several classes at once": lambda s: held(s, begin_us=pl.col("begin_us") - 25 * S)
    },
    ("no processor is given twice", "lent"): {
        "a processor given to two classes": lambda s: held(
            s, processor_ids=pl.int_ranges(0, "processors", dtype=pl.Int32)
        )
    },
    ("no processor is given twice", "own"): {
        "a processor the machine does not have": lambda s: held(
            s, processor_ids=pl.col("processor_ids").list.eval(pl.element() + 1)
        )
    },
    ("slices follow from interval, switch and shares", "own"): {
        "a slice begins a tick late": lambda s: changed(s, "slices", "begin_us", 1, CLASS == "medium"),
        "a slice is missing": lambda s: without(s, "slices"),
        "a slice is there twice": lambda s: again(s, "slices"),
        "slices of an interval without jobs": lambda s: table(
            s,
            "slices",
            pl.concat(
                [s.tables["slices"], s.tables["slices"].tail(2).with_columns(pl.col("begin_us", "end_us") + 120 * S)]
            ),
        ),
        "a switch of no time": lambda s: table(s, "slices", overhead_us=0),
        "a slice of another cluster": lambda s: said(s, "slices", cluster=1),
        "other shares": lambda s: parameters(s, share_medium=0.4, share_long=0.6),
        "shares of the night": lambda s: parameters(
            s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=1
        ),
        "other intervals": lambda s: parameters(s, interval_s=60.0, short_slice_s=10.0),
    },
    ("short slices are as long as short jobs need", "own"): {
        "a longer short slice than allowed": lambda s: parameters(s, short_slice_s=20.0),
        "a short slice that could be longer": lambda s: parameters(s, short_slice_s=40.0),
        "short slices longer than promised": lambda s: table(s, "promises", clock_us=0),
    },
    ("jobs run within slices at work", "own"): {
        "a run while the machine is switched": lambda s: with_allocation(
            s, later_run(s), begin_us=pl.col("begin_us") - 1
        ),
        "a run called by another class": lambda s: other_slot(s, later_run(s)),
        "a run before the first slice": lambda s: table(s, "slices", s.tables["slices"][9:]),
        "no slices at all": lambda s: table(s, "slices", s.tables["slices"].clear()),
        "a run on another cluster": lambda s: with_allocation(s, later_run(s), cluster=1),
    },
    ("no job is suspended before its slice ends", "own"): {
        "a job is suspended a tick early": lambda s: with_allocation(s, later_run(s) - 1, end_us=pl.col("end_us") - 1),
        "a stretch is written as two": lambda s: run_in_two(s, later_run(s)),
    },
    ("a job keeps its processors", "own"): {
        "a job comes back elsewhere": lambda s: with_processors(
            s, later_run(s), [15 - node for node in s.allocations["processor_ids"][later_run(s)].to_list()]
        ),
        "processors only counted": lambda s: held(s, processor_ids=None),
    },
    ("started jobs of a class hold processors of their own", "own"): {
        "a job takes processors of a suspended one": on_the_processors_of_another
    },
    ("started jobs run in every slice of their class", "own"): {
        "a job sits a slice of its class out": lambda s: without_run(
            s, first_row(runs(s), pl.col("number").is_between(1, pl.col("of") - 2))
        ),
        "a job begins its slice a tick late": lambda s: with_allocation(
            s, later_run(s), begin_us=pl.col("begin_us") + 1
        ),
    },
    ("no slice idles while jobs of its class wait", "easy"): {
        "a job waits in a slice without jobs": lambda s: with_allocation(s, alone(s), begin_us=pl.col("begin_us") + 1)
    },
    ("slices are lent only when the policy lends", "lent"): {
        "lending without permission": lambda s: parameters(s, smart=False)
    },
    ("slices are lent only when the policy lends", "placed"): {
        "placing without permission": lambda s: parameters(s, dynamic=False),
        "placing in a slice without a group": lambda s: table(
            s, "groups", formed_us=pl.col("formed_us") * 0, ended_us=pl.col("ended_us") * 0 + 1
        ),
        "placing where groups had ended": lambda s: table(s, "groups", ended_us=pl.col("formed_us")),
    },
    ("slices are lent only when the policy lends", "groups"): {
        "lending where only placing is allowed": lambda s: parameters(s, smart=False)
    },
    ("slices and lending are counted", "own"): {"slices not counted": lambda s: counters(s, slices=-1)},
    ("slices and lending are counted", "lent"): {
        "starts elsewhere not counted": lambda s: counters(s, started_elsewhere=1),
        "runs elsewhere not counted": lambda s: counters(s, resumed_elsewhere=-1),
    },
    ("slices and lending are counted", "placed"): {"placed jobs not counted": lambda s: counters(s, dynamic=-1)},
    ("slices and lending are counted", "groups"): {"more placed jobs than can be": lambda s: counters(s, dynamic=40)},
    ("backfilled jobs are counted", "lent"): {
        "more backfilled jobs than can be": lambda s: counters(s, backfilled=40),
        "fewer backfilled jobs than must be": lambda s: counters(s, backfilled=-9),
    },
}
