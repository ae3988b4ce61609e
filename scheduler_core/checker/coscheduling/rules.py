"""The rules of coscheduling: jobs share processors and run there at once, and each slows the others down."""

from scheduler_core.checker import common
from scheduler_core.checker.coscheduling import matches, pairs, rates, shares, sharing
from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence
from scheduler_core.checker.evidence import Rule

RULES: dict[str, Rule] = {
    **common.RIGID_RULES,
    "work done is work asked": rates.work_is_conserved,
    "rates are those of the model": rates.rates_are_the_models,
    "processors are named, each once": sharing.processors_are_named,
    "no more jobs share a processor than may": sharing.few_jobs_share,
    "rows that share processors begin and end together": sharing.rows_meet_whole,
    "rows end where something changes": sharing.rows_end_for_a_reason,
    "a job keeps its processors": sharing.jobs_keep_their_processors,
    "a partner's processors are the holder's": sharing.partners_are_within,
    "the lowest processors are given": sharing.lowest_processors_are_given,
    "places on processors are the lowest": sharing.places_are_lowest,
    "no short job is paired": pairs.no_short_job_is_paired,
    "pairs fit in memory": pairs.pairs_fit_in_memory,
    "types of pairs match": pairs.types_of_pairs_match,
    "no pair is slowed down beyond the limit": pairs.slowdowns_are_limited,
    "partners are suspended only where they may": pairs.partners_are_suspended_when_they_may,
    "pairs and matches agree": matches.pairs_are_recorded,
    "searches are those of the policy": matches.searches_are_the_policys,
    "each test leaves fewer jobs": matches.tests_leave_fewer,
    "believed slowdowns are those of the model": matches.believed_slowdowns_are_the_models,
    "profits are those of the policy": matches.profits_are_positive,
    "counters follow from the tables": matches.counters_follow,
    "shares needed fit together": shares.needed_shares_fit,
    "shares are assigned by the rule": shares.shares_are_assigned,
    "no coscheduled job is slowed down beyond the limit": shares.coscheduled_slowdowns_are_limited,
    "offers are sound": shares.offers_are_sound,
    "reserved starts and shares are kept": shares.reservations_are_kept,
}
"""The rules by their names in certificates and the report; shared names mean the same in every family."""

EVIDENCE = CoschedulingEvidence
