"""Policies that users write and mark as preemptive: they also suspend running jobs."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import PREEMPTIVE
from scheduler_core.space_sharing.own_policy import Choose, OwnPolicy, is_compiled


@dataclass(frozen=True)
class PreemptivePolicy(OwnPolicy):
    """A policy of the user's own that also suspends running jobs.

    It is a policy as :class:`~scheduler_core.space_sharing.own_policy.OwnPolicy` describes it, marked with
    :func:`~scheduler_core.space_sharing.own_view.preemptive`. Among the jobs to start it may return
    :class:`~scheduler_core.space_sharing.own_view.Suspend`:

    * A suspended job gives up its processors at once and keeps what it has done. Suspensions come before the starts of an answer.
    * ``waiting`` has suspended jobs, too, at their place in the order of submission. To start one resumes it, on any processors
      or on those that the policy names, for the rest of its run time. It may be resumed in a later call, not in the same answer.
    * Jobs also have ``remaining``, the seconds of the estimate that are left, and ``suspended``. Of a running job, ``started`` is
      when it started or was last resumed.

    Suspending and resuming cost nothing. A job is killed when it has run for its estimate, all its allocations together.
    """

    name: ClassVar[str] = PREEMPTIVE
    label: ClassVar[str] = "Own preemptive policy"
    engine: ClassVar[str] = "engine"

    def chooser_of(self, found: Any) -> Choose:
        """Return the function or method; refuse what numba compiled."""
        chosen = super().chooser_of(found)
        if is_compiled(chosen):
            raise ParameterError(f"{self.title}: preemptive policies run in Python; remove numba's decorator")
        return chosen
