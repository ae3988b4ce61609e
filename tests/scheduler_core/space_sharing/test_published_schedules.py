"""The published EASY schedules, where they are at hand: every job starts when it started there."""

import pytest

from scheduler_core import simulate
from traces.catalog import catalog, find_log, folders
from traces.ingest import ingest

PUBLISHED = [name for name, entry in catalog().items() if entry.schedule]
DIALECT = 'easy(instant="submissions_first", tied_completions="start", ending_now="free")'


@pytest.mark.logs
@pytest.mark.parametrize("name", PUBLISHED)
def test_every_job_starts_as_published(name):
    path = find_log(name)
    if path is None:
        pytest.skip(f"{name} is not at hand: {', '.join(map(str, folders()))}")
    workload = ingest(path).workload
    assert len(workload) == catalog()[name].jobs
    jobs = simulate(workload, DIALECT).jobs
    published = workload.jobs["submit_us"] + workload.jobs["recorded_wait_us"]
    assert (jobs["start_us"] == published).all()
