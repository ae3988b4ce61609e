"""The Lublin-Feitelson model of rigid parallel jobs."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs
from traces.models.lublin_published import (
    BATCH,
    INTERACTIVE,
    LEAST_DISTANCE,
    LONGEST_LOG_GAP,
    LONGEST_LOG_RUNTIME,
    PUBLISHED_PROCESSORS,
    TYPELESS,
    Published,
)

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

STREAMS = {"typeless": (TYPELESS,), "both": (INTERACTIVE, BATCH), "batch": (BATCH,), "interactive": (INTERACTIVE,)}
"""Published sets of each choice of job types; if two jobs arrive together, that of the first stream is first."""

NOT_OWN = ("processors", "types", "arrival_ratio")
"""Parameters that do not replace a published constant."""


def published(meaning: str, *, unit: str = "", minimum: float | None = None, maximum: float | None = None) -> Any:
    """Declare a parameter whose default is the published constant."""
    return parameter("published", meaning, unit=unit, choices=("published",), minimum=minimum, maximum=maximum)


@dataclass(frozen=True)
class Lublin(Model):
    """Rigid jobs whose size, run time and arrival follow distributions fitted to the logs of SDSC, LANL and KTH.

    **Size.** A job is serial with probability ``serial_probability``. Otherwise log2 of its size is drawn from a
    two-stage uniform distribution: uniform in [``u_low``, ``u_med``] with probability ``u_probability``, else in
    [``u_med``, ``u_high``]. For a share ``power_of_two_probability`` of all jobs it is rounded to a whole number, which
    gives a power of two; then the size is rounded to a whole number of processors.

    **Run time.** Its natural logarithm (seconds) is drawn from the gamma distribution (``a1``, ``b1``) with probability
    ``p = pa x size + pb``, at least 0 and at most 1, else from (``a2``, ``b2``): large jobs run longer. A value above 12
    (45.2 h) is drawn again. Run times are whole seconds, rounded down, at least 1.

    **Arrival.** The natural logarithm of a gap is drawn from the gamma distribution (``alpha``, ``b_arrival``); a value
    above 13 is drawn again. The gap is counted in points: one point is a half hour of mean activity. Each of the day's 48
    half hours costs its share of the jobs of a day, given by the gamma distribution (``a_daily``, ``b_daily``) over the
    half hours from 05:00 to 05:00 and scaled to mean 1. So gaps are short in the rush hours and long at night. Time begins at
    midnight. Submissions are rounded to microseconds. With ``arrival_ratio`` the shape ``alpha`` is multiplied
    by the published ratio ARAR, as the authors' program does.

    **Job types.** ``typeless`` is the default: one stream with the parameters of all jobs together. ``both``: batch and
    interactive jobs, each with their own sizes, run times and arrival stream, merged by arrival; the column
    ``interactive`` tells them apart. ``batch`` and ``interactive`` give one of the two streams.

    **Machine.** ``u_high`` and ``u_med`` are published for 128 processors; on another machine both move by the
    logarithm of its size relative to 128. The publication puts ``u_med`` 1.5 to 3.5 below ``u_high``. If the published
    distance puts ``u_med`` below ``u_low`` (8 processors and fewer), the distance is 1.5; if that is still too large, ``u_med``
    is midway. Powers of two beyond the machine become the largest one that fits.

    **Load.** Two ways: ``alpha`` (smaller: more jobs in the rush hours; LOMARC takes 10.23, 9.83 and 8.83), or one
    factor on all gaps for a given offered load (:func:`traces.shape.load.scale_load`; ``load`` in a study).

    **Estimates.** The model has none: every estimate equals its run time (see :mod:`traces.shape.estimates`).

    Every published constant can be replaced if there is one stream.
    """

    name: ClassVar[str] = "lublin"
    label: ClassVar[str] = "Lublin-Feitelson"
    source: ClassVar[str] = (
        "Lublin and Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs, "
        "J. Parallel Distrib. Comput. 63(11), 2003, 1105-1122"
    )

    processors: int = parameter(PUBLISHED_PROCESSORS, "processors of the machine", minimum=1, maximum=2**30)
    types: str = parameter("typeless", "job types, each with its own parameters", choices=tuple(STREAMS))
    arrival_ratio: bool = parameter(True, "whether alpha is multiplied by the published ratio ARAR")
    alpha: float | str = published("shape of the gap's log-gamma distribution, before ARAR", minimum=0.01)
    b_arrival: float | str = published("scale of the gap's log-gamma distribution", minimum=0.001)
    a_daily: float | str = published("shape of the daily cycle's gamma distribution", minimum=0.01)
    b_daily: float | str = published("scale of the daily cycle's gamma distribution", unit="half hours", minimum=0.1)
    serial_probability: float | str = published("share of serial jobs", minimum=0, maximum=1)
    power_of_two_probability: float | str = published("share of power-of-two jobs", minimum=0, maximum=1)
    u_low: float | str = published("log2 of the smallest parallel size", minimum=0)
    u_med: float | str = published("log2 of the size between the two stages", minimum=0)
    u_high: float | str = published("log2 of the largest size", minimum=0)
    u_probability: float | str = published("probability of the first stage", minimum=0, maximum=1)
    a1: float | str = published("shape of the first run-time gamma", minimum=0.01)
    b1: float | str = published("scale of the first run-time gamma", minimum=0.001)
    a2: float | str = published("shape of the second run-time gamma", minimum=0.01)
    b2: float | str = published("scale of the second run-time gamma", minimum=0.001)
    pa: float | str = published("slope of the first gamma's probability over the size")
    pb: float | str = published("the first gamma's probability at size 0")

    def validate(self) -> None:
        """Raise :class:`ParameterError` for constants of two streams, shares beyond 1, wrong stages, or means beyond a cap."""
        own = self.own_constants()
        if own and len(STREAMS[self.types]) > 1:
            raise ParameterError(
                f"lublin: {next(iter(own))} replaces the constant of one stream, and types=both has two; "
                "choose types typeless, batch or interactive"
            )
        for stream in self.streams():
            check_stream(stream, self.processors)

    def own_constants(self) -> dict[str, float]:
        """Return the published constants that the user replaces, by parameter."""
        values = {name: value for name, value in self.values().items() if name not in NOT_OWN}
        return {name: float(value) for name, value in values.items() if value != "published"}

    def streams(self) -> list[Published]:
        """Return the constants of each stream of jobs for this machine, replaced ones included."""
        own = self.own_constants()
        own = {("a_arrival" if name == "alpha" else name): value for name, value in own.items()}
        fitted = [dataclasses.replace(fit_machine(stream, self.processors), **own) for stream in STREAMS[self.types]]
        return [dataclasses.replace(s, arrival_ratio=s.arrival_ratio if self.arrival_ratio else 1.0) for s in fitted]

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs, with the column ``interactive`` unless the jobs have no type.

        See :meth:`traces.models.Model.generate`.
        """
        import numpy as np
        import polars as pl

        from scheduler_core.contracts import Machine, Workload
        from traces.models.kernels.lublin import draw

        check_jobs(self, jobs)
        streams = self.streams()
        provenance = {**self.provenance(jobs, generator), "constants": [dataclasses.asdict(each) for each in streams]}
        table, second = draw(streams, self.processors, jobs, generator)
        if self.types != "typeless":
            interactive = ~second if self.types == "both" else np.full(jobs, self.types == "interactive")
            table = table.with_columns(pl.Series("interactive", interactive))
        return Workload(table, Machine(self.processors, self.label), provenance)


