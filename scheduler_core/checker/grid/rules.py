"""The rules of a grid: clusters under one clock that run local jobs and the tasks of workflows.

On clusters that belong to one class of jobs at a time, the rules of slices hold too.
"""

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Rule
from scheduler_core.checker.grid import class_slots, first_of_queue, frames, predictions, slots, workflows
from scheduler_core.checker.grid.clusters import on_clusters
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.grid.workflows import as_run
from scheduler_core.checker.slices import processors as slices_processors
from scheduler_core.checker.slices import rules as slices

RULES: dict[str, Rule] = {
    **common.RULES,
    "finished, killed and rejected jobs are the right ones": as_run(common.fate_is_right),
    "allocations are sound": common.allocations_are_sound,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": as_run(slices_processors.work_is_run_time),
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "jobs stay on their cluster, local jobs at home": workflows.jobs_stay_on_their_cluster,
    "jobs run at once to their end under space sharing": workflows.jobs_run_at_once,
    "workflows run whole or are rejected whole": workflows.workflows_are_whole,
    "transfers take what the workload says": workflows.transfers_follow_the_workload,
    "tasks wait for their data": workflows.tasks_wait_for_their_data,
    "tasks start no earlier than their frame says": workflows.tasks_start_in_their_frame,
    "ranks follow from mean times": frames.ranks_follow,
    "tasks are booked in the order of ranks": frames.bookings_follow_ranks,
    "every cluster large enough is asked": frames.candidates_are_all_asked,
    "frames follow from what was predicted": frames.frames_follow,
    "predicted finishes follow from predicted starts": predictions.predictions_follow,
    "the cluster with the least latest finish is chosen": frames.best_cluster_is_chosen,
    "slots are made as tasks are booked": slots.slots_are_as_booked,
    "slots slide by the rules": slots.slots_slide_by_the_rules,
    "tasks run in their slots": slots.tasks_run_in_their_slots,
    "tasks start as the clock comes to their slots": class_slots.tasks_start_by_the_clock,
    "slots have their processors": class_slots.slots_have_their_processors,
    "kept slots give way only to kept slots": class_slots.kept_slots_stay,
    "recalculated slots do not lie before their bounds": class_slots.slots_follow_their_bounds,
    "the first of a queue waits only for room": first_of_queue.the_first_waits_for_room,
    "placing is counted": slots.placing_is_counted,
    **{name: on_clusters(rule) for name, rule in slices.OF_EACH_CLUSTER.items()},
}
"""The rules by their names in certificates and the report; shared names mean the same in every family."""

EVIDENCE = GridEvidence
