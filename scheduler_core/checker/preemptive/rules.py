"""The rules of preemptive space sharing: a job holds its processors for itself, and may be suspended and resumed."""

import polars as pl

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Evidence, Rule
from scheduler_core.checker.space_sharing import rules as space_sharing


def runs_between_suspensions(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Allocations are at rate 1 in the only slot there is. A gap lies between two allocations of a job."""
    touching = evidence.held.filter(pl.col("allocations") != pl.col("gaps") + 1).select("job", "allocations", "gaps")
    odd = space_sharing.odd_allocations(evidence)
    return evidence.allocations.height, pl.concat([touching, odd], how="diagonal")


EVIDENCE = Evidence

RULES: dict[str, Rule] = {
    **common.RIGID_RULES,
    "a job runs at full speed until it is suspended": runs_between_suspensions,
    "work done is work asked": common.work_is_conserved,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "no job starts in a standstill": space_sharing.none_starts_in_a_standstill,
}
"""The rules by their names in certificates and the report."""

RULES_OF_TABLES = space_sharing.RULES_OF_TABLES
