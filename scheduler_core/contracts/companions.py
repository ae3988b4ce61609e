"""Tables that a workload may carry beside its jobs; a family ignores those it does not need.

:mod:`scheduler_core.contracts.workflows` explains those of workflows, :mod:`scheduler_core.contracts.applications` those of what
jobs' tasks do inside a time slice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import LEAST_SLOWDOWN, MOST_SLOWDOWN
from scheduler_core.contracts.applications import (
    APPLICATIONS_BROKEN,
    APPLICATIONS_COLUMNS,
    PROGRAMS_BROKEN,
    PROGRAMS_COLUMNS,
    STEP,
    check_applications,
)
from scheduler_core.contracts.tables import check_columns, check_complete, refuse_rows
from scheduler_core.contracts.workflows import (
    EDGES_COLUMNS,
    RUN_TIMES_COLUMNS,
    TASKS_COLUMNS,
    TRANSFERS_COLUMNS,
    check_workflows,
)

TOLERANCE = 1e-6  # for the sum of fractions: people write them with a few digits

MOST_BY_FORMULA = 9.0
"""The largest slowdown by formula: 4.5, doubled for a model error of 100 %."""

Resource = pl.Enum(("cpu", "network", "disk"))
"""The resource a job uses most."""

OWN_FRACTIONS = ("cpu", "network", "disk")
"""Columns of the time in which a job uses one resource alone."""

OVERLAPPED_FRACTIONS = ("cpu_network", "cpu_disk", "network_disk")
"""Columns of the time in which a job uses two resources at once, which hides the latency of one behind the other."""

FRACTIONS = (*OWN_FRACTIONS, *OVERLAPPED_FRACTIONS)
"""Columns of how a job spends its time; they add up to 1."""

BEHAVIOUR_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "kind": Resource,  # what dominates, as drawn or measured, even if the fractions say otherwise
    "cpu": pl.Float64,  # fraction of its time alone in which the job only computes
    "network": pl.Float64,  # fraction in which it only communicates
    "disk": pl.Float64,  # fraction in which it only reads or writes
    "cpu_network": pl.Float64,  # fraction in which it computes and communicates at once; 0 for most jobs
    "cpu_disk": pl.Float64,  # fraction in which it computes and reads or writes at once
    "network_disk": pl.Float64,  # fraction in which it communicates and reads or writes at once
    "cpu_phase": pl.Float64,  # from 0 to below 1: with that of another job, decides whether their computing is compatible
    "error_phase": pl.Float64,  # from 0 to below 1: with that of another job, draws the model's error about the pair
    "application": pl.Int32,  # number of its application in `slowdowns`; 0 where it has none
}
"""How jobs spend their time: a row for every job, in order of job; the six fractions add up to 1."""

SLOWDOWNS_COLUMNS: dict[str, Any] = {
    "application": pl.Int32,  # number of an application
    "beside": pl.Int32,  # number of the application beside it, which may be the same
    "slowdown": pl.Float64,  # its time beside the other over its time alone; below 1 where it runs faster
}
"""Measured slowdowns: a row per ordered pair of applications, in order of both, for all pairs of those in `behaviour`."""

Level = pl.Enum(("long", "medium", "short", "special"))
"""Priority classes of jobs that ask for shares, the lowest first."""

Site = pl.Enum(("local", "cross_site"))
"""Whether a job runs on this machine alone, or on several at once."""

Asks = pl.Enum(("nothing", "picks", "reserves"))
"""What a job asks of the slots offered to it: nothing; a place in the queue, without guarantee; a reserved start and share."""

SHARES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "level": Level,
    "share_low": pl.Float64,  # least share of every processor it asks for, above 0
    "share_high": pl.Float64,  # most it asks for, not below the least, below 1: no job may ask for all
    "site": Site,
    "asks": Asks,  # a local job asks for nothing
    "wanted_us": pl.Int64,  # earliest start it asks for; its submission where it asks for nothing
}
"""The shares of every processor that jobs ask for, and their reservations: a row for every job, in order of job."""


STANDSTILLS_COLUMNS: dict[str, Any] = {
    "begin_us": pl.Int64,  # since the workload's origin
    "end_us": pl.Int64,  # jobs may start again from then on
}
"""Periods in which no job may start, such as outages and drains; running jobs go on. In order, without overlap."""

EVERY_QUEUE = -1
"""Stands in closed hours for every queue; jobs of no known queue are meant, too."""

CLOSED_HOURS_COLUMNS: dict[str, Any] = {
    "queue": pl.Int32,  # number of the queue, as jobs have it, or EVERY_QUEUE
    "longer_than_us": pl.Int64,  # holds only jobs whose estimates are longer; 0 holds all jobs of the queue
    "begin_us": pl.Int64,  # since the workload's origin
    "end_us": pl.Int64,  # the jobs may start again from then on
}
"""Periods in which no job of a queue, or none that is longer than a limit, may start; running jobs go on.

