"""Background systems on the matrix engine: every schedule is legal, whatever the workload."""

import pytest

from tests.scheduler_core.gang.background_schedules import drawn, legal

CALLS = (
    "dhc",
    "dhc(slice_s=0.0, selective_disabling=False)",
    "dhc(slice_s=7.0, alternative=False)",
    "equipartition",
    "equipartition(reconfiguration_cost_s=3.0)",
    "folding",
    "folding(reconfiguration_cost_s=3.0)",
    "compression",
    "compression(reconfiguration_cost_s=3.0)",
    "static_partitioning",
    "static_partitioning(partitions=3, cut='halves')",
    "lazy_gang",
    "lazy_gang(short_wait_s=5.0, medium_wait_s=20.0, long_wait_s=60.0)",
    "lazy_gang(short_wait_s=0.5, medium_wait_s=0.5, long_wait_s=0.5, run_s_per_mb=0.0, medium_limit_s=181.0)",
    "gang(partitions=3, level=2)",
    "gang(partitions=2, level=3, backfill='head', name_processors=False)",
    "gang(partitions=2, packing='first_fit_decreasing', level='unlimited', slice='fixed', fill=True)",
    "scojo(sizing='efficiency', backfill='all')",
)


@pytest.mark.parametrize("call", CALLS)
def test_drawn_schedules_are_legal(call):
    for seed in range(25):
        legal(drawn(seed), call)
