"""What a log says of its machine."""

import numpy as np
import pytest
from hypothesis import given

from scheduler_core.common.errors import ContractError
from slotwise.planning.recorded import recorded_use, with_recorded_wait
from tests.slotwise.planning.small_jobs import HOUR_US, RECORDED, SECOND_US, jobs, workload

HOUR = 3600


def test_a_job_that_waits_on_an_idle_machine_is_seen():
    """Job 1 runs for an hour. Job 2 waits for three hours, the last two beside an idle machine."""
    table = jobs((0, HOUR, 4), (0, HOUR, 4), recorded_wait_us=[0, 3 * HOUR_US])
    use = recorded_use(table, 4)
    assert (use.most, use.time_above) == (4, 0)
    assert use.wait_fitting == pytest.approx(2 / 3)
    assert use.time_fitting == pytest.approx(2 / 4)
    assert (use.standstills, use.standstill_h) == (1, pytest.approx(2))
    assert (use.outages, use.outage_h) == (1, pytest.approx(2))


def test_more_processors_in_use_than_there_are_is_seen():
    table = jobs((0, HOUR, 3), (0, 2 * HOUR, 3), recorded_wait_us=[0, 0])
    use = recorded_use(table, 4)
    assert (use.most, use.time_above) == (6, pytest.approx(0.5))
    assert (use.at(0.5), use.at(1.0)) == (3, 6)


def test_a_start_ends_a_standstill():
    """A job of one processor starts in the middle of two hours in which another would fit: no period lasts an hour."""
    table = jobs((0, 10, 1), (0, 10, 1), (0, 10, 1), recorded_wait_us=[0, 3000 * SECOND_US, 6000 * SECOND_US])
    assert recorded_use(table, 4).standstills == 0


@given(RECORDED)
def test_fitting_times_are_those_counted_second_by_second(rows):
    table = jobs(*[row[:3] for row in rows], recorded_wait_us=[row[3] * SECOND_US for row in rows])
    runs = [(submit + wait, submit + wait + run, size) for submit, run, size, wait in rows]
    fitted = waited = 0
    busy_seconds = set()
    for submit, _, size, wait in rows:
        for second in range(submit, submit + wait):
            waited += 1
            if sum(other for begin, end, other in runs if begin <= second < end) + size <= 4:
                fitted += 1
                busy_seconds.add(second)
    use = recorded_use(table, 4)
    assert use.wait_fitting == pytest.approx(fitted / max(waited, 1e-6))
    span = max(end for _, end, _ in runs) - rows[0][0]
    assert use.time_fitting == pytest.approx(len(busy_seconds) / span)


@pytest.mark.parametrize(
    ("waits", "reason"),
    [([None, None, 5], "records the wait of 1 of 3 jobs"), ([0, 0, 0], "every wait that the log records")],
)
def test_logs_without_usable_waits_are_refused(waits, reason):
    table = jobs((0, 5, 1), (1, 5, 1), (2, 5, 1), recorded_wait_us=waits)
    with pytest.raises(ContractError, match=reason):
        with_recorded_wait(workload(table, 4))


def test_a_log_without_the_column_is_refused():
    with pytest.raises(ContractError, match="records no waits"):
        with_recorded_wait(workload(jobs((0, 5, 1)), 4))


def test_quantiles_are_of_time_not_of_jobs():
    table = jobs((0, 99 * HOUR, 1), (0, HOUR, 3), recorded_wait_us=[0, 0])
    assert recorded_use(table, 4).at(0.95) == 1
    assert np.isclose(recorded_use(table, 4).at(1.0), 4)
