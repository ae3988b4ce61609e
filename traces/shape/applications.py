"""Drawing the companion table `applications`: what tasks do inside a time slice. No log records it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

MIXES = {
    "IO": ("io",),
    "IO/Msg": ("io", "messages"),
    "IO/BSP": ("io", "supersteps"),
    "IO/Msg/Emb": ("io", "messages", "compute"),
    "IO/BSP/Emb": ("io", "supersteps", "compute"),
    "Emb/Msg": ("compute", "messages"),
    "Emb/BSP": ("compute", "supersteps"),
    "Emb": ("compute",),
    "Msg": ("messages",),
    "BSP": ("supersteps",),
    "Irregular": ("irregular",),
    "Sync": ("barriers",),
}
"""The applications of each mix, named as in the source; a job is each of them with equal probability."""

MEANS = {
    6: {"io_burst_ms": 50.0, "io_disk_ms": 50.0, "message_gap_ms": 5.0, "superstep_ms": 5.0},
    8: {"io_burst_ms": 100.0, "io_disk_ms": 100.0, "message_gap_ms": 10.0, "superstep_ms": 50.0},
}
"""Means of the two chapters of the source (sections 6.4.1 and 8.5.1)."""

MICROSECONDS_IN_MS = 1000

SEEDS = 2**63
"""Seeds of jobs are below this."""


def mean_of_chapter(meaning: str) -> Any:
    """Declare a mean whose default is that of the chapter."""
    return parameter("chapter", meaning, unit="ms", choices=("chapter",), minimum=0.001, maximum=100_000)


@dataclass(frozen=True)
class Applications(Parameters):
    """The applications of jobs, and the mean lengths of what their tasks do.

    Each job is drawn independently of its size, run time and submission. It gets an application of the mix, with equal
    probabilities, and a seed that determines lengths and partners (:mod:`scheduler_core.concurrent_gang`). Both have their
    own random numbers: two mixes of the same jobs differ only in jobs whose application differs.

    The means are those of chapter 6 of the thesis (io 50 and 50 ms, messages 5 ms, barriers 5 ms) or of chapter 8 (100 and 100,
    10 and 50 ms). ``Sync`` is the "synchronization intensive" workload of chapter 6: barriers alone. ``BSP`` is of chapter 8:
    supersteps that also exchange messages. The thesis does not measure irregular jobs; their means are ours.
    """

    name: ClassVar[str] = "applications"
    label: ClassVar[str] = "applications of da Silva's jobs"
    source: ClassVar[str] = "da Silva, doctoral thesis, Universite Paris VI, 2000, sections 6.4.1 and 8.5.1"

    mix: str = parameter("IO", "applications that jobs are drawn from", choices=tuple(MIXES))
    chapter: int = parameter(8, "chapter whose means are taken", choices=(8, 6), minimum=6, maximum=8)
    spread: str = parameter("exponential", "how lengths lie around their mean", choices=("exponential", "constant"))
    imbalance: float = parameter(
        0.0, "supersteps: largest part by which a task's work differs", minimum=0, maximum=0.999
    )
    io_burst_ms: float | str = mean_of_chapter("io: mean computing burst")
    io_disk_ms: float | str = mean_of_chapter("io: mean disk request")
    message_gap_ms: float | str = mean_of_chapter("mean computing between a task's messages")
    superstep_ms: float | str = mean_of_chapter("mean work between two barriers")
    piece_ms: float = parameter(100.0, "irregular: mean piece of work", unit="ms", minimum=0.001, maximum=100_000)
    most_pieces: int = parameter(32, "irregular: most pieces in a phase", minimum=1, maximum=1_000_000)

    def validate(self) -> None:
        """Raise :class:`ParameterError` unless the chapter is 6 or 8."""
        if self.chapter not in MEANS:
            raise ParameterError(f"applications: chapter must be 6 or 8; found {self.chapter}")

    def mean_us(self, name: str) -> int:
        """Return a mean in microseconds: the parameter, or that of the chapter."""
        given = getattr(self, name)
        return round((MEANS[self.chapter][name] if given == "chapter" else given) * MICROSECONDS_IN_MS)

    def columns(self, application: str) -> dict[str, Any]:
        """Return the columns of the table for an application, without the job and its seed."""
        bursts = {
            "io": "io_burst_ms",
            "messages": "message_gap_ms",
            "supersteps": "superstep_ms",
            "barriers": "superstep_ms",
            "irregular": "piece_ms",
        }
        return {
            "application": application,
            "burst_us": self.mean_us(bursts[application]) if application in bursts else 0,
            "disk_us": self.mean_us("io_disk_ms") if application == "io" else 0,
            "spread": self.spread,
            "imbalance": float(self.imbalance) if application == "supersteps" else 0.0,
            "most_tasks": self.most_pieces if application == "irregular" else 0,
        }


def with_applications(workload: Workload, drawn: Applications, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the companion table `applications`.

    Draws follow the order of submission and precede any scaling, so neither further jobs nor another load changes them. Raise
    :class:`ParameterError` when the workload already has such a table.
    """
    import polars as pl

    from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS

    if "applications" in workload.companions:
        raise ParameterError("the workload already says what the tasks of its jobs do; leave 'applications' out")
    kinds, seeds = generator.spawn(2)
    mix = MIXES[drawn.mix]
    number = (kinds.random(len(workload)) * len(mix)).astype("int64")
    rows = workload.jobs.select("job").with_columns(
        number=pl.Series(number), seed=pl.Series(seeds.integers(0, SEEDS, len(workload)))
    )
    known = pl.DataFrame([{"number": place, **drawn.columns(word)} for place, word in enumerate(mix)])
    table = (
        rows.join(known, on="number", how="left")
        .sort("job")
        .select(pl.col(name).cast(kind) for name, kind in APPLICATIONS_COLUMNS.items())
    )
    counts = table["application"].value_counts().sort("application")
    step = {
        "step": "applications",
        "source": drawn.source,
        "parameters": drawn.values(),
        "applications": dict(zip(counts["application"].cast(pl.String), counts["count"], strict=True)),
    }
    return workload.transformed(workload.jobs, step, companions={"applications": table})
