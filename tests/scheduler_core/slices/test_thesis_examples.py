"""The examples of the thesis: interval by interval as worked by hand, and every sentence the thesis says of them."""

from collections import defaultdict

import numpy as np
import pytest

from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Job
from tests.scheduler_core.examples import Case
from tests.scheduler_core.slices import thesis_examples as worked
from tests.scheduler_core.slices.thesis_examples import GROUP, LONG, MEDIUM, SHORT, SLICES, Run
from tests.scheduler_core.slices.ways import WAYS
from tests.scheduler_core.subjects import assert_legal
from traces.models import get_model

SECOND = 1_000_000


def workload_of(example):
    model = get_model("slice_examples", example=example.name)
    return model.generate(model.published_jobs, np.random.default_rng(1))


def case_of(example, without=(), job_1_s=None):
    """Return an example, some jobs left out or job 1 shortened."""
    jobs = [row for row in workload_of(example).jobs.iter_rows(named=True) if row["job"] not in without]
    if job_1_s is not None:
        shorter = {"runtime_us": job_1_s * SECOND, "estimate_us": job_1_s * SECOND}
        jobs = [{**row, **shorter} if row["job"] == 1 else row for row in jobs]
    columns = ("job", "submit_us", "runtime_us", "estimate_us", "size")
    asked = [Job(*(row[name] for name in columns), job_class=row["class"]) for row in jobs]
    return Case(asked, 10, get_policy(example.policy, **example.parameters))


def result_of(example, runner, **changes):
    """Run an example; return the result, and the job numbers by position."""
    case = case_of(example, **changes)
    return getattr(WAYS, runner)(case), [job.job for job in case.jobs]


def runs_of(result, numbers, later):
    """Return what ran where, in seconds of the table, by job and begin."""
    found = [
        Run(numbers[h.position], h.slot, h.begin / SECOND - later, h.end / SECOND - later, tuple(sorted(h.processors)))
        for h in result.allocations
    ]
    return sorted(found, key=lambda run: (run.job, run.begin))


@pytest.fixture(scope="module", params=["engine", "oracle"])
def runner(request):
    return request.param


def by_job(found):
    jobs = defaultdict(list)
    for run in found:
        jobs[run.job].append(run)
    return jobs


IN_SLICES, IN_GROUP = by_job(SLICES.runs), by_job(GROUP.runs)
"""What was worked by hand, which engine and oracle must give."""


def running(jobs, time):
    return {run.job for found in jobs.values() for run in found if run.begin <= time < run.end}


@pytest.mark.parametrize("example", worked.EXAMPLES, ids=lambda example: example.name)
def test_every_interval_is_the_one_worked_by_hand(example, runner):
    result, numbers = result_of(example, runner)
    assert runs_of(result, numbers, example.later) == sorted(example.runs, key=lambda run: (run.job, run.begin))
    words = ("short", "medium", "long")
    found = [(words.index(kind), begin, end) for _, begin, end, kind, *_ in result.slices]
    assert [(kind, begin / SECOND - example.later, end / SECOND - example.later) for kind, begin, end in found] == list(
        example.slices
    )
    assert_legal(case_of(example))


# Figure 3: sentence by sentence ("Job 10" is in the table only).


def test_a_smart_backfilled_long_job_and_a_short_job_are_running():
    assert running(IN_SLICES, 0) == {1, 2}
    assert IN_SLICES[1][0].slot == IN_SLICES[2][0].slot == SHORT


def test_job_3_is_scheduled_in_the_medium_slice_where_nothing_else_could_be():
    assert IN_SLICES[3][0].slot == MEDIUM
    assert running(IN_SLICES, IN_SLICES[3][0].begin) == {1, 3}  # 1 was there before, 4 to 10 are not yet


def test_in_the_next_long_slice_job_1_is_scheduled_and_job_3_backfilled():
    assert running(IN_SLICES, 25) == {1, 3}
    assert IN_SLICES[1][2].slot == IN_SLICES[3][1].slot == LONG


def test_the_short_slice_starts_5_6_and_7_and_has_no_room_for_others():
    assert [IN_SLICES[job][0].slot for job in (5, 6, 7)] == [SHORT] * 3
    assert {job for time in range(45, 54) for job in running(IN_SLICES, time)} == {5, 6, 7}


