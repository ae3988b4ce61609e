"""Rules of predictions on clusters in slices: they follow from the least that coming slices give a class."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of
from scheduler_core.checker.grid.clusters import lay_out
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.slices.evidence import CLASSES, LONG, MEDIUM, ClassTime
from scheduler_core.checker.slices.layout import share_of
from scheduler_core.checker.slices.promises import least_slices


@dataclass(frozen=True)
class TimeToCome:
    """The time that classes will get, as known at some instants: a row per instant and class."""

    at: np.ndarray
    begin: np.ndarray  # the remaining work of the class's slice in the interval in force
    end: np.ndarray
    following: np.ndarray  # begin of the first interval in which the class gets its least
    length: np.ndarray  # how long slices work from then on
    offset: np.ndarray  # when in the interval they begin to
    interval: int

    def gained(self, time_us: np.ndarray) -> np.ndarray:
        """Return how far the class clock will have advanced by a time."""
        own = np.clip(time_us - self.begin, 0, self.end - self.begin)
        later = np.maximum(time_us - self.following, 0)
        within = np.clip(later % self.interval - self.offset, 0, self.length)
        gained: np.ndarray = own + later // self.interval * self.length + within
        return gained

    def reached(self, gained: np.ndarray) -> np.ndarray:
        """Return when the class clock will have advanced by ``gained``, which is above 0."""
        left = gained - (self.end - self.begin)
        passed = np.maximum(-(-left // self.length) - 1, 0)
        later = self.following + passed * self.interval + self.offset + left - passed * self.length
        return np.where(left <= 0, self.begin + gained, later)


def time_to_come(
    time: ClassTime, at: np.ndarray, kind: np.ndarray, *, laid_out: bool, since: np.ndarray | None = None
) -> TimeToCome:
    """Return what is known at instants; ``laid_out``: an interval that begins then is laid out.

    An interval without slices on a cluster is laid out without a short slice for a job that comes within it. With ``since``
    medium and long slices to come are as long as the mean of those that were laid out from then on.
    """
    interval, switch = time.setting_us("interval_s"), time.setting_us("switch_s")
    inside = at // interval * interval
    medium, long = share_of(time, "share")
    left = interval - 2 * switch
    of_medium = left * medium // (medium + long)
    begin = np.where(kind == LONG, inside + interval - (left - of_medium), inside + switch)
    end = np.where(kind == LONG, inside + interval, np.where(kind == MEDIUM, begin + of_medium, begin))
    last = time.slice_of(inside + interval - 1)
    stands = (last >= 0) & (time.begin[last] >= inside) if len(time.begin) else np.zeros(len(at), bool)
    for number in CLASSES:
        asked, own = np.flatnonzero(stands & (kind == number)), np.flatnonzero(time.kind == number)
        row = np.searchsorted(time.begin[own], inside[asked] + interval) - 1
        there = (row >= 0) & (time.begin[own][row] >= inside[asked]) if len(own) else np.zeros(len(asked), bool)
        begin[asked] = np.where(there, time.work[own][row], inside[asked]) if len(own) else inside[asked]
        end[asked] = np.where(there, time.end[own][row], inside[asked]) if len(own) else inside[asked]
    known = np.ones(len(at), bool) if laid_out else at % interval != 0
    begin, end = np.maximum(begin, at), np.where(known, end, at)
    end = np.maximum(end, begin)
    following = inside + np.where(known, interval, 0)
    length, offset = (least[kind] for least in least_slices(time))
    if since is not None:
        length, offset = by_the_mean(time, kind, since, following, (length, offset))
    return TimeToCome(at, begin, end, following, length, offset, interval)


def by_the_mean(
    time: ClassTime, kind: np.ndarray, since: np.ndarray, following: np.ndarray, least: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean length of slices laid out between two times, and their offset; ``least`` for short jobs and without any."""
    interval, switch, (length, offset) = time.setting_us("interval_s"), time.setting_us("switch_s"), least
    mean = {}
    for number in (MEDIUM, LONG):
        own = time.kind == number
        total = np.concatenate([[0], np.cumsum((time.end - time.work)[own])])
        first, last = (np.searchsorted(time.begin[own], when) for when in (since, following))
        mean[number] = (total[last] - total[first]) // np.maximum(last - first, 1)
    some = last > first  # every interval that is laid out has one long slice
    before_the_end = {LONG: mean[LONG], MEDIUM: mean[LONG] + switch + mean[MEDIUM]}
    for number, ahead in before_the_end.items():
        length = np.where(some & (kind == number), mean[number], length)
        offset = np.where(some & (kind == number), interval - ahead, offset)
    return np.maximum(length, 1), offset


