"""What becomes of the records of LSF."""

import pytest

from scheduler_core.common.errors import LogError, ParameterError
from tests.slotwise.cli.command import refused, run
from tests.traces.dumps.dump_lines import fates, jobs, read_lines, write
from tests.traces.dumps.lsf_lines import record


def test_the_end_of_a_job_becomes_a_line_of_18_numbers(tmp_path):
    imported = read_lines(tmp_path, record())
    assert jobs(imported) == [[1, 0, 60, 3600, 16, -1, -1, 16, 7200, -1, 1, 1, 1, 1, 1, -1, -1, -1]]
    assert fates(imported) == {"kept": 1}
    assert imported.notes == []
    assert "; Conversion: slotwise import, from accounting of LSF (lsb.acct)\n" in imported.log.text
    assert [name for _, _, name in imported.log.names] == ["mary", "physics", "batch", "my job", "123"]


def test_older_versions_have_no_run_limit(tmp_path):
    imported = read_lines(tmp_path, record(version="6.0", later=False))
    assert jobs(imported)[0][8] == -1
    assert imported.notes == ["1 job without a run limit: simulations take the run time"]


@pytest.mark.parametrize("last", ["", "7200", '7200 0 "text" "" -1 0', '0 "" 7200 "" "" -1', "7200 0 1 2 3 4"])
def test_a_layout_that_is_not_known_gives_no_run_limit(tmp_path, last):
    assert jobs(read_lines(tmp_path, record(last=last)))[0][8] == -1


@pytest.mark.parametrize("limit", [0, -1])
def test_a_job_without_a_limit_has_none(tmp_path, limit):
    assert jobs(read_lines(tmp_path, record(limit=limit)))[0][8] == -1


@pytest.mark.parametrize(
    ("changes", "processors"),
    [
        ({"held": ("node1", "node1", "node2")}, (3, 16)),
        ({"held": ("4*node1", "node2"), "asked": ("node1", "node 2")}, (5, 16)),
        ({"held": ("12*node1",), "requested": 4}, (12, 4)),
        ({"held": ()}, (16, 16)),
    ],
)
def test_processors(tmp_path, changes, processors):
    imported = read_lines(tmp_path, record(**changes))
    assert (jobs(imported)[0][4], jobs(imported)[0][7]) == processors
    assert fates(imported) == ({"requested_processors": 1} if changes["held"] == () else {"kept": 1})


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 1),
        ({"status": 64 + 128}, 1),
        ({"status": 32}, 0),
        ({"status": 32, "reason": 5}, 0),
        ({"status": 32, "reason": 14}, 5),
        ({"status": 32, "reason": 15, "later": False}, 0),
    ],
)
def test_a_job_that_people_killed_is_cancelled(tmp_path, changes, status):
    assert jobs(read_lines(tmp_path, record(**changes)))[0][10] == status


def test_a_job_killed_in_the_queue_has_its_wait(tmp_path):
    imported = read_lines(tmp_path, record(start=0, status=32, held=()))
    assert jobs(imported)[0][1:11] == [0, 3660, -1, -1, -1, -1, 16, 7200, -1, 5]


def test_the_last_record_of_a_job_that_was_requeued_counts(tmp_path):
    imported = read_lines(tmp_path, record(status=32), record(start=1704884500, event_time=1704884600))
    assert fates(imported) == {"kept": 1, "earlier_attempt": 1}
    assert jobs(imported)[0][2:4] == [3700, 100]


def test_elements_of_an_array_and_numbers_that_are_used_again_are_jobs_of_their_own(tmp_path):
    imported = read_lines(tmp_path, record(index=1), record(index=2), record(index=2, submit=1704880801))
    assert fates(imported) == {"kept": 3}
    assert [name for kind, _, name in imported.log.names if kind == "job"] == ["123[1]", "123[2]", "123[2]"]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("", "blank"),
        ("#1704880800", "header"),
        ('"JOB_RESIZE" "10.1" 1704880900 123 0', "event"),
        ('"EVENT_ADRSV_FINISH" "10.1" 1704880900', "event"),
        ('"JOB_NEW" "10.1" 1704880900', "unknown_state"),
        ('"JOB_FINISH" "10.1" 1704880900', "wrong_fields"),
        (record(later=False).rpartition(" ")[0], "wrong_fields"),
        (record(name="x").replace('"x"', '"x'), "wrong_fields"),
        (record().replace('"out" "err"', '"out"x "err"'), "wrong_fields"),
        (record(asked=("a",), held=("b",)).replace('1 "a" 1 "b"', '1 "a"'), "wrong_fields"),
        (record(usage=("x",) * 19), "wrong_fields"),
        (record(asked=("a",)).replace('1 "a"', '9999 "a"'), "wrong_fields"),
        (record(asked=("a",)).replace('1 "a"', '-1 "a"'), "wrong_fields"),
        (record(job="x"), "no_job_number"),
        (record(submit="soon"), "bad_time"),
        (record(submit=99999999999), "bad_time"),
        (record(submit=0), "no_submit"),
        (record(start=0), "no_start"),
        (record(event_time=0), "no_end"),
        (record(event_time=1704880850), "end_before_start"),
        (record(limit="9" * 15), "bad_time"),
        (record(status=0), "unknown_state"),
        (record(status=96), "unknown_state"),
        (record(status="x"), "unknown_state"),
        (record(requested=-1), "bad_number"),
        (record(requested="1.5"), "bad_number"),
        (record(held=("9" * 12 + "*node1",)), "bad_number"),
        (record(held=("9999999999*node1",)), "bad_number"),
        (record(held=(), requested=0), "no_processors"),
    ],
)
def test_other_lines_are_counted_by_a_rule(tmp_path, line, rule):
    assert fates(read_lines(tmp_path, record(job=1), line)) == {"kept": 1, rule: 1}


def test_a_file_of_rejected_records_says_why(tmp_path):
    with pytest.raises(LogError, match=r"line 2 is rejected \(no number of a job; found x\)"):
        read_lines(tmp_path, "#1704880800", record(job="x"))


def test_records_name_no_cluster(tmp_path):
    with pytest.raises(ParameterError, match="records of LSF name no cluster; leave out --cluster elm"):
        read_lines(tmp_path, record(), cluster="elm")


def test_accounting_is_imported_and_is_no_job_log(tmp_path, capsys):
    dump = write(tmp_path, f"#1704880800\n{record()}\n")
    said = refused(capsys, "simulate", dump, "--policy", "easy", "--out", tmp_path / "run")
    assert f"this looks like accounting of LSF (lsb.acct); make a job log of it first: slotwise import {dump}" in said
    assert run("import", dump, "--out", tmp_path / "log.swf") == 0
    assert run("simulate", tmp_path / "log.swf", "--policy", "easy", "--out", tmp_path / "run") == 0
