"""Ranks, frames and whole workflows by the numbers that the formulas of the thesis give."""

import pytest

from scheduler_core.declarations.policy import get_policy
from scheduler_core.grid.coordination import propagated
from scheduler_core.grid.frames import FrameRule
from scheduler_core.grid.heft import rank, ranks, task_weight, transfer_weight
from scheduler_core.grid.workflow import Clusters, Workflows
from scheduler_core.stepping.local_scheduler import Prediction
from tests.scheduler_core.grid.workloads import FIVE_TASKS, S, grid_of, workload_of

EVENLY = [(3000.0, 3000.0, 8)] * 5


def frame_of(rule: str, now: int, length: int, ready: int, finish: int = 0, start: int | None = None, **slack: float):
    """Return EST, ST and LFT of a task of some length, in seconds; the prediction is as given."""
    made = FrameRule(get_policy("grid", frame_rule=rule, reservations="rebooked", **slack))
    given = made.slack(None, length * S)
    asked = made.start_asked(now * S, ready * S, given)
    predicted = Prediction(asked if start is None else start * S, finish * S, True)
    frame = made.frame(now * S, ready * S, asked, given, predicted)
    return frame.earliest_us / S, frame.from_us / S, frame.latest_us / S


def test_rank_of_the_printed_example():
    assert task_weight([5, 8, 8]) == 7
    weights = {1: 7.0, 2: 26.0, 3: 15.0}
    assert ranks([1, 2, 3], weights, {(1, 2): 5.0, (1, 3): 3.0})[1] == 38


def test_ranks_of_five_tasks():
    times = {(1, 2): 100, (1, 3): 200, (1, 4): 300, (2, 5): 100, (3, 5): 100, (4, 5): 50}
    matrices = {(1, *edge): [[time] * 2] * 2 for edge, time in times.items()}
    workload = workload_of(grid_of(8, 8), workflows=[(0, EVENLY, times)], transfers=matrices)
    clusters = Clusters(workload.machine, Workflows(workload).tables["run_times"])
    (workflow,) = Workflows(workload).all
    assert [task.number for task in rank(workflow, clusters)] == [1, 2, 3, 4, 5]
    assert [task.rank / S for task in workflow.tasks] == [9350, 6100, 6100, 6050, 3000]


def test_means_are_over_clusters_that_fit_and_over_all_pairs_of_them():
    tasks = [(60.0, 60.0, 4), (60.0, 60.0, 8)]
    given = {"run_times": {(1, 1): [10, 20, 60]}, "workflows": [(0, tasks, {(1, 2): 90.0})]}
    workload = workload_of(grid_of(4, 8, 8), **given)
    clusters = Clusters(workload.machine, Workflows(workload).tables["run_times"])
    (workflow,) = Workflows(workload).all
    edge = workflow.tasks[0].after[0]
    assert transfer_weight(edge, clusters) / S == 90 * 4 / 6  # of six pairs two are a cluster with itself
    rank(workflow, clusters)
    assert workflow.tasks[0].rank / S == 30 + 60 + 60
    drawn = {(1, 1, 2): [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}
    workload = workload_of(grid_of(4, 8, 8), transfers=drawn, workflows=given["workflows"])
    edge = Workflows(workload).all[0].tasks[0].after[0]
    assert transfer_weight(edge, clusters) / S == (2 + 3 + 5 + 6 + 8 + 9) / 6


def test_frame_of_a_medium_task_as_listed():
    assert frame_of("literal", 0, 3000, 10_000, 17_000) == (6000, 10_000, 17_000)
    assert frame_of("literal", 0, 3000, 10_000, 17_000, slpb=0.5) == (6000, 10_000, 18_500)


def test_frame_of_a_long_task_as_listed():
    assert frame_of("literal", 2000, 12_000, 50_000)[:2] == (30_320, 50_000)


def test_a_frame_does_not_begin_before_now():
    assert frame_of("literal", 5000, 3000, 8000, slpa=3.5, maf=0.0)[0] == 5000


def test_spare_time_begins_the_frame_where_data_are_expected():
    earliest, start, _ = frame_of("spare_time", 0, 3000, 7000)
    assert (earliest, round(start, 1)) == (7000, 11_111.1)
    assert frame_of("spare_time", 1000, 3000, 7000)[:2] == (7000, 11_000)
    assert frame_of("literal", 1000, 3000, 11_000)[0] == 7000


def test_a_frame_that_is_planned_from_its_earliest_start():
    assert frame_of("earliest_start", 0, 3000, 10_000, 17_000) == (6000, 6000, 17_000)
    assert frame_of("earliest_start", 5000, 3000, 8000, slpa=3.5, maf=0.0)[:2] == (5000, 5000)


@pytest.mark.parametrize("rule", ["literal", "earliest_start", "scheduled_start", "spare_time"])
def test_without_slack_the_frame_is_what_is_predicted(rule):
    found = frame_of(rule, 100, 3000, 7000, 12_345, 7000, slpa=0.0, slpb=0.0, maf=0.0)
    assert found == (7000, 7000, 12_345)


def test_slack_from_the_predicted_start():
    assert frame_of("scheduled_start", 0, 3000, 10_000, 17_000, 12_000) == (12_000 - 3000 - 1200, 10_000, 17_000)


def test_a_rigid_frame_begins_at_the_predicted_start():
    assert frame_of("rigid", 0, 3000, 10_000, 17_000, 14_000) == (14_000, 10_000, 17_000)


def test_short_tasks_do_not_move_ahead():
    rule = FrameRule(get_policy("grid"))
    found = [rule.slack(None, length * S).moves_ahead for length in (599, 600, 10_799, 10_800)]
    assert found == [0, 0.1, 0.1, 0.16]
    assert rule.slack("long", S).moves_ahead == 0.16


def test_propagation_takes_the_later_of_now_and_the_data():
    assert propagated(1000, 300, max(100 + 50, 300 + 20)) == 320
    assert propagated(310, 300, 320) == 310
    assert propagated(1000, 300, 250) == 300


def test_edges_and_tasks_of_the_workflow_of_the_thesis():
    workload = workload_of(grid_of(8), workflows=[(0, EVENLY, dict.fromkeys(FIVE_TASKS, 1.0))])
    tasks = Workflows(workload).all[0].tasks
    assert [(len(task.before), len(task.after)) for task in tasks] == [(0, 3), (1, 1), (1, 1), (1, 1), (3, 0)]
