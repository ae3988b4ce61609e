"""Jann's model fitted to the jobs of a log, range by range; fits that ship with slotwise.

``jann_fits.json`` has the fits that studies name. So their workloads are the same on a machine without the log. Write the file
again, where the logs are, with ``python -m traces.models.jann_fit``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.files import read_json, write_json
from scheduler_core.common.units import MICROSECONDS
from traces.catalog import known_log
from traces.models.hyper_erlang import HyperErlang, fit_hyper_erlang, raw_moments
from traces.shape.dates import Dates, between_dates

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

SHIPPED = Path(__file__).with_name("jann_fits.json")
"""The fits that ship with slotwise, the version of slotwise that made them, and the day."""

TO_SHIP = (("CTC-SP2-1996-3.1-cln", Dates(date(1996, 6, 25), date(1996, 9, 12))), ("SDSC-SP2-1998-4.2-cln", None))
"""The logs and days that studies fit the model to."""

RANGES = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 256), (257, 322))
"""Ranges of size, smallest and largest (da Silva 2000, section 5.3.3)."""

LEAST_JOBS = 2
"""Fewest jobs in the log for a range to be drawn: at least one gap is needed."""


@dataclass(frozen=True, slots=True)
class RangeFit:
    """One range of sizes in a log: its jobs, their raw moments (in seconds), and the fitted distributions."""

    smallest: int
    largest: int
    jobs: int
    gap_moments: tuple[float, float, float]
    gaps: HyperErlang
    runtime_moments: tuple[float, float, float]
    runtimes: HyperErlang


@dataclass(frozen=True)
class LogFit:
    """The ranges of a log that can be fitted, and what describes the log: source, sha256, jobs and transformations."""

    log: dict[str, Any]
    ranges: tuple[RangeFit, ...]

    @classmethod
    def from_json(cls, written: dict[str, Any]) -> LogFit:
        """Return the fit that :data:`SHIPPED` holds as plain data."""
        return cls(written["log"], tuple(map(range_from_json, written["ranges"])))


def range_from_json(written: dict[str, Any]) -> RangeFit:
    """Return the fit of a range from plain data."""
    moments = {name: tuple(written[name]) for name in ("gap_moments", "runtime_moments")}
    distributions = {name: HyperErlang(**written[name]) for name in ("gaps", "runtimes")}
    return RangeFit(**{**written, **moments, **distributions})


def fit_log(log: Workload) -> LogFit:
    """Return the fit to the jobs of a log, of every range that has enough of them."""
    fitted = (fit_range(log, sizes) for sizes in RANGES)
    return LogFit(describe_log(log), tuple(fit for fit in fitted if fit is not None))


def fit_range(log: Workload, sizes: tuple[int, int]) -> RangeFit | None:
    """Return the fit to the jobs of a log in one range of sizes; None if there is no gap to fit."""
    import polars as pl

    jobs = log.jobs.filter(pl.col("size").is_between(*sizes)).select("submit_us", "runtime_us")
    gaps = in_seconds(jobs["submit_us"].diff().drop_nulls())
    if len(jobs) < LEAST_JOBS or not any(gaps):
        return None
    of_gaps, of_runtimes = raw_moments(gaps), raw_moments(in_seconds(jobs["runtime_us"]))
    fitted = fit_hyper_erlang(*of_gaps), fit_hyper_erlang(*of_runtimes)
    return RangeFit(*sizes, len(jobs), of_gaps, fitted[0], of_runtimes, fitted[1])


def in_seconds(column: Any) -> list[float]:
    """Return a column of microseconds as seconds."""
    return list(column.to_numpy() / MICROSECONDS)


def describe_log(log: Workload) -> dict[str, Any]:
    """Return a log's name from its provenance, and its number of jobs."""
    named: dict[str, Any] = {key: log.provenance[key] for key in ("source", "file", "sha256") if key in log.provenance}
    return {**named, "jobs": len(log), "transformations": log.provenance.get("transformations", [])}


@cache
def shipped_fits() -> tuple[LogFit, ...]:
    """Return the fits that ship with slotwise."""
    return tuple(map(LogFit.from_json, read_json(SHIPPED)["fits"]))


def shipped_fit(name: str, dates: Dates | None) -> LogFit | None:
    """Return the fit that ships for a log of the catalogue, or for days of it; None if there is none."""
    entry = known_log(name)
    if entry is None:
        return None
    steps = [] if dates is None else [{"step": "dates", **dates.step()}]
    asked = (entry.name, steps)
    return next((fit for fit in shipped_fits() if (fit.log["source"], fit.log["transformations"]) == asked), None)


def fit_days(name: str, dates: Dates | None) -> LogFit:
    """Return the fit to a log, or to days of it; raise :class:`LogError` when the log is missing."""
    from traces.ingest import read_log

    return fit_log(between_dates(read_log(name), dates))


def write_shipped(path: Path, fits: Iterable[LogFit]) -> None:
    """Write fits, the version of slotwise and the day."""
    from importlib.metadata import version

    made = {"slotwise": version("slotwise"), "fitted_on": datetime.now(UTC).date().isoformat(), "unit": "s"}
    write_json(path, {**made, "fits": [asdict(fit) for fit in fits]})


if __name__ == "__main__":
    write_shipped(SHIPPED, [fit_days(*log) for log in TO_SHIP])
