"""No run of space sharing waits less on average than any schedule must (slotwise/planning/bounds.py)."""

import numpy as np
import pytest

from scheduler_core.runs.folder import read_run
from slotwise.planning.bounds import lower_bounds, priced_bound
from slotwise.planning.waits import waits_of
from tests.studies.miniatures import in_miniature

HOUR_S = 3600
ROUNDING_H = 1e-9


def least_wait_h(schedule):
    """Return the lower bound on the mean wait of the jobs that ended in a schedule, and their mean wait."""
    jobs = schedule.jobs.filter(schedule.jobs["finish_us"].is_not_null()).sort("submit_us", "job")
    mean_h = float(waits_of(schedule)["wait_h"].mean())
    processors, total_s = schedule.machine.processors, mean_h * HOUR_S * jobs.height
    priced_s = priced_bound(jobs, processors, np.ones(jobs.height), total_s, rounds=40)
    return max(lower_bounds(jobs, processors).wait_h, priced_s / HOUR_S / jobs.height), mean_h


@in_miniature("easy_dialects", pytest.param("baseline", marks=pytest.mark.thorough))
def test_no_mean_wait_is_below_the_bound(miniature):
    found = {
        (folder.parent.name, folder.name, number): least_wait_h(schedule)
        for folder in sorted((miniature.root / "runs").glob("*/*"))
        for number, schedule in enumerate(read_run(folder).schedules)
        if schedule.family.name == "space_sharing" and schedule.jobs["finish_us"].count()
    }
    assert len({policy for _, policy, _ in found}) >= 5
    assert not {run: pair for run, pair in found.items() if pair[0] > pair[1] + ROUNDING_H}
    assert any(least > 0 for least, _ in found.values())
