"""Flexibility of jobs whose log does not record it, and the bounds of their sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

FLEXIBILITIES = ("moldable", "malleable", "rigid")
"""Flexibilities, in the order of shares in this module."""


def size_bounds(processors: int) -> list[pl.Expr]:
    """Return the columns ``size_min`` and ``size_max`` of jobs whose ``size`` is their optimum n.

    A moldable or malleable job runs on max(1, n // 2) to min(processors, 2 n) processors (Huang 2004, section 6.8). If the
    machine is so small that the job would not run faster on the larger number, its maximum is n: the speed-up is 0.65 n on n
    processors and half the maximum on the maximum (section 6.6). A rigid job has one size.
    """
    import polars as pl

    n = pl.col("size").cast(pl.Int64)
    least = pl.max_horizontal(n // 2, pl.lit(1))
    most = pl.min_horizontal(2 * n, pl.lit(processors))
    most = pl.when(50 * most > 65 * n).then(most).otherwise(n)
    rigid = pl.col("flexibility") == "rigid"
    return [
        pl.when(rigid).then(n).otherwise(least).cast(pl.Int32).alias("size_min"),
        pl.when(rigid).then(n).otherwise(most).cast(pl.Int32).alias("size_max"),
    ]


@dataclass(frozen=True)
class HuangFlexibility(Parameters):
    """Classes by run time, and flexibility such that about 60 % of all jobs are moldable, 30 % malleable, 10 % rigid.

    **Classes** are those of Huang's workload 2: short up to 3 min, medium up to 1 h, else long.

    **Flexibility.** Let s, m and l be the shares of short, medium and long jobs. The source allows no malleable short job
    and no moldable long one (section 6.7). In this order:

    1. short jobs are moldable;
    2. the rigid share, 0.10 of all jobs but at most half of medium and long, is taken from medium and long in proportion;
    3. the other long jobs are malleable;
    4. of the other medium jobs a share ``0.60 - s`` of all jobs is moldable, at least none and at most all of them; the rest
       is malleable.

    With 30, 35 and 35 % short, medium and long jobs this is the mix of workload 2. Totals differ from 60, 30 and 10 only if
    the classes leave no choice: more than 60 % short, too few medium, or fewer than 20 % medium and long. The numbers within
    a class are exact (largest remainders), and the flexibility of each job is drawn.

    **Sizes.** The job's size is its optimum; its bounds are those of :func:`size_bounds`.

    The rule is ours. The shares, the limits and the restrictions are the source's, which uses no real log.
    """

    name: ClassVar[str] = "huang"
    label: ClassVar[str] = "flexibility by class"
    source: ClassVar[str] = (
        "after Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, section 6.7 and "
        "Table 7-2"
    )

    moldable: float = parameter(0.6, "share of moldable jobs aimed at", minimum=0, maximum=1)
    rigid: float = parameter(0.1, "share of rigid jobs aimed at", minimum=0, maximum=1)

    def validate(self) -> None:
        """Raise :class:`ParameterError` for shares beyond 1."""
        if self.moldable + self.rigid > 1:
            raise ParameterError(
                "huang: moldable and rigid are shares of all jobs, malleable jobs are the rest; "
                f"found {self.moldable:g} + {self.rigid:g} > 1"
            )

    def classes(self) -> pl.Expr:
        """Return the column ``class`` by run time."""
        from traces.shape.classes import run_time_class

        return run_time_class("scojo")

    def shares(self, class_shares: dict[str, float]) -> dict[str, tuple[float, float, float]]:
        """Return for each class the share of each of :data:`FLEXIBILITIES`; the shares of a class add up to 1."""
        medium, longer = class_shares["medium"], class_shares["medium"] + class_shares["long"]
        rigid = min(self.rigid / longer, 0.5) if longer else 0.0
        wanted = max(0.0, self.moldable - class_shares["short"])
        moldable = min(wanted / medium, 1 - rigid) if medium else 0.0
        return {
            "short": (1.0, 0.0, 0.0),
            "medium": (moldable, 1 - rigid - moldable, rigid),
            "long": (0.0, 1 - rigid, rigid),
        }


def with_flexibility(workload: Workload, model: HuangFlexibility, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the columns ``class``, ``flexibility``, ``size_min`` and ``size_max``.

    Raise :class:`ParameterError` when the workload already states the flexibility of its jobs.
    """
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Flexibility, JobClass
    from traces.shape.apportion import apportion

    if "flexibility" in workload.jobs.columns:
        raise ParameterError("the workload already states the flexibility of its jobs; leave 'flexibility' out")
    jobs = workload.jobs.with_columns(model.classes())
    number = jobs["class"].to_physical().to_numpy()
    names = JobClass.categories.to_list()
    counts = dict(zip(names, np.bincount(number, minlength=len(names)).tolist(), strict=True))
    shares = model.shares({name: count / len(jobs) for name, count in counts.items()})
    dealt = np.empty(len(jobs), np.int64)
    for place, name in enumerate(names):
        labels = np.repeat(np.arange(len(FLEXIBILITIES)), apportion(shares[name], counts[name]))
        dealt[number == place] = generator.permutation(labels)
    flexibility = pl.Series("flexibility", FLEXIBILITIES, dtype=Flexibility).gather(dealt)
    table = jobs.with_columns(flexibility).with_columns(size_bounds(workload.machine.processors))
    step = {
        "step": "flexibility",
        "model": model.name,
        "source": model.source,
        "parameters": model.values(),
        "classes": counts,
        "flexibilities": dict(zip(FLEXIBILITIES, np.bincount(dealt, minlength=3).tolist(), strict=True)),
    }
    return workload.transformed(table, step)
