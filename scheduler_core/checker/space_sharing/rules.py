"""The rules of space sharing: a job holds its processors for itself, from its start to its finish."""

import polars as pl

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Evidence, Rule, aligned


def runs_at_once(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A job has one allocation, at rate 1, in the only slot there is."""
    several = evidence.held.filter(pl.col("allocations") > 1).select("job", "allocations")
    odd = evidence.allocations.filter((pl.col("rate") != 1) | (pl.col("slot") != 0)).select(
        "job", "begin_us", "rate", "slot"
    )
    return evidence.allocations.height, pl.concat([several, odd], how="diagonal")


def none_starts_in_a_standstill(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """No job starts in a standstill of the workload."""
    standstills = evidence.companion("standstills").sort("begin_us")
    started = evidence.held.filter(pl.col("begin_us").is_not_null()).select("job", start_us="begin_us").sort("start_us")
    latest = started.join_asof(standstills, left_on="start_us", right_on="begin_us", strategy="backward")
    return standstills.height and started.height, latest.filter(pl.col("start_us") < pl.col("end_us")).sort("job")


def promises_are_kept(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A promise is made to a waiting job, which starts no later than promised."""
    asked = evidence.held.select("job", "submit_us", "start_us")
    both = aligned(evidence.tables["promises"], asked, "job")
    kept = pl.col("made_us").is_between("submit_us", "start_us") & (pl.col("start_us") <= pl.col("latest_us"))
    return both.height, both.filter(~kept.fill_null(False)).select("job", "made_us", "latest_us", "start_us")


EVIDENCE = Evidence

RULES: dict[str, Rule] = {
    **common.RULES,
    "allocations are sound": common.allocations_are_sound,
    "a job runs at once to its end": runs_at_once,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": common.work_is_conserved,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "no job starts in a standstill": none_starts_in_a_standstill,
}
"""The rules by their names in certificates and the report."""

RULES_OF_TABLES: dict[str, dict[str, Rule]] = {"promises": {"no start delays a promise": promises_are_kept}}
"""The rules of schedules that have an optional table, by its name."""
