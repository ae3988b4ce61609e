"""The model of Jann et al.: rigid jobs in ranges of size, with hyper-Erlang gaps and run times."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs, jobs_table
from traces.models.hyper_erlang import HyperErlang
from traces.models.jann_fit import RANGES, LogFit, RangeFit, fit_log, shipped_fit

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload
    from traces.shape.dates import Dates

STREAMS = 5
"""Random streams of a range: branch and length of gaps, branch and length of run times, sizes."""


@dataclass(frozen=True)
class Jann(Model):
    """Rigid jobs: each range of size has its own renewal stream of arrivals and its own distribution of run times.

    **Ranges**: 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32, 33 to 64, 65 to 128, 129 to 256, 257 to 322 processors. Ranges that
    exceed the machine are not drawn, and the others do not change: 8 ranges on 128 processors, 5 on 16, 4 on 8.

    **Gaps and run times** have hyper-Erlang distributions of common order: with probability p the sum of n exponential
    variables of rate lambda1, else of rate lambda2, with n, p, lambda1 and lambda2 for each range and each of the two.

    **Fit.** We do not have the publication's table of parameters for the IBM SP2 of the Cornell Theory Center. Instead, the
    model is fitted to a log when jobs are drawn (``fit`` in a study: a log, or days of it; the publication uses 25 June to 12
    September 1996 of CTC-SP2). The fit matches the first three moments of the gaps between submissions, and of the run times,
    of each range (:func:`traces.models.hyper_erlang.fit_hyper_erlang`). So it follows the method of the publication, not its
    numbers. The provenance has the log, the moments and the fitted parameters. A range with fewer than two jobs in the log, or
    with all of them submitted at once, is not drawn. Fits to these days of CTC-SP2 and to SDSC-SP2 ship with slotwise
    (:mod:`traces.models.jann_fit`), so nobody needs these logs to draw from them.

    **Jobs.** The streams are merged and end with the last job requested; the first arrival moves to 0. Sizes are uniform over
    the whole numbers of the range, or with ``sizes="largest"`` always the largest; da Silva does not say which. Times are
    rounded to microseconds, and run times are at least one. The model has no daily cycle. Estimates equal the run times. Gaps
    are the log's, so the log of a larger machine overloads a smaller one; ``load`` in a study sets the offered load.
    """

    name: ClassVar[str] = "jann"
    label: ClassVar[str] = "Jann and others"
    source: ClassVar[str] = (
        "Jann, Pattnaik, Franke, Wang, Skovira and Riordan, Modeling of workload in MPPs, JSSPP 1997, LNCS 1291, 95-116, as "
        "described by da Silva, doctoral thesis, Universite Paris VI, 2000, section 5.3.3"
    )
    needs_log: ClassVar[bool] = True

    processors: int = parameter(128, "processors of the machine", minimum=1, maximum=2**30)
    sizes: str = parameter(
        "uniform", "size within a range: any of its whole numbers, or its largest", choices=("uniform", "largest")
    )

    def fitted_to(self, log: Workload) -> FittedJann:
        """Return the model with every range that fits the machine fitted to the jobs of a log.

        Raise :class:`ParameterError` when no range of the machine has enough jobs in the log.
        """
        return self.with_fit(fit_log(log))

    def shipped_fit(self, log: str, dates: Dates | None) -> FittedJann | None:
        """Return the model with the fit that ships for a log of the catalogue, or for days of it; None if there is none."""
        fit = shipped_fit(log, dates)
        return None if fit is None else self.with_fit(fit)

    def with_fit(self, fit: LogFit) -> FittedJann:
        """Return the model with the ranges of a fit that fit the machine; raise :class:`ParameterError` when none does."""
        ranges = tuple(found for found in fit.ranges if found.largest <= self.processors)
        if not ranges:
            raise ParameterError(
                f"jann: the log {fit.log.get('source', '')} has no two jobs of one range of sizes up to "
                f"{self.processors} processors; fit to another log or take a larger machine"
            )
        return FittedJann(self, ranges, fit.log)

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Raise :class:`ParameterError`: the model must be fitted first."""
        raise ParameterError("jann: must be fitted to a log before it draws jobs; name one with 'fit' (--fit LOG)")


@dataclass(frozen=True)
class FittedJann:
    """The fitted model, ready to draw; ``log`` describes the log."""

    model: Jann
    ranges: tuple[RangeFit, ...]
    log: dict[str, Any]

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs; see :meth:`traces.models.Model.generate`.

        Each range has its own :data:`STREAMS` generators, spawned from ``generator``, so a larger machine adds ranges without
        changing the others.
        """
        import numpy as np

        from scheduler_core.contracts import Machine, Workload

        check_jobs(self.model, jobs)
        provenance = self.provenance(jobs, generator)
        spawned = generator.spawn(STREAMS * len(RANGES))
        places = [STREAMS * RANGES.index((fit.smallest, fit.largest)) for fit in self.ranges]
        streams = [spawned[place : place + STREAMS] for place in places]
        arrivals = [np.cumsum(draw(fit.gaps, jobs, *s[:2])) for fit, s in zip(self.ranges, streams, strict=True)]
        order = np.argsort(np.concatenate(arrivals), kind="stable")[:jobs]
        submit = np.concatenate(arrivals)[order]
        origin = order // jobs  # number of the range
        runtime, size = np.empty(jobs), np.empty(jobs, np.int32)
        for number, (fit, own) in enumerate(zip(self.ranges, streams, strict=True)):
            mine = np.flatnonzero(origin == number)
            runtime[mine] = draw(fit.runtimes, len(mine), *own[2:4])
            smallest = fit.smallest if self.model.sizes == "uniform" else fit.largest
            size[mine] = own[4].integers(smallest, fit.largest, size=len(mine), endpoint=True)
        runtime_us = np.maximum(in_microseconds(runtime), 1)
        table = jobs_table(in_microseconds(submit - submit[0]), runtime_us, size)
        return Workload(table, Machine(self.model.processors, self.model.label), provenance)

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Return the origin of the jobs: the model, the log, and the moments and fit of each range."""
        fit = {
            "log": self.log,
            "unit": "s",
            "method": "three raw moments matched by a hyper-Erlang distribution of common order",
            "ranges": [asdict(fitted) for fitted in self.ranges],
        }
        return {**self.model.provenance(jobs, generator), "fit": fit}


def in_microseconds(seconds: np.ndarray) -> np.ndarray:
    """Return seconds as whole microseconds."""
    import numpy as np

    return np.rint(seconds * MICROSECONDS).astype(np.int64)


def draw(distribution: HyperErlang, count: int, branch: np.random.Generator, length: np.random.Generator) -> np.ndarray:
    """Return draws from a hyper-Erlang distribution; a longer series begins with the same draws."""
    import numpy as np

    rate = np.where(branch.random(count) < distribution.p, distribution.lambda1, distribution.lambda2)
    return length.standard_gamma(distribution.order, count) / rate
