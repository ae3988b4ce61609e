"""The jobs of some partitions or queues of a log, or those that a condition names, and the part of a machine they can use."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.common.units import MICROSECONDS

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

SHOWN = 8
"""Numbers of a column that an error names, those with most jobs."""


def queues_of(workload: Workload) -> list[int]:
    """Return the numbers of the queues that jobs of a workload name, in order."""
    if "queue" not in workload.jobs.columns:
        return []
    return workload.jobs["queue"].drop_nulls().unique().sort().to_list()


def refuse_other_queues(workload: Workload, queues: Iterable[int]) -> None:
    """Raise :class:`ParameterError` for a queue of which a workload has no job."""
    known = queues_of(workload)
    for queue in queues:
        if queue not in known:
            found = ", ".join(map(str, known)) or "no queue at all"
            raise ParameterError(f"no job is of queue {queue}; found {found}")


def only(workload: Workload, column: str, numbers: Collection[int]) -> Workload:
    """Return the jobs whose ``column``, ``partition`` or ``queue``, has one of these numbers of the log; the machine stays.

    Raise :class:`ParameterError` when the log names none, or when a number has no job.
    """
    import polars as pl

    known = workload.jobs[column].drop_nulls() if column in workload.jobs.columns else pl.Series([], dtype=pl.Int32)
    if known.is_empty():
        raise ParameterError(f"no job of the workload states a {column}; leave the option out")
    missing = sorted(set(numbers) - set(known.unique()))
    if missing:
        most = known.value_counts(sort=True).head(SHOWN).rows()
        found = ", ".join(f"{number} ({jobs:,} jobs)" for number, jobs in most)
        more = known.n_unique() - len(most)
        raise ParameterError(f"no job is of {missing[0]}; found {found}{f', and {more} more' if more else ''}")
    kept = workload.jobs.filter(pl.col(column).is_in(list(numbers)))
    return workload.transformed(kept, {"step": column, "numbers": sorted(set(numbers)), "jobs_before": len(workload)})


SECONDS = {
    "submit": "submit_us",
    "run_time": "runtime_us",
    "estimate": "estimate_us",
    "wait": "recorded_wait_us",
    "think_time": "think_us",
}
"""Columns of times as a condition names them, in seconds; ``submit`` counts from the log's zero, ``wait`` is as recorded."""

WORDS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_]\w*")
"""Texts, quoted names and words of SQL."""


def where(workload: Workload, condition: str) -> Workload:
    """Return the jobs for which a condition holds: SQL over the columns of :func:`columns_of`.

    A job of which a column is unknown is left out where the condition needs it. Raise :class:`ParameterError` for an unknown
    column, for what is no condition, and when no job is left.
    """
    import polars as pl
    from polars.exceptions import PolarsError

    shown = columns_of(workload)
    quoted = WORDS.sub(lambda word: f'"{word[0].lower()}"' if word[0].lower() in shown.columns else word[0], condition)
    try:
        holds = pl.sql_expr(quoted)  # `user` and `group` are words of SQL, so names of columns are quoted
        for name in holds.meta.root_names():
            if name not in shown.columns:
                raise ParameterError(f"there is no column {name!r} in {condition!r}; {nearest(name, shown.columns)}")
        found = shown.with_columns(holds=holds)["holds"]
    except PolarsError as error:
        first = str(error).strip().partition("\n")[0]
        raise ParameterError(
            f"{condition!r} is no condition: {first}; expected one such as size > 8 AND run_time < 3600, over "
            f"{', '.join(shown.columns)}"
        ) from error
    if found.dtype != pl.Boolean:
        raise ParameterError(f"{condition!r} is no condition, because it is neither true nor false of a job")
    kept = workload.jobs.filter(found.fill_null(False))
    if kept.is_empty():
        raise ParameterError(f"{condition!r} holds for none of the {len(workload):,} jobs")
    return workload.transformed(kept, {"step": "where", "condition": condition, "jobs_before": len(workload)})


def columns_of(workload: Workload) -> pl.DataFrame:
    """Return the jobs with the columns that a condition may name: times in seconds, all others as they are."""
    import polars as pl

    jobs = workload.jobs
    times = [(pl.col(us) / MICROSECONDS).alias(name) for name, us in SECONDS.items() if us in jobs.columns]
    others = [name for name in jobs.columns if name not in SECONDS.values()]
    return jobs.select(*times, *others)


def counting_left_out(log: Workload, chosen: Workload) -> Workload:
    """Return the chosen jobs of a log, with those that were left out counted in its accounting (``left_out``)."""
    counts, missing = chosen.provenance.get("accounting"), len(log) - len(chosen)
    if counts is None or not missing:
        return chosen
    counts = {**counts, "left_out": counts.get("left_out", 0) + missing}
    return dataclasses.replace(chosen, provenance={**chosen.provenance, "accounting": counts})


CHOICES: dict[str, Callable[[Workload, Any], Workload]] = {
    "partition": lambda jobs, numbers: counting_left_out(jobs, only(jobs, "partition", numbers)),
    "queue": lambda jobs, numbers: counting_left_out(jobs, only(jobs, "queue", numbers)),
    "where": lambda jobs, condition: counting_left_out(jobs, where(jobs, condition)),
}
"""How jobs of a log are chosen, by the key of a study and the option of a command, in order; jobs left out are counted."""


def usable(workload: Workload, processors: int, changes: tuple[tuple[int, int], ...] = ()) -> Workload:
    """Return the jobs on the part of a machine that can really be used; a wider job takes all of it.

    Recorded logs rarely keep the whole machine busy: nodes are down, drained or held back. ``changes`` has weeks from which on
    another number can be used (:class:`~traces.shape.regimes.Usable`). The machine is then that of the largest number, and a job
    takes at most the least that can be used from its submission on, so that it can start at any time.

    A workload whose jobs and machine are no larger is returned as it is. Raise :class:`ParameterError` for more processors than
    the machine has.
    """
    import polars as pl

    from scheduler_core.contracts.companions import widest
    from traces.shape.regimes import Usable, out_of_use

    asked, whole = Usable(processors, changes), workload.machine.processors
    if asked.most > whole:
        raise ParameterError(f"the machine has {whole:,} processors; found {asked.most:,}")
    if asked == Usable(whole):
        return workload
    tables = {"out_of_use": out_of_use(asked, workload)} if changes else {}
    table = {**workload.companions, **tables}.get("out_of_use")
    most = pl.Series(widest(workload.column("submit_us"), asked.most, table), dtype=pl.Int32)
    wide = int((workload.jobs["size"] > most).sum())
    jobs = workload.jobs.with_columns(size=pl.min_horizontal("size", most.clip(lower_bound=1)))
    step = {"step": "usable", "processors": asked.most, "of": whole, "jobs_narrowed": wide}
    step |= {"regimes": str(asked)} if changes else {}
    return workload.transformed(jobs, step, workload.machine.altered(processors=asked.most), tables)
