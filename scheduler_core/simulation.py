"""The one way in: ``simulate(workload, policy)``; and a cell of a study, all its replications simulated and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.policy import Policy, get_policy, policies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.policy import Progress


def simulate(
    workload: Workload, policy: Policy | str, *, progress: Progress | None = None, **parameters: Any
) -> Schedule:
    """Run a workload under a policy.

    Parameters
    ----------
    workload
        The jobs and their machine; :func:`traces.read_log` makes one of a log, a model of :mod:`traces.models` draws one.
    policy
        A policy, its name with ``parameters``, or a call as studies write it: ``'easy(backfill_order="shortest")'``.
    progress
        Called now and then with the jobs submitted so far and the jobs in all.

    Raises
    ------
    ParameterError
        For an unknown policy or parameter, or a value out of its range.
    """
    chosen = policy if isinstance(policy, Policy) else get_policy(policy, **parameters)
    return chosen.simulate(workload, progress)


def run_cell(workload: Path | str, policy: str, parameters: Mapping[str, Any], out: Path | str) -> None:
    """Simulate and check every replication of a workload under one policy, and write the run to the folder ``out``.

    Raises
    ------
    IllegalScheduleError
        When the checker finds a violation; the certificate is written all the same, the schedules are not.
    """
    from scheduler_core.checker import check
    from scheduler_core.contracts import read_replications
    from scheduler_core.runs import write_run

    chosen = get_policy(policy, **parameters)
    replications = read_replications(workload)
    schedules = [simulate(replication, chosen) for replication in replications]
    certificates = [check(*pair) for pair in zip(replications, schedules, strict=True)]
    write_run(out, replications, schedules, certificates, name=Path(workload).stem)


def compile_kernels() -> None:
    """Compile the kernels of every policy once, so that processes that follow find them in the cache."""
    import polars as pl

    from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

    columns = {
        "job": [1, 2, 3],
        "submit_us": [0, 1, 2],
        "runtime_us": [9, 5, 5],
        "estimate_us": [9, 9, 9],
        "size": [2, 2, 1],
    }
    workload = Workload(pl.DataFrame(columns, schema=WORKLOAD_COLUMNS), Machine(2))
    for policy in policies().values():
        simulate(workload, policy())
