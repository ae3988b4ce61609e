"""Rules of pairs: two jobs are matched only if they pass the policy's tests, and a partner is suspended only when it may be."""

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence, distinct
from scheduler_core.checker.coscheduling.slowdown import FULL
from scheduler_core.checker.evidence import NOTHING_CHECKED, column_of
from scheduler_core.common.units import seconds_to_us

SHOWN = ("holder", "partner", "formed_us")


def tested_pairs(evidence: CoschedulingEvidence) -> pl.DataFrame:
    """Return the pairs that must have passed the tests: all if the policy makes any."""
    tests = evidence.facts.matches is not None and evidence.facts.matches.filters
    return evidence.pairs if tests else evidence.pairs.clear()


def of_both(pairs: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of both jobs of each pair."""
    return column_of(pairs, "holder_position"), column_of(pairs, "partner_position")


def no_short_job_is_paired(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Both jobs of a pair are medium or long by their full estimates."""
    pairs = tested_pairs(evidence)
    if not pairs.height:
        return NOTHING_CHECKED
    limit = seconds_to_us(evidence.parameters["short_limit_s"])
    estimate = column_of(evidence.asked, "estimate_us")
    both = {f"estimate_of_{who}_us": estimate[at] for who, at in zip(SHOWN, of_both(pairs), strict=False)}
    short = np.any([each <= limit for each in both.values()], axis=0)
    return pairs.height, pairs.select(*SHOWN, *(pl.Series(name, each) for name, each in both.items())).filter(short)


def pairs_fit_in_memory(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Each processor has the memory that both jobs of a pair need there."""
    pairs = tested_pairs(evidence)
    if not pairs.height:
        return NOTHING_CHECKED
    return pairs.height, pairs.filter(~evidence.behaviour.memory_fits(*of_both(pairs))).select(*SHOWN)


def types_of_pairs_match(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Different resources dominate the two jobs of a pair, or the CPU dominates both; without hyperthreading, CPU and disk."""
    pairs = tested_pairs(evidence)
    if not pairs.height:
        return NOTHING_CHECKED
    return pairs.height, pairs.filter(~evidence.behaviour.kinds_match(*of_both(pairs))).select(*SHOWN)


def slowdowns_are_limited(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """No pair has a believed slowdown beyond the limit.

    Unless slowdowns were measured, two jobs that mostly compute must have compatible computing. The policy may also limit the sum
    of their network use.
    """
    pairs = tested_pairs(evidence)
    if not pairs.height:
        return NOTHING_CHECKED
    believed = evidence.behaviour.pair_slowdown(*of_both(pairs))
    beyond = evidence.behaviour.slowed_too_much(*of_both(pairs))
    return pairs.height, pairs.select(*SHOWN, believed_ppm=pl.Series(believed)).filter(beyond)


def partners_are_suspended_when_they_may(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job is suspended only as the partner of a holder that slows it down too much.

    It resumes when the holder ends, and no other job joins the holder meanwhile. A pair that is slowed down too much lasts at
    most until the next instant at which jobs are submitted or end.
    """
    rows, limit = evidence.rows, evidence.parameters.get("preempt_above", "off")
    gap = column_of(rows, "gap")
    left_us = column_of(rows, "end_us")[np.flatnonzero(gap) - 1]
    gaps = rows.filter(pl.Series(gap)).select("job", left_us=pl.Series(left_us), resumed_us="begin_us")
    if isinstance(limit, str) or not evidence.pairs.height:
        return gaps.height, gaps
    actual = evidence.behaviour.actual_slowdown(*of_both(evidence.pairs))
    pairs = evidence.pairs.with_columns(too_slow=pl.Series(actual / FULL > limit))
    ends = evidence.held.select(holder="job", holder_ends_us="end_us")
    bad = pairs.filter("too_slow").join(ends, on="holder")
    allowed = gaps.join(bad, left_on=["job", "left_us"], right_on=["partner", "until_us"], how="left")
    allowed = allowed.with_columns(
        joined_meanwhile=pl.struct("holder", pl.col("left_us").alias("formed_us")).is_in(
            pairs.select(pl.struct("holder", "formed_us")).to_series().implode()
        )
    )
    wrong = allowed.filter(
        pl.col("holder").is_null() | (pl.col("resumed_us") != pl.col("holder_ends_us")) | pl.col("joined_meanwhile")
    ).select("job", "left_us", "resumed_us", "holder")
    instants = instants_of(evidence)
    following = instants[np.searchsorted(instants, column_of(bad, "formed_us"), side="right")]
    late = bad.select(*SHOWN, "until_us", next_instant_us=pl.Series(following, dtype=pl.Int64))
    late = late.filter(pl.col("until_us") > pl.col("next_instant_us"))
    return gaps.height + pairs.height, pl.concat([wrong, late], how="diagonal")


def instants_of(evidence: CoschedulingEvidence) -> np.ndarray:
    """Return the instants, ascending, at which jobs that ran were submitted or ended, or had a reserved start."""
    ran = evidence.held.filter(pl.col("allocations").is_not_null())
    reserved = evidence.tables["offers"].filter(pl.col("taken").cast(pl.String) == "reserved")
    times = column_of(ran, "submit_us"), column_of(ran, "end_us"), column_of(reserved, "start_us")
    return distinct(np.concatenate(times))[0]
