"""Measured slowdowns of jobs that share processors: published tables, tables from a CSV, and the companion table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.common.units import LEAST_SLOWDOWN, MOST_SLOWDOWN
from traces.shape.csv_lines import lines_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

COLUMNS = ("job", "beside", "slowdown")
"""Columns of a CSV: a job, the job beside it, and the run time together over the run time alone."""

OTHER = "other"
"""Application 0 in a CSV by executable: jobs whose executable the file or the log does not name."""

DRAWN_BY = ("job", "executable", "user")
"""What shares one drawn application of a published table."""

KNOWN_BY = {"class": ("short", "medium", "long"), "kind": ("cpu", "network", "disk"), "executable": ()}
"""The words that a CSV may use, by its kind of name; executables are numbers."""


@dataclass(frozen=True)
class SlowdownTable:
    """Slowdowns of pairs of applications.

    ``name`` and ``source`` are a published table and its publication, or the path of a file. ``applications`` are names in the
    order of their numbers, which count from 1. ``slowdowns`` has the slowdown of the first beside the second, for every ordered
    pair of these names and of ``other``, if it occurs. ``by`` is how a job gets its application: a word of :data:`DRAWN_BY` for a
    published table, of :data:`KNOWN_BY` for a file.
    """

    name: str
    source: str
    applications: tuple[str, ...]
    slowdowns: Mapping[tuple[str, str], float]
    by: str

    def number(self, application: str) -> int:
        """Return the number of an application; 0 is for all others."""
        return 0 if application == OTHER else 1 + self.applications.index(application)

    def companion(self) -> pl.DataFrame:
        """Return the companion table."""
        import polars as pl

        from scheduler_core.contracts.companions import SLOWDOWNS_COLUMNS

        rows = [(self.number(job), self.number(beside), value) for (job, beside), value in self.slowdowns.items()]
        return pl.DataFrame(sorted(rows), schema=SLOWDOWNS_COLUMNS, orient="row")


HUANG_2004 = (
    ("Grid-300", "Grid-1200", "Grid-2400", "Central", "Random", "Stream"),
    (
        ((1.2, 1.2), (1.4, 1.1), (2.2, 0.9), (0.9, 1.6), (1.0, 1.3), (1.8, 0.8)),
        ((1.2, 1.2), (1.4, 0.8), (1.1, 1.7), (1.0, 1.4), (1.3, 0.8)),
        ((1.1, 1.1), (1.0, 3.1), (1.5, 2.3), (0.8, 0.8)),
        ((1.3, 1.3), (1.3, 0.9), (2.5, 0.8)),
        ((2.0, 2.0), (1.8, 0.9)),
        ((0.8, 0.8),),
    ),
)
"""Applications, each with a row that begins with itself: its slowdown beside the column's application, and the other's.

