"""A run made from a workload's file, as tests want one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scheduler_core.contracts import read_replications
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import run_replications


def run_cell(workload: Path | str, policy: str, parameters: Mapping[str, Any], out: Path | str) -> None:
    """Simulate and check every replication of a workload's file under one policy, and write the run to a folder."""
    run_replications(read_replications(workload), get_policy(policy, **parameters), out, Path(workload).stem)
