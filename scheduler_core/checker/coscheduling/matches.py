"""Rules of the table ``matches``: it has exactly the pairs that were formed, and its numbers agree with the jobs."""

from itertools import pairwise

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence
from scheduler_core.checker.coscheduling.pairs import instants_of, of_both
from scheduler_core.checker.coscheduling.slowdown import FULL
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of
from scheduler_core.common.units import seconds_to_us

STAGES = ("looked_at", "medium_long", "size_fits", "memory_fits", "types_match", "slowdown_fits", "rank")
"""How many jobs a search kept after each test, and the rank of the chosen one among the last."""

GAIN_TOLERANCE = 1e-12  # for profits, relative


def matched(evidence: CoschedulingEvidence) -> pl.DataFrame:
    """Return the table with the holder and the partner of each row, by the side that searched."""
    waiting = pl.col("among").cast(pl.String) == "waiting"
    return evidence.tables["matches"].with_columns(
        waiting=waiting,
        holder=pl.when(waiting).then("job").otherwise("partner"),
        partner=pl.when(waiting).then("partner").otherwise("job"),
        sought="job",
        formed_us="begin_us",
    )


def matches_of_pairs(evidence: CoschedulingEvidence) -> pl.DataFrame:
    """Return the rows of the table that belong to a pair, with what the allocations say of it."""
    if evidence.facts.matches is None:
        return evidence.tables["matches"].clear()
    return matched(evidence).join(evidence.pairs, on=["holder", "partner", "formed_us"], maintain_order="left")