In order of queue, limit and time. Periods of one queue and limit do not overlap.
"""

CLOSED_TO = ("queue", "longer_than_us")
"""Columns that say to which jobs an hour is closed."""

OUT_OF_USE_COLUMNS: dict[str, Any] = {
    "begin_us": pl.Int64,  # since the workload's origin
    "end_us": pl.Int64,  # jobs may start on them again from then on
    "processors": pl.Int32,  # so many of the machine, whichever are free
}
"""Periods in which no job may start on a part of the machine; running jobs go on. In order, without overlap."""


@dataclass(frozen=True)
class Companion:
    """A companion table: its columns, its key (which also orders it), and the rules that rows must not break.

    ``of_jobs``: whether its rows belong to jobs of the workload; ``every_job``: whether every job has a row.
    """

    columns: Mapping[str, Any]
    key: tuple[str, ...]
    broken: Mapping[str, pl.Expr]
    of_jobs: bool = True
    every_job: bool = False


def unordered(*key: str) -> pl.Expr:
    """Return whether a row does not come after the one before it, by its key."""
    later: pl.Expr = pl.lit(False)
    for name in reversed(key):
        later = (pl.col(name) > pl.col(name).shift(1)) | ((pl.col(name) == pl.col(name).shift(1)) & later)
    return ~later.fill_null(True)


OF_PERIODS = {
    "begin_us is negative": pl.col("begin_us") < 0,
    "end_us is not after begin_us": pl.col("end_us") <= pl.col("begin_us"),
}
"""What no period may be."""

PERIODS_BROKEN = {
    **OF_PERIODS,
    "it begins before the one above it has ended": (pl.col("begin_us") < pl.col("end_us").shift(1)).fill_null(False),
}
"""What no row of a table of periods may be."""

COMPANIONS: dict[str, Companion] = {
    "tasks": Companion(TASKS_COLUMNS, ("workflow", "task"), {}),
    "edges": Companion(
        EDGES_COLUMNS,
        ("workflow", "from_task", "to_task"),
        {
            "to_task is not higher than from_task": pl.col("to_task") <= pl.col("from_task"),
            "data_kb is negative": pl.col("data_kb") < 0,
            "transfer_us is negative": pl.col("transfer_us") < 0,
        },
        of_jobs=False,
    ),
    "transfers": Companion(
        TRANSFERS_COLUMNS,
        ("workflow", "from_task", "to_task", "from_cluster", "to_cluster"),
        {"time_us is negative": pl.col("time_us") < 0},
        of_jobs=False,
    ),
    "run_times": Companion(
        RUN_TIMES_COLUMNS, ("job", "cluster"), {"runtime_us is not positive": pl.col("runtime_us") <= 0}
    ),
    "behaviour": Companion(
        BEHAVIOUR_COLUMNS,
        ("job",),
        {
            "a fraction is outside 0 to 1": ~pl.all_horizontal(pl.col(name).is_between(0, 1) for name in FRACTIONS),
            "the six fractions do not add up to 1": ~pl.sum_horizontal(*FRACTIONS).is_between(
                1 - TOLERANCE, 1 + TOLERANCE
            ),
            "a phase is outside 0 to below 1": ~pl.all_horizontal(
                pl.col(name).is_between(0, 1, closed="left") for name in ("cpu_phase", "error_phase")
            ),
            "application is negative": pl.col("application") < 0,
        },
        every_job=True,
    ),
    "slowdowns": Companion(
        SLOWDOWNS_COLUMNS,
        ("application", "beside"),
        {
            "application is negative": pl.col("application") < 0,
            f"slowdown is outside {LEAST_SLOWDOWN:g} to {MOST_SLOWDOWN:g}": ~pl.col("slowdown").is_between(
                LEAST_SLOWDOWN, MOST_SLOWDOWN
            ),
        },
        of_jobs=False,
    ),
    "shares": Companion(
        SHARES_COLUMNS,
        ("job",),
        {
            "share_low is not above 0": ~(pl.col("share_low") > 0),
            "share_high is below share_low": ~(pl.col("share_high") >= pl.col("share_low")),
            "share_high is 1 or more, and no job may ask for the whole of a processor": ~(pl.col("share_high") < 1),
            "a local job asks for a start": (pl.col("site") == "local") & (pl.col("asks") != "nothing"),
        },
        every_job=True,
    ),
    "standstills": Companion(STANDSTILLS_COLUMNS, ("begin_us",), PERIODS_BROKEN, of_jobs=False),
    "closed_hours": Companion(
        CLOSED_HOURS_COLUMNS,
        (*CLOSED_TO, "begin_us"),
        {
            **OF_PERIODS,
            "longer_than_us is negative": pl.col("longer_than_us") < 0,
            "it begins before that of the same jobs above it has ended": (
                pl.all_horizontal(pl.col(name) == pl.col(name).shift(1) for name in CLOSED_TO)
                & (pl.col("begin_us") < pl.col("end_us").shift(1))
            ).fill_null(False),
        },
        of_jobs=False,
    ),
    "out_of_use": Companion(
        OUT_OF_USE_COLUMNS,
        ("begin_us",),
        {**PERIODS_BROKEN, "processors is not positive": pl.col("processors") <= 0},
        of_jobs=False,
    ),
    "applications": Companion(APPLICATIONS_COLUMNS, ("job",), APPLICATIONS_BROKEN, every_job=True),
    "programs": Companion(PROGRAMS_COLUMNS, STEP, PROGRAMS_BROKEN),
}
"""Every companion table by name."""


def check_companions(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame], clusters: int) -> None:
    """Raise :class:`ContractError` when a companion table of a workload breaks a column or an invariant.

    ``clusters`` is how many the machine has.
    """
    for name, table in companions.items():
        if name not in COMPANIONS:
            raise ContractError(f"workload: there is no companion table '{name}'; known: {', '.join(COMPANIONS)}")
        declared, what = COMPANIONS[name], f"workload: table '{name}'"
        check_columns(table, declared.columns, what)
        check_complete(table.select(*declared.columns), what)
        order = {f"rows are not in the order of {', '.join(declared.key)}": unordered(*declared.key)}
        unknown = {"the job is none of the workload's": ~pl.col("job").is_in(jobs["job"].implode())}
        refuse_rows(table, {**(unknown if declared.of_jobs else {}), **order, **declared.broken}, declared.key, what)
        if declared.every_job and table.height < jobs.height:
            job = jobs.join(table, on="job", how="anti")["job"][0]
            raise ContractError(
                f"{what}: {jobs.height - table.height} of {jobs.height} jobs have no row, the first of them job {job}; "
                "expected a row for every job"
            )
    if not companions:
        return
    check_workflows(jobs, companions, clusters)
    closed = companions.get("closed_hours")
    if jobs.height and closed is not None and (closed["queue"] != EVERY_QUEUE).any() and "queue" not in jobs.columns:
        raise ContractError("workload: table 'closed_hours' needs the queues of jobs, in a column 'queue'")
    check_slowdowns(companions)
    check_wanted(jobs, companions)
    check_applications(jobs, companions)


def is_closed_to(queue: int, longer_than_us: int) -> pl.Expr:
    """Return whether closed hours of these (:data:`CLOSED_TO`) hold a job, as an expression over the jobs of a workload."""
    longer = pl.col("estimate_us") > longer_than_us
    return longer if queue == EVERY_QUEUE else longer & (pl.col("queue") == queue).fill_null(value=False)


def merged_periods(periods: pl.DataFrame, *key: str) -> pl.DataFrame:
    """Return periods in order of their key and time; those of one key that overlap or touch become one.

    ``periods`` has the columns of the key, ``begin_us`` and ``end_us``.
    """
    table = periods.sort(*key, "begin_us")
    ended, begins = pl.col("end_us").cum_max().shift(1), pl.col("begin_us")
    apart = table.with_columns(period=(begins > (ended.over(key) if key else ended)).fill_null(True).cum_sum())
    merged = apart.group_by(*key, "period", maintain_order=True).agg(begins.min(), pl.col("end_us").max())
    return merged.drop("period")


def widest(submit_us: np.ndarray, processors: int, out_of_use: pl.DataFrame | None) -> np.ndarray:
    """Return the most processors a job can have that is submitted at a time: the fewest that can be used from then on."""
    most = np.full(len(submit_us), processors, np.int64)
    if out_of_use is None or out_of_use.is_empty():
        return most
    later = np.maximum.accumulate(out_of_use["processors"].to_numpy()[::-1])[::-1]
    place = np.searchsorted(out_of_use["end_us"].to_numpy(), submit_us, side="right")
    return most - np.append(later, 0)[place]


def check_slowdowns(companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` when the table of slowdowns lacks a pair of applications that occur."""
    if "slowdowns" not in companions:
        return
    if "behaviour" not in companions:
        raise ContractError(
            "workload: table 'slowdowns' needs table 'behaviour', which says the application of every job"
        )
    behaviour, slowdowns = companions["behaviour"], companions["slowdowns"]
    occur = behaviour.select(pl.col("application").unique().sort())
    cells = occur.join(occur.rename({"application": "beside"}), how="cross")
    lost = cells.join(slowdowns, on=["application", "beside"], how="anti", maintain_order="left")
    if lost.height:
        application, beside = lost.row(0)
        job = behaviour.filter(pl.col("application") == application)["job"][0]
        raise ContractError(
            f"workload: table 'slowdowns' has no row for application {application} beside {beside}, and {lost.height} of "
            f"{cells.height} such rows are missing; expected every ordered pair of the applications that occur "
            f"(application {application} is that of job {job})"
        )


