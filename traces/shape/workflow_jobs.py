"""Turning jobs into workflows: which jobs are eligible, how many are taken, and how tasks replace them.

Random numbers of the purpose ``workflows`` order the eligible jobs. The first of them become workflows, so a larger share has all
workflows of a smaller one. Everything else is drawn job by job in that order, each quantity with its own purpose. So neither
the share nor other parameters change what a workflow gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

Drawn = Callable[[str], "np.random.Generator"]
"""A function from a purpose to its generator."""

SELECTS = ("target_share", "quarter", "one_stream", "all")
"""Which eligible jobs become workflows, and how many.

``target_share``: all are candidates, and tasks become the fraction ``share`` of tasks plus medium and long jobs, which are
counted before any is split. The others turn the part ``fraction`` of a pool into workflows: ``quarter``, a quarter of the
eligible jobs; ``one_stream``, those of the first cluster; ``all``, all of them.
"""

MEDIUM_US = 600 * MICROSECONDS
"""Least run time of a medium or long job."""

KEPT_COLUMNS = ("user", "group", "executable", "queue", "partition", "memory_kb", "phase", "interactive")
"""Optional columns that tasks inherit from their job; they have no others."""

CLASSED = ("class", "flexibility")
"""Columns that policies read and tasks cannot inherit."""


LONGEST_S = 10**9
"""The longest transfer, about 32 years."""


def check_transfers(transfers_s: tuple[float, ...]) -> None:
    """Raise :class:`ParameterError` unless this is the least and the longest time of a transfer."""
    numbers = all(type(value) in (int, float) for value in transfers_s)
    if not numbers or len(transfers_s) != 2 or not 0 <= transfers_s[0] <= transfers_s[1] <= LONGEST_S:
        raise ParameterError(
            f"transfers_s must be the least and the longest time, [20, 600]; found {list(transfers_s)}"
        )


@dataclass(frozen=True)
class Workflows(Parameters):
    """Some jobs of a workload turned into workflows; ``label`` names the kind of workflows."""

    label: ClassVar[str]

    share: float | None = parameter(
        None, "part of tasks and medium and long jobs that are tasks, for target_share", minimum=0, maximum=0.99
    )
    select: str = parameter("target_share", "from which of the eligible jobs workflows are made", choices=SELECTS)
    fraction: float | None = parameter(
        None, "part of the pool that becomes workflows, for the others", minimum=0, maximum=1
    )
    longer_than_s: float = parameter(6000.0, "eligible jobs run longer", unit="s", minimum=0)
    shorter_than_s: float = parameter(60_000.0, "and shorter", unit="s", minimum=0)
    wider_than: int = parameter(10, "and request more processors", minimum=0)
    keep_job: bool = parameter(False, "whether the job stays beside its workflow, which adds load")

    def validate(self) -> None:
        """Raise :class:`ParameterError` for a share without ``target_share``, a fraction with it, or empty bounds."""
        wanted, other = ("share", "fraction") if self.select == "target_share" else ("fraction", "share")
        if getattr(self, wanted) is None:
            raise ParameterError(f"{wanted} is missing: with select {self.select} it says how many workflows there are")
        if getattr(self, other) is not None:
            raise ParameterError(f"with select {self.select} it is {wanted} that says how many; leave {other} out")
        if self.longer_than_s >= self.shorter_than_s:
            raise ParameterError(
                f"longer_than_s must be below shorter_than_s; found {self.longer_than_s:g} and {self.shorter_than_s:g}"
            )

    @property
    def tables(self) -> tuple[str, ...]:
        """Companion tables of its workloads; they may be empty."""
        return ("tasks", "edges")

    def add(self, workload: Workload, drawn: Drawn) -> Workload:
        """Return the workload with some jobs turned into workflows; ``drawn`` returns the generator of a purpose."""
        raise NotImplementedError

    def candidates(self, workload: Workload, drawn: Drawn) -> pl.DataFrame:
        """Return the jobs that may become workflows, in the order of selection, with their ``place`` in the whole order.

        Raise :class:`ParameterError` when some jobs are tasks already, or the workload has columns or tables that tasks cannot
        have.
        """
        import polars as pl

        if "tasks" in workload.companions:
            raise ParameterError("some jobs are tasks of workflows already; expected jobs without tasks")
        if workload.companions:
            raise ParameterError(
                f"jobs have tables beside them ({', '.join(workload.companions)}), which tasks would not have"
            )
        for name in CLASSED:
            if name in workload.jobs.columns:
                raise ParameterError(f"the workload states the {name} of its jobs, which is not known of tasks")
        longer, shorter = (round(seconds * MICROSECONDS) for seconds in (self.longer_than_s, self.shorter_than_s))
        runtime = pl.col("runtime_us")
        eligible = workload.jobs.filter((runtime > longer) & (runtime < shorter) & (pl.col("size") > self.wider_than))
        order = drawn("workflows").permutation(len(eligible))
        in_turn = eligible[order].with_columns(place=pl.int_range(pl.len(), dtype=pl.Int64))
        if self.select == "quarter":
            return in_turn.head(round(len(in_turn) / 4))
        if self.select == "one_stream" and "home" in in_turn.columns:
            return in_turn.filter(pl.col("home") == 0)
        return in_turn

    def taken(self, workload: Workload, tasks: np.ndarray) -> int:
        """Return how many candidates become workflows; ``tasks`` is the number of tasks of each.

        For a target share it is the nearest achievable number. Raise :class:`ParameterError` when all of them together do not
        reach the share.
        """
        import math

        import numpy as np

        if self.select != "target_share":
            return math.floor(float(self.fraction or 0.0) * len(tasks) + 0.5)
        share = float(self.share or 0.0)
        wanted = share * medium_and_long(workload.jobs) / (1 - share)
        before = np.cumsum(tasks) - tasks
        if wanted > before[-1] + 1.5 * tasks[-1] if len(tasks) else wanted >= 1:
            raise ParameterError(
                f"a share of {share:g} is {wanted:.0f} tasks, and the {len(tasks)} eligible jobs would have "
                f"{int(tasks.sum())}; ask for a smaller share, or make more jobs eligible"
            )
        return int(np.count_nonzero(before + tasks / 2 <= wanted))


def medium_and_long(jobs: pl.DataFrame) -> int:
    """Return the number of jobs that are medium or long by run time."""
    return int((jobs["runtime_us"] >= MEDIUM_US).sum())


def with_tasks(
    workload: Workload, became: Workflows, split: pl.DataFrame, tasks: pl.DataFrame, tables: dict[str, pl.DataFrame],
    step: dict[str, Any],
) -> Workload:  # fmt: skip
    """Return the workload with tasks in place of the jobs in ``split`` that became workflows, or beside them.

    ``tasks`` has a row per task: ``workflow`` (the number of the job), ``task``, ``job`` (its own number, above those of all
    jobs), ``runtime_us``, ``estimate_us``, ``size``. ``tables`` are the other companion tables. The recorded step has the
    parameters of ``became`` and the entries of ``step``.
    """
    import polars as pl

    columns = workload.jobs.columns
    own = ("job", "runtime_us", "estimate_us", "size")
    carried = split.select(pl.col("job").alias("workflow"), "submit_us", *(c for c in KEPT_COLUMNS if c in columns))
    rows = tasks.join(carried, on="workflow", how="left", maintain_order="left")
    unknown = [name for name in columns if name not in rows.columns]
    rows = rows.with_columns(pl.lit(None, workload.jobs.schema[name]).alias(name) for name in unknown)
    kept = workload.jobs if became.keep_job else workload.jobs.join(split.select("job"), on="job", how="anti")
    jobs = pl.concat([kept, rows.select(columns).cast({name: workload.jobs.schema[name] for name in own})])
    of_medium, count = medium_and_long(workload.jobs), len(tasks)
    done = {
        "step": "workflows",
        **became.values(),
        **step,
        "workflows": len(split),
        "tasks": count,
        "medium_and_long_before": of_medium,
        "share_reached": count / (of_medium + count) if count else 0.0,
        "share_of_what_is_there": medium_and_long(rows) / max(1, medium_and_long(jobs)),
    }
    made = {"tasks": tasks.select("job", "workflow", "task").sort("workflow", "task"), **tables}
    return workload.transformed(jobs.sort("submit_us", "job"), done, companions=made)
