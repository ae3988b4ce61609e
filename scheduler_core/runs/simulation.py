"""Simulation: ``simulate(workload, policy)`` for one workload, and the checked replications of a cell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.declarations.policy import (
    Policy,
    families_within,
    get_policy,
    kernel_modules,
    own_policy,
    policies,
    policies_by_family,
)

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Progress


def simulate(
    workload: Workload,
    policy: Policy | str | Callable[..., Any],
    *,
    progress: Progress | None = None,
    **parameters: Any,
) -> Schedule:
    """Return the schedule of a workload under a policy.

    Raise :class:`ParameterError` for an unknown policy or parameter, or a value outside its range, and :class:`ContractError`
    for a machine of several clusters under a policy that schedules one.

    Parameters
    ----------
    workload
        The jobs and their machine: read from a log (:func:`traces.read_log`) or drawn from a model (:mod:`traces.models`).
    policy
        A policy; its name, with ``parameters``; a call as studies write it: ``'easy(backfill_order="shortest")'``; or a policy of
        your own: a function or class (:class:`~scheduler_core.space_sharing.own_policy.OwnPolicy`), or ``'my_policy.py:name'``.
    progress
        Called from time to time with the number of jobs submitted so far and the number of all jobs.
    """
    from scheduler_core.contracts.workload import require_workload

    require_workload(workload)
    chosen = policy_of(policy, parameters)
    if not chosen.several_clusters:
        try:
            workload.machine.require_plain(chosen.name)
        except ContractError as error:
            several = ", ".join(name for name, kind in policies().items() if kind.several_clusters)
            raise ContractError(f"{error}; policies for any clusters: {several}") from None
    schedule = chosen.simulate(workload, progress)
    schedule.run["policy"]["title"] = chosen.title
    return schedule


def policy_of(given: Policy | str | Callable[..., Any], parameters: dict[str, Any]) -> Policy:
    """Return the policy that a caller of :func:`simulate` means."""
    if isinstance(given, Policy):
        if parameters:
            raise ParameterError(
                f"{given.title} is a policy with parameters already; found {', '.join(parameters)}. Give its name instead"
            )
        return given
    if isinstance(given, str):
        return get_policy(given, **parameters)
    return own_policy(given, **parameters)


def run_replications(replications: list[Workload], policy: Policy, out: Path | str, name: str) -> None:
    """Simulate and check every replication of a workload, called ``name`` in the run's note, and write the run to a folder.

    Raise :class:`IllegalScheduleError` when the checker finds a violation. The folder then has the certificate, but no schedule.
    """
    from scheduler_core.checker import check
    from scheduler_core.runs.folder import write_run

    schedules = [simulate(replication, policy) for replication in replications]
    certificates = [check(*pair) for pair in zip(replications, schedules, strict=True)]
    write_run(out, replications, schedules, certificates, name=name)


def compile_kernels(processes: int = 1) -> None:
    """Compile the kernels of every policy into the cache for later processes.

    Several ``processes`` compile as many families at a time. Families within others come first, then the largest.
    """
    from scheduler_core.kernel.jit import remove_unused

    remove_unused()
    families = policies_by_family()
    within = {family: families_within(family) for family in families}
    awaited = {other for others in within.values() for other in others}
    order = sorted(families, key=lambda family: (family not in awaited, -len(kernel_modules(families[family]))))
    turns, compiling = TopologicalSorter(within), dict[Future[None], str]()
    turns.prepare()
    with ThreadPoolExecutor(processes) as pool:
        while turns.is_active():
            for family in sorted(turns.get_ready(), key=order.index):
                compiling[pool.submit(compile_apart, families[family])] = family
            for compiled in wait(compiling, return_when=FIRST_COMPLETED).done:
                compiled.result()
                turns.done(compiling.pop(compiled))


def compile_apart(names: list[str]) -> None:
    """Compile the kernels of some policies in a new process."""
    code = (
        "from scheduler_core.common.garbage import collect_rarely; collect_rarely(); "
        f"from scheduler_core.runs.simulation import compile_family; compile_family({names!r})"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def compile_family(names: list[str]) -> None:
    """Compile the kernels of some policies and of their checker: simulate and check each one's sample, or a plain one."""
    import numba

    from scheduler_core.checker import check

    if numba.config.DISABLE_JIT:
        return
    plain = sample_workload()
    for policy in (policy for name in names for policy in get_policy(name).compiled_as()):
        workload = policy.sample() or plain
        check(workload, simulate(workload, policy))


def sample_workload() -> Workload:
    """Return a dozen jobs for two processors. They queue up, so an engine takes every step."""
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
