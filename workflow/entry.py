"""Reads the plan for the Snakefile."""

from pathlib import Path
from typing import Any

from snakemake.exceptions import WorkflowError

from scheduler_core.common.errors import SlotwiseError
from workflow.plan import Plan


def read_plan(config: dict[str, Any], project: Path | str, *, try_claims: bool) -> Plan:
    """Return the plan of a configuration; ``try_claims``: whether to try the SQL of all claims on an empty store.

    Raise :class:`WorkflowError` for the first error in a study or the configuration. Snakemake shows its text without a
    traceback.
    """
    try:
        plan = Plan(config, project)
        if try_claims:
            plan.try_claims()
        return plan
    except SlotwiseError as error:
        raise WorkflowError(str(error)) from None