def test_the_next_medium_slice_goes_on_with_3_then_4():
    assert [(run.slot, run.begin) for run in (IN_SLICES[3][2], IN_SLICES[4][0])] == [(MEDIUM, 54)] * 2
    assert running(IN_SLICES, 54) == {3, 4}


def test_8_starts_when_4_is_finished_and_9_does_not_wait():
    assert IN_SLICES[8][0].begin == IN_SLICES[9][0].begin == IN_SLICES[4][-1].end


def test_jobs_start_off_again_on_their_processors():
    for jobs in (IN_SLICES, IN_GROUP):
        assert {len({run.processor_ids for run in found}) for found in jobs.values()} == {1}


# Figure 13: sentence by sentence.


def test_8_and_9_cannot_be_lent_the_second_long_slice_though_enough_processors_are_free():
    second = [(begin, end) for slot, begin, end in GROUP.slices if slot == LONG][1]
    assert second == (34, 64)
    for time in range(*second):
        assert running(IN_GROUP, time) == {1}  # of ten processors one is taken; 8 needs five, 9 three
    assert IN_GROUP[3][0].processor_ids == tuple(range(10))  # suspended, it keeps its processors from other medium jobs


def test_it_is_job_1_that_keeps_them_from_the_suspended_job(runner):
    result, numbers = result_of(GROUP, runner, job_1_s=25)  # over with the first long slice
    alone = by_job(runs_of(result, numbers, GROUP.later))
    assert running(alone, 34) == {2}  # suspended short jobs are lent the slice first, for the 4 s that 2 still needs
    assert running(alone, 38) == {3}  # then 3, for its last 7 s
    assert running(alone, 45) == {8, 9}


def test_normal_scheduling_ends_with_the_second_short_slice_and_8_to_12_become_a_group(runner):
    result, numbers = result_of(GROUP, runner)
    (formed,) = result.groups
    assert [slot for slot, begin, _ in GROUP.slices if 0 <= begin < 68].count(SHORT) == 2
    assert formed[:6] == (0, 1, "medium", (68 + 64) * SECOND, (320 + 64) * SECOND, 5)
    assert [numbers[row[-1]] for row in result.members] == [job for job, _ in worked.PLAN]


def test_the_plan_is_the_one_worked_by_hand(runner):
    result, numbers = result_of(GROUP, runner)
    promised = {numbers[row[0]]: row for row in result.promises if row[3] == 1 and row[2] == (68 + 64) * SECOND}
    clock = 62 * SECOND  # medium slices have worked for 32 s and 30 s
    assert [(job, (promised[job][4] - clock) / SECOND) for job in promised] == list(worked.PLAN)


def test_1_and_14_run_in_the_groups_slice_on_their_processors_and_the_plan_is_not_disturbed(runner):
    assert {run.job for run in IN_GROUP[1] + IN_GROUP[14] if run.slot == MEDIUM and run.begin == 90} == {1, 14}
    result, numbers = result_of(GROUP, runner, without=(14,), job_1_s=55)  # over with the second long slice
    alone = by_job(runs_of(result, numbers, GROUP.later))
    for job, _ in worked.PLAN:
        assert [run for run in alone[job] if run.begin < 98] == [run for run in IN_GROUP[job] if run.begin < 98]


def test_13_arrives_inside_the_group_and_starts_at_once(runner):
    result, _ = result_of(GROUP, runner)
    assert [(run.slot, run.begin) for run in IN_GROUP[13]] == [(MEDIUM, 75)]
    assert (result.counters["dynamic"], result.counters["requests"]) == (2, 1)  # 14 has to ask, and starts then


def test_11_goes_on_in_the_next_long_slice_after_1_terminates():
    assert IN_GROUP[11][0].slot == MEDIUM
    assert IN_GROUP[11][1].slot == LONG
    assert IN_GROUP[11][1].begin == IN_GROUP[1][-1].end


def test_the_group_ends_when_15_finishes_and_normal_scheduling_goes_on(runner):
    result, _ = result_of(GROUP, runner)
    assert result.groups[0][4] / SECOND - GROUP.later == IN_GROUP[15][-1].end
    assert IN_GROUP[16][0].begin == IN_GROUP[15][-1].end
    assert result.counters["planned_elsewhere"] == 2  # 8 and 9, "unless backfilled"
    assert [result.counters[name] for name in ("groups_medium", "groups_long", "grouped")] == [1, 0, 5]
