"""The one way in: ``simulate(workload, policy)``; and runs as folders of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.policy import Policy, get_policy

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.policy import Progress


def simulate(
    workload: Workload, policy: Policy | str, *, progress: Progress | None = None, **parameters: Any
) -> Schedule:
    """Run a workload under a policy.

    Parameters
    ----------
    workload
        The jobs and their machine; :func:`traces.read_log` and :func:`traces.generate` make one.
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
