"""Grids in which next to nothing happens, or what happens is refused."""

import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import ParameterError
from scheduler_core.contracts import Workload
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.grid.workloads import grid_of, workload_of

WAYS = (
    "grid_propagation",
    "grid_heft",
    "grid_independent",
    "grid(tasks='just_in_time')",
    "grid(reservations='kept', frame_rule='earliest_start')",
    "grid(reservations='rebooked')",
    "grid(local='easy')",
    "grid(local='conservative', frame_rule='rigid')",
)
PAIR = [(10.0, 10.0, 2), (20.0, 30.0, 8)]
JOINED = {(1, 2): 3.0}
GIVEN: dict[str, tuple[Workload, list[str]]] = {
    "no jobs": (workload_of(grid_of(4, 8)), []),
    "one cluster": (workload_of(grid_of(8), local=[(0, 5, 5, 3, 0)], workflows=[(0, PAIR[:1], {})]), ["finished"] * 2),
    "only a workflow": (workload_of(grid_of(4, 8), workflows=[(0, PAIR, JOINED)]), ["finished"] * 2),
    "all rejected": (
        workload_of(grid_of(4, 4), local=[(0, 5, 5, 7, 0)], workflows=[(0, PAIR, JOINED)]),
        ["rejected"] * 3,
    ),
    "a late begin": (
        workload_of(grid_of(4, 8), local=[(1e6, 5000, 5000, 4, 0)], workflows=[(2e6, PAIR, JOINED)]),
        ["finished"] * 3,
    ),
    "killed at the estimate": (
        workload_of(
            grid_of(4, 8),
            local=[(0, 50, 5, 3, 0)],
            workflows=[(0, [(100, 10, 2), PAIR[1]], JOINED)],
            run_times={(1, 1): [50, 70]},
        ),
        ["killed", "killed", "finished"],
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("workload", "outcomes"), GIVEN.values(), ids=GIVEN)
def test_small_grids_run_and_are_legal(workload, outcomes, way):
    schedule = simulate(workload, way)
    assert schedule.jobs["outcome"].to_list() == outcomes
    assert check(workload, schedule).legal


def test_a_job_without_end_is_refused_where_classes_take_turns():
    endless = workload_of(grid_of(4, 8), local=[(0, 1e10, 1e10, 3, 0)])
    with pytest.raises(ParameterError, match="job 1 runs for 10,000,000,000 s"):
        simulate(endless, "grid")
    simulate(endless, "grid(local='easy')")


def test_a_job_without_end_is_one_that_takes_so_long_where_it_runs():
    slow = grid_of(8, speeds=[1e-5])
    local = workload_of(slow, local=[(0, 1e5, 1e5, 3, 0)])
    task = workload_of(grid_of(8), workflows=[(0, PAIR, JOINED)], run_times={(1, 2): [1e10]})
    for workload, job in ((local, 1), (task, 2)):
        with pytest.raises(ParameterError, match=f"job {job} runs for 10,000,000,000 s"):
            simulate(workload, "grid")


def test_frames_beyond_all_times_are_refused_with_what_to_do():
    chain = {(k, k + 1): 1.0 for k in range(1, 6)}
    workload = workload_of(grid_of(8), workflows=[(0, [(3000.0, 3000.0, 2)] * 6, chain)])
    with pytest.raises(ParameterError, match=r"task \d of workflow 1 goes on to .* make slpa, slpb or maf smaller"):
        simulate(workload, "grid(frame_rule='spare_time', slpa=1000, maf=39.6, nbp_long=0.025)")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("grid(local='easy', slide_down_backfill=True)", "go with local 'pect', found 'easy'"),
        ("grid(slide_down_backfill=True)", "go with reservations 'rebooked'; found 'recalculated'"),
        (
            "grid(reservations='kept', slide_down_avoid_preemption=True)",
            "go with reservations 'rebooked'; found 'kept'",
        ),
        ("grid(frame_rule='rigid')", "a rigid slot is not recalculated"),
        ("grid(frame_rule='spare_time', maf=25)", "must be below 1; found 1"),
        ("grid(short_slice_s=3590)", "interval_s must exceed short_slice_s and three times switch_s"),
        ("grid(slpa=-1)", "slpa must be at least 0"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused(call, said):
    with pytest.raises(ParameterError, match=said):
        get_policy(call)
