"""Broken schedules of jobs with shares: by name the rule that must find it, the kind of schedule, what is changed."""

import dataclasses

import polars as pl

from tests.scheduler_core.checker.broken_schedules import counters, with_allocation
from tests.scheduler_core.checker.coscheduling.broken_coscheduling import (
    companion,
    entry,
    of_schedule,
    row,
    setting,
)

TAKEN = pl.col("taken").cast(pl.String)


def reserved_job(schedule):
    return schedule.tables["offers"].filter(TAKEN == "reserved")["job"][0]


def together(schedule):
    """Return the jobs of the first row that is beside others."""
    number = row(schedule, "beside")
    begin = schedule.allocations["begin_us"][number]
    return schedule.allocations.filter(begin_us=begin)["job"].to_list()


def picking(schedule):
    """Return a job that picks a slot, with no other offered."""
    offers = schedule.tables["offers"].with_columns(of=pl.len().over("job"))
    return offers.filter(TAKEN == "picked", pl.col("of") == 1)["job"][0]


def submission(workload, job):
    return workload.jobs.filter(job=job)["submit_us"][0]


def with_last_processor(schedule):
    number = row(schedule, pl.col("of") == 1, pl.col("processors") < schedule.machine.processors)
    ids = schedule.allocations["processor_ids"][number].to_list()
    named = pl.lit(pl.Series([[*ids[:-1], schedule.machine.processors - 1]], dtype=pl.List(pl.Int32))).first()
    return with_allocation(schedule, number, processor_ids=named)


def one_offer(schedule):
    kinds = schedule.tables["offers"].schema
    return pl.DataFrame([(1, 1, 0, 0, 1, 1, "picked")], schema=kinds, orient="row")


SHARE_MUTATIONS = {
    "three jobs at once": ("no more jobs share a processor than may", "shares", setting(at_once=2)),
    "two are slowed down more": ("rates are those of the model", "shares", setting(slowdown_of_two=1.25)),
    "a cell of the table is another": (
        "rates are those of the model",
        "table",
        lambda w, s: (
            dataclasses.replace(
                w,
                companions={
                    **w.companions,
                    "slowdowns": w.companions["slowdowns"].with_columns(pl.col("slowdown") - 0.01),
                },
            ),
            s,
        ),
    ),
    "a job on other processors than the lowest": (
        "the lowest processors are given",
        "shares",
        of_schedule(lambda s: with_last_processor(s)),
    ),
    "jobs that need more than there is": (
        "shares needed fit together",
        "shares",
        lambda w, s: companion("shares", *together(s), share_low=0.6, share_high=0.9)(w, s),
    ),
    "jobs that need more than there is when slowed down": (
        "shares needed fit together",
        "full",
        setting(accounting="effective"),
    ),
    "what is left is given to none": ("shares are assigned by the rule", "shares", setting(reclaim="alone")),
    "what is left is given to one alone": ("shares are assigned by the rule", "off", setting(reclaim="alone")),
    "all have the same share": ("shares are assigned by the rule", "off", setting(assignment="equal")),
    "a higher most share": (
        "shares are assigned by the rule",
        "off",
        lambda w, s: companion("shares", *together(s), share_high=0.95)(w, s),
    ),
    "coscheduled jobs beyond the slowdown that is allowed": (
        "no coscheduled job is slowed down beyond the limit",
        "shares",
        setting(slowdown_limit=1.1),
    ),
    "an offer before the start that is wanted": (
        "offers are sound",
        "shares",
        companion("shares", picking, wanted_us=pl.col("wanted_us") + 10**10),
    ),
    "an offer numbered wrongly": (
        "offers are sound",
        "shares",
        entry("slot_number", pl.lit(9, pl.Int32), pl.col("slot_number") > 1, of="offers"),
    ),
    "more offers than the policy makes": ("offers are sound", "shares", setting(offers=1)),
    "an offer after the submission": (
        "offers are sound",
        "shares",
        entry("made_us", pl.col("made_us") + 1, of="offers"),
    ),
    "a slot is picked that is not the first": (
        "offers are sound",
        "shares",
        entry("taken", pl.lit("picked", pl.Enum(("no", "picked", "reserved"))), pl.col("slot_number") > 1, of="offers"),
    ),
    "an offer of more than was asked for": (
        "offers are sound",
        "shares",
        entry("share_ppm", pl.lit(990_000, pl.Int32), TAKEN == "picked", of="offers"),
    ),
    "an offer to a job that asks for none": (
        "offers are sound",
        "shares",
        lambda w, s: companion("shares", picking, asks="nothing", site="local", wanted_us=submission(w, picking(s)))(
            w, s
        ),
    ),
    "no offer to a job that asks for one": (
        "offers are sound",
        "shares",
        of_schedule(
            lambda s: dataclasses.replace(
                s,
                tables={**s.tables, "offers": s.tables["offers"].filter(pl.col("job") != picking(s))},
            )
        ),
    ),
    "a start before the one reserved": (
        "reserved starts and shares are kept",
        "shares",
        entry("start_us", pl.col("start_us") + 1, TAKEN == "reserved", of="offers"),
    ),
    "a share below the one promised": (
        "reserved starts and shares are kept",
        "off",
        entry("share_ppm", pl.lit(900_000, pl.Int32), TAKEN == "reserved", of="offers"),
    ),
    "a reserved start not counted": (
        "counters follow from the tables",
        "shares",
        of_schedule(lambda s: counters(s, reserved=-1)),
    ),
    "offers of a policy that makes none": (
        "offers are sound",
        "response",
        lambda w, s: (w, dataclasses.replace(s, tables={**s.tables, "offers": one_offer(s)})),
    ),
}
