"""The family of coscheduling: its tables, metrics and rules for schedules."""

from typing import Any

import polars as pl

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

RATE_COLUMNS: dict[str, Any] = {
    "share_ppm": pl.Int32,  # share of its processors that the job has, in millionths
    "slowdown_ppm": pl.Int32,  # by what the jobs beside it slow it down beyond that, in millionths
}
"""Columns of ``allocations`` beside those of all families; ``rate`` is share_ppm / slowdown_ppm.

``slot`` is the job's place on its processors. A row ends, and the next begins, when another job ends or begins beside it. Work is
counted in whole microseconds, as the page of the package says (:mod:`scheduler_core.coscheduling`).
"""

MATCHES_COLUMNS: dict[str, Any] = {
    "begin_us": pl.Int64,  # when the pair was formed
    "job": pl.Int64,  # the job for which a partner was searched
    "partner": pl.Int64,
    "among": pl.Enum(("waiting", "running")),  # where the partner was found
    "backfilling": pl.Boolean,  # whether the search was made in backfilling
    "looked_at": pl.Int32,  # jobs the search looked at
    "medium_long": pl.Int32,  # those of them that are medium or long
    "size_fits": pl.Int32,  # those of the last whose size fits
    "memory_fits": pl.Int32,  # those of the last whose memory fits
    "types_match": pl.Int32,  # those of the last whose type goes with that of the job
    "slowdown_fits": pl.Int32,  # those of the last beside which neither is slowed down too much
    "rank": pl.Int32,  # the partner's place among the last, 1 for the first
    "profit": pl.Float64,  # 0 where none is computed
    "slowdown_ppm": pl.Int32,  # by what the scheduler believes the pair is slowed down, in millionths
}
"""The pairs that were formed, in the order in which they were formed."""

OFFERS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "slot_number": pl.Int32,  # 1, 2, ... in the order of their starts
    "made_us": pl.Int64,  # when the offer was made
    "start_us": pl.Int64,  # start that is offered
    "share_ppm": pl.Int32,  # share of the processors that is offered, in millionths
    "slowdown_ppm": pl.Int32,  # slowdown that is predicted beside it, in millionths
    "taken": pl.Enum(("no", "picked", "reserved")),  # what the job's own site made of it
}
"""The times and shares offered to cross-site jobs, in the order in which they were offered."""

FAMILY = Family(
    name="coscheduling",
    label="Coscheduling",
    sharing="jobs",
    jobs_per_processor=3,
    unchecked=(
        "which of the waiting jobs the policy starts, and when",
        "which of the pairs that may share processors do so",
        "that no start delays a reservation",
        "how many jobs pass each test of a search, and the predicted change of response times, beyond their bounds",
        "which starts are offered, and with which part of the requested share",
    ),
    counters=(
        *("passes", "searches_waiting", "searches_running", "weak_load_passes", "backfilled", "pushed_down"),
        *("pulled_up", "suspended", "elements", "joined", "reserved", "statistics_asked", "forecast_error_ppm"),
    ),
    unproved=(
        *("matches.looked_at", "matches.medium_long", "matches.memory_fits", "matches.profit", "matches.rank"),
        *("matches.size_fits", "matches.slowdown_fits", "matches.types_match"),
        *("offers.share_ppm", "offers.start_us"),
        *("counters.backfilled", "counters.elements", "counters.forecast_error_ppm", "counters.joined"),
        *("counters.pulled_up", "counters.pushed_down", "counters.searches_running", "counters.searches_waiting"),
        *("counters.statistics_asked", "counters.weak_load_passes"),
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        *("mean_time_to_start", "utilisation_efficiency", "mean_response_over_elapsed"),
        *("shared_share", "paired_share", "slowdown_while_sharing", "busy_time"),
        *("pairs", "pairs_with_running_share", "pairs_by_backfilling_share", "mean_pair_slowdown"),
        *("mean_looked_at", "mean_medium_long", "mean_size_fits", "mean_memory_fits", "mean_types_match"),
        *("mean_slowdown_fits", "mean_rank", "reservations", "mean_reserved_delay", "max_reserved_delay"),
    ),
    leading=("mean_response", "mean_relative_response", "makespan", "utilisation_efficiency"),
    wait="response_less_runtime",
    tables={"matches": Table(MATCHES_COLUMNS, "matches/v1"), "offers": Table(OFFERS_COLUMNS, "offers/v1")},
    allocation_columns=RATE_COLUMNS,
    depends_on=("memory_kb",),
    companions=("behaviour", "slowdowns", "shares"),
)
