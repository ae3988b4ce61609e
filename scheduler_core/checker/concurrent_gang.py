"""The rules of Concurrent Gang: tasks block inside the slices of a gang, and local schedulers fill what it leaves."""

from __future__ import annotations

from scheduler_core.checker import common, concurrent_gang_sums, places
from scheduler_core.checker.concurrent_gang_evidence import ConcurrentGangEvidence
from scheduler_core.checker.evidence import Rule

EVIDENCE = ConcurrentGangEvidence

RULES: dict[str, Rule] = {
    "every job appears once": common.every_job_once,
    "what was asked is unchanged": common.asked_unchanged,
    "finished, killed and rejected jobs are the right ones": common.fate_is_right,
    "no job starts before its submission": common.not_before_submission,
    "start and finish agree with the allocations": common.start_and_finish_agree,
    "allocations are sound": common.allocations_are_sound,
    "a rigid job keeps its size": common.size_is_kept,
    "no processor is given twice": places.processors_are_exclusive,
    "periods cover the run": concurrent_gang_sums.periods_are_whole,
    "activities fill the time of processors": concurrent_gang_sums.activities_fill_time,
    "sums of processors are those of jobs": concurrent_gang_sums.sums_agree,
    "every job that was placed has its sums": concurrent_gang_sums.every_placed_job_has_sums,
    "a job does what its program says": concurrent_gang_sums.programs_are_done,
    "no job is faster than alone": concurrent_gang_sums.never_faster_than_alone,
    "tasks wait only where they may": concurrent_gang_sums.waits_are_possible,
    "work done is that of the tasks": concurrent_gang_sums.work_is_that_of_the_tasks,
    "events are counted": concurrent_gang_sums.counters_follow,
}
"""The rules by the names under which certificates and the report know them; those that families share mean the same."""
