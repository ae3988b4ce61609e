"""Policies that users write and mark as preemptive or moldable: they also suspend running jobs, or choose the sizes of jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.speed_up import AMDAHL, DOWNEY, HUANG, LAWS, amdahl, downey, rate_on
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import PREEMPTIVE
from scheduler_core.space_sharing.own_policy import Choose, OwnPolicy, is_compiled

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


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
    malleable on any of its ``sizes``. The rate of the job follows from a published curve, and is 1 on the size that it asked for.
    A moldable job keeps its size when it is resumed, a malleable one need not. The parameter ``speed_up`` chooses the curve:

    * ``huang``: an efficiency of 0.80 on the fewest processors, 0.65 on the size asked for and 0.50 on the most; linear in
      between (Huang 2004, section 6.6).
    * ``amdahl``: the share ``serial`` of each job is sequential (Amdahl 1967).
    * ``downey``: the average parallelism of a job is ``parallelism`` times the size it asks for, with a ``variance`` σ
      (Downey 1997).

    Suspending and resuming cost nothing. A job is killed when it has done the work of its estimate, all its allocations together.
    """

    name: ClassVar[str] = PREEMPTIVE
    label: ClassVar[str] = "Own preemptive or moldable policy"
    engine: ClassVar[str] = "engine"

    speed_up: str = parameter(HUANG, "the speed-up curve of jobs that run on several sizes", choices=LAWS)
    serial: float = parameter(0.05, "under `amdahl`, the sequential share of each job", minimum=0, maximum=1)
    parallelism: float = parameter(
        1.0, "under `downey`, the average parallelism of each job over the size it asks for", minimum=0.01
    )
    variance: float = parameter(1.0, "under `downey`, his σ, the variance of the parallelism", minimum=0)

    def validate(self) -> None:
        """Raise :class:`ParameterError` for a parameter of a curve that was not chosen."""
        for name, law in CURVE_OF.items():
            if law != self.speed_up and getattr(self, name) != getattr(PreemptivePolicy, name):
                raise ParameterError(
                    f"{self.title}: {name} is for speed_up={law}; found speed_up={self.speed_up}. Choose that curve, or leave "
                    f"{name} out"
                )

    def rate_of(self, fewest: int, best: int, most: int) -> Callable[[int], float]:
        """Return a job's rate on a number of processors, in multiples of that on its best size."""
        if self.speed_up == HUANG:
            return partial(rate_on, fewest=fewest, best=best, most=most)
        if self.speed_up == AMDAHL:
            speed = partial(amdahl, serial=self.serial)
        else:
            speed = partial(downey, parallelism=max(1.0, self.parallelism * best), variance=self.variance)
        at_best = speed(best)
        return lambda processors: speed(processors) / at_best

    def notes(self, workload: Workload) -> tuple[str, ...]:
        """Say that a policy that chooses sizes has none to choose from, where no job has several."""
        if not is_marked(self.choose(), "moldable") or "flexibility" in workload.jobs.columns or not len(workload):
            return ()
        return (
            f"{self.title} chooses sizes, but every job of the workload is rigid and keeps the size it asked for; "
            "`--flexibility huang` (`flexibility: huang` in a study) makes most jobs moldable or malleable",
        )

    def chooser_of(self, found: Any) -> Choose:
        """Return the function or method; refuse what numba compiled, and a curve for a policy that chooses no sizes."""
        chosen = super().chooser_of(found)
        if self.speed_up != HUANG and not is_marked(chosen, "moldable"):
            raise ParameterError(
                f"{self.title}: speed_up is for policies that choose the sizes of jobs; write @slotwise.moldable above it, or "
                "leave speed_up out"
            )
        if is_compiled(chosen):
            raise ParameterError(
                f"{self.title}: preemptive and moldable policies run in Python; remove numba's decorator"
            )
        return chosen


CURVE_OF = {"serial": AMDAHL, "parallelism": DOWNEY, "variance": DOWNEY}
"""The curve that each parameter of a curve belongs to."""


def is_marked(choose: Choose, mark: str) -> bool:
    """Return whether a function, or the class of a method, is marked as ``preemptive`` or ``moldable``."""
    return getattr(getattr(choose, "__self__", choose), mark, False) is True
