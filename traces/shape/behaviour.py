"""Drawing the companion table `behaviour` and memory: how jobs use their time. No log records it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

MACHINE_KB = 1_000_000
"""Memory of a processor in kilobytes; a job's need in kilobytes is its fraction in millionths."""

KINDS = ("cpu", "network", "disk")
"""Dominating resources, in the order of shares in this module."""


class Range(NamedTuple):
    """Numbers from ``low``, included, to ``high``, excluded."""

    low: float
    high: float


class Fractions(NamedTuple):
    """How the fractions of a kind are drawn: two resources with ranges, the range of their sum, and the third resource."""

    first: str
    first_range: Range
    second: str
    second_range: Range
    both: Range
    rest: str


FRACTIONS = {
    "cpu": Fractions("cpu", Range(0.5, 0.9), "disk", Range(0.05, 0.4), Range(0.6, 0.95), "network"),
    "network": Fractions("network", Range(0.4, 0.65), "disk", Range(0.05, 0.4), Range(0.5, 0.8), "cpu"),
    "disk": Fractions("disk", Range(0.4, 0.65), "network", Range(0.05, 0.4), Range(0.5, 0.8), "cpu"),
}
"""Ranges of the source, by dominating resource."""

MIXTURES = {"M1": (0.4, 0.3, 0.3), "M2": (0.4, 0.1, 0.5), "M3": (0.3, 0.5, 0.2)}
"""Shares of jobs of each of :data:`KINDS`, by mixture."""

MEMORY = ((0.70, Range(0.05, 0.5)), (0.25, Range(0.5, 0.8)), (0.05, Range(0.8, 1.0)))
"""Memory needs as fractions of a processor's memory for applications: shares of the jobs, each with its range."""


@dataclass(frozen=True)
class LomarcBehaviour(Parameters):
    """Jobs dominated by computing, communicating or reading and writing, as LOMARC's evaluation draws them.

    **Kind.** Each job is drawn independently of its size, run time and submission. Shares in %:

    ========  ====  ========  =====
    mixture   cpu   network   disk
    ========  ====  ========  =====
    M1        40    30        30
    M2        40    10        50
    M3        30    50        20
    ========  ====  ========  =====

    **Fractions** of the run time alone: two are uniform in their ranges, and both are redrawn until their sum is in its range.
    The third is the rest to 1. The source gives the ranges; redrawing is our interpretation. All ranges include their lower
    end and exclude their upper end:

    ========  =======================  ========================  ============  =======
    kind      first                    second                    sum           rest
    ========  =======================  ========================  ============  =======
    cpu       cpu 0.5 to 0.9           disk 0.05 to 0.4          0.6 to 0.95   network
    network   network 0.4 to 0.65      disk 0.05 to 0.4          0.5 to 0.8    cpu
    disk      disk 0.4 to 0.65         network 0.05 to 0.4       0.5 to 0.8    cpu
    ========  =======================  ========================  ============  =======

    Some jobs of the last two kinds compute for longer than they use their dominating resource; their kind does not change.
    No two resources are used at once.

    **Memory** on each processor, as a fraction of its memory for applications: uniform from 0.05 to 0.5 for 70 % of the jobs,
    from 0.5 to 0.8 for 25 %, from 0.8 to 1 for 5 %. A processor has 1,000,000 kB, and needs are rounded to whole kB. Memory
    that a log recorded is replaced.

    **Phases.** ``cpu_phase`` and ``error_phase`` are uniform from 0 to 1. The fractional part of the sum of two jobs' phases
    is uniform for every pair. It does not depend on time or policy, and pairs are independent.

    **Real logs** record none of this. ``by`` draws once for each executable or user of a log, so that similar jobs behave
    alike; this rule is ours.

    Kinds, fractions, memory and phases have their own random numbers: two mixtures differ only in jobs whose kind differs.
    """

    name: ClassVar[str] = "lomarc"
    label: ClassVar[str] = "behaviour of LOMARC's jobs"
    source: ClassVar[str] = (
        "Sodan and Lan, LOMARC: lookahead matchmaking for multi-resource coscheduling, JSSPP 2004, LNCS 3277, 2005, section 6.1"
    )

    by: str = parameter(
        "job",
        "what is drawn once: each job, or each executable or user of the log for all its jobs (a job without one for itself)",
        choices=("job", "executable", "user"),
    )
    mixture: str = parameter("M1", "shares of jobs by what dominates them", choices=tuple(MIXTURES))

    def draw(self, count: int, generator: np.random.Generator) -> pl.DataFrame:
        """Draw the columns of `behaviour` but for ``job``, and ``memory_kb``, for ``count`` subjects.

        Each purpose has its own generator. The first subjects of a larger count are the same.
        """
        import numpy as np
        import polars as pl

        kinds, fractions, phases, memory = generator.spawn(4)
        ends = np.cumsum(MIXTURES[self.mixture])[:-1]
        kind = np.searchsorted(ends, kinds.random(count), side="right")
        phase = phases.random((count, 2))
        return pl.DataFrame(
            {
                "kind": pl.Series(KINDS, dtype=pl.Enum(KINDS)).gather(kind),
                **draw_fractions(kind, fractions),
                **dict.fromkeys(("cpu_network", "cpu_disk", "network_disk"), np.zeros(count)),
                "cpu_phase": phase[:, 0],
                "error_phase": phase[:, 1],
                "application": np.zeros(count, np.int32),
                "memory_kb": draw_memory(count, memory),
            }
        )


