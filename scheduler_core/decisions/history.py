"""A schedule whose jobs are explained, and what the explanations of several of its jobs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from scheduler_core.declarations.policy import rebuild

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload

Made = TypeVar("Made")
P = ParamSpec("P")


class History:
    """A workload and its schedule. What explanations of several jobs share is made when one needs it, and then kept."""

    def __init__(self, workload: Workload, schedule: Schedule) -> None:
        self.workload, self.schedule = workload, schedule
        self.policy = rebuild(schedule.run["policy"])
        self.values = self.policy.values()
        self.facts: Any = self.policy.facts()
        self.kept: dict[tuple[Any, ...], Any] = {}

    def once(self, make: Callable[Concatenate[History, P], Made], *args: P.args, **kwargs: P.kwargs) -> Made:
        """Return what a function makes of this history, which it does once for the same arguments."""
        key = (make, *args, *kwargs.items())
        if key not in self.kept:
            self.kept[key] = make(self, *args, **kwargs)
        made: Made = self.kept[key]
        return made
