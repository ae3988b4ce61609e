"""The rules every schedule keeps, and the one function that applies them.

Each rule takes the workload's jobs and the schedule's tables and gives the rows that break it. Nothing here is shared with
an engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.checker import (
    class_slices,
    groups,
    promises,
    slices,
    slot_clock,
    speed_up,
    time_sharing,
    virtual_machines,
)
from scheduler_core.checker.certificate import Certificate, Finding
from scheduler_core.checker.evidence import Evidence, Rule, gather
from scheduler_core.checker.places import memory_suffices, processors_are_exclusive
from scheduler_core.contracts import (
    ALLOCATIONS_COLUMNS,
    JOBS_COLUMNS,
    LEVELS_COLUMNS,
    SHARING_COLUMNS,
    SLICE_TABLES,
    TURN_COLUMNS,
    WORKLOAD_COLUMNS,
    Schedule,
    Workload,
    check_columns,
)
from scheduler_core.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Iterable

EXAMPLES = 3
WORK_TOLERANCE_US = 1  # an interval's work is rate x length, rounded to the tick


def check(workload: Workload, schedule: Schedule) -> Certificate:
    """Prove that a schedule is a legal one for the workload.

    Raises
    ------
    ContractError
        When a table of the schedule lacks a column, has one of another type, or has an interval with a value missing; when
        some of :data:`SLICE_TABLES` are missing, or the note lacks a parameter that their rules need.
    """
    check_columns(schedule.jobs, JOBS_COLUMNS, "jobs table")
    check_columns(schedule.allocations, ALLOCATIONS_COLUMNS, "allocations table")
    if schedule.levels is not None:
        check_columns(schedule.allocations, TURN_COLUMNS, "allocations table of a schedule with levels")
        check_columns(schedule.levels, LEVELS_COLUMNS, "levels table")
        check_complete(schedule.levels, "levels table")
    check_complete(schedule.allocations.drop("processor_ids"), "allocations table")
    check_slice_tables(schedule)
    evidence = gather(workload, schedule)
    rules = SLICE_RULES if schedule.tables else RULES if schedule.levels is None else TIME_SHARING_RULES
    findings = []
    for name, rule in rules.items():
        checked, broken = rule(evidence)
        findings.append(Finding(name, checked, broken.height, tuple(describe_rows(broken))))
    return Certificate(tuple(findings), schedule.allocations.height, schedule.digest)


def check_slice_tables(schedule: Schedule) -> None:
    """Raise :class:`ContractError` unless a schedule has all tables of slices, whole, or none."""
    if not schedule.tables:
        return
    for name, columns in SLICE_TABLES.items():
        if name not in schedule.tables:
            found = ", ".join(schedule.tables)
            raise ContractError(f"schedule with slices: the table '{name}' is missing; found {found}")
        check_columns(schedule.tables[name], columns, f"{name} table")
        check_complete(schedule.tables[name], f"{name} table")


def check_complete(table: pl.DataFrame, what: str) -> None:
    """Raise :class:`ContractError` when a value is missing."""
    for name, missing in table.null_count().row(0, named=True).items():
        if missing:
            raise ContractError(
                f"{what}: column '{name}' has no value in {missing} of {table.height} rows; expected one in each"
            )


def describe_rows(rows: pl.DataFrame) -> Iterable[str]:
    """Describe the first rows that break a rule."""
    for row in rows.head(EXAMPLES).iter_rows(named=True):
        yield ", ".join(f"{name} {value}" for name, value in row.items() if value is not None)


def every_job_once(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """The jobs table has every job of the workload exactly once, and nothing else."""
    counts = evidence.jobs.group_by("job").len("rows_in_schedule")
    both = evidence.asked.select("job", in_workload=pl.lit(True)).join(counts, on="job", how="full", coalesce=True)
    odd = pl.col("in_workload").is_null() | (pl.col("rows_in_schedule").fill_null(0) != 1)
    return both.height, both.filter(odd).sort("job")


def asked_unchanged(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """What the schedule says was asked is what the workload asks."""
    names = [n for n in (*WORKLOAD_COLUMNS, *SHARING_COLUMNS) if n != "job" and n in evidence.asked.columns]
    stated = [name for name in names if name in evidence.jobs.columns]
    asked = evidence.asked.select("job", *names)
    both = asked.join(evidence.jobs.select("job", *stated), on="job", suffix="_in_schedule")
    changed = pl.any_horizontal(
        pl.col(name).ne_missing(pl.col(f"{name}_in_schedule")) if name in stated else pl.lit(True) for name in names
    )
    return both.height, both.filter(changed)


def fate_is_right(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Jobs the machine is too small for are rejected, jobs that outrun their estimate are killed, all others finish."""
    rejected = pl.col("size") > int(evidence.parts.max())
    if evidence.memory_binds:
        rejected = rejected | (pl.col("memory_kb") > evidence.machine.memory_kb).fill_null(False)
    killed = pl.col("runtime_us") > pl.col("estimate_us")
    fate = pl.when(rejected).then(pl.lit("rejected")).when(killed).then(pl.lit("killed")).otherwise(pl.lit("finished"))
    known = evidence.held.filter(pl.col("outcome").is_not_null())
    wrong = known.filter(pl.col("outcome").cast(pl.String) != fate)
    return known.height, wrong.select("job", "size", "runtime_us", "estimate_us", "outcome")


