"""Broken gangs and processors: by name the rule that must catch it, the kind of schedule, what is changed."""

import dataclasses

import polars as pl

from scheduler_core.contracts import Outcome
from tests.scheduler_core.checker.broken_schedules import (
    for_job,
    grown_elsewhere,
    held,
    jobs,
    moved,
    one_job,
    parameters,
    resized,
    rows_of,
    with_allocation,
    with_row_in_two,
)

COPIED = pl.col("begin_us").is_duplicated().over("job")

GANG_MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "plain",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
    ),
    "bounds of a size are moved": (
        "what was asked is unchanged",
        "plain",
        lambda s: jobs(s, size_max=pl.col("size_max") + 1),
    ),
    "a flexible job is called rigid": (
        "what was asked is unchanged",
        "plain",
        lambda s: jobs(s, flexibility=pl.lit("rigid", s.jobs.schema["flexibility"])),
    ),
    "a column of what was asked is lost": (
        "what was asked is unchanged",
        "plain",
        lambda s: dataclasses.replace(s, jobs=s.jobs.drop("memory_kb")),
    ),
    "a job that needs too much memory is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "memory",
        lambda s: jobs(
            s, outcome=for_job(one_job(s, pl.col("memory_kb") > 50), "outcome", pl.lit("finished", Outcome))
        ),
    ),
    "a start before submission": (
        "no job starts before its submission",
        "plain",
        lambda s: held(s, begin_us=for_job(5, "begin_us", pl.lit(0, pl.Int64))),
    ),
    "turn-taking counted as preemption": (
        "start and finish agree with the allocations",
        "plain",
        lambda s: jobs(s, preemptions=for_job(2, "preemptions", pl.lit(1, pl.Int32))),
    ),
    "a job is off its processors for a microsecond": (
        "start and finish agree with the allocations",
        "plain",
        lambda s: with_row_in_two(s, 3, gap_us=1),
    ),
    "a job is left out for a microsecond, and it is counted": (
        "a job with a place is not left out",
        "plain",
        lambda s: jobs(with_row_in_two(s, 3, gap_us=1), preemptions=for_job(s.allocations["job"][3], "preemptions", 1)),
    ),
    "a finish that is no allocation's end": (
        "start and finish agree with the allocations",
        "plain",
        lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    ),
    "an allocation of no length": (
        "allocations are sound",
        "plain",
        lambda s: held(s, end_us=for_job(2, "end_us", pl.col("begin_us"))),
    ),
    "an allocation of an unknown job": (
        "allocations are sound",
        "plain",
        lambda s: held(s, job=for_job(2, "job", 222)),
    ),
    "a job twice in a slot": ("allocations are sound", "filling", lambda s: with_row_in_two(s, 3, gap_us=-1)),
    "copies where the policy makes none": ("allocations are sound", "filling", lambda s: parameters(s, fill=False)),
    "a copy with fewer processors": (
        "a gang is whole",
        "filling",
        lambda s: with_allocation(s, rows_of(s, COPIED)[0], processors=pl.col("processors") - 1),
    ),
    "fewer processors named than held": (
        "a gang is whole",
        "plain",
        lambda s: held(
            s,
            processor_ids=for_job(
                2, "processor_ids", pl.col("processor_ids").list.head(pl.col("processor_ids").list.len() - 1)
            ),
        ),
    ),
    "all in one slot": (
        "no more processors than the machine has",
        "plain",
        lambda s: held(s, slot=pl.lit(0, pl.Int32), processor_ids=pl.lit(None, pl.List(pl.Int32))),
    ),
    "a processor given twice in a slot": (
        "no processor is given twice",
        "plain",
        lambda s: held(s, slot=pl.lit(0, pl.Int32)),
    ),
    "a processor named twice": (
        "no processor is given twice",
        "plain",
        lambda s: held(
            s,
            processor_ids=pl.when(pl.col("processors") > 1)
            .then(pl.lit([1] * 16, pl.List(pl.Int32)).list.head("processors"))
            .otherwise("processor_ids"),
        ),
    ),
    "a processor the machine does not have": (
        "no processor is given twice",
        "plain",
        lambda s: held(
            s, processor_ids=for_job(2, "processor_ids", pl.col("processor_ids").list.eval(pl.element() + 16))
        ),
    ),
    "a job changes its slot": (
        "no job migrates",
        "adaptive",
        lambda s: with_allocation(s, rows_of(s, pl.col("slot_before").is_not_null())[0], slot=pl.col("slot") + 1),
    ),
    "a job that shrinks goes elsewhere": (
        "no job migrates",
        "adaptive",
        lambda s: moved(s, resized(s, lambda now, before: (now < before) & (before < 16))),
    ),
    "a job that grows leaves a processor": (
        "no job migrates",
        "adaptive",
        lambda s: grown_elsewhere(s, resized(s, lambda now, before: (now > before) & (now < 16))),
    ),
    "a copy on other processors": (
        "no job migrates",
        "filling",
        lambda s: moved(
            s, rows_of(s, COPIED, pl.col("processors_before") == pl.col("processors"), pl.col("processors") < 16)[0]
        ),
    ),
    "jobs need all the memory": (
        "no processor runs out of memory",
        "memory",
        lambda s: held(s, processor_ids=pl.int_ranges(0, "processors", dtype=pl.Int32)),
    ),
}
