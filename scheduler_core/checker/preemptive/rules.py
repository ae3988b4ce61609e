"""The rules of preemptive space sharing: a job holds its processors for itself, and may be suspended and resumed."""

import polars as pl

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Evidence, Rule
from scheduler_core.checker.sizes import rates_follow_the_chosen_curve, within_bounds
from scheduler_core.checker.space_sharing import rules as space_sharing


def sizes_are_allowed(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A rigid job holds what it asked for, any other a size within its bounds; a moldable job keeps its size to the finish."""
    ordered = evidence.allocations.select("job", "begin_us", "processors").sort("job", "begin_us")
    same_job = pl.col("job") == pl.col("job").shift(1)
    sequence = ordered.with_columns(size_before=pl.when(same_job).then(pl.col("processors").shift(1)))
    return within_bounds(evidence, sequence, chosen=True)


def runs_between_suspensions(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A gap lies between two allocations of a job, and all are in the only slot there is."""
    touching = evidence.held.filter(pl.col("allocations") != pl.col("gaps") + 1).select("job", "allocations", "gaps")
    odd = evidence.allocations.filter(pl.col("slot") != 0).select("job", "begin_us", "slot")
    return evidence.allocations.height, pl.concat([touching, odd], how="diagonal")


EVIDENCE = Evidence

RULES: dict[str, Rule] = {
    **common.RULES,
    "allocations are sound": common.allocations_are_sound,
    "sizes are within what a job allows": sizes_are_allowed,
    "rates follow sizes and speed-up": rates_follow_the_chosen_curve,
    "a job runs without pause until it is suspended": runs_between_suspensions,
    "work done is work asked": common.work_is_conserved,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "no job starts in a standstill": space_sharing.none_starts_in_a_standstill,
}
"""The rules by their names in certificates and the report."""

RULES_OF_TABLES = space_sharing.RULES_OF_TABLES
