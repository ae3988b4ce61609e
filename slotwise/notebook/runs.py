"""A run in Python: a schedule that knows its workload, and shows itself."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import require
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.declarations.words import counted
from scheduler_core.runs import comparison, replay, simulation
from scheduler_core.runs.folder import title_of, write_run
from scheduler_core.runs.summary import job_times, summarise_schedule
from slotwise.planning.waits import HOUR_US

if TYPE_CHECKING:
    from scheduler_core.checker import Certificate
    from scheduler_core.decisions.explained import Explanation
    from scheduler_core.declarations.policy import Policy, Progress
    from slotwise.decisions.gantt import Gantt

FIRST = 30
"""The jobs on the chart of a summary, from the first to start."""

ASKED = ("size", "user", "group", "queue", "partition")
"""Columns of the workload that the table of jobs repeats, where the workload has them."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Run(Schedule):
    """A schedule with the workload that it was made of: what :func:`slotwise.simulate` returns.

    It has all attributes of a schedule: the tables ``jobs``, ``allocations`` and ``tables``, ``machine``, the note ``run`` and
    ``digest``. Every function that takes a schedule takes a run.
    """

    workload: Workload

    @property
    def title(self) -> str:
        """The policy as it was asked for."""
        return title_of(self.run)

    def metrics(self) -> dict[str, float | int | None]:
        """Return the usual metrics by name; a name that ends in ``_s`` is in seconds, utilisation is a share from 0 to 1.

        Metrics of times cover the jobs that ended, and are None if none did. Slowdowns are bounded at 10 s.
        """
        return summarise_schedule(self)

    def frame(self) -> pl.DataFrame:
        """Return a row per job: its times in hours since the workload's zero, its wait, its request and its outcome.

        ``job, submit_h, start_h, finish_h, wait_h, response_h, bounded_slowdown, size``, of ``user, group, queue, partition``
        those that the workload states, and ``outcome``. The family defines the wait. Times of jobs that did not end are null.
        For pandas, call ``to_pandas()`` on it; that needs ``pip install slotwise[notebook]``.
        """
        times = job_times(self)
        asked = [name for name in ASKED if name in self.workload.jobs.columns]
        made = self.jobs.select(
            "job",
            *((pl.col(f"{name}_us") / HOUR_US).alias(f"{name}_h") for name in ("submit", "start", "finish")),
            wait_h=times.wait_s / 3600,
            response_h=times.response_s / 3600,
            bounded_slowdown=pl.when(pl.col("finish_us").is_not_null()).then(times.bounded_slowdown),
            outcome="outcome",
        )
        requests = self.workload.jobs.select("job", *asked)
        return made.join(requests, on="job", how="left", maintain_order="left").select(pl.exclude("outcome"), "outcome")

    def gantt(self, jobs: Collection[int] | None = None, window: tuple[float, float] | None = None) -> Gantt:
        """Return a Gantt chart, which notebooks show as a picture and ``print`` in characters; ``save(path)`` writes it.

        Raise :class:`ContractError` when there is no job to show.

        Parameters
        ----------
        jobs
            Numbers of the jobs to show; without them, all.
        window
            Begin and end of the time to show, in hours since the workload's zero.
        """
        from slotwise.decisions.gantt import gantt

        return gantt(self, jobs, window)

    def check(self, *, replay: bool = False) -> Certificate:
        """Return the certificate of this schedule (:func:`slotwise.check`); with ``replay``, the policy runs again, too."""
        return check_of(self.workload, self, replay=replay)

    def explain(self, job: int, *, alternatives: bool = True) -> Explanation:
        """Return why a job started when it did; ``print`` shows what matters most, ``sentences()`` yields all that is told.

        With ``alternatives``, the policy runs again on changed jobs. Raise :class:`ContractError` for an unknown job, or one that
        never started.
        """
        from scheduler_core.decisions.explanation import explain

        return explain(self.workload, self, job, alternatives=alternatives)

    def compare(self, other: Schedule) -> dict[str, Any]:
        """Return how another schedule of the same jobs differs: this one is A, the other B (:func:`slotwise.compare`)."""
        return comparison.compare(self, other)

    def write(self, folder: Path | str, *, force: bool = False) -> Path:
        """Check the schedule and write the run into a folder, as ``slotwise simulate --out`` does; return the folder.

        Raise :class:`OutputError` for a folder that is not empty, unless ``force`` replaces the run in it. Raise
        :class:`IllegalScheduleError` when the schedule breaks a rule; the folder then has the certificate alone.
        """
        from slotwise.cli.outputs import refuse_existing

        require(folder, str | Path, "the path of a folder")
        refuse_existing([Path(folder)], force, "give force=True")
        name = str(self.workload.provenance.get("file", "the workload"))
        write_run(folder, [self.workload], [self], [self.check()], name)
        return Path(folder)

    def summary(self) -> dict[str, str]:
        """Return what the run shows of itself, as text by name: policy, jobs, waits, slowdown, utilisation and digest."""
        metrics = self.metrics()
        wait, slowdown, used = (metrics[name] for name in ("mean_wait_s", "mean_bounded_slowdown", "utilisation"))
        return {
            "policy": self.title,
            "jobs": f"{counted(self.jobs.height, 'job')} on {counted(self.machine.processors, 'processor')}",
            "mean wait": "–" if wait is None else f"{wait / 3600:.3g} h",
            "mean bounded slowdown": "–" if slowdown is None else f"{slowdown:.3g}",
            "utilisation": "–" if used is None else f"{100 * used:.1f} %",
            "digest": f"{self.digest[:12]}…",
        }

    def __repr__(self) -> str:
        return "\n".join(f"{name:<22} {value}" for name, value in self.summary().items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
            for name, value in self.summary().items()
        )
        return f"<table>{rows}</table>{self.first_jobs()}"

    def first_jobs(self) -> str:
        """Return a Gantt chart of the first jobs as SVG; empty for families other than space sharing, and without jobs."""
        started = self.jobs.drop_nulls("finish_us").sort("start_us", maintain_order=True).head(FIRST)["job"].to_list()
        if self.family.name != "space_sharing" or not started:
            return ""
        return f"<p>The first {counted(len(started), 'job')} to start:</p>{self.gantt(started)._repr_svg_()}"


check_of = replay.check
"""The check of a schedule; the method of a run has a parameter of the module's name."""


def simulate(
    workload: Workload | str | Path,
    policy: Policy | str | Callable[..., Any],
    *,
    progress: Progress | None = None,
    **parameters: Any,
) -> Run:
    """Return the run of a workload under a policy: its schedule, with methods for summaries, tables, charts and explanations.

    Raise :class:`ParameterError` for an unknown policy or parameter, or a value outside its range, and :class:`ContractError`
    for a machine of several clusters under a policy that schedules one.

    Parameters
    ----------
    workload
        The jobs and their machine: read from a log (:func:`slotwise.read_log`) or drawn from a model
        (:func:`slotwise.generate`); or the path or name of a log.
    policy
        A policy; its name, with ``parameters``; a call as studies write it: ``'easy(backfill_order="shortest")'``; or a policy of
        your own: a function or class (:class:`~scheduler_core.space_sharing.own_policy.OwnPolicy`), or ``'my_policy.py:name'``.
    progress
        Called from time to time with the number of jobs submitted so far and the number of all jobs.
    """
    if isinstance(workload, str | Path):
        from traces.ingest import read_log

        workload = read_log(workload)
    made = simulation.simulate(workload, policy, progress=progress, **parameters)
    return Run(**{field.name: getattr(made, field.name) for field in fields(made)}, workload=workload)
