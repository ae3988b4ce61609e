"""Broken schedules of pairs: by name the rule that must find it, the kind of schedule, and what is changed."""

import dataclasses

import polars as pl

from scheduler_core.contracts import Outcome
from tests.scheduler_core.checker.broken_schedules import (
    counters,
    for_job,
    held,
    jobs,
    one_job,
    with_allocation,
    with_processors,
)
from tests.scheduler_core.checker.coscheduling.broken_coscheduling import (
    alone,
    asked_for,
    both,
    companion,
    cut_in_two,
    entry,
    from_the_other_end,
    half_the_share,
    later_alone,
    longer,
    moved,
    of_schedule,
    onto_the_processors_of_a_pair,
    partner,
    resumed_later,
    row,
    rows_of,
    setting,
    shifted_work,
    to_the_end_of_the_holder,
    without_entry,
)

AMONG = pl.col("among").cast(pl.String)
KILLED = pl.col("runtime_us") > pl.col("estimate_us")


def holder(schedule):
    """Return the job for which the first partner was found among the waiting."""
    return schedule.tables["matches"].filter(AMONG == "waiting")["job"][0]


def its_partner(schedule):
    return schedule.tables["matches"].filter(AMONG == "waiting")["partner"][0]


def doubled(schedule, other=None):
    """Return an allocation of several processors, and these with the first, or another, in the place of the last."""
    number = row(schedule, pl.col("of") == 1, ~pl.col("beside"), pl.col("processors") > 1)
    ids = schedule.allocations["processor_ids"][number].to_list()
    return number, [*ids[:-1], ids[0] if other is None else other]


def elsewhere(schedule):
    """Return a later row of a job alone, and other processors."""
    number = row(schedule, pl.col("number") > 0, ~pl.col("beside"), pl.col("processors") <= 6)
    ids = schedule.allocations["processor_ids"][number].to_list()
    free = [each for each in range(schedule.machine.processors) if each not in ids]
    return number, free[: len(ids)]


def beside_its_holder(schedule):
    """Let a partner have processors of which one is not its holder's."""
    found = rows_of(schedule).filter(pl.col("slot") == 1, pl.col("of") == 1, "beside")
    pairs = found.join(schedule.allocations.filter(pl.col("slot") == 0), on=["begin_us", "end_us"], suffix="_of_holder")
    one = pairs.filter(pl.col("processors_of_holder") < schedule.machine.processors).row(0, named=True)
    free = set(range(schedule.machine.processors)) - set(one["processor_ids_of_holder"])
    return moved(schedule, one["job"], [*one["processor_ids"][:-1], max(free)])


def incompatible(workload, schedule):
    """Return the jobs of a pair whose computing does not go well together."""
    phase = dict(workload.companions["behaviour"].select("job", "cpu_phase").iter_rows())
    pairs = schedule.tables["matches"].select("job", "partner").iter_rows()
    return next(pair for pair in pairs if (phase[pair[0]] + phase[pair[1]]) % 1 >= 0.33)


