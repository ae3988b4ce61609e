"""The rules of Concurrent Gang: tasks block inside the slices of a gang, and local schedulers fill what it leaves."""

from scheduler_core.checker import common
from scheduler_core.checker.concurrent_gang import choices, learning, matrix, rows, statements, sums, waits
from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.evidence import Rule

RULES: dict[str, Rule] = {
    **common.RIGID_RULES,
    "no processor is given twice": common.processors_are_exclusive,
    "periods cover the run": sums.periods_are_whole,
    "activities fill the time of processors": sums.activities_fill_time,
    "sums of processors are those of jobs": sums.sums_agree,
    "every job that was placed has its sums": sums.every_placed_job_has_sums,
    "a job does what its program says": sums.programs_are_done,
    "no job is faster than alone": sums.never_faster_than_alone,
    "tasks wait only where they may": sums.waits_are_possible,
    "work done is that of the tasks": sums.work_is_that_of_the_tasks,
    "events are counted": sums.counters_follow,
    "jobs are placed at ticks": matrix.starts_are_at_ticks,
    "jobs are placed in rows": matrix.placed_in_rows,
    "processors have room for the tasks bound to them": matrix.processors_have_room,
    "rows take turns and name the owners": matrix.owners_follow,
    "the trace has no gaps": rows.trace_has_no_gaps,
    "only tasks bound to a processor run there": rows.only_bound_tasks_run,
    "to run another task costs a switch": rows.another_task_costs_a_switch,
    "sends and receives take the overhead": rows.statements_are_whole,
    "idle processors are blocked or empty": rows.idleness_is_named,
    "the trace adds up to the sums": rows.trace_adds_up,
    "the trace of a whole run adds up to its jobs": rows.jobs_add_up,
    "blocked tasks do not run": waits.blocked_tasks_do_not_run,
    "disks serve first come, first served": waits.disks_serve_in_order,
    "messages take the latency": waits.messages_take_the_latency,
    "receives follow arrivals": waits.receives_follow_arrivals,
    "barriers release all tasks": waits.barriers_release_all,
    "spinning ends in time": waits.spinning_ends_in_time,
    "spin limits follow the control": choices.limits_are_controlled,
    "owners precede": choices.owners_precede,
    "local choices are the best": choices.local_choices_are_best,
    "nothing idles that could run": choices.nothing_idles,
    "runs end for a reason": choices.runs_end_for_a_reason,
    "tasks that may preempt do": choices.preemptions_happen,
    "what is learned was seen": learning.learned_from_what_was_seen,
    "memberships follow the classifier": learning.memberships_follow,
    "statements follow drawn programs": statements.statements_follow_programs,
    "statements follow bursts and written programs": statements.written_programs_are_followed,
}
"""The rules by their names in certificates and the report; shared names mean the same in every family."""

EVIDENCE = ConcurrentGangEvidence
