"""Rules of gangs: they are whole, keep their places, and work during their slot's turns."""

import numpy as np
import polars as pl

from scheduler_core.checker.common import LENGTH, UNSOUND, in_order, work_adds_up
from scheduler_core.checker.evidence import NOTHING_CHECKED, column_of, counters_agree
from scheduler_core.checker.gang.evidence import GangEvidence
from scheduler_core.checker.gang.slot_clock import advances, by_cluster, turns
from scheduler_core.checker.places import ranks_in_time, sorted_by_place

LOADS = ("low_us", "normal_us", "high_us")


def jobs_are_not_left_out(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """If the policy suspends no job, a placed job keeps a place until it finishes; waiting for turns is no gap."""
    if evidence.facts.suspends:
        return NOTHING_CHECKED
    return evidence.held.height, evidence.held.filter(pl.col("gaps") > 0).select("job", "begin_us", "end_us", "gaps")


def allocations_are_sound(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """An allocation has a positive length and belongs to a job of the workload; a job has one at a time in a slot.

    A job has several at once only if the policy lets jobs run in several slots.
    """
    place = ("job", "cluster", "slot") if evidence.facts.in_several_slots else ("job",)
    ordered = in_order(evidence, evidence.sequence, *place)
    return ordered.height, ordered.filter(UNSOUND).select("job", "slot", "begin_us", "end_us", "earlier_end")


def gangs_are_whole(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """All of a job runs at once: it names as many processors as it holds, and equally many in all its slots at one time.

    A job's allocations that overlap, directly or through others, must have one size.
    """
    sequence = evidence.sequence
    names = evidence.allocations["processor_ids"].is_not_null()[sequence["row"]]
    partial = names & (pl.Series(evidence.places.count[column_of(sequence, "row")]) != sequence["processors"])
    torn = (pl.col("begin_us") < pl.col("before_end")) & (pl.col("processors") != pl.col("size_before"))
    return sequence.height, sequence.filter(torn | partial).select(
        "job", "begin_us", "slot", "processors", "size_before"
    )


def turns_follow_the_slot_clock(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """An allocation's turn is the advance of the slot clock from its begin to its end; its overhead is at most that."""
    expected = pl.Series("expected_turn_us", turns(evidence))
    rows = evidence.allocations.select("job", "begin_us", "end_us", "turn_us", "overhead_us").with_columns(expected)
    stall_fits = pl.col("overhead_us").is_between(0, pl.col("turn_us"))
    return rows.height, rows.filter((pl.col("turn_us") != pl.col("expected_turn_us")) | ~stall_fits)


def work_is_conserved(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """The work done is the work asked (up to the kill at the estimate); an allocation's is rate x (turn - overhead)."""
    working = pl.col("rate") * (pl.col("turn_us") - pl.col("overhead_us"))
    even = ((working - pl.col("work_us")).abs() <= 1 + pl.col("rate")) & (pl.col("rate") > 0) & (pl.col("work_us") >= 0)
    return work_adds_up(evidence, ~even, "turn_us", "overhead_us")


def busy_and_idle_add_up(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """Busy time is processors times turn over all allocations; with idle time it is the machine's time, start to finish.

    Every slot offers the whole machine (or its part) for its turns; while nothing runs, the machine is idle.
    """
    busy = int((evidence.allocations["processors"].cast(pl.Int64) * evidence.allocations["turn_us"]).sum())
    offered = 0
    for levels, _ in by_cluster(evidence):
        level = column_of(levels, "level").astype(np.int64)
        length = column_of(levels, "end_us") - column_of(levels, "begin_us")
        _, processors = evidence.processors_of(levels["cluster"])
        offered += int((np.where(level > 0, level * advances(levels), length) * processors).sum())
    return counters_agree(evidence, {"busy_us": busy, "idle_us": offered - busy})


def loads_add_up(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """If the policy distinguishes low, normal and high load, their times add up to first start to last finish."""
    stated = [evidence.counters[name] for name in LOADS if name in evidence.counters]
    held = evidence.allocations
    lasted = held.group_by("cluster").agg(us=pl.col("end_us").max() - pl.col("begin_us").min())["us"].sum()
    wrong = len(stated) == len(LOADS) and sum(stated) != lasted
    table = pl.DataFrame({"stated_us": [sum(stated)], "expected_us": [lasted]})
    return int(len(stated) == len(LOADS)), table if wrong else table.clear()


def no_job_migrates(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """Without re-packing, a job keeps its slot and its processors from start to finish.

    A job that shrinks keeps some of its processors and gets no others; a job that grows keeps all of them; a job that fills idle
    slots runs on the same processors in each. If the policy keeps only processors, the slot may change.
    """
    if not (evidence.facts.keeps_slot or evidence.facts.keeps_processors):
        return NOTHING_CHECKED
    slots = evidence.sequence.group_by("job", "cluster", "slot").agg(in_slot_us=LENGTH.sum())
    own = slots.group_by("job").agg(pl.col("in_slot_us").max())
    stay = evidence.held.filter(pl.col("allocations").is_not_null()).join(own, on="job")
    left = stay.filter((pl.col("in_slot_us") != LENGTH) & evidence.facts.keeps_slot)
    left = left.select("job", "begin_us", "end_us", "in_slot_us")
    moved = moved_processors(evidence).select("job", "begin_us", "size_before", "processors")
    return stay.height + evidence.sequence.height, pl.concat([left, moved], how="diagonal")


def moved_processors(evidence: GangEvidence) -> pl.DataFrame:
    """Return the allocations whose processors neither contain nor lie within the job's processors before."""
    places = evidence.places
    later = evidence.sequence.filter(pl.col("row_before").is_not_null())
    row, before = (column_of(later, name).astype(np.int64) for name in ("row", "row_before"))
    looked_at = np.minimum(places.count[row], places.count[before]) > 0
    # Most pairs list the same processors in the same order, a quick test; only the rest are compared as sets.
    alike = np.flatnonzero(looked_at & (places.count[row] == places.count[before]))
    looked_at[alike] = False
    looked_at[alike[places.unlike(row[alike], before[alike])]] = True
    later, rows = later.filter(looked_at), (row[looked_at], before[looked_at])
    # Number the pairs, then (pair, processor): a processor in both allocations appears twice.
    wide = evidence.machine.processors + 2
    both = np.concatenate(
        [owner * wide + np.clip(processor, -1, wide - 2) + 1 for owner, processor in map(places.of, rows)]
    )
    both.sort()
    twice = both[1:][both[1:] == both[:-1]]
    kept = np.bincount(twice // wide, minlength=later.height)
    fewer = np.minimum(*(places.count[row] for row in rows))
    return later.filter(kept != fewer)


def memory_suffices(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """At no instant do the jobs placed on a processor, over all slots, need more memory than it has."""
    table, places, processors = evidence.allocations, evidence.places, evidence.machine.processors
    if not evidence.memory_binds:
        return NOTHING_CHECKED
    memory = evidence.of_jobs("memory_kb")["memory_kb"].fill_null(0).to_numpy()
    _, cluster = np.unique(table["cluster"].to_numpy(), return_inverse=True)
    # Ends come before begins of the same instant. A place's memory changes sum to 0, so one running sum serves all places.
    time = np.concatenate([table["end_us"].to_numpy(), table["begin_us"].to_numpy()])
    in_time, rank = ranks_in_time(time)
    change = np.concatenate([-memory, memory])[in_time]
    processor = np.clip(places.processor_ids, -1, processors) + 1
    place = np.repeat(cluster * (processors + 2), places.count) + processor
    ends, begins = (np.repeat(half, places.count) for half in np.split(rank, 2))
    place, rank = sorted_by_place(np.concatenate([place, place]), np.concatenate([ends, begins]))
    needed = np.cumsum(change[rank])
    over = np.flatnonzero((needed > evidence.machine.memory_kb) & (change[rank] > 0))
    shown = table.select("job", "begin_us")[in_time[rank[over]] - table.height]
    processor = place[over] % (processors + 2) - 1
    return len(places.processor_ids), shown.with_columns(
        processor=pl.Series(processor), needed_kb=pl.Series(needed[over])
    )
