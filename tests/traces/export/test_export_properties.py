"""Whatever jobs a workload has, their text comes back as the same jobs, or the losses say what did not."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from tests.traces.export.schedules import SECOND, counts, fields, read_back, schedule_of
from traces.export.swf import schedule_as_swf, workload_as_swf

NUMBERS = ("user", "group", "executable", "queue", "partition", "memory_kb")
small = st.none() | st.integers(0, 10**6)
seconds = st.integers(1, 10**6)
times = st.integers(1, 10**12)


def workloads(time):
    """Draw workloads whose times are drawn by ``time``."""
    job = st.fixed_dictionaries(
        {
            "submit_us": time,
            "runtime_us": time,
            "longer": st.integers(0, 1000).map(lambda number: number * SECOND),
            "size": st.integers(1, 64),
            "status": st.none() | st.sampled_from((0, 1, 5)),
            "recorded_wait_us": st.none() | time,
            **dict.fromkeys(NUMBERS, small),
            "after": st.booleans(),
            "think_us": time,
        }
    )
    return st.lists(job, min_size=1, max_size=12).map(workload)


def workload(jobs):
    """Return the workload of drawn jobs; columns without values are left out, as the reader does."""
    kinds = WORKLOAD_COLUMNS | WORKLOAD_OPTIONAL
    rows = []
    for number, job in enumerate(sorted(jobs, key=lambda job: job["submit_us"]), start=1):
        after = number - 1 if job["after"] and number > 1 else None
        own = {"job": number, "estimate_us": job["runtime_us"] + job["longer"], "after_job": after}
        rows.append({**job, **own, "think_us": None if after is None else job["think_us"]})
    table = pl.DataFrame(rows, schema_overrides={name: kinds[name] for name in rows[0] if name in kinds})
    known = [name for name in table.columns if name in kinds and table[name].null_count() < table.height]
    order = [*WORKLOAD_COLUMNS, *(name for name in WORKLOAD_OPTIONAL if name in known)]
    return Workload(table.select(order), Machine(64, "Elm"))


@given(workloads(seconds.map(lambda number: number * SECOND)))
def test_whole_seconds_come_back_as_they_were(tmp_path_factory, known):
    exported = workload_as_swf(known)
    assert exported.losses == ()
    result = read_back(tmp_path_factory.mktemp("swf"), exported)
    assert result.workload.jobs.equals(known.jobs)
    assert result.workload.machine == known.machine
    assert (result.accounting.repaired, result.accounting.rejected) == ({}, {})


@given(workloads(times))
def test_other_times_are_off_by_half_a_second_and_counted(tmp_path_factory, known):
    exported = workload_as_swf(known)
    again = read_back(tmp_path_factory.mktemp("swf"), exported).workload.jobs
    assert again["job"].sort().to_list() == known.jobs["job"].to_list()
    pairs = known.jobs.join(again, on="job", suffix="_read")
    columns = [name for name in known.jobs.columns if name.endswith("_us")]
    odd = pl.any_horizontal((pl.col(name) % SECOND != 0).fill_null(value=False) for name in columns)
    assert counts(exported).get("rounded_time", 0) == known.jobs.filter(odd).height
    for name in columns:
        off = (pairs[name] - pairs[f"{name}_read"]).abs()
        short = (pairs["runtime_us"] < SECOND // 2) | (pairs["estimate_us"] < SECOND // 2)
        assert off.filter(~short).max() is None or off.filter(~short).max() <= SECOND // 2
    for name in set(known.jobs.columns) - set(columns):
        assert pairs[name].equals(pairs[f"{name}_read"] if name != "job" else pairs[name])


@given(workloads(times), st.sampled_from(("easy", "fcfs")))
def test_a_schedule_stays_within_the_machine(known, policy):
    exported = schedule_as_swf(schedule_of(known, policy), "drawn")
    changes = []
    for job in fields(exported):
        assert job[2] >= 0
        start = job[1] + job[2]
        changes += [(start, job[4], job[3] > 0), (start + job[3], -job[4], job[3] > 0)]
    held = 0
    for _, change, counted in sorted(changes):
        held += change if counted else 0
        assert held <= 64