The source prints one number on the diagonal, where an application meets itself."""

PUBLISHED = {
    "huang_2004": (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, Table 5-2 (measured by Sodan)",
        *HUANG_2004,
    )
}
"""Published tables by name: source, applications, rows."""


def published_slowdowns(name: str, by: str = "job") -> SlowdownTable:
    """Return a published table.

    Raise :class:`ParameterError` when the name or ``by`` is unknown.
    """
    if name not in PUBLISHED:
        hint = nearest(name, PUBLISHED)
        raise ParameterError(
            f"there is no published table of slowdowns '{name}'; {hint} (or give {{file: PATH, by: class}})"
        )
    check_by(by, DRAWN_BY, "the application of a published table is drawn once for each")
    source, applications, rows = PUBLISHED[name]
    slowdowns = {}
    for row, values in enumerate(rows):
        for column, (own, others) in enumerate(values, start=row):
            slowdowns[applications[row], applications[column]] = own
            slowdowns[applications[column], applications[row]] = others
    return SlowdownTable(name, source, applications, slowdowns, by)


def check_by(by: Any, known: tuple[str, ...], what: str) -> None:
    """Raise :class:`ParameterError` unless ``by`` is one of the known words."""
    if by not in known:
        raise ParameterError(f"by: {what} {', '.join(known[:-1])} or {known[-1]}; found {by!r}")


def read_slowdowns(path: Path | str, by: str = "class") -> SlowdownTable:
    """Return the table of a CSV with the columns ``job``, ``beside`` and ``slowdown``.

    Raise :class:`ParameterError` when the file is missing, a line is invalid, or a pair is repeated or missing; the message
    names the line or the pair.
    """
    check_by(by, tuple(KNOWN_BY), "the application of a job of a log is known by its")
    slowdowns: dict[tuple[str, str], float] = {}
    first: dict[tuple[str, str], int] = {}
    for line, words in lines_of(path, COLUMNS, f", and no published table of this name ({', '.join(PUBLISHED)})"):
        pair = (
            word_of(f"{path}, line {line}: job", words[0], by),
            word_of(f"{path}, line {line}: beside", words[1], by),
        )
        other = first.setdefault(pair, line)
        if other != line:
            raise ParameterError(f"{path}, line {line}: '{pair[0]}' beside '{pair[1]}' is in line {other} already")
        slowdowns[pair] = slowdown_of(f"{path}, line {line}: slowdown", words[2])
    names = dict.fromkeys(word for pair in slowdowns for word in pair)
    lost = [(job, beside) for job in names for beside in names if (job, beside) not in slowdowns]
    if lost:
        job, beside = lost[0]
        raise ParameterError(
            f"{path}: there is no line for '{job}' beside '{beside}', and {len(lost)} of {len(names) ** 2} such lines are "
            "missing; expected every ordered pair of what the file names"
        )
    applications = tuple(name for name in names if name != OTHER)
    return SlowdownTable(str(path), f"the file {path}", applications, slowdowns, by)


def word_of(where: str, word: str, by: str) -> str:
    """Return the name of an application in a CSV."""
    if by != "executable":
        if word not in KNOWN_BY[by]:
            raise ParameterError(f"{where}: expected one of {', '.join(KNOWN_BY[by])}; found '{word}'")
        return word
    if word == OTHER:
        return word
    if not (word.isascii() and word.isdecimal()):
        raise ParameterError(f"{where}: expected the number of an executable or '{OTHER}'; found '{word}'")
    return str(int(word))


def slowdown_of(where: str, word: str) -> float:
    """Return a slowdown in a CSV."""
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not LEAST_SLOWDOWN <= value <= MOST_SLOWDOWN:
        raise ParameterError(
            f"{where}: expected a number from {LEAST_SLOWDOWN:g} to {MOST_SLOWDOWN:g}, the time beside the other over the time "
            f"alone; found '{word}'"
        )
    return value


def with_slowdowns(workload: Workload, table: SlowdownTable, generator: np.random.Generator) -> Workload:
    """Return the same jobs with the companion table `slowdowns`, and the application of each in `behaviour`.

    Raise :class:`ParameterError` when the workload has no table `behaviour`, already has a table of slowdowns, or has a job
    whose application is unknown.
    """
    if "slowdowns" in workload.companions:
        raise ParameterError("the workload has a table of slowdowns already; leave 'slowdowns' out")
    if "behaviour" not in workload.companions:
        raise ParameterError(
            "slowdowns are measured for applications, which 'behaviour' gives to jobs; write 'behaviour' as well "
            "(`--behaviour lomarc` on the command line)"
        )
    found = applications_of(workload, table, generator)
    behaviour = workload.companions["behaviour"].drop("application")
    behaviour = behaviour.join(found, on="job", how="left", maintain_order="left")
    step = {
        "step": "slowdowns",
        "table": table.name,
        "source": table.source,
        "by": table.by,
        "applications": list(table.applications),
    }
    return workload.transformed(
        workload.jobs, step, companions={"behaviour": behaviour, "slowdowns": table.companion()}
    )


def applications_of(workload: Workload, table: SlowdownTable, generator: np.random.Generator) -> pl.DataFrame:
    """Return ``job`` and the number of its ``application``, in order of job."""
    import polars as pl

    from traces.shape.behaviour import subjects

    if table.name in PUBLISHED:
        subject = subjects(workload.jobs, table.by)
        drawn = generator.integers(1, len(table.applications), size=subject["subject"].n_unique(), endpoint=True)
        numbers = pl.Series("application", drawn, dtype=pl.Int32)
        return subject.select("job", numbers.gather(subject["subject"])).sort("job")
    words = words_of_jobs(workload, table)
    known = {name: table.number(name) for name in table.applications}
    default = 0 if (OTHER, OTHER) in table.slowdowns else None
    found = words.with_columns(application=pl.col("word").replace_strict(known, default=default, return_dtype=pl.Int32))
    lost = found.filter(pl.col("application").is_null())
    if lost.height:
        job, word = lost.row(0)[:2]
        advice = f"add it, or lines for '{OTHER}'" if table.by == "executable" else "add it"
        raise ParameterError(
            f"{table.name}: the {table.by} '{word or 'none'}' of job {job} is not in the file, which affects {lost.height} of "
            f"{words.height} jobs; {advice}"
        )
    return found.select("job", "application")


def words_of_jobs(workload: Workload, table: SlowdownTable) -> pl.DataFrame:
    """Return ``job`` and the ``word`` that a file uses for its application, in order of job.

    A job without a stated class is short up to a minute of run time, medium up to an hour, else long.
    """
    import polars as pl

    from traces.shape.classes import run_time_class

    jobs = workload.jobs.sort("job")
    if table.by == "kind":
        return workload.companions["behaviour"].select("job", word=pl.col("kind").cast(pl.String))
    if table.by == "class":
        stated = pl.col("class") if "class" in jobs.columns else run_time_class("lomarc")
        return jobs.select("job", word=stated.cast(pl.String))
    if "executable" not in jobs.columns:
        raise ParameterError(f"{table.name}: the workload names no executables; write by: class or by: kind")
    return jobs.select("job", word=pl.col("executable").cast(pl.String))
