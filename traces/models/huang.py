"""The two workloads of the thesis on adaptive SCOJO: rigid, moldable and malleable jobs in three classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs, jobs_table

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload


@dataclass(frozen=True, slots=True)
class Part:
    """One class of a workload's jobs, as Table 7-2 gives it: ``short``, ``medium`` or ``long``.

    ``percent`` is the percentage of all jobs, by flexibility. Run times lie above ``above_s`` and up to ``longest_s``, in whole
    seconds. ``size_low`` and ``size_high`` are the printed bounds of the optimal size, both included.
    """

    job_class: str
    percent: dict[str, int]
    above_s: int
    longest_s: int
    size_low: int
    size_high: int

    @property
    def share(self) -> float:
        """Fraction of all jobs that belong to this class."""
        return sum(self.percent.values()) / 100

    @property
    def mean_runtime_s(self) -> float:
        """Midpoint of the printed interval of run times; the lowest interval begins at 1 s."""
        return (max(self.above_s, 1) + self.longest_s) / 2

    @property
    def mean_size(self) -> float:
        """Midpoint of the printed interval of sizes."""
        return (self.size_low + self.size_high) / 2


WORKLOADS: dict[int, tuple[Part, ...]] = {
    1: (
        Part("short", {"moldable": 40}, 0, 60, 1, 4),
        Part("medium", {"moldable": 20, "malleable": 10, "rigid": 10}, 60, 1800, 4, 24),
        Part("long", {"malleable": 20}, 1800, 3600, 8, 32),
    ),
    2: (
        Part("short", {"moldable": 30}, 0, 180, 1, 4),
        Part("medium", {"moldable": 30, "rigid": 5}, 180, 3600, 4, 24),
        Part("long", {"malleable": 30, "rigid": 5}, 3600, 108_000, 8, 32),
    ),
}
"""Classes of workloads 1 and 2. Table 7-2 prints separate percentages by class and by flexibility. Only these combinations
agree with section 6.7 (no malleable short job, no moldable long job) and section 7.5 (rigid jobs are medium in workload 1, half
medium and half long in workload 2)."""

PUBLISHED_JOBS = {1: 8000, 2: 3000}
"""Jobs of each workload (Table 7-2)."""

FITTED_SCALE = {1: 2.41, 2: 1.0}
"""Factor on the literal interarrival time of each workload in the fitted reading."""

LARGEST_SIZE = 32
"""Largest printed size; the machine is at least as large."""


@dataclass(frozen=True)
class Huang(Model):
    """Jobs in random order, each with a class by run time, a flexibility and an optimal size.

    **Classes.** The numbers of jobs by class and flexibility are exact (rounded by largest remainders); their order is random.
    Percentages of all jobs, moldable / malleable / rigid:

    ========  =================  =================
    class     workload 1         workload 2
    ========  =================  =================
    short     40 /  0 /  0       30 /  0 /  0
    medium    20 / 10 / 10       30 /  0 /  5
    long       0 / 20 /  0        0 / 30 /  5
    ========  =================  =================

    **Run time** on the optimal size is uniform over the whole seconds of the class's interval (the second is the smallest unit
    of time in the source, section 6.8). Workload 1: 1 to 60 s, above that to 30 min, above that to 1 h. Workload 2: 1 s to 3
    min, above that to 1 h, above that to 30 h.

    **Size.** The optimum (column ``size``) is uniform over the whole numbers of the class's interval: short 1 to 4, medium 4 to
    24, long 8 to 32 (``inclusive``), or each without its upper end (``exclusive``). ``size_min`` is half the optimum, rounded
    down, at least 1. ``size_max`` is twice the optimum, at most the machine. It is the optimum itself if so few more
    processors would slow the job down (never on the source's machine). Rigid jobs have one size.

    **Arrival.** The first job arrives at time 0. Gaps are uniform over the whole seconds from 1 to 2 T (rounded). T is
    ``arrival_scale`` times the sum over the classes of (share x mean size) (share x mean run time), divided by the processors.
    Means are the midpoints of the printed intervals. T is 66.5 s and 2,187 s on 64 processors at scale 1.

    **Reading.** The source leaves two choices open. ``reading`` sets both, and each has a parameter. ``literal`` follows the
    wording: sizes up to the printed ends, scale 1. ``fitted`` excludes the upper ends and uses scale 2.41 for workload 1. We
    fitted it afterwards to the printed response times and makespans, which the literal reading misses for workload 1, so
    agreement with them is no evidence. For workload 2 the scale is 1 in both readings.

    **Estimates** equal the run times. Unlike in other models, a longer workload does not begin with the jobs of a shorter one,
    because the numbers by class are exact.
    """

    name: ClassVar[str] = "huang"
    label: ClassVar[str] = "SCOJO workload"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, sections 6.6 to 6.8 and "
        "Table 7-2"
    )

    workload: int = parameter(1, "workload 1 or 2 of Table 7-2", minimum=1, maximum=2)
    processors: int = parameter(64, "processors of the machine", minimum=LARGEST_SIZE, maximum=2**30)
    reading: str = parameter(
        "literal",
        "how the text is read: literal, or fitted after the fact to printed results",
        choices=("literal", "fitted"),
    )
    size_upper: str = parameter(
        "reading", "whether a printed largest size itself occurs", choices=("reading", "inclusive", "exclusive")
    )
    arrival_scale: float | str = parameter(
        "reading", "factor on the mean gap between submissions", choices=("reading",), minimum=0.001, maximum=1000
    )

    @property
    def published_jobs(self) -> int:
        """Number of jobs of the workload in Table 7-2."""
        return PUBLISHED_JOBS[self.workload]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The classes of the workload."""
        return WORKLOADS[self.workload]

    @property
    def upper(self) -> str:
        """Whether the largest sizes occur, ``inclusive`` or ``exclusive``, after applying the reading."""
        of_reading = "exclusive" if self.reading == "fitted" else "inclusive"
        return of_reading if self.size_upper == "reading" else self.size_upper

    @property
    def scale(self) -> float:
        """The factor on the mean gap, after applying the reading."""
        of_reading = FITTED_SCALE[self.workload] if self.reading == "fitted" else 1.0
        return of_reading if isinstance(self.arrival_scale, str) else float(self.arrival_scale)

    @property
    def interarrival_s(self) -> float:
        """T, in seconds: half the longest gap between submissions."""
        work = sum(part.share * part.mean_size * part.share * part.mean_runtime_s for part in self.parts)
        return self.scale * work / self.processors

    def validate(self) -> None:
        """Raise :class:`ParameterError` when gaps would be shorter than a second."""
        if 2 * self.interarrival_s < 1:
            raise ParameterError(
                f"huang: the longest gap between submissions must be at least 1 s; found {2 * self.interarrival_s:g} s. "
                "Raise arrival_scale or take fewer processors"
            )

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return ``jobs`` jobs; draws in turn the order of classes, run times, sizes and gaps."""
        import numpy as np
        import polars as pl

        from scheduler_core.contracts import Flexibility, JobClass, Machine, Workload
        from traces.shape.apportion import apportion
        from traces.shape.flexibility import size_bounds

        check_jobs(self, jobs)
        kinds = [(part, flexibility, percent) for part in self.parts for flexibility, percent in part.percent.items()]
        counts = apportion([percent / 100 for *_, percent in kinds], jobs)
        kind = generator.permutation(np.repeat(np.arange(len(kinds)), counts))
        above = np.array([part.above_s for part, *_ in kinds])[kind]
        longest = np.array([part.longest_s for part, *_ in kinds])[kind]
        largest = np.array([part.size_high for part, *_ in kinds])[kind] - (self.upper == "exclusive")
        runtime = generator.integers(above + 1, longest, endpoint=True) * MICROSECONDS
        size = generator.integers(np.array([part.size_low for part, *_ in kinds])[kind], largest, endpoint=True)
        gaps = generator.integers(1, round(2 * self.interarrival_s), size=jobs - 1, endpoint=True)
        submit = np.concatenate([np.zeros(1, np.int64), np.cumsum(gaps)]) * MICROSECONDS
        more = {
            "class": pl.Series([part.job_class for part, *_ in kinds], dtype=JobClass).gather(kind),
            "flexibility": pl.Series([word for _, word, _ in kinds], dtype=Flexibility).gather(kind),
        }
        table = jobs_table(submit, runtime, size, **more).with_columns(size_bounds(self.processors))
        return Workload(table, Machine(self.processors, self.label), self.provenance(jobs, generator))

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Return the origin of the jobs, and the reading they follow."""
        notes = {
            "fitted": "fitted after the fact to printed response times and makespans; agreement with those is no evidence",
            "literal": "the text by the letter",
        }
        reading = {
            "name": self.reading,
            "note": notes[self.reading],
            "size_upper": self.upper,
            "arrival_scale": self.scale,
            "interarrival_s": self.interarrival_s,
            "as_the_reading_says": self.size_upper == "reading" and self.arrival_scale == "reading",
        }
        return {**super().provenance(jobs, generator), "reading": reading}
