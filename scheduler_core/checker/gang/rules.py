"""The rules of gang scheduling: slots take turns, and in its slot a job runs on all its processors at once."""

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Rule
from scheduler_core.checker.gang import placement, sizes, slot_clock
from scheduler_core.checker.gang.evidence import GangEvidence
from scheduler_core.checker.sizes import rates_follow_sizes

RULES: dict[str, Rule] = {
    **common.RULES,
    "a job with a place is not left out": placement.jobs_are_not_left_out,
    "allocations are sound": placement.allocations_are_sound,
    "a gang is whole": placement.gangs_are_whole,
    "levels are without gaps and shares follow from them": slot_clock.levels_are_sound,
    "no more slots are held than take turns": slot_clock.level_is_kept,
    "everything begins at the boundary of a time slice": slot_clock.starts_on_boundaries,
    "sizes are within what a job allows": sizes.sizes_are_allowed,
    "sizes change only when the policy may resize": sizes.resized_when_allowed,
    "a reconfiguration costs its stall": sizes.stalls_are_served,
    "resizings are counted": sizes.resizings_are_counted,
    "rates follow sizes and speed-up": rates_follow_sizes,
    "turns follow the slot clock": placement.turns_follow_the_slot_clock,
    "work done is work asked": placement.work_is_conserved,
    "busy and idle processor-time add up": placement.busy_and_idle_add_up,
    "times by load add up": placement.loads_add_up,
    "no more processors than the machine has": common.machine_is_large_enough,
    "no processor is given twice": common.processors_are_exclusive,
    "no job migrates": placement.no_job_migrates,
    "no processor runs out of memory": placement.memory_suffices,
}
"""The rules by their names in certificates and the report; shared names mean the same in every family."""

EVIDENCE = GangEvidence
