"""The rules of slices: the machine belongs to one class of jobs at a time."""

from __future__ import annotations

from scheduler_core.checker import (
    common,
    places,
    slices_groups,
    slices_layout,
    slices_processors,
    slices_promises,
)
from scheduler_core.checker.evidence import Rule
from scheduler_core.checker.slices_evidence import SlicesEvidence

EVIDENCE = SlicesEvidence

RULES: dict[str, Rule] = {
    "every job appears once": common.every_job_once,
    "what was asked is unchanged": common.asked_unchanged,
    "finished, killed and rejected jobs are the right ones": common.fate_is_right,
    "no job starts before its submission": common.not_before_submission,
    "start and finish agree with the allocations": common.start_and_finish_agree,
    "allocations are sound": common.allocations_are_sound,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": slices_processors.work_is_run_time,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": places.processors_are_exclusive,
    "slices follow from interval, switch and shares": slices_layout.slices_are_laid_out,
    "short slices are as long as short jobs need": slices_layout.short_slices_suffice,
    "jobs run within slices at work": slices_layout.runs_are_in_slices,
    "no job is suspended before its slice ends": slices_layout.no_job_is_suspended_within_slices,
    "a job keeps its processors": slices_processors.jobs_keep_their_processors,
    "started jobs of a class hold processors of their own": slices_processors.classes_hold_processors_apart,
    "started jobs run in every slice of their class": slices_processors.own_slices_are_used,
    "no slice idles while jobs of its class wait": slices_processors.slices_do_not_idle,
    "slices are lent only when the policy lends": slices_processors.lent_when_allowed,
    "slices and lending are counted": slices_processors.lending_is_counted,
    "backfilled jobs are counted": slices_processors.backfilling_is_counted,
    "promises are made when they are due": slices_promises.promises_are_made_when_due,
    "promised finishes follow from promised clocks": slices_promises.promised_finishes_follow,
    "promises are kept": slices_promises.promises_are_kept,
    "promises are no later than needed": slices_promises.promises_are_no_later_than_needed,
    "promises leave room for started jobs": slices_promises.promises_leave_room,
    "groups form when enough jobs wait": slices_groups.groups_form_by_the_rules,
    "members are the first of the queue": slices_groups.members_are_the_first_of_the_queue,
    "groups end one before the next": slices_groups.groups_end_by_the_rules,
    "long-wide jobs are those of the group": slices_groups.long_wide_jobs_are_counted,
    "searches only improve": slices_groups.searches_are_recorded,
    "searches fit their groups": slices_groups.searches_fit_their_groups,
    "groups are counted": slices_groups.groups_are_counted,
}
"""The rules by the names under which certificates and the report know them; those that families share mean the same."""
