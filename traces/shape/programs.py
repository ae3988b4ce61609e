"""Reading the programs of jobs from a file: the companion table `programs`, and its jobs in `applications`."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.common.errors import ContractError, ParameterError, nearest
from scheduler_core.common.units import NEVER_US
from traces.shape.csv_lines import lines_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

COLUMNS = ("job", "task", "statement", "value")
"""Columns of a CSV, in any order. The value is a time in microseconds or a message number; a barrier has none."""

TIMED, MAILED, BARRIER = ("compute", "disk"), ("send", "receive"), "barrier"

LARGEST = {"job": 2**63 - 1, "task": 2**31 - 1, "value": 2**63 - 1}
"""The largest numbers of the contract's columns."""

PLAIN = {"application": "program", "burst_us": 0, "disk_us": 0, "imbalance": 0.0, "most_tasks": 0}
"""The row in `applications` of a job with a program, without its seed and spread, which it does not use."""


OF_TABLE = "workload: table 'programs': "
"""How errors of the contract begin; the path of the file replaces it."""


class Programs(NamedTuple):
    """The file, and its rows: job, task, step, statement, time (us), message."""

    path: str
    rows: tuple[tuple[Any, ...], ...]


def read_programs(path: Any) -> Programs:
    """Return the programs of a CSV with the columns :data:`COLUMNS`; the lines of a task are its statements in order.

    Raise :class:`ParameterError` when the file is missing or a line is invalid; the message names the line.
    """
    if not isinstance(path, str) or not path:
        raise ParameterError(f"expected the path of a CSV; found {path!r}")
    steps: Counter[tuple[int, int]] = Counter()
    rows = []
    for line, (job_word, task_word, statement, value_word) in lines_of(path, COLUMNS):
        where = f"{path}, line {line}"
        job, task = (number_of(where, name, word) for name, word in (("job", job_word), ("task", task_word)))
        if statement not in (*TIMED, *MAILED, BARRIER):
            raise ParameterError(
                f"{where}: statement: there is no '{statement}'; {nearest(statement, (*TIMED, *MAILED, BARRIER))}"
            )
        if statement == BARRIER and value_word:
            raise ParameterError(f"{where}: value: a barrier has none; found '{value_word}'")
        value = 0 if statement == BARRIER else number_of(where, "value", value_word)
        timed = statement in TIMED
        if statement != BARRIER and value < 1:
            what = "a time in whole microseconds" if timed else "messages of a job are numbered 1, 2, ..."
            raise ParameterError(f"{where}: value: expected at least 1 ({what}); found {value}")
        rows.append((job, task, steps[job, task], statement, value if timed else 0, 0 if timed else value))
        steps[job, task] += 1
    if not rows:
        raise ParameterError(f"{path}: there is no line below the heading; expected a statement in each")
    return Programs(path, tuple(sorted(rows)))


def number_of(where: str, name: str, word: str) -> int:
    """Return a whole number of a line."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise ParameterError(f"{where}: {name}: expected a whole number; found '{word}'")
    if len(digits) > len(str(LARGEST[name])) or abs(int(word)) > LARGEST[name]:
        raise ParameterError(f"{where}: {name}: expected at most {LARGEST[name]}; found {word}")
    return int(word)


def with_programs(workload: Workload, programs: Programs) -> Workload:
    """Return the same jobs with the companion table `programs`; `applications` names the jobs that have a program.

    A workload without the table `applications` gets one if all its jobs have a program. A job with a program gets new run time
    and estimate: the time it takes alone with free communication. Raise :class:`ParameterError` when the workload already has
    programs, the file has a job that the workload lacks, or a job has neither a program nor an application. Raise
    :class:`ContractError` when a program is incomplete or could never end.
    """
    import polars as pl

    from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS, alone_us

    if "programs" in workload.companions:
        raise ParameterError("the workload already has programs; leave 'programs' out")
    table = pl.DataFrame(programs.rows, schema=PROGRAMS_COLUMNS, orient="row")
    named = table.select(pl.col("job").unique(maintain_order=True))
    lost = named.join(workload.jobs, on="job", how="anti", maintain_order="left")["job"]
    if len(lost):
        more = f" and lacks {len(lost) - 1} more" if len(lost) > 1 else ""
        first, last = workload.jobs.select(first=pl.col("job").min(), last=pl.col("job").max()).row(0)
        raise ParameterError(
            f"{programs.path}: the workload has no job {lost[0]}{more}; its jobs are numbered from {first} to {last}"
        )
    has = pl.col("job").is_in(named["job"].implode())
    if "applications" in workload.companions:
        described = workload.companions["applications"]
    else:
        others = workload.jobs.filter(~has)["job"]
        if len(others):
            raise ParameterError(
                f"{programs.path}: it has no program of job {others[0]}, and none of {len(others)} of {len(workload)} jobs; "
                "write 'applications' as well, which says what these jobs do"
            )
        described = workload.jobs.select("job", spread=pl.lit("constant")).sort("job").with_row_index("seed")
    plain = [pl.when(has).then(pl.lit(value)).otherwise(name if name in described.columns else None).alias(name)
             for name, value in PLAIN.items()]  # fmt: skip
    applications = described.with_columns(plain).select(
        pl.col(name).cast(kind) for name, kind in APPLICATIONS_COLUMNS.items()
    )
    step = {"step": "programs", "file": programs.path, "jobs": named.height, "statements": table.height}
    try:
        checked = workload.transformed(
            workload.jobs, step, companions={"applications": applications, "programs": table}
        )
    except ContractError as error:
        counted = "; steps of a task are counted from 0" if " step" in str(error) else ""
        raise ContractError(f"{programs.path}: {str(error).removeprefix(OF_TABLE)}{counted}") from error
    taken = [(job, min(alone_us(program), NEVER_US)) for (job,), program in table.group_by("job", maintain_order=True)]
    alone = pl.DataFrame(taken, schema={"job": pl.Int64, "alone_us": pl.Int64}, orient="row")
    jobs = workload.jobs.join(alone, on="job", how="left", maintain_order="left").with_columns(
        pl.coalesce("alone_us", name).alias(name) for name in ("runtime_us", "estimate_us")
    )
    return dataclasses.replace(checked, jobs=jobs.drop("alone_us"))
