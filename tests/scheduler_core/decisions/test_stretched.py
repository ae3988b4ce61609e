"""What explanations say of jobs that take longer than alone once they have started."""

import pytest

import slotwise as sw
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.words import lasting
from slotwise.planning.waits import waits_of
from tests.slotwise.planning.small_jobs import HOUR_US, jobs, workload
from traces.generate import generate


def test_a_job_that_takes_turns_finishes_later():
    """Two jobs of 10 s share four processors in two slots: both finish at 20 s, or one slice before."""
    log = workload(jobs((0, 10, 4), (0, 10, 4)), 4)
    found = explain(log, sw.simulate(log, 'gang(level=2, slice_s=1, slice="fixed")'), 2)
    assert list(found.sentences())[:2] == [
        "Job 2 started at once.",
        "It finished 20 s after its start, although it runs for 10 s alone. The metric wait counts this, too: 10 s in all.",
    ]


@pytest.mark.parametrize("policy", ["gang", "pect"])
def test_the_wait_in_all_is_that_of_the_metric(policy):
    log = generate("lublin", jobs=120, seed=2, processors=32, load=0.9)
    schedule = sw.simulate(log, policy)
    waits = dict(waits_of(schedule).select("job", "wait_h").iter_rows())
    told = 0
    for job in schedule.jobs["job"].to_list()[::7]:
        said = " ".join(explain(log, schedule, job, alternatives=False).stretched())
        if said:
            assert said.endswith(f"too: {lasting(round(waits[job] * HOUR_US))} in all.")
            told += 1
    assert told > 3


def test_a_job_that_keeps_its_processors_has_no_such_sentence():
    log = workload(jobs((0, 10, 4), (0, 10, 4)), 4)
    for policy in ("easy", 'gang(level=1, slice_s=1, slice="fixed")'):
        assert not list(explain(log, sw.simulate(log, policy), 2).stretched())
