"""Which task runs: the gang's owners first, then the local scheduler's choice; no processor idles if a task could run.

Two tasks are compared only if the readiness and the priority of both are known.
"""

from __future__ import annotations

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.ready import choices_of, ready_times, rivals_of, with_known, with_priority
from scheduler_core.checker.concurrent_gang.rows import IDLE
from scheduler_core.checker.concurrent_gang.trace import trace_of

RUN = ("processor", "begin_ns", "end_ns", "job", "task", "by")


def owners_precede(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task runs by gang only as its slice's owner, from the slice's begin, or later if owners are resumed.

    An owner that is ready then is never passed over.
    """
    facts = evidence.facts
    runs = (
        trace_of(evidence)
        .runs.filter(~pl.col("hidden"))
        .join(evidence.owner_of_slices, on=["processor", "slice"], how="left", maintain_order="left")
    )
    gang, at_begin = pl.col("by") == "gang", pl.col("begin_ns") == pl.col("slice") * facts.slice_ns
    turn = at_begin | pl.lit(facts.resumes_owner)
    owns = pl.col("owner").eq_missing(pl.col("number"))
    broken = runs.filter(
        ~pl.col("clipped") & ((gang & ~(owns & turn)) | (~gang & owns & turn) | (~gang & pl.lit(not facts.local)))
    )
    kept = ready_times(evidence).join(
        evidence.owner_of_slices, on=["processor", "slice"], how="left", maintain_order="left"
    )
    kept = kept.filter(pl.col("number") == pl.col("owner"))
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
    above = pl.lit(True) if facts.beta_ppm is None else pl.col("priority") > facts.beta_ppm
    low = chosen.filter(~above.fill_null(True)) if facts.by_priority else chosen.clear()
    both = rivals_of(evidence).filter(pl.col("by") == "local")
    equal = pl.lit(True)
    if facts.by_priority:
        better = (pl.col("rival_priority") > pl.col("priority")).fill_null(False)
        equal = (pl.col("rival_priority") == pl.col("priority")).fill_null(False)
    else:
        better = pl.lit(False)
    mine, other = pl.col("last_ns"), pl.col("rival_last_ns")
    never = mine.is_null() & other.is_null()
    later = mine.is_not_null() & (other.is_null() | (other < mine))
    before = (pl.col("rival_placed_ns") < pl.col("placed_ns")) | (
        (pl.col("rival_placed_ns") == pl.col("placed_ns")) & (pl.col("rival") < pl.col("number"))
    )
    placed_later = never & pl.lit(whole) & before
    wrong = both.filter(better | (equal & (later | placed_later)))
    low = low.select(*RUN, "priority")
    names = (*RUN, "priority", "last_ns", "rival", "rival_priority", "rival_last_ns")
    return chosen.height + both.height, pl.concat([wrong.select(names), low], how="diagonal")


def nothing_idles(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """No processor is idle while a ready task that its local scheduler may choose is bound to it."""
    facts = evidence.facts
    if not facts.local:
        return 0, ready_times(evidence).clear()
    ready = ready_times(evidence)
    if facts.by_priority and facts.beta_ppm is not None:
        ready = ready.filter(pl.col("priority") > facts.beta_ppm)
    idle = trace_of(evidence).rows.filter(pl.col("activity").is_in(IDLE)).select("processor", "begin_ns", "end_ns")
    sums = idle.sort("processor", "begin_ns").with_columns(
        length=pl.col("end_ns") - pl.col("begin_ns"),
        before=(pl.col("end_ns") - pl.col("begin_ns")).cum_sum().over("processor")
        - (pl.col("end_ns") - pl.col("begin_ns")),
    )
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
    names = ("processor", "job", "task", "from_ns", "to_ns", "priority")
    return ready.height, idled.select(*names)


def runs_end_for_a_reason(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A chosen task runs until it blocks, ends, or is preempted by the clock, a resumed owner or a boosted task."""
    facts = evidence.facts
    gaps = trace_of(evidence).gaps.filter(pl.col("run").is_not_null())
    unknown = pl.col("reason").is_in(["other"])
    for_nothing = gaps.filter(unknown & (pl.col("again") | (pl.col("until_ns") > pl.col("from_ns"))))
    preempted = gaps.filter(pl.col("reason") == "preempted", pl.col("again"))  # else it may have ended
    preempted = preempted.join(evidence.owner_of_slices, on=["processor", "slice"], how="left", maintain_order="left")
    preempted = with_priority(evidence, preempted, "number", "priority")
    preempted = with_priority(evidence, preempted, "successor", "successor_priority")
    resumed = (
        pl.lit(facts.resumes_owner)
        & (pl.col("successor") == pl.col("owner"))
        & pl.col("owner").ne_missing(pl.col("number"))
    )
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
        return 0, ready_times(evidence).clear()
    woken = (
        trace_of(evidence)
        .gaps.filter(
            pl.col("reason").is_in(["disk", "phase", "wait"])
            & (pl.col("until_ns") > pl.col("ready_ns")).fill_null(False)
        )
        .select("processor", "number", "job", "task", "ready_ns", "until_ns")
    )
    runs = trace_of(evidence).runs.select("processor", "begin_ns", "end_ns", "slice", "by", running="number")
    during = woken.sort("ready_ns", maintain_order=True).join_asof(
        runs.sort("begin_ns", maintain_order=True),
        left_on="ready_ns",
        right_on="begin_ns",
        by="processor",
        check_sortedness=False,
    )
    during = during.filter((pl.col("begin_ns") < pl.col("ready_ns")) & (pl.col("ready_ns") < pl.col("end_ns"))).join(
        evidence.owner_of_slices, on=["processor", "slice"], how="left", maintain_order="left"
    )
    during = with_priority(evidence, during, "number", "priority")
    during = with_priority(evidence, during, "running", "running_priority")
    resumed = pl.lit(facts.resumes_owner) & (pl.col("owner") == pl.col("number"))
    boosted = pl.lit(facts.boosts) & (pl.col("by") == "local") & (pl.col("priority") > pl.col("running_priority"))
    if facts.beta_ppm is not None:
        boosted = boosted & (pl.col("priority") > facts.beta_ppm)
    wrong = during.filter((resumed | boosted).fill_null(False))
    names = ("processor", "job", "task", "ready_ns", "priority", "running", "running_priority", "end_ns")
    return during.height, wrong.select(*names)


def limits_are_controlled(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """With control, spinning has a limit exactly if a ready I/O-bound task of another job is bound there and time is left."""
    facts = evidence.facts
    left, limit = facts.limit_left_ns, facts.spin_ns
    if left is None or limit is None:
        return 0, trace_of(evidence).spins.clear()
    spins = trace_of(evidence).spins.with_row_index("spin")
    near = (pl.col("slice") + 1) * facts.slice_ns - pl.col("begin_ns") < left
    length = pl.col("end_ns") - pl.col("begin_ns")
    clipped = (pl.col("begin_ns") == evidence.window[0]) & pl.lit(evidence.window[0] > 0)
    bound = evidence.bound.select(
        "processor", other="number", other_job="job", placed_ns="placed_ns", left_ns="left_ns"
    )
    there = (
        spins.select("spin", "processor", "job", "slice", "begin_ns")
        .join(bound, on="processor")
        .filter(
            pl.col("other_job") != pl.col("job"),
            pl.col("placed_ns") < pl.col("begin_ns"),
            pl.col("left_ns").is_null() | (pl.col("left_ns") > pl.col("begin_ns")),
        )
    )
    there = with_known(evidence, there, "other", "io_bound", "io_bound").sort("begin_ns", maintain_order=True)
    gaps = trace_of(evidence).gaps.select("from_ns", "ready_ns", "next_ns", "until_ns", "reason", other="number")
    there = there.join_asof(gaps, left_on="begin_ns", right_on="from_ns", by="other", check_sortedness=False)
    ready = (pl.col("ready_ns") <= pl.col("begin_ns")) & (pl.col("begin_ns") < pl.col("until_ns"))
    # A task of which nothing is known may be ready; a task that waits for its disk is not.
    blocked = (pl.col("ready_ns") > pl.col("begin_ns")).fill_null(False)
    there = there.with_columns(
        certain=(ready & pl.col("io_bound")).fill_null(False), possible=~blocked & pl.col("io_bound").fill_null(True)
    )
    any_of = there.group_by("spin").agg(pl.col("certain", "possible").any())
    spins = spins.join(any_of, on="spin", how="left", maintain_order="left").with_columns(
        pl.col("certain", "possible").fill_null(False)
    )
    stops = trace_of(evidence).gaps.select("run", end_ns="from_ns", reason="reason")
    spins = spins.join(stops, on=["run", "end_ns"], how="left", maintain_order="left")
    beyond = (length > limit) & pl.col("certain") & ~near & ~clipped
    at_limit = (pl.col("reason") == "wait").fill_null(False) & (length == limit)
    stopped = at_limit & ((~pl.col("possible")) | near) & ~clipped
    names = ("processor", "begin_ns", "end_ns", "job", "task", "certain", "possible")
    return spins.height, spins.filter(beyond | stopped).select(*names)
