"""The rules of coscheduling: jobs share processors and run there at once, and each slows the others down."""

from __future__ import annotations

from scheduler_core.checker import (
    common,
    coscheduling_matches,
    coscheduling_pairs,
    coscheduling_rates,
    coscheduling_shares,
    coscheduling_sharing,
)
from scheduler_core.checker.coscheduling_evidence import CoschedulingEvidence
from scheduler_core.checker.evidence import Rule

EVIDENCE = CoschedulingEvidence

RULES: dict[str, Rule] = {
    "every job appears once": common.every_job_once,
    "what was asked is unchanged": common.asked_unchanged,
    "finished, killed and rejected jobs are the right ones": common.fate_is_right,
    "no job starts before its submission": common.not_before_submission,
    "start and finish agree with the allocations": common.start_and_finish_agree,
    "allocations are sound": common.allocations_are_sound,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": coscheduling_rates.work_is_conserved,
    "rates are those of the model": coscheduling_rates.rates_are_the_models,
    "processors are named, each once": coscheduling_sharing.processors_are_named,
    "no more jobs share a processor than may": coscheduling_sharing.few_jobs_share,
    "rows that share processors begin and end together": coscheduling_sharing.rows_meet_whole,
    "rows end where something changes": coscheduling_sharing.rows_end_for_a_reason,
    "a job keeps its processors": coscheduling_sharing.jobs_keep_their_processors,
    "a partner's processors are the holder's": coscheduling_sharing.partners_are_within,
    "the lowest processors are given": coscheduling_sharing.lowest_processors_are_given,
    "places on processors are the lowest": coscheduling_sharing.places_are_lowest,
    "no short job is paired": coscheduling_pairs.no_short_job_is_paired,
    "pairs fit in memory": coscheduling_pairs.pairs_fit_in_memory,
    "types of pairs match": coscheduling_pairs.types_of_pairs_match,
    "no pair is slowed down beyond the limit": coscheduling_pairs.slowdowns_are_limited,
    "partners are suspended only where they may": coscheduling_pairs.partners_are_suspended_when_they_may,
    "pairs and matches agree": coscheduling_matches.pairs_are_recorded,
    "searches are those of the policy": coscheduling_matches.searches_are_the_policys,
    "each test leaves fewer jobs": coscheduling_matches.tests_leave_fewer,
    "believed slowdowns are those of the model": coscheduling_matches.believed_slowdowns_are_the_models,
    "profits are those of the policy": coscheduling_matches.profits_are_positive,
    "counters follow from the tables": coscheduling_matches.counters_follow,
    "shares needed fit together": coscheduling_shares.needed_shares_fit,
    "shares are assigned by the rule": coscheduling_shares.shares_are_assigned,
    "no coscheduled job is slowed down beyond the limit": coscheduling_shares.coscheduled_slowdowns_are_limited,
    "offers are sound": coscheduling_shares.offers_are_sound,
    "reserved starts and shares are kept": coscheduling_shares.reservations_are_kept,
}
"""The rules by the names under which certificates and the report know them; those that families share mean the same."""