def check_wanted(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` when a job wants to start before its submission, or states a time without asking for one."""
    if "shares" not in companions:
        return
    wanted, submit = pl.col("wanted_us"), pl.col("submit_us")
    broken = {
        "wanted_us is before submit_us": wanted < submit,
        "wanted_us is not submit_us where the job asks for nothing": (pl.col("asks") == "nothing") & (wanted != submit),
    }
    refuse_rows(companions["shares"].join(jobs, on="job"), broken, ("job",), "workload: table 'shares'")


def longest_stretch(companions: Mapping[str, pl.DataFrame]) -> float:
    """Return a bound of a job's time beside others over its time alone: by formula, by table, and at its share."""
    stretch = 1.0
    if len(companions.get("behaviour", ())):
        stretch = MOST_BY_FORMULA
    if len(companions.get("slowdowns", ())):
        stretch = max(stretch, float(companions["slowdowns"]["slowdown"].max()))  # type: ignore[arg-type]
    if len(companions.get("shares", ())):
        stretch /= float(companions["shares"]["share_low"].min())  # type: ignore[arg-type]
    return stretch


def following(
    companions: Mapping[str, pl.DataFrame], before: pl.DataFrame, after: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Return the companion tables after a change of jobs: ``after`` has some of the jobs of ``before``, with their numbers.

    Tables keep the rows of the remaining jobs and workflows, and all rows that belong to neither. A wanted start moves with the
    submission of its job.
    """
    kept = {
        name: table.filter(pl.col("job").is_in(after["job"].implode())) if COMPANIONS[name].of_jobs else table
        for name, table in companions.items()
    }
    if "tasks" in kept:
        left = pl.col("workflow").is_in(kept["tasks"]["workflow"].unique().implode())
        kept |= {name: kept[name].filter(left) for name in ("edges", "transfers") if name in kept}
    if "shares" in kept:
        was, now = (jobs.select("job", "submit_us") for jobs in (before, after))
        moved = was.join(now, on="job", suffix="_now").select(
            "job", moved=pl.col("submit_us_now") - pl.col("submit_us")
        )
        shares = kept["shares"].join(moved, on="job", how="left", maintain_order="left")
        kept["shares"] = shares.with_columns(pl.col("wanted_us") + pl.col("moved")).drop("moved")
    return kept
