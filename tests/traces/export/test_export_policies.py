"""Schedules of every policy are written in every format."""

import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import policies
from scheduler_core.runs.simulation import sample_workload
from tests.traces.export.schedules import counts, fields, schedule_of
from traces.export.evalys import schedule_as_evalys
from traces.export.swf import schedule_as_swf


@pytest.mark.slow
@pytest.mark.parametrize("name", policies())
def test_a_schedule_is_written_in_every_format(name):
    policy = policies()[name]()
    schedule = schedule_of(policy.sample() or sample_workload(), policy)
    jobs = fields(schedule_as_swf(schedule, "sample"))
    assert [job[0] for job in jobs] == schedule.jobs["job"].to_list()
    ended = schedule.jobs["finish_us"].count()
    assert sum(job[3] >= 0 for job in jobs) == ended
    try:
        exported = schedule_as_evalys(schedule, "sample")
    except ContractError as refusal:
        assert "evalys needs their numbers" in str(refusal) or ended == 0  # noqa: PT017
        return
    assert exported.jobs == ended == len(exported.text.splitlines()) - 1
    assert counts(exported).get("no_times", 0) == schedule.jobs.height - ended
