"""The rules of space sharing: a job holds its processors for itself, from its start to its finish."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import polars as pl

from scheduler_core.checker import common
from scheduler_core.checker.evidence import NOTHING_CHECKED, Evidence, Rule, aligned
from scheduler_core.common.units import HOUR_US
from scheduler_core.contracts.companions import EVERY_QUEUE
from scheduler_core.space_sharing.facts import SpaceSharingFacts


def runs_at_once(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A job has one allocation, at rate 1, in the only slot there is."""
    several = evidence.held.filter(pl.col("allocations") > 1).select("job", "allocations")
    odd = evidence.allocations.filter((pl.col("rate") != 1) | (pl.col("slot") != 0))
    odd = odd.select("job", "begin_us", "rate", "slot")
    return evidence.allocations.height, pl.concat([several, odd], how="diagonal")


def none_starts_in_a_standstill(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """No job starts or is resumed in a standstill of the workload."""
    standstills = evidence.companion("standstills").sort("begin_us")
    if standstills.is_empty():
        return NOTHING_CHECKED
    started = evidence.allocations.select("job", start_us="begin_us").sort("start_us")
    latest = started.join_asof(standstills, left_on="start_us", right_on="begin_us", strategy="backward")
    return started.height, latest.filter(pl.col("start_us") < pl.col("end_us")).sort("job")


def none_starts_in_closed_hours(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """No job starts in hours that are closed to its queue, to jobs as long as it is, or to all."""
    closed = evidence.companion("closed_hours")
    if closed.is_empty():
        return NOTHING_CHECKED
    started = evidence.held.select("job", "estimate_us", start_us="begin_us").drop_nulls()
    started = started.join(evidence.queues, on="job", how="left").sort("start_us")
    broken = []
    for (queue, longer_than_us), periods in closed.sort("begin_us").group_by("queue", "longer_than_us"):
        held = started.filter(pl.col("estimate_us") > longer_than_us)
        if queue != EVERY_QUEUE:
            held = held.filter(pl.col("queue") == queue)
        latest = held.join_asof(periods, left_on="start_us", right_on="begin_us", strategy="backward")
        broken.append(
            latest.filter(pl.col("start_us") < pl.col("end_us")).select("job", "start_us", "begin_us", "end_us")
        )
    return started.height, pl.concat(broken).unique("job", keep="first").sort("job")


def none_starts_on_processors_out_of_use(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Whenever a job starts, running jobs hold no more than the processors that can be used."""
    periods = evidence.companion("out_of_use").sort("begin_us")
    if periods.is_empty():
        return NOTHING_CHECKED
    held = evidence.held.select("job", "begin_us", "end_us", "size").drop_nulls()
    change = [
        held.select(start_us=time, more=size) for time, size in (("begin_us", "size"), ("end_us", -pl.col("size")))
    ]
    in_use = pl.concat(change).group_by("start_us").agg(pl.col("more").sum()).sort("start_us")
    in_use = in_use.select("start_us", in_use=pl.col("more").cum_sum())
    started = held.select("job", start_us="begin_us").join(in_use, on="start_us").sort("start_us")
    latest = started.join_asof(periods, left_on="start_us", right_on="begin_us", strategy="backward")
    usable = evidence.machine.processors - pl.col("processors")
    broken = latest.filter((pl.col("start_us") < pl.col("end_us")) & (pl.col("in_use") > usable))
    return started.height, broken.sort("job")


def ceilings_are_kept(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Whenever jobs of a user start, its running jobs exceed no ceiling, unless it is a single one.

    Remaining requested time only rises at starts, so other times need no look.
    """
    facts, broken, starts = evidence.facts, [], 0
    if isinstance(facts, SpaceSharingFacts) and facts != SpaceSharingFacts():
        runs = evidence.held.select("job", "begin_us", "end_us", "estimate_us", "size").drop_nulls()
        for user, begin, running in running_at_starts(runs.join(evidence.users, on="job")):
            starts += 1
            left = sum(size * (expected - begin) for _, expected, size in running)
            too_many = facts.user_jobs is not None and len(running) > facts.user_jobs
            too_long = facts.user_time is not None and left > facts.user_time
            if len(running) > 1 and (too_many or too_long):
                broken.append((user, begin, len(running), left / HOUR_US))
    columns = {"user": pl.Int32, "begin_us": pl.Int64, "jobs": pl.Int64, "processor_hours": pl.Float64}
    return starts, pl.DataFrame(broken, columns, orient="row")


Runs = list[tuple[int, int, int]]
"""End, expected end and processors of running jobs."""


def running_at_starts(runs: pl.DataFrame) -> Iterator[tuple[int, int, Runs]]:
    """Yield each user and time at which jobs of the user start, with the user's jobs that run from then on."""
    rows = runs.sort("user", "begin_us", "job").select("user", "begin_us", "end_us", "estimate_us", "size").rows()
    last, running = None, Runs()
    for (user, begin), started in groupby(rows, key=itemgetter(0, 1)):
        still = [one for one in running if one[0] > begin] if user == last else []
        running = still + [(end, begin + estimate, size) for _, _, end, estimate, size in started]
        last = user
        yield user, begin, running


def promises_are_kept(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """A promise is made to a waiting job, which starts no later than promised."""
    asked = evidence.held.select("job", "submit_us", "start_us")
    both = aligned(evidence.tables["promises"], asked, "job")
    kept = pl.col("made_us").is_between("submit_us", "start_us") & (pl.col("start_us") <= pl.col("latest_us"))
    return both.height, both.filter(~kept.fill_null(False)).select("job", "made_us", "latest_us", "start_us")


class SpaceSharingEvidence(Evidence):
    """Evidence of space sharing, where a part of the machine may be out of use."""

    @property
    def too_much(self) -> pl.Expr:
        """Whether a job asks for more than can be used at some time from its submission on."""
        unusable: pl.Expr = pl.lit(0)
        for end, processors in self.companion("out_of_use").select("end_us", "processors").iter_rows():
            unusable = (
                pl.when(pl.col("submit_us") < end).then(pl.max_horizontal(unusable, processors)).otherwise(unusable)
            )
        return pl.col("size") > self.largest - unusable


EVIDENCE = SpaceSharingEvidence

RULES: dict[str, Rule] = {
    **common.RULES,
    "allocations are sound": common.allocations_are_sound,
    "a job runs at once to its end": runs_at_once,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": common.work_is_conserved,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "no job starts in a standstill": none_starts_in_a_standstill,
    # Digests of certificates cover the name, which is older than hours closed to jobs over a limit or to all.
    "no job starts in closed hours of its queue": none_starts_in_closed_hours,
    "no job starts on processors out of use": none_starts_on_processors_out_of_use,
    "no user exceeds a ceiling": ceilings_are_kept,
}
"""The rules by their names in certificates and the report."""

RULES_OF_TABLES: dict[str, dict[str, Rule]] = {"promises": {"no start delays a promise": promises_are_kept}}
"""The rules of schedules that have an optional table, by its name."""
