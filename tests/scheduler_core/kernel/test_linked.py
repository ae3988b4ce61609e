"""Lines of jobs linked in both directions, against lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kernel import linked
from scheduler_core.kernel.records import record, records
from tests.from_python import all_from_python

kernels = all_from_python(linked)

LINE = np.dtype([("first", np.int64), ("last", np.int64)])
LINK = np.dtype([("next", np.int64), ("previous", np.int64)])
JOBS = 8


def walked(job, links, to):
    """Return a job and those that its links lead to, one after another."""
    jobs = []
    while job >= 0:
        jobs.append(int(job))
        job = links[job][to]
    return jobs


@given(st.lists(st.tuples(st.integers(0, JOBS - 1), st.integers(0, 1), st.integers(0, JOBS)), max_size=40))
def test_two_lines_that_share_links_do_what_lists_do(steps):
    """A job that is in no line joins one of them at a place; a job that is in a line leaves it."""
    links, lines, expected = records(JOBS, LINK), [record(LINE), record(LINE)], [[], []]
    for line in lines:
        line.first = line.last = -1
    for job, which, place in steps:
        there = [jobs for jobs in expected if job in jobs]
        if there:
            kernels.remove(job, lines[expected.index(there[0])], links)
            there[0].remove(job)
        else:
            jobs = expected[which]
            after = jobs[place] if place < len(jobs) else -1
            kernels.insert_before(job, after, lines[which], links)
            jobs.insert(min(place, len(jobs)), job)
        assert [walked(line.first, links, "next") for line in lines] == expected
        assert [walked(line.last, links, "previous") for line in lines] == [jobs[::-1] for jobs in expected]
