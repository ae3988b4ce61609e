"""Which task runs: the gang's owners first, then the local scheduler's choice; no processor idles if a task could run.

Two tasks are compared only if the readiness and the priority of both are known.
"""

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import LENGTH, ConcurrentGangEvidence, latest
from scheduler_core.checker.concurrent_gang.ready import choices_of, ready_times, rivals_of, with_known, with_priority
from scheduler_core.checker.concurrent_gang.rows import IDLE
from scheduler_core.checker.concurrent_gang.trace import WAKING, trace_of
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned

RUN = ("processor", "begin_ns", "end_ns", "job", "task", "by")


def owners_precede(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task runs by gang only as its slice's owner, from the slice's begin, or later if owners are resumed.

    An owner that is ready then is never passed over.
    """
    facts = evidence.facts
    runs = evidence.with_owners(trace_of(evidence).runs.filter(~pl.col("hidden")))
    gang, at_begin = pl.col("by") == "gang", pl.col("begin_ns") == pl.col("slice") * facts.slice_ns
    in_turn = pl.col("owner").eq_missing(pl.col("number")) & (at_begin | pl.lit(facts.resumes_owner))
    broken = runs.filter(~pl.col("clipped"), (gang != in_turn) | (~gang & pl.lit(not facts.local)))
    kept = evidence.with_owners(ready_times(evidence)).filter(pl.col("number") == pl.col("owner"))
    passed_over = pl.col("from_ns") < pl.col("to_ns")
    if not facts.resumes_owner:
        passed_over = passed_over & (pl.col("from_ns") == pl.col("slice") * facts.slice_ns)
    late = kept.filter(passed_over).select("processor", "job", "task", ready_ns="from_ns", until_ns="to_ns")
    return runs.height + kept.height, pl.concat([broken.select(*RUN, "owner"), late], how="diagonal")


def local_choices_are_best(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The local scheduler chooses a task of the highest priority, above beta; ties go to the task dispatched longest ago.

    Among tasks never dispatched on the processor, it chooses the one whose job was placed first.
    """
    facts, whole = evidence.facts, evidence.window[0] == 0
    chosen = choices_of(evidence).filter(pl.col("by") == "local")
    bounded = facts.by_priority and facts.beta_ppm is not None
    low = chosen.filter(pl.col("priority") <= facts.beta_ppm) if bounded else chosen.clear()
    both = rivals_of(evidence).filter(pl.col("by") == "local")
    better, equal = pl.lit(False), pl.lit(True)
    if facts.by_priority:
        better = pl.col("rival_priority") > pl.col("priority")
        equal = pl.col("rival_priority") == pl.col("priority")
    mine, other = pl.col("last_ns"), pl.col("rival_last_ns")
    never = mine.is_null() & other.is_null()
    later = mine.is_not_null() & (other.is_null() | (other < mine))
    before = (pl.col("rival_placed_ns") < pl.col("placed_ns")) | (
        (pl.col("rival_placed_ns") == pl.col("placed_ns")) & (pl.col("rival") < pl.col("number"))
    )
    wrong = both.filter(better | (equal & (later | (never & pl.lit(whole) & before))))
    wrong = wrong.select(*RUN, "priority", "last_ns", "rival", "rival_priority", "rival_last_ns")
    return chosen.height + both.height, pl.concat([wrong, low.select(*RUN, "priority")], how="diagonal")


def nothing_idles(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """No processor is idle while a ready task that its local scheduler may choose is bound to it."""
    facts = evidence.facts
    if not facts.local:
        return NOTHING_CHECKED
    ready = ready_times(evidence)
    if facts.by_priority and facts.beta_ppm is not None:
        ready = ready.filter(pl.col("priority") > facts.beta_ppm)
    idle = trace_of(evidence).rows.filter(pl.col("activity").is_in(IDLE)).select("processor", "begin_ns", "end_ns")
    before = LENGTH.cum_sum().over("processor") - LENGTH
    sums = idle.sort("processor", "begin_ns").with_columns(length=LENGTH, before=before)
    sums = sums.sort("begin_ns", maintain_order=True)
    for edge in ("from_ns", "to_ns"):
        ready = ready.sort(edge, maintain_order=True).join_asof(
            sums, left_on=edge, right_on="begin_ns", by="processor", check_sortedness=False
        )
        into = pl.min_horizontal(pl.col(edge) - pl.col("begin_ns"), "length")
        ready = ready.with_columns((pl.col("before") + into).fill_null(0).alias(f"idle_by_{edge}")).drop(
            "begin_ns", "end_ns", "length", "before"
        )
    idled = ready.filter(pl.col("idle_by_to_ns") > pl.col("idle_by_from_ns")).sort("from_ns", "number")
    return ready.height, idled.select("processor", "job", "task", "from_ns", "to_ns", "priority")


def runs_end_for_a_reason(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A chosen task runs until it blocks, ends, or is preempted by the clock, a resumed owner or a boosted task."""
    facts = evidence.facts
    gaps = trace_of(evidence).gaps.filter(pl.col("run").is_not_null())
    goes_on = pl.col("again") | (pl.col("until_ns") > pl.col("from_ns"))
    for_nothing = gaps.filter(pl.col("reason") == "other", goes_on)
    preempted = gaps.filter(pl.col("reason") == "preempted", pl.col("again"))  # else it may have ended
    preempted = with_priority(evidence, evidence.with_owners(preempted), "number", "priority")
    preempted = with_priority(evidence, preempted, "successor", "successor_priority")
    other = pl.col("owner").ne_missing(pl.col("number"))
    resumed = pl.lit(facts.resumes_owner) & (pl.col("successor") == pl.col("owner")) & other
    boosted = pl.lit(facts.boosts) & (pl.col("by") == "local")
    boosted = boosted & (pl.col("successor_priority") > pl.col("priority")).fill_null(True)
    if facts.beta_ppm is not None:
        boosted = boosted & (pl.col("successor_priority") > facts.beta_ppm).fill_null(True)
    wrong = preempted.filter(~(resumed | boosted).fill_null(False))
    names = ("processor", "job", "task", "by", "reason", "from_ns", "next_ns")
    found = pl.concat([for_nothing.select(*names), wrong.select(*names, "successor")], how="diagonal")
    return gaps.height, found


def preemptions_happen(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task that becomes ready takes the processor if it may: a resumed owner, or a boosted task of higher priority."""
    facts = evidence.facts
    if not (facts.resumes_owner or facts.boosts):
        return NOTHING_CHECKED
    woken = trace_of(evidence).gaps.filter(pl.col("reason").is_in(WAKING), pl.col("until_ns") > pl.col("ready_ns"))
    woken = woken.select("processor", "number", "job", "task", "ready_ns", "until_ns")
    runs = trace_of(evidence).runs.select("processor", "begin_ns", "end_ns", "slice", "by", running="number")
    during = latest(woken, "ready_ns", runs, "begin_ns", by="processor")
    during = during.filter(pl.col("begin_ns") < pl.col("ready_ns"), pl.col("ready_ns") < pl.col("end_ns"))
    during = with_priority(evidence, evidence.with_owners(during), "number", "priority")
    during = with_priority(evidence, during, "running", "running_priority")
    resumed = pl.lit(facts.resumes_owner) & (pl.col("owner") == pl.col("number"))
    boosted = pl.lit(facts.boosts) & (pl.col("by") == "local") & (pl.col("priority") > pl.col("running_priority"))
    if facts.beta_ppm is not None:
        boosted = boosted & (pl.col("priority") > facts.beta_ppm)
    names = ("processor", "job", "task", "ready_ns", "priority", "running", "running_priority", "end_ns")
    return during.height, during.filter(resumed | boosted).select(*names)


def limits_are_controlled(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """With control, spinning has a limit exactly if a ready I/O-bound task of another job is bound there and time is left."""
    facts = evidence.facts
    left, limit = facts.limit_left_ns, facts.spin_ns
    if left is None or limit is None:
        return NOTHING_CHECKED
    spins = trace_of(evidence).spins.with_row_index("spin")
    near = (pl.col("slice") + 1) * facts.slice_ns - pl.col("begin_ns") < left
    clipped = (pl.col("begin_ns") == evidence.window[0]) & pl.lit(evidence.window[0] > 0)
    bound = evidence.bound.select("processor", "placed_ns", "left_ns", other="number", other_job="job")
    there = spins.select("spin", "processor", "job", "slice", "begin_ns").join(bound, on="processor")
    there = there.filter(
        pl.col("other_job") != pl.col("job"),
        pl.col("placed_ns") < pl.col("begin_ns"),
        pl.col("left_ns").is_null() | (pl.col("left_ns") > pl.col("begin_ns")),
    )
    there = with_known(evidence, there, "other", "io_bound", "io_bound")
    gaps = trace_of(evidence).gaps.select("from_ns", "ready_ns", "next_ns", "until_ns", "reason", other="number")
    there = latest(there, "begin_ns", gaps, "from_ns", by="other")
    ready = (pl.col("ready_ns") <= pl.col("begin_ns")) & (pl.col("begin_ns") < pl.col("until_ns"))
    # A task of which nothing is known may be ready; a task that waits for its disk is not.
    blocked = (pl.col("ready_ns") > pl.col("begin_ns")).fill_null(False)
    there = there.with_columns(
        certain=(ready & pl.col("io_bound")).fill_null(False), possible=~blocked & pl.col("io_bound").fill_null(True)
    )
    any_of = there.group_by("spin").agg(pl.col("certain", "possible").any())
    spins = aligned(spins, any_of, "spin").with_columns(pl.col("certain", "possible").fill_null(False))
    stops = trace_of(evidence).gaps.select("run", end_ns="from_ns", reason="reason")
    spins = aligned(spins, stops, "run", "end_ns")
    beyond = (limit < LENGTH) & pl.col("certain") & ~near
    stopped = (pl.col("reason") == "wait") & (limit == LENGTH) & (~pl.col("possible") | near)
    names = ("processor", "begin_ns", "end_ns", "job", "task", "certain", "possible")
    return spins.height, spins.filter(~clipped, beyond | stopped).select(*names)