PAIR_MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "response",
        of_schedule(lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3))),
    ),
    "a need of memory is another": (
        "what was asked is unchanged",
        "response",
        of_schedule(lambda s: jobs(s, memory_kb=for_job(3, "memory_kb", pl.lit(7, pl.Int64)))),
    ),
    "a killed job is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "response",
        of_schedule(lambda s: jobs(s, outcome=for_job(one_job(s, KILLED), "outcome", pl.lit("finished", Outcome)))),
    ),
    "a start before submission": (
        "no job starts before its submission",
        "response",
        of_schedule(lambda s: with_allocation(s, row(s, pl.col("job") == 40), begin_us=pl.lit(0, pl.Int64))),
    ),
    "a preemption there was not": (
        "start and finish agree with the allocations",
        "response",
        of_schedule(lambda s: jobs(s, preemptions=for_job(9, "preemptions", pl.lit(1, pl.Int32)))),
    ),
    "a suspension not counted as a preemption": (
        "start and finish agree with the allocations",
        "suspends",
        of_schedule(lambda s: jobs(s, preemptions=pl.lit(0, pl.Int32))),
    ),
    "a row twice": (
        "allocations are sound",
        "response",
        of_schedule(lambda s: dataclasses.replace(s, held=pl.concat([s.allocations, s.allocations.head(1)]))),
    ),
    "a processor fewer": (
        "a rigid job keeps its size",
        "response",
        of_schedule(lambda s: with_allocation(s, alone(s), processors=pl.col("processors") - 1)),
    ),
    "a microsecond of work is done in another row": (
        "work done is work asked",
        "response",
        of_schedule(lambda s: shifted_work(s, row(s, pl.col("of") > 1, pl.col("number") == 0))),
    ),
    "a speed that is not share over slowdown": (
        "work done is work asked",
        "response",
        of_schedule(lambda s: with_allocation(s, row(s, "beside"), rate=pl.col("rate") + 1e-9)),
    ),
    "a job ends later than its work": (
        "work done is work asked",
        "response",
        of_schedule(lambda s: longer(s, alone(s))),
    ),
    "a share where there are none": (
        "rates are those of the model",
        "response",
        of_schedule(lambda s: half_the_share(s, alone(s))),
    ),
    "models err by less": ("rates are those of the model", "errs", setting(model_error=0.25)),
    "pairs are slower than believed alone": ("rates are those of the model", "errs", setting(error_side="both")),
    "unshared resources are counted": (
        "rates are those of the model",
        "response",
        setting(slowdown="unshared_counted"),
    ),
    "a row does not name its processors": (
        "processors are named, each once",
        "response",
        of_schedule(lambda s: with_allocation(s, alone(s), processor_ids=pl.lit(None))),
    ),
    "a processor is named twice": (
        "processors are named, each once",
        "response",
        of_schedule(lambda s: with_processors(s, *doubled(s))),
    ),
    "a processor there is not": (
        "processors are named, each once",
        "response",
        of_schedule(lambda s: with_processors(s, *doubled(s, 999))),
    ),
    "a third job on the processors of a pair": (
        "no more jobs share a processor than may",
        "response",
        of_schedule(onto_the_processors_of_a_pair),
    ),
    "pairs of a policy that forms none": (
        "no more jobs share a processor than may",
        "response",
        setting(match="none"),
    ),
    "a holder goes on as if alone": (
        "rows that share processors begin and end together",
        "response",
        of_schedule(lambda s: with_allocation(s, row(s, "beside", pl.col("slot") == 1), end_us=pl.col("end_us") - 1)),
    ),
    "a row ends where nothing happens": (
        "rows end where something changes",
        "response",
        of_schedule(lambda s: cut_in_two(s, alone(s))),
    ),
    "another place in a later row": (
        "a job keeps its processors",
        "response",
        of_schedule(lambda s: with_allocation(s, later_alone(s), slot=pl.lit(2, pl.Int32))),
    ),
    "other processors in a later row": (
        "a job keeps its processors",
        "response",
        of_schedule(lambda s: with_processors(s, *elsewhere(s))),
    ),
    "a partner beside its holder": (
        "a partner's processors are the holder's",
        "response",
        of_schedule(lambda s: beside_its_holder(s)),
    ),
    "a partner on the highest of the holder's processors": (
        "the lowest processors are given",
        "response",
        of_schedule(to_the_end_of_the_holder),
    ),
    "a job on higher processors than need be": (
        "the lowest processors are given",
        "alone",
        of_schedule(from_the_other_end),
    ),
    "a partner in the third place": (
        "places on processors are the lowest",
        "response",
        of_schedule(lambda s: held(s, slot=for_job(partner(s), "slot", pl.lit(2, pl.Int32)))),
    ),
    "two jobs in one place": (
        "places on processors are the lowest",
        "response",
        of_schedule(lambda s: held(s, slot=for_job(partner(s), "slot", pl.lit(0, pl.Int32)))),
    ),
    "paired jobs are short": ("no short job is paired", "response", setting(short_limit_s=200.0)),
    "a pair needs more memory than there is": (
        "pairs fit in memory",
        "response",
        both(asked_for("memory_kb", 900_000, holder), asked_for("memory_kb", 900_000, its_partner)),
    ),
    "both jobs of a pair use the network most": (
        "types of pairs match",
        "response",
        companion("behaviour", holder, its_partner, kind="network"),
    ),
    "a pair of which none computes on standard processors": (
        "types of pairs match",
        "standard",
        companion("behaviour", holder, kind="network"),
    ),
    "pairs beyond the slowdown that is allowed": (
        "no pair is slowed down beyond the limit",
        "response",
        setting(max_slowdown=1.0),
    ),
    "pairs that use the network too much": (
        "no pair is slowed down beyond the limit",
        "response",
        setting(network_limit=0.1),
    ),
    "two computing jobs that do not go together": (
        "no pair is slowed down beyond the limit",
        "response",
        lambda w, s: companion("behaviour", *incompatible(w, s), kind="cpu")(w, s),
    ),
    "partners suspended by a policy that suspends none": (
        "partners are suspended only where they may",
        "suspends",
        setting(preempt_above="off"),
    ),
    "partners suspended beside which none is too slow": (
        "partners are suspended only where they may",
        "suspends",
        setting(preempt_above=1.9),
    ),
    "partners that are too slow are left running": (
        "partners are suspended only where they may",
        "errs",
        setting(preempt_above=1.05),
    ),
    "a suspended partner goes on later than it might": (
        "partners are suspended only where they may",
        "suspends",
        of_schedule(resumed_later),
    ),
    "a pair is not recorded": ("pairs and matches agree", "response", without_entry()),
    "a pair is recorded another way round": (
        "pairs and matches agree",
        "response",
        of_schedule(
            lambda s: dataclasses.replace(
                s, tables={**s.tables, "matches": s.tables["matches"].with_columns(job="partner", partner="job")}
            )
        ),
    ),
    "a pair is recorded before it was formed": (
        "pairs and matches agree",
        "response",
        entry("begin_us", pl.col("begin_us") - 1),
    ),
    "a pair is recorded twice": (
        "pairs and matches agree",
        "response",
        of_schedule(
            lambda s: dataclasses.replace(
                s,
                tables={**s.tables, "matches": s.tables["matches"].sample(fraction=1).vstack(s.tables["matches"][:1])},
            )
        ),
    ),
    "partners among the running of a policy that looks for none": (
        "searches are those of the policy",
        "response",
        setting(match_running=False),
    ),
    "partners in backfilling of a policy that looks for none": (
        "searches are those of the policy",
        "response",
        both(setting(match_backfilling=False), entry("backfilling", pl.lit(True))),
    ),
    "a search looks at more running jobs than there are": (
        "each test leaves fewer jobs",
        "response",
        entry("looked_at", pl.lit(500, pl.Int32), AMONG == "running"),
    ),
    "a test leaves more than the one before": (
        "each test leaves fewer jobs",
        "response",
        entry("types_match", pl.col("memory_fits") + 1),
    ),
    "a partner beyond those who are left": (
        "each test leaves fewer jobs",
        "response",
        entry("rank", pl.col("slowdown_fits") + 1, AMONG == "running"),
    ),
    "a partner before the first of those who are left": (
        "each test leaves fewer jobs",
        "response",
        entry("rank", pl.lit(0, pl.Int32), AMONG == "running"),
    ),
    "another slowdown is believed in": (
        "believed slowdowns are those of the model",
        "response",
        entry("slowdown_ppm", pl.col("slowdown_ppm") + 1),
    ),
    "a pair that does not pay": ("profits are those of the policy", "response", entry("profit", pl.lit(0.0))),
    "a gain that is not the pair's": (
        "profits are those of the policy",
        "utilisation",
        entry("profit", pl.col("profit") * (1 + 1e-9)),
    ),
    "a gain for all time is taken for that of a while": (
        "profits are those of the policy",
        "utilisation",
        setting(profit="utilisation_2"),
    ),
    "a profit where none is asked for": ("profits are those of the policy", "any", entry("profit", pl.lit(0.1))),
    "a profit below the least": ("profits are those of the policy", "above", setting(profit_above=0.9)),
    "pairs that use processors no better": (
        "profits are those of the policy",
        "first",
        setting(first_needs_gain=True),
    ),
    "a pass too many": ("counters follow from the tables", "response", of_schedule(lambda s: counters(s, passes=1))),
    "a suspension not counted": (
        "counters follow from the tables",
        "suspends",
        of_schedule(lambda s: counters(s, suspended=-1)),
    ),
    "searches not counted": (
        "counters follow from the tables",
        "response",
        of_schedule(lambda s: counters(s, searches_waiting=-999)),
    ),
    "more backfilled jobs than there are": (
        "counters follow from the tables",
        "response",
        of_schedule(lambda s: counters(s, backfilled=999)),
    ),
    "more jobs passed over than there were": (
        "counters follow from the tables",
        "response",
        of_schedule(lambda s: counters(s, pushed_down=9999)),
    ),
    "fewer jobs pulled up than were behind": (
        "counters follow from the tables",
        "response",
        of_schedule(lambda s: counters(s, pulled_up=-1)),
    ),
}
