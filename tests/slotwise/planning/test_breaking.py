"""What users had running at the starts that a log recorded."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slotwise.planning.breaking import loads_at_starts

HOUR_US = 3_600_000_000
ODD_US = 3_600_000_007
"""The unit of times: no whole number of seconds, so that no start and end differ by rounding."""

JOBS = st.lists(
    st.tuples(
        st.integers(0, 2),  # user
        st.integers(0, 20),  # submitted
        st.integers(0, 5),  # waited
        st.integers(1, 9),  # ran
        st.integers(0, 9),  # asked for so much more
        st.integers(1, 4),  # processors
    ),
    min_size=1,
    max_size=25,
)


def known(rows):
    """Return jobs with recorded waits, all times in hours, 7 microseconds longer."""
    return pl.DataFrame(
        {
            "user": pl.Series([row[0] for row in rows], dtype=pl.Int32),
            "submit_us": [row[1] * ODD_US for row in rows],
            "recorded_wait_us": [row[2] * ODD_US for row in rows],
            "runtime_us": [row[3] * ODD_US for row in rows],
            "estimate_us": [(row[3] + row[4]) * ODD_US for row in rows],
            "size": [row[5] for row in rows],
        }
    )


def looked_up(rows, name):
    """Return the loads by looking at every pair of jobs; of jobs that start together, the one further down starts later."""
    found = []
    for place, (user, submitted, waited, _, _, _) in enumerate(rows):
        now, load, others = submitted + waited, 0, 0
        for other, (owner, came, stood, ran, more, processors) in enumerate(rows):
            start = came + stood
            if owner == user and (start, other) <= (now, place) and start + ran > now:
                load += 1 if name == "user_jobs" else processors * (start + ran + more - now)
                others += other != place
        found.append(load if others else 0)
    return sorted(found)


@pytest.mark.parametrize("name", ["user_jobs", "user_processor_h"])
@given(rows=JOBS)
def test_loads_are_those_of_every_pair_of_jobs(name, rows):
    assert sorted(loads_at_starts(known(rows), name)) == pytest.approx(looked_up(rows, name))


def test_jobs_of_unknown_users_are_left_out():
    jobs = known([(1, 0, 0, 5, 0, 1), (1, 1, 0, 5, 0, 1)])
    unknown = pl.concat([jobs, jobs.with_columns(user=pl.lit(None, pl.Int32))])
    assert sorted(loads_at_starts(unknown, "user_jobs")) == [0, 2]
    assert len(loads_at_starts(jobs.with_columns(user=pl.lit(None, pl.Int32)), "user_jobs")) == 0
