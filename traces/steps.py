"""The steps from a source to the jobs of a workload, by the keys that ask for them, in their order.

Studies and options of commands share them. They are apart from :mod:`traces.build`, so that a command which reads a log need not
load what checks the definitions of studies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.common.errors import naming_key
from traces.seeds import generator
from traces.shape.applications import with_applications
from traces.shape.behaviour import with_behaviour
from traces.shape.closed_hours import with_closed_hours
from traces.shape.closing import with_closing
from traces.shape.credit import with_credit
from traces.shape.estimates import with_estimates
from traces.shape.flexibility import with_flexibility
from traces.shape.load import scale_load, scale_mean_gap
from traces.shape.memory import with_memory
from traces.shape.nearest import nearest_window
from traces.shape.programs import with_programs
from traces.shape.selection import CHOICES, usable
from traces.shape.slowdowns import with_slowdowns
from traces.shape.standstills import with_standstills
from traces.shape.windows import from_first_job, weeks

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload


class Replication(NamedTuple):
    """Where the random numbers of one replication come from.

    ``jobs_id`` keys what is a property of the jobs, ``workload_id`` what differs between workloads of the same jobs.
    """

    seed: int
    workload_id: str
    jobs_id: str
    number: int

    def of_jobs(self, purpose: str) -> np.random.Generator:
        """Return the generator of a property of the jobs."""
        return generator(self.seed, self.jobs_id, self.number, purpose)

    def of_workload(self, purpose: str) -> np.random.Generator:
        """Return the generator of what differs between workloads of the same jobs."""
        return generator(self.seed, self.workload_id, self.number, purpose)


Step = Callable[["Workload", Any, Replication], "Workload"]
"""Changes a workload by the value of its key."""


def apply_steps(steps: Mapping[str, Step], workload: Workload, values: Mapping[str, Any], own: Replication) -> Workload:
    """Return a workload after the steps that have a value, in order.

    Raise :class:`StudyError` when a step fails; the text begins with its key.
    """
    for key, step in steps.items():
        if values.get(key) is not None:
            with naming_key(key):
                workload = step(workload, values[key], own)
    return workload


def load_of(load: float | tuple[float, ...], replication: int) -> float:
    """Return the load of a replication: replications take a list of loads in turn."""
    return load[replication % len(load)] if isinstance(load, tuple) else load


def chosen_by(choose: Callable[[Workload, Any], Workload]) -> Step:
    """Return the step that chooses jobs of a log."""
    return lambda jobs, value, own: choose(jobs, value)


PART_OF_LOG: dict[str, Step] = {
    "standstills_h": lambda jobs, hours, own: with_standstills(jobs, hours),
    "closed_hours": lambda jobs, asked, own: with_closed_hours(jobs) if asked else jobs,
    "close": lambda jobs, hours, own: with_closing(jobs, hours),
    **{key: chosen_by(choose) for key, choose in CHOICES.items()},
    "weeks": lambda jobs, window, own: weeks(jobs, window),
    "nearest": lambda jobs, printed, own: nearest_window(jobs, printed),
    "first": lambda jobs, count, own: jobs.first(count),
    "begin": lambda jobs, begin, own: from_first_job(jobs) if begin == "first_job" else jobs,
    "usable": lambda jobs, part, own: usable(jobs, *part),
    "queue_credit_h": lambda jobs, hours, own: with_credit(jobs, hours),
}
"""The steps that find what the site of a log does and take a part of the log, by their key, in order."""

ADDED: dict[str, Step] = {
    "behaviour": lambda jobs, model, own: with_behaviour(jobs, model, own.of_jobs("behaviour")),
    "slowdowns": lambda jobs, table, own: with_slowdowns(jobs, table, own.of_jobs("slowdowns")),
    "applications": lambda jobs, mix, own: with_applications(jobs, mix, own.of_jobs("applications")),
    "programs": lambda jobs, programs, own: with_programs(jobs, programs),
    "load": lambda jobs, load, own: scale_load(jobs, load_of(load, own.number)),
    "mean_gap_s": lambda jobs, gap_s, own: scale_mean_gap(jobs, gap_s),
    "estimates": lambda jobs, model, own: with_estimates(jobs, model, own.of_workload("estimates")),
    "flexibility": lambda jobs, model, own: with_flexibility(jobs, model, own.of_jobs("flexibility")),
    "memory": lambda jobs, model, own: with_memory(jobs, model),
    "workflows": lambda jobs, workflows, own: workflows.add(jobs, own.of_jobs),
}
"""The steps that change jobs on their machine, by their key, in order."""
