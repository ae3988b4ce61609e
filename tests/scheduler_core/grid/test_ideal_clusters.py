"""What the grid decides, on clusters where no job waits and predictions come true."""

import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import get_policy
from scheduler_core.grid import engine
from tests.scheduler_core.grid.ideal_cluster import IdealCluster
from tests.scheduler_core.grid.workloads import FIVE_TASKS, S, grid_of, workload_of

EVENLY = [(3000.0, 3000.0, 8)] * 5
HUNDRED = dict.fromkeys(FIVE_TASKS, 100.0)
EVERYWHERE = {(1, *edge): [[100.0] * 2] * 2 for edge in FIVE_TASKS}
CHAIN = {(1, 2): 10.0}


@pytest.fixture(autouse=True)
def _ideal(monkeypatch):
    monkeypatch.setattr(engine, "local_scheduler", lambda *_: IdealCluster())


def seconds(schedule, table, *columns):
    """Return columns of a table by task, times in seconds."""
    rows = schedule.tables[table].sort("workflow", "task").select(*columns).rows()
    return [tuple(round(value / S, 1) for value in row) for row in rows]


def times(schedule):
    """Return start and finish of every job in seconds, in order of number."""
    rows = schedule.jobs.sort("job").select("start_us", "finish_us").rows()
    return [tuple(None if value is None else value / S for value in row) for row in rows]


def clusters_of(schedule):
    return schedule.jobs.sort("job")["cluster"].to_list()


def test_whole_workflow_as_listed():
    workload = workload_of(grid_of(64, 64), workflows=[(0, EVENLY, HUNDRED)], transfers=EVERYWHERE)
    schedule = simulate(workload, "grid")
    frames = seconds(schedule, "reservations", "earliest_us", "from_us", "latest_us")
    assert frames == [(0, 0, 3000), *[(0, 3100, 6100)] * 3, (2580, 6200, 9200)]
    assert times(schedule) == [(0, 3000), *[(3100, 6100)] * 3, (6200, 9200)]
    assert schedule.run["counters"]["predictions"] == 10
    assert schedule.run["counters"]["late_tasks"] == 0


def test_whole_workflow_with_spare_time():
    workload = workload_of(grid_of(64, 64), workflows=[(0, EVENLY, HUNDRED)], transfers=EVERYWHERE)
    frames = seconds(
        simulate(workload, "grid(frame_rule='spare_time')"), "reservations", "earliest_us", "from_us", "latest_us"
    )
    assert frames == [(0, 3333.3, 6333.3), *[(6433.3, 10_481.5, 13_481.5)] * 3, (13_581.5, 18_423.9, 21_423.9)]


def test_with_spare_time_only_propagation_starts_tasks_when_their_data_are_there():
    workload = workload_of(grid_of(64, 64), workflows=[(0, EVENLY, HUNDRED)], transfers=EVERYWHERE)
    waits = times(simulate(workload, "grid(frame_rule='spare_time')"))
    assert [round(start, 1) for start, _ in waits] == [0, *[6433.3] * 3, 13_581.5]
    pulled = times(simulate(workload, "grid(frame_rule='spare_time', propagation=True)"))
    assert [start for start, _ in pulled] == [0, *[3100] * 3, 6200]


def test_run_times_below_estimates_let_tasks_start_before_their_data_were_expected():
    early = [(1000.0, 3000.0, 8), (3000.0, 3000.0, 8)]
    workload = workload_of(grid_of(64), workflows=[(50, early, CHAIN)])
    slack, none = (simulate(workload, f"grid(slpa={slpa}, maf=0)") for slpa in (1.0, 0.0))
    assert times(slack) == [(50, 1050), (1050, 4050)]
    assert times(none) == [(50, 1050), (3050, 6050)]
    assert times(simulate(workload, "grid(slpa=0, maf=0, propagation=True)")) == [(50, 1050), (1050, 4050)]
    assert seconds(none, "reservations", "expected_us", "ready_us", "freed_us") == [(50, 50, 50), (3050, 1050, 3050)]


def test_data_take_time_between_clusters_and_none_within_one():
    tasks = [(10.0, 10.0, 4), (10.0, 10.0, 8)]  # the second task fits the second cluster alone
    workload = workload_of(grid_of(4, 8), workflows=[(0, tasks, CHAIN)])
    schedule = simulate(workload, "grid")
    assert clusters_of(schedule) == [0, 1]
    assert times(schedule) == [(0, 10), (20, 30)]
    assert schedule.tables["arrivals"].rows() == [(1, 1, 2, 0, 1, 10 * S, 20 * S)]
    assert clusters_of(simulate(workload_of(grid_of(8, 8), workflows=[(0, tasks, CHAIN)]), "grid")) == [0, 0]


def test_each_task_goes_where_it_is_done_first():
    tasks = [(30.0, 30.0, 4), (30.0, 30.0, 4)]
    far = {(1, 1): [30, 10], (1, 2): [12, 30]}
    workload = workload_of(grid_of(8, 8), workflows=[(0, tasks, {(1, 2): 5.0})], run_times=far)
    schedule = simulate(workload, "grid")
    assert clusters_of(schedule) == [1, 0]
    assert times(schedule) == [(0, 10), (15, 27)]
    slower = simulate(workload_of(grid_of(8, 8), workflows=[(0, tasks, {(1, 2): 20.0})], run_times=far), "grid")
    assert clusters_of(slower) == [1, 1]


