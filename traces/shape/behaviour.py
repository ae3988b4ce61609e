"""What jobs do with their time, which no log records: models by name that draw the companion table `behaviour`, and memory."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter
from traces.shape.named_models import model_named

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

MACHINE_KB = 1_000_000
"""Memory of a processor, so that a job's need in kilobytes is its fraction of it in millionths."""

KINDS = ("cpu", "network", "disk")
"""What may dominate a job, in the order in which shares of jobs are written here."""


class Range(NamedTuple):
    """Numbers from ``low`` on and below ``high``."""

    low: float
    high: float


class Fractions(NamedTuple):
    """How the fractions of a kind of job are drawn: two resources with their ranges, the range of their sum, the third."""

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
"""Ranges of the source, by what dominates."""

MIXTURES = {"M1": (0.4, 0.3, 0.3), "M2": (0.4, 0.1, 0.5), "M3": (0.3, 0.5, 0.2)}
"""Shares of jobs of each of :data:`KINDS`, by mixture."""

MEMORY = ((0.70, Range(0.05, 0.5)), (0.25, Range(0.5, 0.8)), (0.05, Range(0.8, 1.0)))
"""Memory that jobs need, as a fraction of what a processor has for applications: shares of the jobs, each with its range."""


@dataclass(frozen=True)
class LomarcBehaviour(Parameters):
    """Jobs dominated by computing, communicating or reading and writing, as LOMARC's evaluation draws them.

    **Kind.** Each job is drawn by itself, whatever its size, run time and submission. Shares in %:

    ========  ====  ========  =====
    mixture   cpu   network   disk
    ========  ====  ========  =====
    M1        40    30        30
    M2        40    10        50
    M3        30    50        20
    ========  ====  ========  =====

    **Fractions** of the time alone: two are uniform within their ranges, and drawn anew, both, until their sum is within its
    own; the third is the rest to 1. The source gives the ranges; that they are met by drawing anew is our reading. All ranges
    hold their lower end and not their upper one:

    ========  =======================  ========================  ============  =======
    kind      first                    second                    sum           rest
    ========  =======================  ========================  ============  =======
    cpu       cpu 0.5 to 0.9           disk 0.05 to 0.4          0.6 to 0.95   network
    network   network 0.4 to 0.65      disk 0.05 to 0.4          0.5 to 0.8    cpu
    disk      disk 0.4 to 0.65         network 0.05 to 0.4       0.5 to 0.8    cpu
    ========  =======================  ========================  ============  =======

    Some jobs of the last two kinds compute for longer than they do what dominates them by their kind; the kind stays as
    drawn. No two resources are used at once.

    **Memory** on each processor, as a fraction of what it has for applications: 70 % of the jobs uniform from 0.05 to 0.5,
    25 % from 0.5 to 0.8, 5 % from 0.8 to 1. A processor has 1,000,000 kB, a job's need is rounded to a whole kB; memory that a
    log recorded is replaced.

    **Phases.** ``cpu_phase`` and ``error_phase`` are uniform from 0 to 1: what the sum of the phases of two jobs leaves
    beyond a whole number is uniform for every pair, the same whenever and under whatever policy they meet, and that of one
    pair says nothing of another.

    **Real logs** say nothing of all this. There it may be drawn once for each executable or user (``by``), so that jobs that
    are alike in the log are alike here; the rule is ours.

    The draws of kinds, fractions, memory and phases do not disturb each other: two mixtures differ only in the jobs whose
    kind differs.
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
    """Draw the fractions of jobs of some kinds, numbers of :data:`KINDS`, by resource.

    Each round draws two numbers for every job, from a generator of its own, and the jobs that still need them take them.
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
    """Draw memory in kilobytes."""
    import numpy as np

    drawn = generator.random((count, 2))
    part = np.searchsorted(np.cumsum([share for share, _ in MEMORY])[:-1], drawn[:, 0], side="right")
    fraction = np.choose(part, [scaled(drawn[:, 1], within) for _, within in MEMORY])
    memory: np.ndarray = np.rint(fraction * MACHINE_KB).astype(np.int64)
    return memory


def scaled(drawn: np.ndarray, within: Range) -> np.ndarray:
    """Turn numbers from 0 to 1 into numbers within a range."""
    return within.low + (within.high - within.low) * drawn


def get_behaviour_model(name: str, /, **values: Any) -> LomarcBehaviour:
    """Return the model of behaviour with some parameters.

    Raises
    ------
    ParameterError
        When there is no such model or parameter, or a value is out of its range.
    """
    return model_named((LomarcBehaviour,), "behaviour", name, values)


def with_behaviour(workload: Workload, model: LomarcBehaviour, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the companion table `behaviour` and the memory of ``model``, on a machine that has its memory.

    Subjects (jobs, executables or users) are drawn for in the order in which their first jobs are submitted, so that more jobs
    behind change nothing; before submissions are moved, so that another load does not either. A workload without jobs gets an
    empty table.

    Raises
    ------
    ParameterError
        When the workload has such a table already, or does not name what the model asks ``by``.
    """
    import polars as pl

    from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS

    if "behaviour" in workload.companions:
        raise ParameterError("the workload says already what its jobs do with their time; leave 'behaviour' out")
    if not len(workload):
        empty = {"behaviour": pl.DataFrame(schema=BEHAVIOUR_COLUMNS)}
        return dataclasses.replace(workload, companions={**workload.companions, **empty})
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
    """Number what is drawn once: ``job`` and ``subject``, from 0 in the order of the first jobs of each, a row per job.

    Raises
    ------
    ParameterError
        When the jobs do not say whose they are.
    """
    import polars as pl

    if by == "job":
        return jobs.select("job").with_row_index("subject")
    if by not in jobs.columns or jobs[by].null_count() == jobs.height:
        raise ParameterError(f"the workload names the {by} of no job, so there is nothing to draw by; write by: job")
    own = pl.when(pl.col(by).is_null()).then(pl.col("job"))  # a job without one is a subject of its own
    keys = jobs.select("job", by, own=own)
    first = keys.unique([by, "own"], keep="first", maintain_order=True).select(by, "own").with_row_index("subject")
    found = keys.join(first, on=[by, "own"], how="left", nulls_equal=True, maintain_order="left")
    return found.select("subject", "job")
