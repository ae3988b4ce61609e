"""A study chooses jobs of a log by the keys that the command line has as options."""

import pytest

from scheduler_core.common.errors import StudyError
from tests.traces.swf_lines import SIXTY_JOBS
from traces.build import build_workload
from traces.definition import read_definition


@pytest.fixture
def log(tmp_path):
    (tmp_path / "own.swf").write_text(SIXTY_JOBS)
    return str(tmp_path / "own.swf")


def test_jobs_are_chosen_before_the_first_are_taken_and_counted(log):
    keys = {"partition": [1], "queue": [0, 2], "where": "size > 14", "first": 3}
    built = build_workload({"log": log, **keys}, "w", 1)
    (workload,) = built.workloads
    k = workload.jobs["job"] - 1
    assert len(workload) == 3
    assert (k % 2 == 0).all()
    assert set(k % 3) <= {0, 2}
    assert (workload.jobs["size"] > 14).all()
    assert [step["step"] for step in workload.provenance["transformations"]] == ["partition", "queue", "where", "first"]
    chosen = [k for k in range(60) if k % 2 == 0 and k % 3 != 1 and k % 9 > 2]
    assert built.accounting["left_out"] == workload.provenance["accounting"]["left_out"] == 60 - len(chosen)


def test_without_a_choice_nothing_is_left_out(log):
    assert "left_out" not in build_workload({"log": log, "first": 3}, "w", 1).accounting


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"queue": 1}, "queue: expected a list of numbers of the log, such as \\[1, 2\\]; found 1"),
        ({"partition": []}, "partition: "),
        ({"where": 5}, "where: expected text"),
    ],
)
def test_a_wrong_choice_is_refused_as_the_study_is_read(log, keys, said):
    with pytest.raises(StudyError, match=said):
        read_definition({"log": log, **keys})


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"queue": [7]}, "^queue: no job is of 7; found 0 \\(20 jobs\\)"),
        ({"where": "siez > 1"}, "^where: there is no column 'siez' in 'siez > 1'; did you mean 'size'"),
    ],
)
def test_a_choice_that_the_log_cannot_meet_names_its_key(log, keys, said):
    with pytest.raises(StudyError, match=said):
        build_workload({"log": log, **keys}, "w", 1)
