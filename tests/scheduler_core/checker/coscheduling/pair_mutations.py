"""Broken schedules of pairs: by name the rule that must find it, the kind of schedule, and what is changed."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    counters,
    held_by,
    in_two,
    jobs,
    of_job,
    one_job,
    shifted_work,
    table,
    with_allocation,
    with_processors,
    without,
)
from tests.scheduler_core.checker.coscheduling.broken_coscheduling import (
    alone,
    asked_for,
    both,
    companion,
    entry,
    from_the_other_end,
    half_the_share,
    later_alone,
    longer,
    moved,
    onto_the_processors_of_a_pair,
    partner,
    resumed_later,
    row,
    rows_of,
    setting,
    to_the_end_of_the_holder,
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
    ("every job appears once", "response"): {
        "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 3))
    },
    ("what was asked is unchanged", "response"): {"a need of memory is another": lambda s: of_job(s, 3, memory_kb=7)},
    ("finished, killed and rejected jobs are the right ones", "response"): {
        "a killed job is called finished": lambda s: of_job(s, one_job(s, KILLED), outcome="finished")
    },
    ("no job starts before its submission", "response"): {
        "a start before submission": lambda s: with_allocation(s, row(s, pl.col("job") == 40), begin_us=0)
    },
    ("start and finish agree with the allocations", "response"): {
        "a preemption there was not": lambda s: of_job(s, 9, preemptions=1)
    },
    ("start and finish agree with the allocations", "suspends"): {
        "a suspension not counted as a preemption": lambda s: jobs(s, preemptions=0)
    },
    ("allocations are sound", "response"): {
        "a row twice": lambda s: replace(s, held=pl.concat([s.allocations, s.allocations.head(1)]))
    },
    ("a rigid job keeps its size", "response"): {
        "a processor fewer": lambda s: with_allocation(s, alone(s), processors=pl.col("processors") - 1)
    },
    ("work done is work asked", "response"): {
        "a microsecond of work is done in another row": lambda s: shifted_work(s, row(s, pl.col("number") == 1), by=-1),
        "a speed that is not share over slowdown": lambda s: with_allocation(
            s, row(s, "beside"), rate=pl.col("rate") + 1e-9
        ),
        "a job ends later than its work": lambda s: longer(s, alone(s)),
    },
    ("rates are those of the model", "response"): {
        "a share where there are none": lambda s: half_the_share(s, alone(s)),
        "unshared resources are counted": setting(slowdown="unshared_counted"),
    },
    ("rates are those of the model", "errs"): {
        "models err by less": setting(model_error=0.25),
        "pairs are slower than believed alone": setting(error_side="both"),
    },
    ("processors are named, each once", "response"): {
        "a row does not name its processors": lambda s: with_allocation(s, alone(s), processor_ids=None),
        "a processor is named twice": lambda s: with_processors(s, *doubled(s)),
        "a processor there is not": lambda s: with_processors(s, *doubled(s, 999)),
    },
    ("no more jobs share a processor than may", "response"): {
        "a third job on the processors of a pair": onto_the_processors_of_a_pair,
        "pairs of a policy that forms none": setting(match="none"),
    },
    ("rows that share processors begin and end together", "response"): {
        "a holder goes on as if alone": lambda s: with_allocation(
            s, row(s, "beside", pl.col("slot") == 1), end_us=pl.col("end_us") - 1
        )
    },
    ("rows end where something changes", "response"): {
        "a row ends where nothing happens": lambda s: in_two(s, alone(s))
    },
    ("a job keeps its processors", "response"): {
        "another place in a later row": lambda s: with_allocation(s, later_alone(s), slot=2),
        "other processors in a later row": lambda s: with_processors(s, *elsewhere(s)),
    },
    ("a partner's processors are the holder's", "response"): {"a partner beside its holder": beside_its_holder},
    ("the lowest processors are given", "response"): {
        "a partner on the highest of the holder's processors": to_the_end_of_the_holder
    },
    ("the lowest processors are given", "alone"): {"a job on higher processors than need be": from_the_other_end},
    ("places on processors are the lowest", "response"): {
        "a partner in the third place": lambda s: held_by(s, partner(s), slot=2),
        "two jobs in one place": lambda s: held_by(s, partner(s), slot=0),
    },
    ("no short job is paired", "response"): {"paired jobs are short": setting(short_limit_s=200.0)},
    ("pairs fit in memory", "response"): {
        "a pair needs more memory than there is": both(
            asked_for("memory_kb", 900_000, holder), asked_for("memory_kb", 900_000, its_partner)
        )
    },
    ("types of pairs match", "response"): {
        "both jobs of a pair use the network most": companion("behaviour", holder, its_partner, kind="network")
    },
    ("types of pairs match", "standard"): {
        "a pair of which none computes on standard processors": companion("behaviour", holder, kind="network")
    },
    ("no pair is slowed down beyond the limit", "response"): {
        "pairs beyond the slowdown that is allowed": setting(max_slowdown=1.0),
        "pairs that use the network too much": setting(network_limit=0.1),
        "two computing jobs that do not go together": lambda w, s: companion(
            "behaviour", *incompatible(w, s), kind="cpu"
        )(w, s),
    },
    ("partners are suspended only where they may", "suspends"): {
        "partners suspended by a policy that suspends none": setting(preempt_above="off"),
        "partners suspended beside which none is too slow": setting(preempt_above=1.9),
        "a suspended partner goes on later than it might": resumed_later,
    },
    ("partners are suspended only where they may", "errs"): {
        "partners that are too slow are left running": setting(preempt_above=1.05)
    },
    ("pairs and matches agree", "response"): {
        "a pair is not recorded": lambda s: without(s, "matches"),
        "a pair is recorded another way round": lambda s: table(
            s, "matches", job=pl.col("partner"), partner=pl.col("job")
        ),
        "a pair is recorded before it was formed": entry(begin_us=pl.col("begin_us") - 1),
        "a pair is recorded twice": lambda s: table(
            s, "matches", s.tables["matches"].sample(fraction=1).vstack(s.tables["matches"][:1])
        ),
    },
    ("searches are those of the policy", "response"): {
        "partners among the running of a policy that looks for none": setting(match_running=False),
        "partners in backfilling of a policy that looks for none": both(
            setting(match_backfilling=False), entry(backfilling=True)
        ),
    },
    ("each test leaves fewer jobs", "response"): {
        "a search looks at more running jobs than there are": entry(AMONG == "running", looked_at=500),
        "a test leaves more than the one before": entry(types_match=pl.col("memory_fits") + 1),
        "a partner beyond those who are left": entry(AMONG == "running", rank=pl.col("slowdown_fits") + 1),
        "a partner before the first of those who are left": entry(AMONG == "running", rank=0),
    },
    ("believed slowdowns are those of the model", "response"): {
        "another slowdown is believed in": entry(slowdown_ppm=pl.col("slowdown_ppm") + 1)
    },
    ("profits are those of the policy", "response"): {"a pair that does not pay": entry(profit=0.0)},
    ("profits are those of the policy", "utilisation"): {
        "a gain that is not the pair's": entry(profit=pl.col("profit") * (1 + 1e-9)),
        "a gain for all time is taken for that of a while": setting(profit="utilisation_2"),
    },
    ("profits are those of the policy", "any"): {"a profit where none is asked for": entry(profit=0.1)},
    ("profits are those of the policy", "above"): {"a profit below the least": setting(profit_above=0.9)},
    ("profits are those of the policy", "first"): {
        "pairs that use processors no better": setting(first_needs_gain=True)
    },
    ("counters follow from the tables", "response"): {
        "a pass too many": lambda s: counters(s, passes=1),
        "searches not counted": lambda s: counters(s, searches_waiting=-999),
        "more backfilled jobs than there are": lambda s: counters(s, backfilled=999),
        "more jobs passed over than there were": lambda s: counters(s, pushed_down=9999),
        "fewer jobs pulled up than were behind": lambda s: counters(s, pulled_up=-1),
    },
    ("counters follow from the tables", "suspends"): {"a suspension not counted": lambda s: counters(s, suspended=-1)},
}
