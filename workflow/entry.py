"""The Snakefile's one call into this package."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

from snakemake.exceptions import WorkflowError

from scheduler_core.common.errors import SlotwiseError
from workflow.plan import Plan

RARELY = 1_000_000
"""New objects after which Python looks for garbage: planning makes many that stay, and looking among them takes a tenth of it."""


def read_plan(config: dict[str, Any], project: Path | str, in_charge: bool = True) -> Plan:
    """Read the plan of a configuration; what is wrong in it ends Snakemake with its text alone, no traceback.

    The SQL of claims is tried on an empty store by the process in charge, not by those that it starts for jobs.

    Raises
    ------
    WorkflowError
        With the text of the :class:`StudyError` that says what is wrong where.
    """
    gc.set_threshold(RARELY)
    use_own_code(project)
    try:
        plan = Plan(config, project)
        if in_charge:
            plan.try_claims()
        return plan
    except SlotwiseError as error:
        raise WorkflowError(str(error)) from None


def use_own_code(project: Path | str) -> None:
    """Make the scripts import the packages beside the Snakefile, whatever copy is installed."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if str(project) not in others:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(project), *others])
