"""Broken slices of classes: by name the rule that must catch it, the kind of schedule, what is changed."""

import dataclasses

import polars as pl

from scheduler_core.contracts import JobClass, Outcome
from tests.scheduler_core.checker.broken_schedules import (
    at_row,
    counters,
    for_job,
    held,
    jobs,
    parameters,
    with_allocation,
    with_processors,
)
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S
from tests.scheduler_core.checker.slices.broken_slices import (
    CLASS,
    again,
    alone,
    changed,
    first_row,
    later_run,
    on_the_processors_of_another,
    other_slot,
    run_in_two,
    runs,
    table,
    without,
    without_run,
)

SLICE_MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "own",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
    ),
    "a class is called another": (
        "what was asked is unchanged",
        "own",
        lambda s: jobs(s, **{"class": pl.lit("long", JobClass)}),
    ),
    "a killed job is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "own",
        lambda s: jobs(s, outcome=pl.lit("finished", Outcome)),
    ),
    "a start before submission": (
        "no job starts before its submission",
        "own",
        lambda s: held(s, begin_us=for_job(9, "begin_us", pl.lit(0, pl.Int64))),
    ),
    "a preemption not counted": (
        "start and finish agree with the allocations",
        "own",
        lambda s: jobs(s, preemptions=for_job(9, "preemptions", pl.lit(99, pl.Int32))),
    ),
    "a finish that is no allocation's end": (
        "start and finish agree with the allocations",
        "own",
        lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    ),
    "an allocation of no length": (
        "allocations are sound",
        "own",
        lambda s: held(s, end_us=for_job(9, "end_us", pl.col("begin_us"))),
    ),
    "an allocation of an unknown job": ("allocations are sound", "own", lambda s: held(s, job=for_job(9, "job", 999))),
    "fewer processors than asked": (
        "a rigid job keeps its size",
        "own",
        lambda s: held(s, processors=pl.col("processors") - 1),
    ),
    "work is lost": (
        "work done is work asked",
        "own",
        lambda s: held(s, work_us=for_job(9, "work_us", pl.col("work_us") - 1)),
    ),
    "a job is slower": ("work done is work asked", "own", lambda s: held(s, rate=for_job(9, "rate", 1 - 1e-9))),
    "a tick lost here and won there": (
        "work done is work asked",
        "own",
        lambda s: with_allocation(
            with_allocation(s, later_run(s), work_us=pl.col("work_us") + 1),
            later_run(s) - 1,
            work_us=pl.col("work_us") - 1,
        ),
    ),
    "jobs of several classes at once": (
        "no more processors than the machine has",
        "lent",
        lambda s: held(s, begin_us=pl.col("begin_us") - 25 * S),
    ),
    "a processor given to two classes": (
        "no processor is given twice",
        "lent",
        lambda s: held(s, processor_ids=pl.int_ranges(0, "processors", dtype=pl.Int32)),
    ),
    "a processor the machine does not have": (
        "no processor is given twice",
        "own",
        lambda s: held(s, processor_ids=pl.col("processor_ids").list.eval(pl.element() + 1)),
    ),
    "a slice begins a tick late": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: changed(s, "slices", "begin_us", 1, CLASS == "medium"),
    ),
    "a slice is missing": ("slices follow from interval, switch and shares", "own", lambda s: without(s, "slices")),
    "a slice is there twice": ("slices follow from interval, switch and shares", "own", lambda s: again(s, "slices")),
    "slices of an interval without jobs": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(
            s,
            "slices",
            pl.concat(
                [s.tables["slices"], s.tables["slices"].tail(2).with_columns(pl.col("begin_us", "end_us") + 120 * S)]
            ),
        ),
    ),
    "a switch of no time": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", overhead_us=pl.lit(0, pl.Int64)),
    ),
    "a slice of another cluster": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", cluster=at_row(0, "cluster", pl.lit(1, pl.Int16))),
    ),
    "other shares": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, share_medium=0.4, share_long=0.6),
    ),
    "shares of the night": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=1),
    ),
    "other intervals": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, interval_s=60.0, short_slice_s=10.0),
    ),
    "a longer short slice than allowed": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: parameters(s, short_slice_s=20.0),
    ),
    "a short slice that could be longer": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: parameters(s, short_slice_s=40.0),
    ),
    "short slices longer than promised": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "a run while the machine is switched": (
        "jobs run within slices at work",
        "own",
        lambda s: with_allocation(s, later_run(s), begin_us=pl.col("begin_us") - 1),
    ),
    "a run called by another class": (
        "jobs run within slices at work",
        "own",
        lambda s: other_slot(s, later_run(s)),
    ),
    "a run before the first slice": (
        "jobs run within slices at work",
        "own",
        lambda s: table(s, "slices", s.tables["slices"][9:]),
    ),
    "no slices at all": (
        "jobs run within slices at work",
        "own",
        lambda s: table(s, "slices", s.tables["slices"].clear()),
    ),
    "a job is suspended a tick early": (
        "no job is suspended before its slice ends",
        "own",
        lambda s: with_allocation(s, later_run(s) - 1, end_us=pl.col("end_us") - 1),
    ),
    "a stretch is written as two": (
        "no job is suspended before its slice ends",
        "own",
        lambda s: run_in_two(s, later_run(s)),
    ),
    "a job comes back elsewhere": (
        "a job keeps its processors",
        "own",
        lambda s: with_processors(
            s, later_run(s), [15 - node for node in s.allocations["processor_ids"][later_run(s)].to_list()]
        ),
    ),
    "processors only counted": (
        "a job keeps its processors",
        "own",
        lambda s: held(s, processor_ids=pl.lit(None, pl.List(pl.Int32))),
    ),
    "a job takes processors of a suspended one": (
        "started jobs of a class hold processors of their own",
        "own",
        on_the_processors_of_another,
    ),
    "a job sits a slice of its class out": (
        "started jobs run in every slice of their class",
        "own",
        lambda s: without_run(s, first_row(runs(s), pl.col("number").is_between(1, pl.col("of") - 2))),
    ),
    "a job begins its slice a tick late": (
        "started jobs run in every slice of their class",
        "own",
        lambda s: with_allocation(s, later_run(s), begin_us=pl.col("begin_us") + 1),
    ),
    "a run on another cluster": (
        "jobs run within slices at work",
        "own",
        lambda s: with_allocation(s, later_run(s), cluster=pl.lit(1, pl.Int16)),
    ),
    "a job waits in a slice without jobs": (
        "no slice idles while jobs of its class wait",
        "easy",
        lambda s: with_allocation(s, alone(s), begin_us=pl.col("begin_us") + 1),
    ),
    "lending without permission": (
        "slices are lent only when the policy lends",
        "lent",
        lambda s: parameters(s, smart=False),
    ),
    "placing without permission": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: parameters(s, dynamic=False),
    ),
    "placing in a slice without a group": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: table(s, "groups", formed_us=pl.col("formed_us") * 0, ended_us=pl.col("ended_us") * 0 + 1),
    ),
    "placing where groups had ended": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: table(s, "groups", ended_us=pl.col("formed_us")),
    ),
    "lending where only placing is allowed": (
        "slices are lent only when the policy lends",
        "groups",
        lambda s: parameters(s, smart=False),
    ),
    "slices not counted": ("slices and lending are counted", "own", lambda s: counters(s, slices=-1)),
    "starts elsewhere not counted": (
        "slices and lending are counted",
        "lent",
        lambda s: counters(s, started_elsewhere=1),
    ),
    "runs elsewhere not counted": (
        "slices and lending are counted",
        "lent",
        lambda s: counters(s, resumed_elsewhere=-1),
    ),
    "placed jobs not counted": ("slices and lending are counted", "placed", lambda s: counters(s, dynamic=-1)),
    "more placed jobs than can be": ("slices and lending are counted", "groups", lambda s: counters(s, dynamic=40)),
    "more backfilled jobs than can be": ("backfilled jobs are counted", "lent", lambda s: counters(s, backfilled=40)),
    "fewer backfilled jobs than must be": ("backfilled jobs are counted", "lent", lambda s: counters(s, backfilled=-9)),
}
