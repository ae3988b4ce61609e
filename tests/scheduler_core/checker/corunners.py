"""A family made up for the tests: two jobs may run on a processor at once, and slow each other down.

No module of slotwise knows of it: what is checked, digested, written and read follows from the declaration, and the rules
below are its own.
"""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from scheduler_core.checker import common
from scheduler_core.checker.common import processors_are_exclusive
from scheduler_core.checker.evidence import Evidence
from scheduler_core.declarations.families import Family, Table
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy
from tests.scheduler_core.checker.by_hand import schedule_of

S = 1_000_000
PAIRS = {"job": pl.Int64, "partner": pl.Int64, "begin_us": pl.Int64, "end_us": pl.Int64}

FAMILY = Family(
    name="corunners",
    label="Co-runners",
    sharing="jobs",
    unchecked=("that the rates are those of the partners",),
    counters=(),
    metrics=("mean_response",),
    leading=("mean_response",),
    wait="response_less_runtime",
    tables={"pairs": Table(PAIRS, "pairs/v1")},
    allocation_columns={"partners": pl.Int16},
)


@dataclass(frozen=True)
class Corunners(Policy):
    """A policy that lets jobs run on the processors of others."""

    name: ClassVar[str] = "corunners"
    label: ClassVar[str] = "Co-runners"
    source: ClassVar[str] = "made up"

    at_once: int = parameter(2, "most jobs on a processor", unit="jobs", minimum=1)


Corunners.__module__ = "scheduler_core.corunners.policies.corunners"  # where a policy of this family would stand


def few_at_once(evidence):
    """No more jobs hold a processor at once than the policy allows."""
    held = evidence.allocations.explode("processor_ids")
    begins = held.select("processor_ids", time_us="begin_us", change=pl.lit(1))
    ends = held.select("processor_ids", time_us="end_us", change=pl.lit(-1))
    changes = pl.concat([begins, ends]).sort("processor_ids", "time_us", "change")
    jobs = changes.with_columns(jobs=pl.col("change").cum_sum().over("processor_ids"))
    return held.height, jobs.filter(pl.col("jobs") > evidence.policy.at_once)


EVIDENCE = Evidence

RULES = {
    "every job appears once": common.every_job_once,
    "what was asked is unchanged": common.asked_unchanged,
    "start and finish agree with the allocations": common.start_and_finish_agree,
    "allocations are sound": common.allocations_are_sound,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": common.work_is_conserved,
    "a processor is named once": processors_are_exclusive,
    "few jobs on a processor": few_at_once,
}


def schedule(workload, preemptions=0, gap_us=0, at_once=2):
    """Make a schedule by hand: job 2 comes to job 1 on both processors at 4 s and leaves at 8 s; both run at half speed."""
    rows = [
        (1, 0, 4 * S, 2, [0, 1], 0, 0, 1.0, 4 * S, 0),
        (1, 4 * S, 8 * S, 2, [0, 1], 0, 0, 0.5, 2 * S, 1),
        (1, 8 * S + gap_us, 12 * S + gap_us, 2, [0, 1], 0, 0, 1.0, 4 * S, 0),
        (2, 4 * S, 8 * S, 2, [0, 1], 0, 0, 0.5, 2 * S, 1),
    ]
    run = ("corunners", {"at_once": at_once})
    tables = {"pairs": [(1, 2, 4 * S, 8 * S)]}
    return schedule_of(workload, FAMILY, run, rows, tables, {}, pl.lit(preemptions) * (pl.col("job").first() == 1))
