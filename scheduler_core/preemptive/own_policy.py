"""Policies that users write and mark as preemptive or moldable: they also suspend running jobs, or choose the sizes of jobs."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import PREEMPTIVE
from scheduler_core.space_sharing.own_policy import Choose, OwnPolicy, is_compiled


@dataclass(frozen=True)
class PreemptivePolicy(OwnPolicy):
    """A policy of the user's own that also suspends running jobs, or chooses the sizes of jobs.

    It is a policy as :class:`~scheduler_core.space_sharing.own_policy.OwnPolicy` describes it, with one mark or both. Marked with
    :func:`~scheduler_core.space_sharing.own_view.preemptive` it may return, among the jobs to start,
    :class:`~scheduler_core.space_sharing.own_view.Suspend`:

    * A suspended job gives up its processors at once and keeps what it has done. Suspensions come before the starts of an answer.
    * ``waiting`` has suspended jobs, too, at their place in the order of submission. To start one resumes it, on any processors
      or on those that the policy names, for the rest of its run time. It may be resumed in a later call, not in the same answer.
    * Jobs also have ``remaining``, the seconds of the estimate that are left, and ``suspended``. Of a running job, ``started`` is
      when it started or was last resumed.

    Marked with :func:`~scheduler_core.space_sharing.own_view.moldable` it may start a job that the workload calls moldable or
    malleable on any of its ``sizes``. The rate of the job follows from Huang's speed-up curve (section 6.6), and is 1 on the size
    that it asked for. A moldable job keeps its size when it is resumed, a malleable one need not.

    Suspending and resuming cost nothing. A job is killed when it has done the work of its estimate, all its allocations together.
    """

    name: ClassVar[str] = PREEMPTIVE
    label: ClassVar[str] = "Own preemptive or moldable policy"
    engine: ClassVar[str] = "engine"

    def chooser_of(self, found: Any) -> Choose:
        """Return the function or method; refuse what numba compiled."""
        chosen = super().chooser_of(found)
        if is_compiled(chosen):
            raise ParameterError(
                f"{self.title}: preemptive and moldable policies run in Python; remove numba's decorator"
            )
        return chosen


def is_marked(choose: Choose, mark: str) -> bool:
    """Return whether a function, or the class of a method, is marked as ``preemptive`` or ``moldable``."""
    return getattr(getattr(choose, "__self__", choose), mark, False) is True
