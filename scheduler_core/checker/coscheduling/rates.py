"""Rules of speed and work: each row's share and slowdown follow from the jobs beside it, and its work from both."""

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence
from scheduler_core.checker.coscheduling.slowdown import FULL
from scheduler_core.checker.evidence import column_of


def work_is_conserved(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job does exactly the work asked (up to the kill at its estimate); a row does the work of its length, the last the rest.

    The last row ends as soon as the work is done, and no other row could have done all of it.
    """
    rows = evidence.rows
    length = column_of(rows, "end_us") - column_of(rows, "begin_us")
    share, slowdown = (column_of(rows, name).astype(np.int64) for name in ("share_ppm", "slowdown_ppm"))
    sound = (share > 0) & (share <= FULL) & (slowdown > 0)
    share, slowdown = np.where(sound, share, 1), np.where(sound, slowdown, 1)
    work, last = column_of(rows, "work_us"), column_of(rows, "last")
    exact = np.where(last, length == time_of(work, share, slowdown), work == done_in(length, share, slowdown))
    wrong = rows.filter(pl.Series(~exact | ~sound | (column_of(rows, "rate") != share / slowdown) | (work < 0)))
    first = np.flatnonzero(column_of(rows, "first"))
    done = np.add.reduceat(work, first) if len(first) else work
    sums = rows[first].select("job", "due_us", work_us=pl.Series(done, dtype=pl.Int64))
    unequal = sums.filter(pl.col("work_us") != pl.col("due_us"))
    shown = ("job", "begin_us", "end_us", "rate", "share_ppm", "slowdown_ppm", "work_us")
    return rows.height + sums.height, pl.concat([wrong.select(*shown), unequal], how="diagonal")


def done_in(length: np.ndarray, share: np.ndarray, slowdown: np.ndarray) -> np.ndarray:
    """Return the work done in some time, rounded down; computed in parts, so that nothing overflows int64."""
    whole, rest = np.divmod(length, slowdown)
    return whole * share + rest * share // slowdown


def time_of(work: np.ndarray, share: np.ndarray, slowdown: np.ndarray) -> np.ndarray:
    """Return the time that some work takes, rounded up."""
    whole, rest = np.divmod(work, share)
    return whole * slowdown - (-rest * slowdown) // share


def rates_are_the_models(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job alone is not slowed down; beside others its slowdown is that of the stated model for exactly these jobs.

    Of several jobs beside it, on whichever of its processors, the worst one counts.
    """
    rows = evidence.rows.select("row", "job", "begin_us", "end_us", "share_ppm", "slowdown_ppm")
    expected = np.full(evidence.allocations.height, FULL)
    if evidence.facts.shares:
        together = evidence.together
        expected[together.row[together.there]] = together.slowdown[together.there]
    elif evidence.meetings.height:
        row, own, other = (column_of(evidence.meetings, name) for name in ("row", "position", "other_position"))
        expected[row] = 0
        np.maximum.at(expected, row, evidence.behaviour.actual_slowdown(own, other))
    rows = rows.with_columns(expected_ppm=pl.Series(expected[column_of(rows, "row")]))
    wrong = pl.col("slowdown_ppm") != pl.col("expected_ppm")
    if not evidence.facts.shares:
        wrong |= pl.col("share_ppm") != FULL
    return rows.height, rows.filter(wrong).drop("row")
