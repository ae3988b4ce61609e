"""The one way in: ``simulate(workload, policy)``; and a cell of a study, all its replications simulated and checked."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import Policy, get_policy, kernel_modules, policies, policies_by_family

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Progress


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
    ContractError
        For a machine of several clusters, where the policy schedules one.
    """
    chosen = policy if isinstance(policy, Policy) else get_policy(policy, **parameters)
    if not chosen.several_clusters:
        try:
            workload.machine.require_plain(chosen.name)
        except ContractError as error:
            several = ", ".join(name for name, kind in policies().items() if kind.several_clusters)
            raise ContractError(f"{error}; policies for any clusters: {several}") from None
    schedule = chosen.simulate(workload, progress)
    schedule.run["policy"]["title"] = chosen.title
    return schedule


def run_replications(replications: list[Workload], policy: Policy, out: Path | str, name: str) -> None:
    """Simulate and check every replication of a workload under one policy, and write the run to a folder.

    Parameters
    ----------
    replications
        The replications of the workload.
    policy
        The policy.
    out
        The folder of the run.
    name
        What to call the workload.

    Raises
    ------
    IllegalScheduleError
        When the checker finds a violation; the certificate is written all the same, the schedules are not.
    """
    from scheduler_core.checker import check
    from scheduler_core.runs.folder import write_run

    schedules = [simulate(replication, policy) for replication in replications]
    certificates = [check(*pair) for pair in zip(replications, schedules, strict=True)]
    write_run(out, replications, schedules, certificates, name=name)


def compile_kernels(processes: int = 1) -> None:
    """Compile the kernels of every policy once, so that processes that follow find them in the cache.

    With several ``processes`` families are compiled side by side.
    """
    if processes == 1:
        for names in policies_by_family().values():
            compile_family(names)
        return
    # An interpreter per family. The largest starts first, so that the others are compiled beside it.
    in_turn = sorted(policies_by_family().values(), key=lambda names: len(kernel_modules(names)), reverse=True)
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(compile_apart, in_turn))


def compile_apart(names: list[str]) -> None:
    """Compile the kernels of some policies in a process of its own."""
    code = f"from scheduler_core.runs.simulation import compile_family; compile_family({names!r})"
    subprocess.run([sys.executable, "-c", code], check=True)


def compile_family(names: list[str]) -> None:
    """Compile the kernels of some policies: simulate the sample that each offers, else a plain one, to the last table."""
    import numba

    if numba.config.DISABLE_JIT:
        return
    plain = sample_workload()
    for name in names:
        policy = get_policy(name)
        _ = simulate(policy.sample() or plain, policy).allocations  # made when they are asked for


def sample_workload() -> Workload:
    """Return a dozen jobs for a machine of two processors, which wait in such numbers that every step is taken."""
    import polars as pl

    from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

    hour_us, jobs = 3_600_000_000, 12
    columns = {
        "job": list(range(1, jobs + 1)),
        "submit_us": list(range(jobs)),
        "runtime_us": [hour_us] * jobs,
        "estimate_us": [hour_us + number for number in range(jobs)],
        "size": [1, 2] * (jobs // 2),
    }
    return Workload(pl.DataFrame(columns, schema=WORKLOAD_COLUMNS), Machine(2))
