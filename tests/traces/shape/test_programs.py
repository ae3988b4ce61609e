"""Programs in a file: read by its lines, refused with the line, the job, the task and the step."""

from pathlib import Path

import pytest

from scheduler_core.common.errors import StudyError
from traces.build import build_workload
from traces.definition import read_definition
from traces.models.cascade import Cascade

HEADING = "job,task,statement,value\n"

RIGHT = """1,0,compute,5000
1,0,send,1
1,1,receive,1
1,0,barrier,
1,1,disk,20000
1,1,barrier,
"""


@pytest.fixture
def definition(tmp_path):
    """Return a definition of two jobs of two processors; the file has a program of the first."""
    log = tmp_path / "log.swf"
    lines = [f"{job} {job} 0 100 2 -1 -1 2 200 -1 1 1 1 1 -1 -1 -1 -1" for job in (1, 2)]
    log.write_text("; MaxProcs: 4\n" + "\n".join(lines) + "\n")
    (tmp_path / "programs.csv").write_text(HEADING + RIGHT)
    return {"log": str(log), "programs": str(tmp_path / "programs.csv"), "applications": "IO"}


def write(definition, text, heading=HEADING):
    """Write other lines to the definition's file."""
    Path(definition["programs"]).write_text(heading + text)


def test_lines_of_a_task_are_its_statements(definition):
    read_definition(definition)
    workload = build_workload(definition, "w", 1).workloads[0]
    assert workload.companions["programs"].rows() == [
        (1, 0, 0, "compute", 5000, 0),
        (1, 0, 1, "send", 0, 1),
        (1, 0, 2, "barrier", 0, 0),
        (1, 1, 0, "receive", 0, 1),
        (1, 1, 1, "disk", 20000, 0),
        (1, 1, 2, "barrier", 0, 0),
    ]
    assert workload.companions["applications"]["application"].to_list() == ["program", "io"]
    assert workload.companions["applications"]["burst_us"].to_list() == [0, 100_000]
    # a message that is sent after 5 ms, a disk request of 20 ms behind it; the other job as in the log
    assert workload.jobs.select("runtime_us", "estimate_us").rows() == [(25_000, 25_000), (100_000_000, 200_000_000)]
    assert workload.provenance["transformations"][-1]["statements"] == 6
    assert read_definition(definition).companions == ["applications", "programs"]
    assert read_definition(definition).files == [definition["programs"]]


def test_jobs_that_all_have_programs_need_nothing_else(definition):
    write(definition, RIGHT + RIGHT.replace("1,0,", "2,0,").replace("1,1,", "2,1,"))
    del definition["applications"]
    workload = build_workload(definition, "w", 1).workloads[0]
    assert read_definition(definition).companions == list(workload.companions) == ["applications", "programs"]
    assert workload.companions["applications"]["seed"].to_list() == [0, 1]
    write(definition, RIGHT)
    with pytest.raises(
        StudyError, match="it has no program of job 2, and none of 1 of 2 jobs; write 'applications' as well"
    ):
        build_workload(definition, "w", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,0,compute,5\n1,x,compute,5\n", "line 3: task: expected a whole number; found 'x'"),
        ("1,0,compute,5.5\n", "line 2: value: expected a whole number; found '5.5'"),
        ("1,0,compute,\n", "line 2: value: expected a whole number; found ''"),
        ("1,0,compute,9223372036854775808\n", "line 2: value: expected at most 9223372036854775807"),
        ("1,3000000000,compute,5\n", "line 2: task: expected at most 2147483647; found 3000000000"),
        ("1,0,compute,99999999999999999999\n", "line 2: value: expected at most 9223372036854775807"),
        ("1,0,barier,\n", "line 2: statement: there is no 'barier'; did you mean 'barrier'"),
        ("1,0,compute,-5\n", "line 2: value: expected at least 1 .a time in whole microseconds.; found -5"),
        ("1,0,disk,0\n", "line 2: value: expected at least 1 .a time in whole microseconds.; found 0"),
        ("1,0,send,0\n", "line 2: value: expected at least 1 .messages of a job are numbered 1, 2, "),
        ("1,0,barrier,3\n", "line 2: value: a barrier has none; found '3'"),
        ("1,0,compute\n", "line 2: expected 4 values; found 3"),
        ("", "there is no line below the heading"),
    ],
)
def test_a_line_that_is_no_statement_is_refused_with_its_number(definition, text, said):
    write(definition, text)
    with pytest.raises(StudyError, match=f"programs: .*programs.csv.*{said}"):
        read_definition(definition)


def test_a_file_that_is_none_is_refused(definition):
    with pytest.raises(StudyError, match=r"programs: there is no file 'none\.csv', seen from"):
        read_definition({**definition, "programs": "none.csv"})
    with pytest.raises(StudyError, match="programs: expected the path of a CSV; found 3"):
        read_definition({**definition, "programs": 3})
    write(definition, RIGHT, heading="job,task,step,statement\n")
    with pytest.raises(StudyError, match="expected the columns job, task, statement, value; found job, task, step"):
        read_definition(definition)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1,0,compute,5\n1,1,compute,5\n1,2,compute,5\n",
            r"programs\.csv: task is none of its job's, which are 0 to size - 1, in 1 of 3 rows, the first of them job 1, "
            "task 2, step 0, size 2; steps of a task are counted from 0",
        ),
        ("1,0,compute,5\n", "task 1 of job 1 has no statement"),
        ("1,0,compute,9223372036854775807\n1,1,compute,5\n", "run times or estimates, one after the other, reach"),
        (
            "1,0,compute,5\n1,1,compute,5\n9,0,compute,5\n",
            "the workload has no job 9; its jobs are numbered from 1 to 2",
        ),
        ("8,0,compute,5\n9,0,compute,5\n", "the workload has no job 8 and lacks 1 more; its jobs"),
        (
            "1,0,receive,1\n1,0,send,2\n1,1,receive,2\n1,1,send,1\n1,1,compute,1\n",
            r"programs\.csv: job 1 never ends: task 0 waits at step 0",
        ),
        (
            "1,0,barrier,\n1,0,barrier,\n1,1,barrier,\n1,1,compute,1\n",
            "job 1 never ends: task 0 waits at step 1 at barrier 2",
        ),
    ],
)
def test_a_program_that_could_not_end_is_refused_with_job_task_and_step(definition, text, said):
    write(definition, text)
    with pytest.raises(StudyError, match=f"programs: .*{said}"):
        build_workload(definition, "w", 1)


def test_jobs_with_programs_of_their_own_have_no_others(definition):
    with pytest.raises(StudyError, match="programs: the workload already has programs"):
        build_workload({"model": Cascade.name, "programs": definition["programs"]}, "w", 1)
