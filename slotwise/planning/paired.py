"""Any number of finished runs of the same jobs, each compared with the first, job by job and by groups of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.errors import ContractError
from scheduler_core.runs.comparison import Side, read_sides, refuse_other_jobs
from slotwise.planning.effects import Effect, effect_of
from slotwise.planning.waits import NUMBERED, clock_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


@dataclass(frozen=True)
class Comparison:
    """Runs by their names, A first, and the effect of each other one on the jobs that end both in it and in A."""

    sides: dict[str, Side]
    effects: dict[str, Effect]
    kinds: list[str]

    def groups(self, kind: str) -> tuple[list[str], list[list[Any]]]:
        """Return the columns and rows of a table of mean waits in hours: the group, its jobs, and a column for each run."""
        tables = {name: effect.groups.get(kind) for name, effect in self.effects.items()}
        rows: dict[str, list[Any]] = {}
        for place, table in enumerate(tables.values(), 1):
            for row in () if table is None else table.iter_rows(named=True):
                cells = rows.setdefault(str(row[kind]), [row["jobs"], row["before_h"], *[None] * len(tables)])
                cells[1 + place] = row["after_h"]
        return [kind, "jobs", *self.sides], [[group, *cells] for group, cells in rows.items()]

    def lines(self) -> list[dict[str, Any]]:
        """Return a row for each run and metric of all jobs, and for each run and group of jobs."""
        whole = [
            {"run": name, "metric": metric, "kind": "all", "group": "", "jobs": effect.jobs}
            | {**asdict(ratio), "ratio": ratio.ratio}
            for name, effect in self.effects.items()
            for metric, ratio in effect.ratios.items()
        ]
        parts = [
            {
                "run": name,
                "metric": "wait_h",
                "kind": kind,
                "group": str(row[kind]),
                "jobs": row["jobs"],
                "before": row["before_h"],
                "after": row["after_h"],
            }
            for name, effect in self.effects.items()
            for kind in self.kinds
            if kind in effect.groups
            for row in effect.groups[kind].iter_rows(named=True)
        ]
        return [*whole, *parts]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return {"runs": {name: side.title for name, side in self.sides.items()}, "against_a": self.lines()}

    def comma_separated(self) -> str:
        """Return the comparison as CSV; times are in hours."""
        return comma_separated(self.lines())


def compare_runs(paths: Sequence[Path], replication: int, log: Workload | None, kinds: Sequence[str]) -> Comparison:
    """Return how each run differs from the first. A CSV of another program takes the place of a run, except of the first.

    Parameters
    ----------
    replication
        The replication to compare.
    log
        The log of the runs: it has the users, groups, queues and partitions that a run's folder does not have.
    kinds
        The groups of jobs to compare (:data:`slotwise.planning.KINDS`).

    Raises
    ------
    ContractError
        When runs are of different jobs, there are too many of them, or ``kinds`` names a group that the jobs do not state.
    """
    if len(paths) > len(ascii_uppercase):
        raise ContractError(f"at most {len(ascii_uppercase)} runs can be compared at once; found {len(paths)}")
    first, second = read_sides(paths[0], paths[1], replication)
    sides = [first, second, *[read_sides(paths[0], path, replication)[1] for path in paths[2:]]]
    jobs = first.workload if log is None else of_log(first, log)
    refuse_unknown(jobs, kinds, has_log=log is not None)
    named = dict(zip(ascii_uppercase, sides, strict=False))
    effects = {}
    for name, side in list(named.items())[1:]:
        refuse_other_jobs(first, side)
        effects[name] = effect_of(jobs, first.schedule, side.schedule, clock_of(jobs))
    return Comparison(named, effects, list(dict.fromkeys(kinds)))


def of_log(first: Side, log: Workload) -> Workload:
    """Return the log whose jobs the first run ran; raise :class:`ContractError` when it has other jobs."""
    known = first.workload.jobs.select("job").join(log.jobs.select("job"), on="job", how="anti")
    if known.height:
        raise ContractError(
            f"{known.height:,} of {len(first.workload):,} jobs of the runs are not in the log given with --log; is it their log?"
        )
    return log


def refuse_unknown(jobs: Workload, kinds: Sequence[str], *, has_log: bool) -> None:
    """Raise :class:`ContractError` for a kind of group that the jobs do not state."""
    if "hour" in kinds and clock_of(jobs) is None:
        raise ContractError("--by hour: nothing says when the log began; name a log with UnixStartTime with --log")
    for kind in kinds:
        if kind in NUMBERED and (kind not in jobs.jobs.columns or jobs.jobs[kind].drop_nulls().is_empty()):
            advice = "the log does not state it" if has_log else "name the log of the runs with --log"
            raise ContractError(f"--by {kind}: no job states its {kind}; {advice}")