def pairs_are_recorded(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """The table has every pair that is formed, as it was formed, and no other, in order of time.

    If the partner was found among waiting jobs, both start when the pair is formed; among running jobs, only the one that
    searched.
    """
    key = ["holder", "partner", "formed_us"]
    if evidence.facts.matches is None:
        return evidence.tables["matches"].height, evidence.tables["matches"].select("begin_us", "job", "partner")
    rows = matched(evidence).select(*key, "waiting", earlier=pl.col("formed_us") < pl.col("formed_us").shift(1))
    rows = rows.with_columns(again=pl.struct(key).is_duplicated())
    both = aligned(rows, evidence.pairs, *key)
    other_way = pl.col("waiting") & (pl.col("holder_start_us") != pl.col("formed_us"))
    odd = pl.col("until_us").is_null() | (pl.col("partner_start_us") != pl.col("formed_us")) | other_way
    wrong = both.filter(odd | pl.col("earlier") | pl.col("again"))
    wrong = wrong.select(*key, found=pl.lit("no such pair, twice, or out of order"))
    missing = evidence.pairs.join(rows, on=key, how="anti").select(*key, found=pl.lit("not in the table"))
    return rows.height + evidence.pairs.height, pl.concat([wrong, missing])


def searches_are_the_policys(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Partners are found among running jobs, and in backfilling, only where the policy searches there."""
    facts, table = evidence.facts.matches, evidence.tables["matches"]
    if facts is None or not table.height:
        return NOTHING_CHECKED
    rows = matched(evidence)
    wrong = (~pl.col("waiting") & (not facts.running)) | (pl.col("backfilling") & (not facts.backfilling))
    return rows.height, rows.filter(wrong).select("begin_us", "sought", "among", "backfilling")


def tests_leave_fewer(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Each test keeps at most the jobs of the test before, and the chosen job is among the last.

    A search sees only the jobs there are: among waiting jobs, those submitted and not started before; among running jobs, those
    started and not ended. The same holds for the medium and long jobs among them. A test that the policy does not make keeps all
    jobs.
    """
    facts, table = evidence.facts.matches, evidence.tables["matches"]
    if facts is None or not table.height:
        return NOTHING_CHECKED
    rows = matched(evidence)
    limit = seconds_to_us(evidence.parameters["short_limit_s"]) if facts.filters else -1
    known = evidence.held.filter(pl.col("allocations").is_not_null())
    waiting, time = column_of(rows, "waiting"), column_of(rows, "begin_us")
    there = {"jobs_there": known, "medium_long_there": known.filter(pl.col("estimate_us") > limit)}
    most = {name: np.where(waiting, *present(jobs, time)) - 1 for name, jobs in there.items()}
    rows = rows.with_columns(pl.Series(name, each) for name, each in most.items())
    narrow = pl.all_horizontal(pl.col(after) <= pl.col(before) for before, after in pairwise(STAGES))
    if not facts.filters:
        narrow &= (pl.col("looked_at") == pl.col("medium_long")) & (pl.col("size_fits") == pl.col("slowdown_fits"))
    within = (pl.col("looked_at") <= pl.col("jobs_there")) & (pl.col("medium_long") <= pl.col("medium_long_there"))
    return rows.height, rows.filter(~(narrow & within & (pl.col("rank") >= 1))).select("begin_us", "sought", *STAGES)


def present(jobs: pl.DataFrame, time_us: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many jobs wait and how many run at an instant; jobs that start at that instant count in both."""
    submitted, started, ended = (np.sort(column_of(jobs, name)) for name in ("submit_us", "begin_us", "end_us"))
    waiting = np.searchsorted(submitted, time_us, side="right") - np.searchsorted(started, time_us, side="left")
    running = np.searchsorted(started, time_us, side="right") - np.searchsorted(ended, time_us, side="right")
    return waiting, running


def believed_slowdowns_are_the_models(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """The slowdown that the scheduler believes in follows from the stated model."""
    rows = matches_of_pairs(evidence)
    if not rows.height:
        return NOTHING_CHECKED
    rows = rows.with_columns(expected_ppm=pl.Series(evidence.behaviour.pair_slowdown(*of_both(rows))))
    wrong = rows.filter(pl.col("slowdown_ppm") != pl.col("expected_ppm"))
    return rows.height, wrong.select("begin_us", "holder", "partner", "slowdown_ppm", "expected_ppm")


def profits_are_positive(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """If the policy judges pairs by a profit, the profit is above 0 and at least what the policy requires; else none is stated.

    The rule recomputes gains of utilisation from sizes, slowdown, estimates and the work done until then.
    """
    facts, rows = evidence.facts.matches, matches_of_pairs(evidence)
    if facts is None or not rows.height:
        return NOTHING_CHECKED
    gains = utilisation_gains(evidence, rows)
    profit = column_of(rows, "profit")
    if facts.gain == "none":
        wrong = profit != 0
    else:
        wrong = (profit <= 0) | (profit < facts.least_gain)
        if facts.gain != "response":
            expected = gains[facts.gain]
            wrong |= np.abs(profit - expected) > GAIN_TOLERANCE * np.abs(expected)
    if facts.gainful:
        wrong |= gains["utilisation_2"] <= 0
    shown = rows.select("begin_us", "holder", "partner", "profit", **{name: pl.Series(g) for name, g in gains.items()})
    return rows.height, shown.filter(pl.Series(wrong))


def utilisation_gains(evidence: CoschedulingEvidence, rows: pl.DataFrame) -> dict[str, np.ndarray]:
    """Return how a pair changes the utilisation of the holder's processors: while both run, and over the longer run."""
    work = column_of(evidence.rows, "work_us").cumsum()
    done = evidence.rows.select("job", "first", formed_us="begin_us", done_us=pl.Series(work) - pl.col("work_us"))
    done = done.with_columns(pl.col("done_us") - pl.when("first").then("done_us").forward_fill())
    done = done.join(rows, on="formed_us", how="semi").unique(["job", "formed_us"], keep="first")
    estimate = evidence.asked.select("job", "estimate_us")
    left = []
    for who in ("holder", "partner"):
        of_one = aligned(rows.select(job=who, formed_us="formed_us"), done.join(estimate, on="job"), "job", "formed_us")
        left.append(column_of(of_one, "estimate_us") - column_of(of_one, "done_us"))
    holder, partner, ppm = (
        column_of(rows, name).astype(np.int64) for name in ("holder_size", "partner_size", "slowdown_ppm")
    )
    gain = (FULL * (holder + partner) - holder * ppm) / (holder * np.maximum(ppm, 1))
    return {"utilisation_2": gain, "utilisation_1": gain * (np.minimum(*left) / np.maximum(np.maximum(*left), 1))}


def counters_follow(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """The counters agree with the tables: a pass at every instant, a search for every pair, a suspension for every gap.

    If shares are assigned, a rise of a priority is an instant, too. The counters include searches without result, so they may be
    larger. The jobs before partners in the queue, and those behind them, are bounded by how many the search looked at.
    """
    rows = matched(evidence)
    waiting = rows.filter("waiting")
    in_backfilling = rows.select(pl.col("backfilling") * (1 + pl.col("waiting").cast(pl.Int64))).to_series().sum()
    looked_at, rank = (int((waiting[name].cast(pl.Int64) - 1).sum()) for name in ("looked_at", "rank"))
    jobs = evidence.held.filter(pl.col("allocations").is_not_null()).height
    suspended, passes = int(evidence.rows["gap"].sum()), len(instants_of(evidence))
    reserved = evidence.tables["offers"].filter(pl.col("taken").cast(pl.String) == "reserved").height
    stated = evidence.counters
    bounds = {
        "passes": (passes, None if evidence.parameters["aging"] != "off" and evidence.facts.shares else passes),
        "suspended": (suspended, suspended),
        "searches_waiting": (waiting.height, None),
        "searches_running": (rows.height - waiting.height, None),
        "backfilled": (in_backfilling, jobs),
        "weak_load_passes": (0, passes),
        "reserved": (reserved, reserved),
        "pushed_down": (rank, looked_at),
        "pulled_up": (looked_at - stated.get("pushed_down", looked_at), None),
    }
    wrong = [
        (name, stated[name], least, most)
        for name, (least, most) in bounds.items()
        if name in stated and not least <= stated[name] <= (stated[name] if most is None else most)
    ]
    schema = {"counter": pl.String, "stated": pl.Int64, "least": pl.Int64, "most": pl.Int64}
    return len(bounds.keys() & stated.keys()), pl.DataFrame(wrong, schema=schema, orient="row")
