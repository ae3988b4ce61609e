"""Models of the run-time estimates that users give the scheduler.

An estimate model is a frozen dataclass of parameters. No estimate is below its run time, so no job is killed at its estimate.
Nothing heavy is imported before estimates are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import HOUR_US, MICROSECONDS
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload


@dataclass(frozen=True)
class EstimateModel(Parameters):
    """A model that gives every job an estimate: its name, its label in figures, and its publication."""

    name: ClassVar[str]
    label: ClassVar[str]
    source: ClassVar[str]

    def estimates(self, runtime_us: np.ndarray, generator: np.random.Generator) -> tuple[np.ndarray, dict[str, Any]]:
        """Return an estimate for each run time (int64 microseconds, none below the run time), and notes for the provenance."""
        raise NotImplementedError


@dataclass(frozen=True)
class Exact(EstimateModel):
    """Every estimate is the run time itself."""

    name: ClassVar[str] = "exact"
    label: ClassVar[str] = "exact estimates"
    source: ClassVar[str] = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 4: perfect information"

    def estimates(self, runtime_us: np.ndarray, generator: np.random.Generator) -> tuple[np.ndarray, dict[str, Any]]:
        """Return the run times."""
        return runtime_us.copy(), {}


@dataclass(frozen=True)
class FModel(EstimateModel):
    """Estimates that exceed the run time r by a factor of up to f + 1.

    ``uniform``: the estimate is uniform in [r, (f + 1) r]. ``multiple``: every estimate is (f + 1) r. Rounded to
    microseconds. Users do not estimate like this: the model reveals to the scheduler how long jobs run relative to each
    other (Tsafrir, Using inaccurate estimates accurately, JSSPP 2010).
    """

    name: ClassVar[str] = "f_model"
    label: ClassVar[str] = "f-model"
    source: ClassVar[str] = (
        "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 4; Tsafrir and Feitelson, The dynamics of backfilling: "
        "solving the mystery of why increased inaccuracy may help, IISWC 2006"
    )

    f: float = parameter(3.0, "badness factor: the estimate is at most f + 1 run times", minimum=0, maximum=1e6)
    kind: str = parameter("uniform", "uniform up to f + 1 run times, or always that", choices=("uniform", "multiple"))

    def estimates(self, runtime_us: np.ndarray, generator: np.random.Generator) -> tuple[np.ndarray, dict[str, Any]]:
        """Return uniform draws, or multiples."""
        import numpy as np

        part = generator.random(len(runtime_us)) if self.kind == "uniform" else 1.0
        beyond = np.rint(runtime_us * (self.f * part))
        return runtime_us + beyond.astype(np.int64), {}


@dataclass(frozen=True)
class Tsafrir(EstimateModel):
    """Modal estimates as users give them: 89 % of the jobs use 20 round values, most of all the maximum.

    1. The longest allowed estimate is ``maximum_s``; by default it is the most popular value.
    2. The 20 most popular estimates (the *head*) are the maximum, the 15 values that are popular everywhere (5, 10,
       15, 20 and 30 minutes; 1, 2, 3, 4, 5, 6, 8, 10, 12 and 18 hours), and multiples of 200, 100, 50, 10, 5, 2 and 1
       hours and of 20, 10 and 5 minutes, in this order, from the maximum downwards, until there are 20.
    3. The x-th most popular value has ``14.0491 exp(-0.177531 x) + 0.462513`` % of the jobs (x from 2 to 20), and the first
       has the rest of 89 %. With ``maximum_share`` the maximum gets that share, and the other 19 share the rest of 89 % in
       the same proportions.
    4. The popularity of each value is drawn. Values in ascending order take a popularity rank that one of four logs (SDSC
       SP2, CTC, KTH, SDSC Blue Horizon) gives to a value at the same or an earlier position. Ranks that no log gives to a
       later value go first, the most popular one before the others. Without such a rank, two are drawn and the more
       popular one is taken.
    5. The remaining values (the *tail*) share 11 %; the value of popularity x (from 21) gets a part proportional to
       ``x ** -2.267``. The number of distinct values follows from the number of jobs, as in the logs (linear between 0 jobs:
       0, 20: 10, 200: 20, 1,000: 35, 10,000: 90, 70,000: 340, 250,000 and more: 565 values). Tail value i of K lies at
       ``(a - 1) y / (a - y)`` of the maximum, where ``y = i / K`` and ``a = 1 + 12.1039 n ** -0.6026`` for n distinct
       values. It is rounded to minutes, and moved by up to 30 s if another value has that minute. Popularities in the
       tail are random.
    6. Shares become numbers of jobs by largest remainders. Jobs take estimates from the longest job to the shortest: each
       takes a random one of the remaining estimates that are not below its run time.

    A job without a remaining estimate that is long enough gets the smallest value of the distribution that is. The
    provenance records how many did.
    """

    name: ClassVar[str] = "tsafrir"
    label: ClassVar[str] = "modal estimates"
    source: ClassVar[str] = (
        "Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005, LNCS 3834, 1-35; constants as in the "
        "authors' public program"
    )

    maximum_s: int | str = parameter(
        "longest",
        "longest estimate allowed, whole seconds; 'longest' is the longest run time, rounded up to whole hours",
        unit="s",
        choices=("longest",),
        minimum=3600,
    )
    maximum_share: float | str = parameter(
        "model", "share of the jobs whose estimate is the maximum", choices=("model",), minimum=0, maximum=0.88
    )

    def maximum_us(self, longest_us: int) -> int:
        """Return the longest allowed estimate in microseconds, for jobs that run up to ``longest_us``.

        Raise :class:`ParameterError` when a job runs longer than allowed.
        """
        if isinstance(self.maximum_s, str):
            return -(-longest_us // HOUR_US) * HOUR_US
        maximum = self.maximum_s * MICROSECONDS
        if longest_us > maximum:
            raise ParameterError(
                f"tsafrir: maximum_s must not be below the longest run time, {longest_us / MICROSECONDS:g} s; "
                f"found {self.maximum_s}. Raise it, or write maximum_s: longest"
            )
        return maximum

    def estimates(self, runtime_us: np.ndarray, generator: np.random.Generator) -> tuple[np.ndarray, dict[str, Any]]:
        """Return estimates dealt out from a drawn distribution."""
        import numpy as np

        from traces.shape.modal_estimates import deal_out, modal_distribution

        maximum = self.maximum_us(int(runtime_us.max()))
        share = None if isinstance(self.maximum_share, str) else self.maximum_share
        values, counts = modal_distribution(len(runtime_us), maximum // MICROSECONDS, share, generator)
        estimate, raised = deal_out(values * MICROSECONDS, counts, runtime_us, generator)
        return estimate, {"maximum_us": maximum, "values": len(np.unique(estimate)), "raised": raised}


MODELS: dict[str, type[EstimateModel]] = {kind.name: kind for kind in (Exact, FModel, Tsafrir)}
"""Estimate models by name."""


def with_estimates(workload: Workload, model: EstimateModel, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the estimates of ``model``."""
    import polars as pl

    estimate, recorded = model.estimates(workload.column("runtime_us"), generator)
    jobs = workload.jobs.with_columns(pl.Series("estimate_us", estimate))
    step = {"step": "estimates", "model": model.name, "parameters": model.values(), **recorded}
    return workload.transformed(jobs, step)
