"""What a grid must keep whatever its parameters, on drawn workloads of the thesis's kind."""

import functools

import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.contracts import Schedule, Workload
from traces.build import build_workload

CLUSTERS = [{"processors": 128}] * 4
ARMS = {
    "relaxed": "grid_relaxed",
    "propagation": "grid_propagation",
    "zero slack": "grid_zero_slack",
    "rigid": "grid_rigid",
    "much slack": "grid(slpa=3.5, slpb=0.5, maf=0, propagation=True)",
    "spare time": "grid(frame_rule='spare_time', propagation=True)",
    "scheduled start": "grid(frame_rule='scheduled_start', transfers_known='mean', ties='least_loaded')",
    "mean intervals": "grid(nominal='mean')",
    "kept": "grid(reservations='kept')",
    "rebooked": "grid(reservations='rebooked')",
    "earliest start": "grid(frame_rule='earliest_start', propagation=True)",
    "kept from the earliest start": "grid(frame_rule='earliest_start', reservations='kept')",
    "slides down": "grid(reservations='rebooked', slpb=1, slide_down_backfill=True, slide_down_avoid_preemption=True)",
    "HEFT": "grid_heft",
    "just in time": "grid(tasks='just_in_time')",
    "independent": "grid_independent",
    "under EASY": "grid(local='easy', propagation=True)",
    "under conservative backfilling": "grid(local='conservative')",
}


@functools.cache
def workload(share: float) -> Workload:
    """Return a workload with a share of reservations; other shares have the same local jobs and workflows."""
    definition = {"model": "lublin", "jobs": 400, "clusters": CLUSTERS, "load": 0.77, "workflows": {"share": share}}
    return build_workload({**definition, "jobs_of": "grid"}, f"p-{share}", 1).workloads[0]


@functools.cache
def schedule(arm: str, share: float = 0.26) -> Schedule:
    return simulate(workload(share), ARMS[arm])


@pytest.mark.parametrize("arm", ARMS)
def test_schedules_are_legal(arm):
    certificate = check(workload(0.26), schedule(arm))
    assert certificate.legal, certificate


@pytest.mark.parametrize("arm", ARMS)
def test_all_jobs_finish(arm):
    assert schedule(arm).jobs["outcome"].unique().to_list() == ["finished"]


def test_without_workflows_all_ways_are_one():
    apart = ("local", "nominal", "rebooked")
    in_slices = [arm for arm, call in ARMS.items() if not any(word in call for word in apart)]
    digests = {arm: schedule(arm, 0.0).digest for arm in in_slices}
    assert len(set(digests.values())) == 1, digests


def test_the_workload_is_the_same_for_every_policy():
    assert (
        schedule("relaxed")
        .jobs.select("job", "submit_us", "runtime_us", "size")
        .equals(schedule("propagation").jobs.select("job", "submit_us", "runtime_us", "size"))
    )


def test_equal_inputs_give_equal_schedules():
    assert simulate(workload(0.26), ARMS["propagation"]).digest == schedule("propagation").digest
