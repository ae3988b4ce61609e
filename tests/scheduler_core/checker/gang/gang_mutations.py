"""Broken gangs and processors: by name the rule that must catch it, the kind of schedule, what is changed."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    IDS,
    held,
    held_by,
    in_two,
    jobs,
    of_job,
    one_job,
    parameters,
    with_allocation,
)
from tests.scheduler_core.checker.gang.broken_gangs import grown_elsewhere, moved, resized, rows_of

COPIED = pl.col("begin_us").is_duplicated().over("job")

GANG_MUTATIONS = {
    ("every job appears once", "plain"): {
        "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 3))
    },
    ("what was asked is unchanged", "plain"): {
        "bounds of a size are moved": lambda s: jobs(s, size_max=pl.col("size_max") + 1),
        "a flexible job is called rigid": lambda s: jobs(s, flexibility="rigid"),
        "a column of what was asked is lost": lambda s: replace(s, jobs=s.jobs.drop("memory_kb")),
    },
    ("finished, killed and rejected jobs are the right ones", "memory"): {
        "a job that needs too much memory is called finished": lambda s: of_job(
            s, one_job(s, pl.col("memory_kb") > 50), outcome="finished"
        )
    },
    ("no job starts before its submission", "plain"): {
        "a start before submission": lambda s: held_by(s, 5, begin_us=0)
    },
    ("start and finish agree with the allocations", "plain"): {
        "turn-taking counted as preemption": lambda s: of_job(s, 2, preemptions=1),
        "a job is off its processors for a microsecond": lambda s: in_two(s, 3, gap_us=1),
        "a finish that is no allocation's end": lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    },
    ("a job with a place is not left out", "plain"): {
        "a job is left out for a microsecond, and it is counted": lambda s: of_job(
            in_two(s, 3, gap_us=1), s.allocations["job"][3], preemptions=1
        )
    },
    ("allocations are sound", "plain"): {
        "an allocation of no length": lambda s: held_by(s, 2, end_us=pl.col("begin_us")),
        "an allocation of an unknown job": lambda s: held_by(s, 2, job=222),
    },
    ("allocations are sound", "filling"): {
        "a job twice in a slot": lambda s: in_two(s, 3, gap_us=-1),
        "copies where the policy makes none": lambda s: parameters(s, fill=False),
    },
    ("a gang is whole", "filling"): {
        "a copy with fewer processors": lambda s: with_allocation(
            s, rows_of(s, COPIED)[0], processors=pl.col("processors") - 1
        )
    },
    ("a gang is whole", "plain"): {
        "fewer processors named than held": lambda s: held_by(
            s, 2, processor_ids=pl.col("processor_ids").list.head(pl.col("processor_ids").list.len() - 1)
        )
    },
    ("no more processors than the machine has", "plain"): {
        "all in one slot": lambda s: held(s, slot=0, processor_ids=None)
    },
    ("no processor is given twice", "plain"): {
        "a processor given twice in a slot": lambda s: held(s, slot=0),
        "a processor named twice": lambda s: held(
            s,
            processor_ids=pl.when(pl.col("processors") > 1)
            .then(pl.lit([1] * 16, IDS).list.head("processors"))
            .otherwise("processor_ids"),
        ),
        "a processor the machine does not have": lambda s: held_by(
            s, 2, processor_ids=pl.col("processor_ids").list.eval(pl.element() + 16)
        ),
    },
    ("no job migrates", "adaptive"): {
        "a job changes its slot": lambda s: with_allocation(
            s, rows_of(s, pl.col("slot_before").is_not_null())[0], slot=pl.col("slot") + 1
        ),
        "a job that shrinks goes elsewhere": lambda s: moved(
            s, resized(s, lambda now, before: (now < before) & (before < 16))
        ),
        "a job that grows leaves a processor": lambda s: grown_elsewhere(
            s, resized(s, lambda now, before: (now > before) & (now < 16))
        ),
    },
    ("no job migrates", "filling"): {
        "a copy on other processors": lambda s: moved(
            s, rows_of(s, COPIED, pl.col("processors_before") == pl.col("processors"), pl.col("processors") < 16)[0]
        )
    },
    ("no processor runs out of memory", "memory"): {
        "jobs need all the memory": lambda s: held(s, processor_ids=pl.int_ranges(0, "processors", dtype=pl.Int32))
    },
}