def ways_to_come(
    evidence: GridEvidence, at: np.ndarray, kind: np.ndarray, since: np.ndarray
) -> tuple[TimeToCome, TimeToCome]:
    """Return the time to come, first if an interval that begins at an instant is laid out, then if it is not.

    ``since`` is the begin of time of each row's cluster, as :func:`lay_out` moves it.
    """
    time = lay_out(evidence).class_time
    known = since if evidence.parameters["nominal"] == "mean" else None
    laid_out, not_yet = (time_to_come(time, at, kind, laid_out=laid_out, since=known) for laid_out in (True, False))
    return laid_out, not_yet


def follow(
    to_come: TimeToCome, asked: np.ndarray, start: np.ndarray, finish: np.ndarray, estimate: np.ndarray
) -> np.ndarray:
    """Return whether predictions follow from the time to come: a start in a slice of the class or as asked, and its finish."""
    gained = to_come.gained(start)
    ends = np.maximum(start + estimate, to_come.reached(gained + estimate))
    begins = np.maximum(asked, to_come.reached(gained + 1) - 1)
    right: np.ndarray = (finish == ends) & (start == begins)
    return right


def predictions_follow(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A job is predicted to finish when its class will have got its estimate from the predicted start on.

    It is predicted to start in a slice of its class, unless that is the requested start. The rest of the interval goes as laid
    out; after it, each class gets the least it can get, or with ``nominal="mean"`` the mean so far. An interval that begins at
    that time is laid out already if a job is present. What clusters predict by the mean is checked of slots only.
    """
    rows = predictions(evidence)
    if not evidence.facts.in_slices:
        return NOTHING_CHECKED
    if evidence.parameters["nominal"] == "mean":
        rows = rows.filter(pl.col("from_us").is_null())
    moved = column_of(rows, "cluster").astype(np.int64) * lay_out(evidence).span_us
    at, start, finish = (column_of(rows, name) + moved for name in ("at_us", "start_us", "finish_us"))
    kind, estimate = column_of(rows, "kind"), column_of(rows, "estimate_us")
    asked = np.where(rows["from_us"].is_null(), start, rows["from_us"].fill_null(0).to_numpy() + moved)
    right = np.zeros(rows.height, bool)
    for to_come in ways_to_come(evidence, at, kind, moved):
        right |= follow(to_come, asked, start, finish, estimate)
    return rows.height, rows.filter(pl.Series(~right))


def predictions(evidence: GridEvidence) -> pl.DataFrame:
    """List the predictions: for the clusters asked, and of slots as they were placed (without ``from_us``)."""
    known = evidence.placed_at.rename({"now_us": "at_us"})
    of_candidates = aligned(evidence.tables["candidates"], known, "job")
    of_slots = aligned(evidence.tables["slides"], evidence.clusters_of_jobs, "job")
    columns = ("job", "cluster", "at_us", "from_us", "start_us", "finish_us")
    rows = pl.concat(
        [table.select(name for name in columns if name in table.columns) for table in (of_candidates, of_slots)],
        how="diagonal",
    )
    there = evidence.anywhere.select("job", "cluster", "estimate_us", "kind")
    return rows.join(there, on=["job", "cluster"], maintain_order="left")
