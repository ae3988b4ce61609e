"""Reads the plan for the Snakefile."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from snakemake.exceptions import WorkflowError

from scheduler_core.common.errors import SlotwiseError
from workflow.at_work import hold
from workflow.plan import ROOTS, Plan


def read_plan(config: dict[str, Any], project: Path | str, *, main: bool, targets: Collection[str] = ()) -> Plan:
    """Return the plan of a configuration.

    The ``main`` process starts jobs. It expands the scales of its ``targets``, tries the SQL of all claims on an empty store, and
    holds the folder of results. Raise :class:`WorkflowError` for the first error in a study or the configuration, or when another
    run is at work. Snakemake shows its text without a traceback.
    """
    try:
        plan = Plan(config, project)
        if main:
            for root in [folder for scale, folder in ROOTS.items() if scale in targets] or [ROOTS["small"]]:
                plan.scales[root]  # an error in it is one sentence here, and a traceback in a rule
            plan.try_claims()
            hold("results")  # last: an error in a study leaves no folder
        return plan
    except SlotwiseError as error:
        raise WorkflowError(str(error)) from None