def test_faster_clusters_take_less_time():
    workload = workload_of(grid_of(8, 8, speeds=(1, 3)), local=[(0, 10, 20, 2, 1)], workflows=[(1, [(10, 10, 1)], {})])
    schedule = simulate(workload, "grid")
    assert times(schedule) == [(0, 3.333334), (1, 4.333334)]
    assert clusters_of(schedule) == [1, 1]


def test_mean_transfers_are_the_same_for_every_cluster():
    tasks = [(10.0, 10.0, 4), (10.0, 10.0, 4)]
    matrix = {(1, 1, 2): [[40, 0], [20, 20]]}
    workload = workload_of(grid_of(8, 8), workflows=[(0, tasks, {(1, 2): 0.0})], transfers=matrix)
    assert clusters_of(simulate(workload, "grid")) == [0, 1]
    mean = simulate(workload, "grid(transfers_known='mean')")
    assert clusters_of(mean) == [0, 0]
    assert seconds(mean, "reservations", "expected_us", "ready_us") == [(0, 0), (30, 50)]
    assert mean.tables["candidates"]["from_us"].to_list() == [0, 0, 30 * S, 30 * S]


def test_of_equally_good_clusters_the_first_or_the_least_loaded_is_taken():
    workload = workload_of(grid_of(8, 8), workflows=[(0, EVENLY, dict.fromkeys(FIVE_TASKS, 0.0))])
    assert clusters_of(simulate(workload, "grid")) == [0] * 5
    assert clusters_of(simulate(workload, "grid(ties='least_loaded')")) == [0, 1, 0, 1, 0]


def test_a_workflow_that_no_cluster_fits_is_rejected_whole():
    tasks = [(10.0, 10.0, 4), (10.0, 10.0, 9)]
    given = {"workflows": [(0, tasks, CHAIN), (1, tasks[:1], {})], "local": [(0, 5, 5, 9, 0), (0, 5, 5, 3, 1)]}
    schedule = simulate(workload_of(grid_of(8, 8), **given), "grid")
    assert schedule.jobs["outcome"].to_list() == ["rejected", "finished", "rejected", "rejected", "finished"]
    assert schedule.jobs["cluster"].to_list() == [0, 1, 0, 0, 0]
    counters = schedule.run["counters"]
    assert [counters[name] for name in ("workflows", "rejected_workflows", "tasks")] == [2, 1, 1]


def test_tasks_that_are_submitted_when_ready():
    workload = workload_of(grid_of(64, 64), workflows=[(7, EVENLY, HUNDRED)], transfers=EVERYWHERE)
    schedule = simulate(workload, "grid_heft")
    assert times(schedule) == [(7, 3007), *[(3107, 6107)] * 3, (6207, 9207)]
    assert schedule.tables["reservations"].is_empty()
    assert schedule.tables["candidates"].height == 10
    assert schedule.tables["arrivals"].height == 6


def test_tasks_that_are_mapped_when_ready():
    early = [(1000.0, 3000.0, 8)] * 5
    workload = workload_of(grid_of(64, 64), workflows=[(7, early, HUNDRED)], transfers=EVERYWHERE)
    schedule = simulate(workload, "grid(tasks='just_in_time')")
    assert times(schedule) == [(7, 1007), *[(1107, 2107)] * 3, (2207, 3207)]
    assert seconds(schedule, "candidates", "from_us")[::2] == [(7,), *[(1107,)] * 3, (2207,)]


def test_independent_tasks_wait_for_none():
    workload = workload_of(grid_of(64, 64), workflows=[(7, EVENLY, HUNDRED)], transfers=EVERYWHERE)
    schedule = simulate(workload, "grid_independent")
    assert times(schedule) == [(7, 3007)] * 5
    assert schedule.tables["arrivals"].is_empty()


def test_tasks_done_at_one_time_on_two_clusters_free_a_task_once():
    tasks = [(10.0, 10.0, 8), (10.0, 10.0, 8), (10.0, 10.0, 8), (10.0, 10.0, 8)]
    edges = {(1, 2): 0.0, (1, 3): 0.0, (2, 4): 3.0, (3, 4): 5.0}
    apart = {(1, 2): [10, 90], (1, 3): [90, 10]}
    workload = workload_of(grid_of(8, 8), workflows=[(0, tasks, edges), (20, tasks[:1], {})], run_times=apart)
    schedule = simulate(workload, "grid")
    assert clusters_of(schedule) == [0, 0, 1, 1, 0]
    assert times(schedule) == [(0, 10), (10, 20), (10, 20), (23, 33), (20, 30)]


def test_a_cluster_that_predicts_nothing_is_told(monkeypatch):
    monkeypatch.setattr(IdealCluster, "predict", lambda *_: None)
    workload = workload_of(grid_of(8), workflows=[(0, [(10, 10, 1)], {})])
    with pytest.raises(ParameterError, match="no cluster predicts when task 1 of workflow 1 would finish"):
        simulate(workload, get_policy("grid"))
