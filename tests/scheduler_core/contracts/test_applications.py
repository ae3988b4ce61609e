"""What the tasks of jobs do: rows that are refused, and programs that could not come to their end, by job, task and step."""

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Machine, Workload, read_replications, write_replications
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS
from scheduler_core.contracts.workload import WORKLOAD_COLUMNS

PLAIN = {"burst_us": 0, "disk_us": 0, "spread": "exponential", "imbalance": 0.0, "most_tasks": 0}

OF_APPLICATION = {
    "compute": {},
    "io": {"burst_us": 50_000, "disk_us": 40_000},
    "messages": {"burst_us": 5000},
    "supersteps": {"burst_us": 5000, "imbalance": 0.5},
    "irregular": {"burst_us": 5000, "most_tasks": 8},
    "program": {},
    "barriers": {"burst_us": 5000},
}
"""A row of each application that is right, beside what all others have."""


def applications(*words, **other):
    """Return a table for jobs 1, 2, ...; ``other`` replaces values of the last."""
    rows = [
        {"job": job, "application": word, "seed": 7 * job, **PLAIN, **OF_APPLICATION[word]}
        for job, word in enumerate(words, 1)
    ]
    return pl.DataFrame([*rows[:-1], rows[-1] | other], schema=APPLICATIONS_COLUMNS)


def programs(*tasks, job=1):
    """Return the program of a job of so many tasks, each as in ``("compute 5", "send 1")``."""
    rows = []
    for task, statements in enumerate(tasks):
        for step, text in enumerate(statements):
            statement, _, number = text.partition(" ")
            timed = statement in ("compute", "disk")
            value = int(number or 0)
            rows.append((job, task, step, statement, value if timed else 0, 0 if timed else value))
    return pl.DataFrame(rows, schema=PROGRAMS_COLUMNS, orient="row")


def workload(size=2, **companions):
    """Return a workload of as many jobs as `applications` has, all of one size."""
    count = companions["applications"].height if "applications" in companions else 1
    rows = [(job, 0, 1000, 1000, size) for job in range(1, count + 1)]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(4), {}, companions)


def refused(size=2, **companions):
    """Return why a workload with these tables is refused."""
    with pytest.raises(ContractError) as found:
        workload(size, **companions)
    return str(found.value)


def test_every_application_is_taken_and_travels_with_its_jobs(tmp_path):
    program = programs(("compute 5", "send 1", "barrier"), ("receive 1", "disk 3", "barrier"), job=6)
    whole = workload(applications=applications(*OF_APPLICATION), programs=program)
    write_replications(tmp_path / "w.parquet", [whole, whole])
    assert [read.digest for read in read_replications(tmp_path / "w.parquet")] == [whole.digest] * 2
    first = whole.first(2)
    assert first.companions["applications"]["application"].to_list() == ["compute", "io"]
    assert first.companions["programs"].is_empty()


def test_what_tasks_do_decides():
    one, other = (workload(applications=applications("io", "messages", seed=seed)) for seed in (1, 2))
    assert one.digest != other.digest


@pytest.mark.parametrize(
    ("application", "other", "said"),
    [
        ("io", {"seed": -1}, "seed is negative in 1 of 2 rows, the first of them job 2, seed -1"),
        ("io", {"seed": 7}, "seed is that of another job, too in 2 of 2 rows, the first of them job 1, seed 7"),
        ("messages", {"burst_us": -5}, "burst_us is negative in 1 of 2 rows, the first of them job 2, burst_us -5"),
        ("io", {"disk_us": -5}, "disk_us is negative in 1 of 2 rows, the first of them job 2, disk_us -5"),
        ("supersteps", {"burst_us": 0}, "burst_us is 0 though the application computes in bursts in 1 of 2 rows"),
        ("barriers", {"burst_us": 0}, "burst_us is 0 though the application computes in bursts in 1 of 2 rows"),
        ("compute", {"burst_us": 9}, "burst_us is not 0 though the application has no bursts in 1 of 2 rows"),
        ("io", {"disk_us": 0}, "disk_us is 0 though the application is io in 1 of 2 rows"),
        ("messages", {"disk_us": 9}, "disk_us is not 0 though the application is not io in 1 of 2 rows"),
        ("io", {"burst_us": 100_000_001}, "a mean is longer than 100 s in 1 of 2 rows, the first of them job 2"),
        ("supersteps", {"imbalance": 1.0}, "imbalance is outside 0 to below 1 in 1 of 2 rows"),
        ("supersteps", {"imbalance": float("nan")}, "imbalance is outside 0 to below 1 in 1 of 2 rows"),
        ("io", {"imbalance": 0.1}, "imbalance is not 0 though the application is not supersteps in 1 of 2 rows"),
        ("barriers", {"imbalance": 0.1}, "imbalance is not 0 though the application is not supersteps in 1 of 2 rows"),
        ("irregular", {"most_tasks": 0}, "most_tasks is below 1 though the application is irregular in 1 of 2 rows"),
        ("io", {"most_tasks": 3}, "most_tasks is not 0 though the application is not irregular in 1 of 2 rows"),
        ("io", {"job": 3}, "the job is none of the workload's in 1 of 2 rows, the first of them job 3"),
    ],
)
def test_a_row_that_no_task_could_follow_is_refused_with_its_job(application, other, said):
    assert f"table 'applications': {said}" in refused(applications=applications("compute", application, **other))