def not_before_submission(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Nobody holds processors before submission."""
    broken = evidence.held.filter(pl.col("begin_us") < pl.col("submit_us"))
    return evidence.held.height, broken.select("job", "submit_us", "begin_us")


def start_and_finish_agree(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A job's start and finish are the begin and end of its intervals, which are one more than its preemptions."""
    columns = ("job", "start_us", "begin_us", "finish_us", "end_us", "preemptions", "intervals")
    agree = (
        pl.col("start_us").eq_missing(pl.col("begin_us"))
        & pl.col("finish_us").eq_missing(pl.col("end_us"))
        & (pl.col("intervals").fill_null(1) == pl.col("preemptions") + 1)
        & (pl.col("intervals").is_null() == (pl.col("outcome").cast(pl.String) == "rejected"))
    )
    known = evidence.held.filter(pl.col("outcome").is_not_null())
    return known.height, known.filter(~agree).select(*columns)


def intervals_are_sound(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """An interval has a positive length, belongs to a job of the workload, and a job's intervals do not overlap."""
    same_job = pl.col("job") == pl.col("job").shift(1)
    ordered = evidence.allocations.sort("job", "begin_us", "end_us").with_columns(
        earlier_end=pl.when(same_job).then(pl.col("end_us").shift(1))
    )
    known = ordered.join(evidence.asked.select("job", asked=pl.lit(True)), on="job", how="left", maintain_order="left")
    broken = (
        (pl.col("end_us") <= pl.col("begin_us"))
        | (pl.col("earlier_end") > pl.col("begin_us")).fill_null(False)
        | pl.col("asked").is_null()
    )
    return ordered.height, known.filter(broken).select("job", "begin_us", "end_us", "earlier_end")


def size_is_kept(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A rigid job holds exactly the processors it asked for, in every interval; a rejected job none."""
    both = evidence.allocations.select("job", "begin_us", "processors").join(
        evidence.held.select("job", "size", "allotted", "outcome"), on="job"
    )
    table = evidence.held.filter(pl.col("outcome").is_not_null()).select(
        "job",
        "size",
        "allotted",
        expected=pl.when(pl.col("outcome").cast(pl.String) == "rejected").then(0).otherwise("size"),
    )
    broken = both.filter(pl.col("processors") != pl.col("size")).select("job", "begin_us", "processors", "size")
    stated = table.filter(pl.col("allotted") != pl.col("expected")).select("job", "allotted", "size")
    return both.height + table.height, pl.concat([broken, stated], how="diagonal")


def work_is_conserved(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """The work done is the work asked (up to the kill at the estimate), and each interval's is rate times length."""
    length = pl.col("end_us") - pl.col("begin_us")
    uneven = evidence.allocations.filter(
        ((pl.col("rate") * length - pl.col("work_us")).abs() > WORK_TOLERANCE_US) | (pl.col("rate") <= 0)
    )
    ran = evidence.held.filter(pl.col("intervals").is_not_null())
    due = pl.min_horizontal("runtime_us", "estimate_us")
    unequal = ran.select("job", "work_us", due_us=due).filter(pl.col("work_us") != pl.col("due_us"))
    broken = pl.concat([uneven.select("job", "begin_us", "end_us", "rate", "work_us"), unequal], how="diagonal")
    return evidence.allocations.height + ran.height, broken


def machine_is_large_enough(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """At no instant do the jobs of a slot hold more processors than the machine has.

    Ends sort before begins of the same instant. Every slot's changes add up to nothing, so that one running sum serves
    them all. Where slots are slices of classes, the machine is one for all of them.
    """
    slot = ("cluster", "slot") if evidence.slots_are_apart else ()
    begins = evidence.allocations.select(
        "cluster", "slot", time_us="begin_us", change=pl.col("processors").cast(pl.Int64)
    )
    ends = evidence.allocations.select("cluster", "slot", time_us="end_us", change=-pl.col("processors").cast(pl.Int64))
    changes = pl.concat([begins, ends]).sort(*slot, "time_us", "change")
    held = changes.with_columns(held=pl.col("change").cum_sum())
    _, processors = evidence.processors_of(held["cluster"])
    return held.height, held.filter(pl.col("held") > pl.Series(processors)).drop("change")


RULES: dict[str, Rule] = {
    "every job appears once": every_job_once,
    "what was asked is unchanged": asked_unchanged,
    "finished, killed and rejected jobs are the right ones": fate_is_right,
    "nobody starts before submission": not_before_submission,
    "start and finish agree with the intervals": start_and_finish_agree,
    "intervals are sound": intervals_are_sound,
    "a rigid job keeps its size": size_is_kept,
    "work done is work asked": work_is_conserved,
    "no more processors than the machine has": machine_is_large_enough,
    "no processor is given twice": processors_are_exclusive,
}
"""Every rule by the name under which certificates and the report know it."""

TIME_SHARING_RULES: dict[str, Rule] = {
    "every job appears once": every_job_once,
    "what was asked is unchanged": asked_unchanged,
    "finished, killed and rejected jobs are the right ones": fate_is_right,
    "nobody starts before submission": not_before_submission,
    "start and finish agree with the intervals": time_sharing.start_and_finish_agree,
    "intervals are sound": time_sharing.intervals_are_sound,
    "a gang is whole": time_sharing.gangs_are_whole,
    "levels are without gaps and shares follow from them": slot_clock.levels_are_sound,
    "no more slots are held than take turns": slot_clock.level_is_kept,
    "everything begins at a slice boundary": slices.starts_on_boundaries,
    "sizes are within what a job allows": speed_up.sizes_are_allowed,
    "sizes change only when the policy may resize": speed_up.resized_when_allowed,
    "a reconfiguration costs its stall": speed_up.stalls_are_served,
    "resizings are counted": speed_up.resizings_are_counted,
    "rates follow sizes and speed-up": speed_up.rates_follow_sizes,
    "turns follow the slot clock": time_sharing.turns_follow_the_slot_clock,
    "work done is work asked": time_sharing.work_is_conserved,
    "busy and idle processor-time add up": time_sharing.busy_and_idle_add_up,
    "times by load add up": time_sharing.loads_add_up,
    "no more processors than the machine has": machine_is_large_enough,
    "no processor is given twice": processors_are_exclusive,
    "nobody migrates": time_sharing.nobody_migrates,
    "no processor runs out of memory": memory_suffices,
}
"""The rules of a schedule whose slots take turns, likewise by name; those with the same name as above mean the same."""

SLICE_RULES: dict[str, Rule] = {
    "every job appears once": every_job_once,
    "what was asked is unchanged": asked_unchanged,
    "finished, killed and rejected jobs are the right ones": fate_is_right,
    "nobody starts before submission": not_before_submission,
    "start and finish agree with the intervals": start_and_finish_agree,
    "intervals are sound": intervals_are_sound,
    "a rigid job keeps its size": size_is_kept,
    "work done is work asked": virtual_machines.work_is_run_time,
    "no more processors than the machine has": machine_is_large_enough,
    "no processor is given twice": processors_are_exclusive,
    "slices follow from interval, switch and shares": class_slices.slices_are_laid_out,
    "short slices are as long as short jobs need": class_slices.short_slices_suffice,
    "everybody runs within a slice at work": class_slices.runs_are_in_slices,
    "nobody is suspended before a slice ends": class_slices.nobody_is_suspended_within_slices,
    "a job keeps its processors": virtual_machines.jobs_keep_their_processors,
    "started jobs of a class hold processors of their own": virtual_machines.classes_hold_processors_apart,
    "started jobs run in every slice of their class": virtual_machines.own_slices_are_used,
    "no slice idles while jobs of its class wait": virtual_machines.slices_do_not_idle,
    "slices are lent only when the policy lends": virtual_machines.lent_when_allowed,
    "slices and lending are counted": virtual_machines.lending_is_counted,
    "backfilled jobs are counted": virtual_machines.backfilling_is_counted,
    "promises are made when they are due": promises.promises_are_made_when_due,
    "promised finishes follow from promised clocks": promises.promised_finishes_follow,
    "promises are kept": promises.promises_are_kept,
    "promises are no later than needed": promises.promises_are_no_later_than_needed,
    "promises leave room for started jobs": promises.promises_leave_room,
    "groups form when enough jobs wait": groups.groups_form_by_the_rules,
    "members are the first of the queue": groups.members_are_the_first_of_the_queue,
    "groups end one before the next": groups.groups_end_by_the_rules,
    "long-wide jobs are those of the group": groups.long_wide_jobs_are_counted,
    "searches only improve": groups.searches_are_recorded,
    "searches fit their groups": groups.searches_fit_their_groups,
    "groups are counted": groups.groups_are_counted,
}
"""The rules of a schedule of a machine that belongs to one class of jobs at a time, likewise."""
