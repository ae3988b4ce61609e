"""The part of a log that is most similar to the jobs of a publication."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

CLASSES = ("short", "medium", "long")
"""Run-time classes of the characteristics: ``pect`` of :data:`traces.shape.classes.LIMITS`."""


def _share(meaning: str) -> Any:
    """Declare a share in per cent."""
    return parameter(0.0, meaning, unit="%", minimum=0, maximum=100)


def _size(kind: str) -> Any:
    """Declare a mean size."""
    return parameter(0.0, f"mean size of {kind} jobs", unit="processors", minimum=0)


@dataclass(frozen=True)
class Characteristics(Parameters):
    """The characteristics of a workload in a publication: share of jobs, share of work and mean size by run-time class.

    Jobs are short below 600 s, medium below 3 h, else long. ``jobs`` is the length of the windows to compare, ``stride`` the
    number of jobs from the start of one window to the start of the next.
    """

    name: ClassVar[str] = "nearest"

    jobs: int = parameter(10_000, "jobs in a window", unit="jobs", minimum=1)
    stride: int = parameter(5000, "jobs from the start of a window to the start of the next", unit="jobs", minimum=1)
    jobs_short: float = _share("share of short jobs")
    jobs_medium: float = _share("share of medium jobs")
    jobs_long: float = _share("share of long jobs")
    work_short: float = _share("share of short jobs in the work")
    work_medium: float = _share("share of medium jobs in the work")
    work_long: float = _share("share of long jobs in the work")
    size_short: float = _size("short")
    size_medium: float = _size("medium")
    size_long: float = _size("long")

    def validate(self) -> None:
        """Raise :class:`ParameterError` unless shares add up to about 100 %; printed shares are rounded."""
        for kind in ("jobs", "work"):
            total = sum(getattr(self, f"{kind}_{name}") for name in CLASSES)
            if abs(total - 100) > 2:
                raise ParameterError(
                    f"nearest: {kind}_short, {kind}_medium and {kind}_long must add up to about 100 %; found {total:g}"
                )


def nearest_window(workload: Workload, wanted: Characteristics) -> Workload:
    """Return the window of consecutive jobs whose characteristics are nearest to those wanted.

    The distance is the sum of the nine absolute differences: shares in percent, mean sizes in processors (0 for a class without
    jobs). Whole windows begin at the first job and every ``stride`` jobs from there; ties go to the first. The recorded step
    has the position of the window, its distance, that of the first window, and the number of windows. Raise
    :class:`ParameterError` when the workload has fewer jobs than a window.
    """
    import numpy as np

    count = len(workload)
    if count < wanted.jobs:
        raise ParameterError(f"nearest: a window has {wanted.jobs} jobs, but there are {count}; take a smaller window")
    begins = np.arange(0, count - wanted.jobs + 1, wanted.stride)
    printed = np.array([getattr(wanted, f"{kind}_{name}") for kind in ("jobs", "work", "size") for name in CLASSES])
    distances = np.abs(window_table(workload, begins, wanted.jobs) - printed).sum(axis=1)
    best = int(np.argmin(distances))
    step = {
        "step": "nearest",
        **wanted.values(),
        "skipped": int(begins[best]),
        "distance": float(distances[best]),
        "distance_of_first": float(distances[0]),
        "compared": len(begins),
    }
    return workload.transformed(workload.jobs.slice(int(begins[best]), wanted.jobs), step)


def window_table(workload: Workload, begins: np.ndarray, jobs: int) -> np.ndarray:
    """Return a row per window of ``jobs`` jobs: shares of the jobs (%), of the work (%) and mean sizes, each by class."""
    import numpy as np

    from traces.shape.classes import run_time_class

    classes = workload.jobs.select(run_time_class("pect")).to_series().to_physical()
    member = np.equal.outer(np.arange(len(CLASSES)), classes.to_numpy())
    size = workload.column("size").astype(np.float64)
    work = size * workload.column("runtime_us")

    def sums(values: np.ndarray) -> np.ndarray:
        """Return the sum of a value over each class in each window."""
        running = np.concatenate([np.zeros((len(CLASSES), 1)), np.cumsum(member * values, axis=1)], axis=1)
        return (running[:, begins + jobs] - running[:, begins]).T

    found, worked, held = sums(np.ones_like(size)), sums(work), sums(size)
    return np.concatenate(
        [100 * found / jobs, 100 * worked / worked.sum(axis=1, keepdims=True), held / np.maximum(found, 1)], axis=1
    )
