"""Broken schedules of jobs with shares: by name the rule that must find it, the kind of schedule, what is changed."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import counters, table, with_processors
from tests.scheduler_core.checker.coscheduling.broken_coscheduling import companion, entry, row, setting

TAKEN = pl.col("taken").cast(pl.String)


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
    return with_processors(schedule, number, [*ids[:-1], schedule.machine.processors - 1])


def faster(workload):
    """Let every pair be slowed down less than the table says."""
    less = workload.companions["slowdowns"].with_columns(pl.col("slowdown") - 0.01)
    return replace(workload, companions={**workload.companions, "slowdowns": less})


def one_offer(schedule):
    kinds = schedule.tables["offers"].schema
    return pl.DataFrame([(1, 1, 0, 0, 1, 1, "picked")], schema=kinds, orient="row")


SHARE_MUTATIONS = {
    ("no more jobs share a processor than may", "shares"): {"three jobs at once": setting(at_once=2)},
    ("rates are those of the model", "shares"): {"two are slowed down more": setting(slowdown_of_two=1.25)},
    ("rates are those of the model", "table"): {"a cell of the table is another": lambda w, s: (faster(w), s)},
    ("the lowest processors are given", "shares"): {"a job on other processors than the lowest": with_last_processor},
    ("shares needed fit together", "shares"): {
        "jobs that need more than there is": companion("shares", together, share_low=0.6, share_high=0.9)
    },
    ("shares needed fit together", "full"): {
        "jobs that need more than there is when slowed down": setting(accounting="effective")
    },
    ("shares are assigned by the rule", "shares"): {"what is left is given to none": setting(reclaim="alone")},
    ("shares are assigned by the rule", "off"): {
        "what is left is given to one alone": setting(reclaim="alone"),
        "all have the same share": setting(assignment="equal"),
        "a higher most share": companion("shares", together, share_high=0.95),
    },
    ("no coscheduled job is slowed down beyond the limit", "shares"): {
        "coscheduled jobs beyond the slowdown that is allowed": setting(slowdown_limit=1.1)
    },
    ("offers are sound", "shares"): {
        "an offer before the start that is wanted": companion(
            "shares", picking, wanted_us=pl.col("wanted_us") + 10**10
        ),
        "an offer numbered wrongly": entry(pl.col("slot_number") > 1, of="offers", slot_number=9),
        "more offers than the policy makes": setting(offers=1),
        "an offer after the submission": entry(of="offers", made_us=pl.col("made_us") + 1),
        "a slot is picked that is not the first": entry(pl.col("slot_number") > 1, of="offers", taken="picked"),
        "an offer of more than was asked for": entry(TAKEN == "picked", of="offers", share_ppm=990_000),
        "an offer to a job that asks for none": lambda w, s: companion(
            "shares", picking, asks="nothing", site="local", wanted_us=submission(w, picking(s))
        )(w, s),
        "no offer to a job that asks for one": lambda s: table(
            s, "offers", s.tables["offers"].filter(pl.col("job") != picking(s))
        ),
    },
    ("reserved starts and shares are kept", "shares"): {
        "a start before the one reserved": entry(TAKEN == "reserved", of="offers", start_us=pl.col("start_us") + 1)
    },
    ("reserved starts and shares are kept", "off"): {
        "a share below the one promised": entry(TAKEN == "reserved", of="offers", share_ppm=900_000)
    },
    ("counters follow from the tables", "shares"): {"a reserved start not counted": lambda s: counters(s, reserved=-1)},
    ("offers are sound", "response"): {
        "offers of a policy that makes none": lambda s: table(s, "offers", one_offer(s))
    },
}
