"""The rules of slices: the machine belongs to one class of jobs at a time."""

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Rule
from scheduler_core.checker.slices import groups, layout, processors, promises
from scheduler_core.checker.slices.evidence import SlicesEvidence

OF_EACH_CLUSTER: dict[str, Rule] = {
    "slices follow from interval, switch and shares": layout.slices_are_laid_out,
    "short slices are as long as short jobs need": layout.short_slices_suffice,
    "jobs run within slices at work": layout.runs_are_in_slices,
    "no job is suspended before its slice ends": layout.no_job_is_suspended_within_slices,
    "a job keeps its processors": processors.jobs_keep_their_processors,
    "started jobs of a class hold processors of their own": processors.classes_hold_processors_apart,
    "started jobs run in every slice of their class": processors.own_slices_are_used,
    "no slice idles while jobs of its class wait": processors.slices_do_not_idle,
    "slices are lent only when the policy lends": processors.lent_when_allowed,
    "slices and lending are counted": processors.lending_is_counted,
    "backfilled jobs are counted": processors.backfilling_is_counted,
    "promises are made when they are due": promises.promises_are_made_when_due,
    "promised finishes follow from promised clocks": promises.promised_finishes_follow,
    "promises are kept": promises.promises_are_kept,
    "promises are no later than needed": promises.promises_are_no_later_than_needed,
    "promises leave room for started jobs": promises.promises_leave_room,
}
"""The rules that also hold on every cluster of a grid that is divided into slices."""

RULES: dict[str, Rule] = {
    **common.RIGID_RULES,
    "work done is work asked": processors.work_is_run_time,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    **OF_EACH_CLUSTER,
    "groups form when enough jobs wait": groups.groups_form_by_the_rules,
    "members are the first of the queue": groups.members_are_the_first_of_the_queue,
    "groups end one before the next": groups.groups_end_by_the_rules,
    "long-wide jobs are those of the group": groups.long_wide_jobs_are_counted,
    "searches only improve": groups.searches_are_recorded,
    "searches fit their groups": groups.searches_fit_their_groups,
    "groups are counted": groups.groups_are_counted,
}
"""The rules by their names in certificates and the report; shared names mean the same in every family."""

EVIDENCE = SlicesEvidence
