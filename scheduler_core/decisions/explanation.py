"""Why a job started when it did: from its schedule, and by running the policy again on changed jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from scheduler_core.decisions.history import History
from scheduler_core.decisions.waits import row_of
from scheduler_core.declarations.families import part_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.decisions.explained import Explanation


def explain(workload: Workload, schedule: Schedule, number: int, *, alternatives: bool = True) -> Explanation:
    """Return why a job of a schedule started when it did.

    Raise :class:`ContractError` when the schedule has no such job, the job never started, or its family has no explanations.

    Parameters
    ----------
    workload
        The jobs that were scheduled, for ``alternatives``, with the companion tables that the policy reads.
    number
        The number of the job.
    alternatives
        Whether to run the policy again on changed jobs: the job narrower, its estimate exact, all estimates exact.
    """
    return explained(History(workload, schedule), number, alternatives=alternatives)


def explained(history: History, number: int, *, alternatives: bool = False) -> Explanation:
    """Return what :func:`explain` does; the explanations of further jobs of one history take less time than the first."""
    family = history.schedule.family
    part = part_of("scheduler_core.decisions", family.name, "explanation")
    if part is None:
        raise ContractError(f"there are no explanations of {family.label.lower()}")
    found: Explanation = part.explanation_of(history, row_of(history.schedule, number), alternatives=alternatives)
    return found