def test_every_job_has_a_row():
    jobs = pl.DataFrame([(1, 0, 9, 9, 1), (2, 0, 9, 9, 1)], schema=WORKLOAD_COLUMNS, orient="row")
    with pytest.raises(ContractError, match="1 of 2 jobs have no row, the first of them job 2"):
        Workload(jobs, Machine(4), {}, {"applications": applications("io")})


def test_programs_are_those_of_jobs_whose_application_is_one():
    program = programs(("compute 5",), ("compute 5",))
    assert "table 'programs' needs table 'applications'" in refused(programs=program)
    assert "has no statement of job 2, whose application is program, and of 1 of 1 such jobs" in refused(
        applications=applications("io", "program")
    )
    assert "the job's application is not program in 2 of 2 rows, the first of them job 1, task 0, step 0" in refused(
        applications=applications("io"), programs=program
    )


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (
            [("compute -5",), ("compute 5",)],
            "time_us is negative in 1 of 2 rows, the first of them job 1, task 0, step 0",
        ),
        ([("compute 5", "disk 0"), ("compute 5",)], "time_us is 0 though the statement takes a time in 1 of 3 rows"),
        ([("compute 5",)], "task 1 of job 1 has no statement; expected one at least for each of 2"),
        ([("compute 5",)] * 3, "task is none of its job's, which are 0 to size - 1, in 1 of 3 rows"),
        ([("barrier",), ("barrier",)], "no task of job 1 computes or uses its disk"),
        (
            [("compute 5", "send 0"), ("receive 0",)],
            "message is below 1 though the statement sends or receives one in 2 of 3 rows",
        ),
        (
            [("compute 5", "barrier 3"), ("barrier",)],
            "message is not 0 though the statement neither sends nor receives in 1 of 3 rows",
        ),
        (
            [("compute 5", "send 1"), ("compute 5",)],
            "job 1, message 1, which task 0 sends at step 1, is received by no task",
        ),
        (
            [("compute 5",), ("compute 5", "receive 1")],
            "job 1, message 1, which task 1 receives at step 1, is sent by no task",
        ),
        (
            [("send 1", "send 1"), ("compute 5", "receive 1")],
            "job 1, message 1 is sent 2 times (task 0, step 0; task 0, step 1); expected one send",
        ),
        (
            [("send 1",), ("compute 5", "receive 1", "receive 1")],
            "job 1, message 1 is received 2 times (task 1, step 1; task 1, step 2); expected one receive",
        ),
        (
            [("send 1", "receive 1"), ("compute 5",)],
            "job 1, message 1 is sent and received by the same task 0 (steps 0 and 1)",
        ),
        (
            [("compute 5", "send 2"), ("receive 2",)],
            "job 1, message 2 (task 0, step 1) follows message 0; expected message 1",
        ),
    ],
)
def test_a_program_that_is_not_whole_is_refused_with_job_task_and_step(tasks, said):
    assert f"table 'programs': {said}" in refused(applications=applications("program"), programs=programs(*tasks))


def test_steps_are_numbered_without_a_gap():
    program = programs(("compute 5", "compute 5"), ("compute 5",)).with_columns(
        step=pl.Series([0, 2, 0], dtype=pl.Int32)
    )
    said = refused(applications=applications("program"), programs=program)
    assert "step is not the next of its task" in said
    assert "the first of them job 1, task 0, step 2" in said


def test_a_task_that_never_reaches_a_barrier_is_named():
    tasks = ("barrier", "compute 5", "barrier"), ("compute 5", "barrier", "compute 5")
    assert (
        "job 1 never ends: task 0 waits at step 2 at barrier 2, which task 1 never reaches, as it has 1 of them; expected "
        "equally many barriers in all tasks of a job"
    ) in refused(applications=applications("program"), programs=programs(*tasks))


def test_tasks_that_wait_for_each_others_messages_are_named():
    tasks = ("receive 1", "compute 5", "send 2"), ("receive 2", "send 1")
    assert (
        "job 1 never ends: task 0 waits at step 0 for message 1, which task 1 sends at step 1, task 1 waits at step 0 for "
        "message 2, which task 0 sends at step 2: each waits for the next, the last for the first (2 of 2 tasks do not come to "
        "their end)"
    ) in refused(applications=applications("program"), programs=programs(*tasks))


def test_a_barrier_and_a_message_that_wait_for_each_other_are_named_and_others_that_wait_for_them_counted():
    tasks = ("barrier", "send 1", "send 2", "compute 5"), ("receive 1", "barrier"), ("barrier", "receive 2")
    assert (
        "job 1 never ends: task 0 waits at step 0 at a barrier, for task 1, task 1 waits at step 0 for message 1, which task 0 "
        "sends at step 1: each waits for the next, the last for the first (3 of 3 tasks do not come to their end)"
    ) in refused(3, applications=applications("program"), programs=programs(*tasks))


def test_a_ring_of_tasks_ends_if_one_of_them_sends_first():
    q = 64
    waits = [(f"receive {task}", f"send {task + 1}", "compute 1") for task in range(1, q)]
    first = ("compute 1", "send 1", f"receive {q}")
    assert len(workload(q, applications=applications("program"), programs=programs(first, *waits))) == 1
    said = refused(
        q, applications=applications("program"), programs=programs((f"receive {q}", "send 1", "compute 1"), *waits)
    )
    assert "task 0 waits at step 0 for message 64, which task 63 sends at step 1, task 63 waits" in said
    assert ", ...: each waits for the next" in said
    assert "(64 of 64 tasks do not come to their end)" in said
