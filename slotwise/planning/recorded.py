"""What a log itself says of its machine: how busy it was, and which jobs waited although they would have fitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.words import counted
from slotwise.planning.waits import DAY_US, HOUR_US, LEAST_JOBS_OF_A_WEEK, WEEK_US
from traces.shape.recorded import Recorded, time_quantiles
from traces.swf_header import GPU_JOBS

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

LEAST_KNOWN = 0.5
"""The least share of jobs with a recorded wait."""

LOW = 0.75
"""The most of the machine that jobs hold in a low stretch."""

BRIEFLY = 0.001
"""The share of a low stretch in which they may hold more."""

LEAST_LOW_US = 4 * WEEK_US
"""The least length of a low stretch."""

LEAST_FITTING = 0.2
"""The least share of a low stretch in which a waiting job would have fitted."""

MINUTE_US = 60 * MICROSECONDS

LEAST_AT_ONCE = 0.05
"""The least share of the jobs of a week that start at once, by a clock that was slow."""

MOSTLY = 0.75
"""The share of all waiting by jobs that fit from which on most of it may not have been for processors: under FCFS, too, jobs that
fit wait for one ahead."""

IDLE = 0.2
"""The most of all waiting during which every waiting job fits, if jobs wait for processors. Logs whose models repeat their waits
have up to 0.08; one whose jobs wait for GPUs has over 0.25. The limit is chosen here."""

HEAVY = 0.5
"""The least share of all waiting in one week that is told. Six logs of the archive have up to 0.07 in a week."""

LEAST_WEEKS = 10
"""The fewest weeks with jobs of a log in which one may be told as heavy."""


@dataclass(frozen=True)
class LowStretch:
    """A stretch at the begin or the end of a log, or all of it, in which jobs held far fewer processors than the machine has."""

    begins: bool
    ends: bool
    edge_us: int  # where it ends, if it begins the log; else where it begins
    most: int


@dataclass(frozen=True)
class SlowClock:
    """Weeks of a log, counted from 0, in which the clock of submissions was so many hours behind that of starts."""

    first: int
    last: int
    hours: int


@dataclass(frozen=True)
class HeavyWeek:
    """A week of a log, counted from 0, and the share of all waiting that is of the jobs submitted in it."""

    week: int
    share: float


@dataclass(frozen=True)
class Use:
    """The recorded use of a machine.

    Shares of time are of the time from the first submission to the last recorded end.
    """

    processors: int
    quantiles: dict[str, float]  # processors in use, by share of the time
    most: int  # processors in use at once
    time_above: float  # share of time in which more processors are in use than the machine has
    wait_fitting: float  # share of all waiting in which the waiting job would have fitted
    wait_idle: float  # share of all waiting in which every waiting job would have fitted
    jobs_fitting: float  # share of jobs that waited over a minute and would have fitted for over a minute of it
    time_fitting: float  # share of time in which a waiting job would have fitted
    standstills: (
        int  # periods of an hour and more without any start, in which a waiting job would have fitted throughout
    )
    standstill_h: float  # their length in all
    outages: int  # periods of an hour and more in which jobs wait and none runs
    outage_h: float
    low: LowStretch | None
    slow: SlowClock | None
    heavy: HeavyWeek | None
    gpu_jobs: int  # jobs of the log with GPUs, which are not simulated

    def at(self, share: float) -> float:
        """Return the processors in use that are not exceeded for a share of the time; one of those in ``quantiles``."""
        return self.quantiles[f"{share:g}"]


def with_recorded_wait(workload: Workload) -> pl.DataFrame:
    """Return the jobs whose wait the log recorded.

    Raise :class:`ContractError` when the log recorded too few waits to judge by, or only waits of 0.
    """
    jobs = workload.jobs
    if "recorded_wait_us" not in jobs.columns or not len(workload):
        raise ContractError(
            "the log records no waits (field 3 of SWF), so no simulation can be compared with what happened"
        )
    known = jobs.drop_nulls("recorded_wait_us")
    if known.height < LEAST_KNOWN * jobs.height:
        raise ContractError(
            f"the log records the wait of {known.height:,} of {jobs.height:,} jobs; at least half are needed to compare a "
            "simulation with what happened"
        )
    if not known["recorded_wait_us"].max():
        raise ContractError(
            "every wait that the log records (field 3 of SWF) is 0, so no simulation can be compared with what happened"
        )
    return known


def unknown_words(workload: Workload) -> str:
    """Return how many jobs have no recorded wait, as a sentence; empty if all have one."""
    unknown = workload.jobs["recorded_wait_us"].null_count()
    if not unknown:
        return ""
    return (
        f"The log records no wait (field 3, negative) for {unknown:,} of {counted(len(workload), 'job')}: they are simulated, "
        "but not compared."
    )


def recorded_use(jobs: pl.DataFrame, processors: int, *, changes: bool = False, gpu_jobs: int = 0) -> Use:
    """Return the recorded use of a machine of ``processors`` by jobs with a recorded wait (:func:`with_recorded_wait`).

    Where the simulated machine changes, too, no low stretch speaks against its size. ``gpu_jobs`` is of :func:`gpu_jobs_of`.
    """
    recorded = Recorded(jobs, processors)
    used, lengths, wait_us = recorded.used, recorded.lengths, recorded.wait_us
    fitted, fitting = recorded.fits
    span = max(int(lengths.sum()), 1)
    still, out = (long_ones(periods) for periods in (recorded.standstills(), recorded.outages()))
    waited = wait_us > MINUTE_US
    return Use(
        processors=processors,
        quantiles=time_quantiles(used, lengths),
        most=int(used.max(initial=0)),
        time_above=float(lengths[used > processors].sum() / span),
        wait_fitting=float(fitted.sum() / max(wait_us.sum(), 1)),
        wait_idle=float((recorded.waiting * lengths)[recorded.idle].sum() / max(wait_us.sum(), 1)),
        jobs_fitting=float((fitted[waited] > MINUTE_US).sum() / max(waited.sum(), 1)),
        time_fitting=float(lengths[fitting > 0].sum() / span),
        standstills=len(still),
        standstill_h=int(still.sum()) / HOUR_US,
        outages=len(out),
        outage_h=int(out.sum()) / HOUR_US,
        low=None if changes else low_stretch(recorded),
        slow=slow_clock(jobs),
        heavy=heavy_week(jobs),
        gpu_jobs=gpu_jobs,
    )


def slow_clock(jobs: pl.DataFrame) -> SlowClock | None:
    """Return the most weeks in a row whose shortest wait is the same number of whole hours; None if there are fewer than two.

    It is so to the minute, and a share of the jobs (:data:`LEAST_AT_ONCE`) wait at most two minutes longer. By a right clock
    these jobs would have started at once.
    """
    wait, hours = pl.col("recorded_wait_us"), (pl.col("least") / HOUR_US).round()
    weeks = (
        jobs.group_by(week=pl.col("submit_us") // WEEK_US)
        .agg(jobs=pl.len(), least=wait.min(), at_once=(wait - wait.min() <= 2 * MINUTE_US).sum())
        .filter(pl.col("jobs") >= LEAST_JOBS_OF_A_WEEK)
        .sort("week")
        .with_columns(hours=hours.cast(pl.Int64))
    )
    exact = (pl.col("least") - pl.col("hours") * HOUR_US).abs() <= MINUTE_US
    slow = (pl.col("hours") > 0) & exact & (pl.col("at_once") >= LEAST_AT_ONCE * pl.col("jobs"))
    runs = weeks.with_columns(run=pl.when(slow).then("hours").otherwise(0).rle_id()).filter(slow).partition_by("run")
    longest = max(runs, key=len, default=weeks.clear())
    if longest.height < 2:
        return None
    return SlowClock(longest["week"][0], longest["week"][-1], longest["hours"][0])


def heavy_week(jobs: pl.DataFrame) -> HeavyWeek | None:
    """Return the week with at least half of all waiting (:data:`HEAVY`); None without one, or in a log of few weeks."""
    weeks = jobs.group_by(week=pl.col("submit_us") // WEEK_US).agg(waited=pl.col("recorded_wait_us").sum())
    if weeks.height < LEAST_WEEKS:
        return None
    week, waited = weeks.sort("waited", "week").row(-1)
    share = waited / max(int(weeks["waited"].sum()), 1)
    return HeavyWeek(week, share) if share >= HEAVY else None


def idle_waiting(pools: Iterable[Workload]) -> float:
    """Return the share of all recorded waiting during which every waiting job of the pool would have fitted.

    No policy whatever its order leaves all of them waiting, unless something else than processors holds jobs back. Standstills of
    the workload are left out; of processors that change, the fewest count.
    """
    idle_us = waited_us = 0
    for pool in pools:
        table = pool.companions.get("out_of_use")
        out = 0 if table is None or table.is_empty() else int(table["processors"].max())  # type: ignore[arg-type]
        recorded = Recorded(pool.jobs.drop_nulls("recorded_wait_us"), pool.machine.processors - out)
        still = within(recorded.instants[:-1], pool.companions.get("standstills"))
        waiting_us = recorded.waiting * recorded.lengths
        idle_us += int(waiting_us[recorded.idle & ~still].sum())
        waited_us += int(waiting_us.sum())
    return idle_us / max(waited_us, 1)


def within(times: np.ndarray, periods: pl.DataFrame | None) -> np.ndarray:
    """Return which times lie in one of some periods, which are in order and apart from each other."""
    if periods is None or periods.is_empty():
        return np.zeros(times.size, bool)
    begin, end = (periods[name].to_numpy() for name in ("begin_us", "end_us"))
    place = np.searchsorted(begin, times, side="right") - 1
    return (place >= 0) & (times < end[np.maximum(place, 0)])


def not_for_processors(fitting: float, idle: float) -> bool:
    """Return whether most waiting was not for processors: by the share of it in which the job fits, and in which all do."""
    return fitting > MOSTLY and idle > IDLE


def low_stretch(recorded: Recorded) -> LowStretch | None:
    """Return the longest low stretch (:data:`LOW`) at the begin of a log, else at its end; None if there is none.

    A stretch is none if in the rest of the log, too, most waiting was not for processors.
    """
    fitting = recorded.fits[1] > 0
    waiting_us, fitting_us = (number * recorded.lengths for number in (recorded.waiting, recorded.fits[1]))
    idle_us = np.where(recorded.idle, waiting_us, 0)
    for begins in (True, False):
        used, lengths, fits = (
            values if begins else values[::-1] for values in (recorded.used, recorded.lengths, fitting)
        )
        low = used <= LOW * recorded.processors
        count = low_steps(low, lengths)
        length_us = int(lengths[:count].sum())
        if length_us >= LEAST_LOW_US and lengths[:count][fits[:count]].sum() >= LEAST_FITTING * length_us:
            rest = slice(count, None) if begins else slice(0, lengths.size - count)
            waited_us = max(int(waiting_us[rest].sum()), 1)
            if not_for_processors(fitting_us[rest].sum() / waited_us, idle_us[rest].sum() / waited_us):
                continue
            edge_us = int(recorded.instants[count if begins else lengths.size - count])
            most = round(time_quantiles(used[:count], lengths[:count])["0.999"])
            return LowStretch(begins, not begins or count == lengths.size, edge_us, most)
    return None


def low_steps(low: np.ndarray, lengths: np.ndarray) -> int:
    """Return how many steps from the first on are ``low``, but for a tiny share of their time (:data:`BRIEFLY`)."""
    within = np.cumsum(np.where(low, 0, lengths)) <= BRIEFLY * np.cumsum(lengths)
    return int(np.flatnonzero(within & low)[-1]) + 1 if (within & low).any() else 0


def use_sentences(use: Use) -> Iterator[str]:
    """Yield what the log says against its clocks, and against the size of the machine or processors as the cause of waiting."""
    if use.slow is not None:
        yield slow_words(use.slow)
    if use.heavy is not None:
        yield heavy_words(use.heavy)
    if use.gpu_jobs:
        yield (
            f"The log has {counted(use.gpu_jobs, 'job')} with GPUs, which are not simulated. If jobs wait for GPUs, take these "
            "as the processors: slotwise import --gpus."
        )
    if use.low is not None:
        yield low_words(use.low, use.processors)
    elif not_for_processors(use.wait_fitting, use.wait_idle):
        yield (
            "Most waiting was not for free processors. Partitions with processors of their own can cause this (whatif --pool "
            "simulates them), or GPUs, memory or licences, which are not simulated. More processors need not shorten it."
        )


def slow_words(slow: SlowClock) -> str:
    """Return in words that a clock was slow, and which weeks to leave out: those before and after may be so in part."""
    begin_s, end_s = ((week * WEEK_US) // MICROSECONDS for week in (max(slow.first - 1, 0), slow.last + 2))
    return (
        f"From week {slow.first} to week {slow.last} no job waited less than {slow.hours} h, and many just that long: the "
        f"clock of submissions was probably {slow.hours} h slow. Leave these weeks out: "
        f'--where "submit < {begin_s} OR submit >= {end_s}".'
    )


def heavy_words(heavy: HeavyWeek) -> str:
    """Return in words that most waiting is of one week, and how to see the others."""
    begin_s, end_s = ((week * WEEK_US) // MICROSECONDS for week in (heavy.week, heavy.week + 1))
    return (
        f"{heavy.share:.0%} of all recorded waiting is of the jobs submitted in week {heavy.week}, so mean waits and their "
        f'ratios rest on that week. See the others, too: --where "submit < {begin_s} OR submit >= {end_s}".'
    )


def gpu_jobs_of(workload: Workload) -> int:
    """Return how many jobs of a log have GPUs that it does not schedule, as `slotwise import` writes it in the header."""
    return int(workload.provenance.get("header", {}).get(GPU_JOBS, 0))


def low_words(low: LowStretch, processors: int) -> str:
    """Return a low stretch in words, and what to do if the machine had another size then."""
    edge = f"day {low.edge_us / DAY_US:,.0f} of the log"
    when = ("In all of the log" if low.ends else f"Until {edge}") if low.begins else f"From {edge} on"
    held = f"{when}, jobs held at most {low.most:,} of the {processors:,} processors, although others waited that would fit."
    if low.begins and low.ends:
        return f"{held} If the machine has no more for these jobs, say so: --procs {low.most}."
    changed, later = ("grew", ">=") if low.begins else ("shrank", "<")
    side = "after" if low.begins else "before"
    return (
        f"{held} If the machine {changed} then, no single size fits the whole log: take the jobs {side} the change, "
        f'--where "submit {later} {low.edge_us // MICROSECONDS}".'
    )


def long_ones(periods: np.ndarray) -> np.ndarray:
    """Return the lengths of the periods of an hour and more."""
    lengths = periods[:, 1] - periods[:, 0]
    return lengths[lengths >= HOUR_US]