def fit_machine(stream: Published, processors: int) -> Published:
    """Return a published set adapted from 128 processors to ``processors``."""
    shift = math.log2(processors) - math.log2(PUBLISHED_PROCESSORS)
    u_high = max(0.0, stream.u_high + shift)
    u_med = u_high - (stream.u_high - stream.u_med)
    if u_med < stream.u_low:
        u_med = u_high - LEAST_DISTANCE
    u_low = min(stream.u_low, u_high)
    if u_med < u_low:
        u_med = (u_low + u_high) / 2
    return dataclasses.replace(stream, u_low=u_low, u_med=u_med, u_high=u_high)


def check_stream(stream: Published, processors: int) -> None:
    """Raise :class:`ParameterError` when the constants of a stream contradict each other."""
    if stream.serial_probability + stream.power_of_two_probability > 1:
        raise ParameterError(
            "lublin: serial_probability and power_of_two_probability are shares of all jobs; "
            f"found {stream.serial_probability:g} + {stream.power_of_two_probability:g} > 1"
        )
    if not stream.u_low <= stream.u_med <= stream.u_high <= math.log2(processors) + 1e-9:
        raise ParameterError(
            "lublin: expected u_low <= u_med <= u_high <= log2 of the machine; "
            f"found {stream.u_low:g}, {stream.u_med:g}, {stream.u_high:g} and {math.log2(processors):g}"
        )
    check_redraws(stream)


def check_redraws(stream: Published) -> None:
    """Raise :class:`ParameterError` when a mean exceeds its cap, which would repeat almost every draw."""
    means = {
        "a1 x b1": (stream.a1 * stream.b1, LONGEST_LOG_RUNTIME),
        "a2 x b2": (stream.a2 * stream.b2, LONGEST_LOG_RUNTIME),
        "alpha x b_arrival": (stream.a_arrival * stream.arrival_ratio * stream.b_arrival, LONGEST_LOG_GAP),
    }
    for what, (mean, cap) in means.items():
        if mean >= cap:
            raise ParameterError(f"lublin: {what}, the mean of a logarithm, must be below {cap:g}; found {mean:g}")