def draw_fractions(kind: np.ndarray, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Return drawn fractions by resource for jobs of some kinds, given as indices of :data:`KINDS`.

    Each round has its own generator and draws two numbers for every job; jobs without fractions use theirs.
    """
    import numpy as np

    found = {resource: np.zeros(len(kind)) for resource in KINDS}
    waiting = np.arange(len(kind))
    while len(waiting):
        drawn = generator.spawn(1)[0].random((len(kind), 2))[waiting]
        taken = np.zeros(len(waiting), bool)
        for number, name in enumerate(KINDS):
            ranges = FRACTIONS[name]
            place = np.flatnonzero(kind[waiting] == number)
            first = scaled(drawn[place, 0], ranges.first_range)
            second = scaled(drawn[place, 1], ranges.second_range)
            both = first + second
            fits = (both >= ranges.both.low) & (both < ranges.both.high)
            jobs = waiting[place[fits]]
            found[ranges.first][jobs] = first[fits]
            found[ranges.second][jobs] = second[fits]
            found[ranges.rest][jobs] = 1 - both[fits]
            taken[place[fits]] = True
        waiting = waiting[~taken]
    return found


def draw_memory(count: int, generator: np.random.Generator) -> np.ndarray:
    """Return drawn memory in kilobytes."""
    import numpy as np

    drawn = generator.random((count, 2))
    part = np.searchsorted(np.cumsum([share for share, _ in MEMORY])[:-1], drawn[:, 0], side="right")
    fraction = np.choose(part, [scaled(drawn[:, 1], within) for _, within in MEMORY])
    memory: np.ndarray = np.rint(fraction * MACHINE_KB).astype(np.int64)
    return memory


def scaled(drawn: np.ndarray, within: Range) -> np.ndarray:
    """Return numbers from 0 to 1 scaled to a range."""
    return within.low + (within.high - within.low) * drawn


def with_behaviour(workload: Workload, model: LomarcBehaviour, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the companion table `behaviour` and the memory of ``model``, on a machine with its memory.

    Draws follow the first submission of each subject (job, executable or user) and precede any scaling, so neither further jobs
    nor another load changes them. Raise :class:`ParameterError` when the workload already has such a table, or lacks the column
    that ``by`` names.
    """
    import polars as pl

    from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS

    if "behaviour" in workload.companions:
        raise ParameterError("the workload already says what its jobs do with their time; leave 'behaviour' out")
    subject = subjects(workload.jobs, model.by)
    drawn = model.draw(int(subject["subject"].n_unique()), generator).with_row_index("subject")
    rows = subject.join(drawn, on="subject", how="left", maintain_order="left")
    table = rows.sort("job").select(pl.col(name).cast(kind) for name, kind in BEHAVIOUR_COLUMNS.items())
    jobs = workload.jobs.with_columns(rows["memory_kb"])
    counts = table["kind"].value_counts().sort("kind")
    step = {
        "step": "behaviour",
        "model": model.name,
        "source": model.source,
        "parameters": model.values(),
        "kinds": dict(zip(counts["kind"].cast(pl.String), counts["count"], strict=True)),
    }
    machine = workload.machine.altered(memory_kb=MACHINE_KB)
    return workload.transformed(jobs, step, machine, {"behaviour": table})


def subjects(jobs: pl.DataFrame, by: str) -> pl.DataFrame:
    """Return ``job`` and ``subject``, a row per job; subjects count from 0 in order of their first jobs.

    Raise :class:`ParameterError` when no job has a value in the column ``by``.
    """
    import polars as pl

    if by == "job":
        return jobs.select("job").with_row_index("subject")
    if by not in jobs.columns or jobs[by].null_count() == jobs.height:
        raise ParameterError(f"the workload names the {by} of no job, so there is nothing to draw by; write by: job")
    own = pl.when(pl.col(by).is_null()).then(pl.col("job"))  # a job without one is its own subject
    keys = jobs.select("job", by, own=own)
    first = keys.unique([by, "own"], keep="first", maintain_order=True).select(by, "own").with_row_index("subject")
    found = keys.join(first, on=[by, "own"], how="left", nulls_equal=True, maintain_order="left")
    return found.select("subject", "job")
