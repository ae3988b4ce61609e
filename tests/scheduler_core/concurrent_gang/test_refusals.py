"""What Concurrent Gang refuses at once, where it could only hang or count past its end."""

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS
from scheduler_core.declarations.policy import get_policy

YEAR = 366 * 24 * 3600 * 1_000_000


def workload(*, submit_us=0, runtime_us=1000, size=2, application="compute", time_us=5):
    """Return a workload of one job."""
    jobs = pl.DataFrame([(1, submit_us, runtime_us, runtime_us, size)], schema=WORKLOAD_COLUMNS, orient="row")
    row = (1, application, 0, 0, 0, "constant", 0.0, 0)
    tables = {"applications": pl.DataFrame([row], schema=APPLICATIONS_COLUMNS, orient="row")}
    if application == "program":
        rows = [(1, task, 0, "compute", time_us, 0) for task in range(size)]
        tables["programs"] = pl.DataFrame(rows, schema=PROGRAMS_COLUMNS, orient="row")
    return Workload(jobs, Machine(64), {}, tables)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"submit_us": 30 * YEAR},
            "job 1 is submitted at 948,672,000 s, and a run, which counts nanoseconds, can count to",
        ),
        ({"runtime_us": 30 * YEAR}, "job 1 takes 948,672,000 s"),
        ({"runtime_us": 2**61}, "job 1 takes 2,305,843,009,214 s"),
        ({"runtime_us": 10 * YEAR, "size": 64}, "job 1 takes, all its tasks together, 20,238,336,000 s"),
        ({"application": "program", "time_us": 30 * YEAR}, "job 1 takes, by its program, 1,897,344,000 s"),
        ({"application": "program", "time_us": 2**62}, "job 1 takes, by its program,"),
    ],
)
def test_times_that_cannot_be_counted_are_refused_with_their_job(values, said):
    with pytest.raises(ContractError, match=said):
        simulate(workload(**values), "cg_prio", until_s=1.0)


def test_a_job_that_is_too_wide_takes_no_part_and_may_take_any_time():
    made = simulate(workload(runtime_us=30 * YEAR, size=65), "cg_prio")
    assert made.jobs["outcome"].to_list() == ["rejected"]


@pytest.mark.parametrize(("slice_ms", "switch_us"), [(0.2, 200), (0.1, 200), (0.001, 1)])
def test_a_slice_that_its_switch_fills_is_refused(slice_ms, switch_us):
    with pytest.raises(ParameterError, match="a slice must be longer than the context switch that it may begin with"):
        get_policy("cg_gang", slice_ms=slice_ms, switch_us=switch_us)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (
            {"local": "none"},
            "gang=False leaves all choices to local task schedulers; .* found local='none' and fill='none'",
        ),
        (
            {"classifier": "bayes", "local": "priority", "fill": "intelligent"},
            "found local='priority' and fill='intelligent'",
        ),
        (
            {"classifier": "bayes", "local": "priority", "beta": 0.3},
            "a task whose priority is not above beta would never run",
        ),
    ],
)
def test_without_gangs_local_schedulers_must_run_every_task(parameters, said):
    with pytest.raises(ParameterError, match=said):
        get_policy("cg_local", **parameters)


@pytest.mark.parametrize("name", ["until_s", "sums_s", "trace_from_s", "trace_s", "slice_ms", "switch_us", "spin_us"])
def test_parameters_end_where_nanoseconds_do(name):
    with pytest.raises(ParameterError, match=f"{name} must be at most"):
        get_policy("cg_prio", **{name: 9e9})


@pytest.mark.parametrize("until_s", ["done", 50_000.0])
def test_periods_that_would_take_all_memory_are_refused(until_s, monkeypatch):
    monkeypatch.setattr("scheduler_core.concurrent_gang.engine.MOST_SUMS", 64 * 1000)
    policy = get_policy("concurrent_gang", sums_s=0.001, until_s=until_s)
    with pytest.raises(
        ContractError, match=r"sums_s 0.001 makes .* periods or more of 64 processors.*take longer periods"
    ):
        simulate(workload(runtime_us=10_000_000), policy)


def test_a_trace_that_would_take_all_memory_is_refused(monkeypatch):
    monkeypatch.setattr("scheduler_core.concurrent_gang.engine.MOST_TRACED", 4096)
    jobs = workload(runtime_us=10_000_000)
    said = r"trace_s 10 asks for a trace from 1 to 11 s, and at [\d.]+ s .* the 4,096 rows .*; take a shorter window"
    with pytest.raises(ContractError, match=said):
        simulate(jobs, get_policy("cg_gang", slice_ms=1.0, switch_us=0.0, trace_from_s=1.0, trace_s=10.0))
    whole = simulate(jobs, get_policy("cg_gang", slice_ms=1.0, switch_us=0.0, trace_from_s=1.0, trace_s=0.01))
    assert whole.tables["trace_slices"].height == 10 * 64


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (
            {"until_s": 10.0, "trace_from_s": 50.0, "trace_s": 5.0},
            "the run ends at 10 s, and the window of the trace begins at 50",
        ),
        (
            {"trace_from_s": 3.0},
            "trace_from_s=3 says where the window of the trace begins, and trace_s=0 that it has no length",
        ),
        ({"until_s": 10.0, "trace_from_s": 9.0, "trace_s": 5.0}, None),
        ({"until_s": 0.1, "trace_from_s": 0.15, "trace_s": 5.0}, None),
        ({"trace_from_s": 50.0, "trace_s": 5.0}, None),
        ({"until_s": 10.0}, None),
    ],
)
def test_a_window_in_which_nothing_can_be_traced_is_said_beforehand(parameters, said):
    jobs = workload()
    notes = get_policy("cg_gang", **parameters).notes(jobs)
    assert [note.startswith(said) for note in notes] == ([] if said is None else [True])


def test_as_many_periods_as_a_run_keeps_are_kept(monkeypatch):
    monkeypatch.setattr("scheduler_core.concurrent_gang.engine.MOST_SUMS", 64 * 1000)
    schedule = simulate(workload(runtime_us=10_000_000), get_policy("concurrent_gang", sums_s=0.001, until_s=1.0))
    assert schedule.tables["processor_activity"].height == 64 * 1000
