"""What becomes of the records of PBS and Torque."""

import pytest

from scheduler_core.common.errors import LogError
from tests.slotwise.cli.command import refused
from tests.traces.dumps.dump_lines import fates, jobs, read_lines, write
from tests.traces.dumps.pbs_lines import record

QUEUED = "01/10/2024 10:00:00;Q;124.server;queue=batch"


def test_the_end_of_a_job_becomes_a_line_of_18_numbers(tmp_path):
    imported = read_lines(tmp_path, record("Q"), record("S"), record())
    assert jobs(imported) == [[1, 0, 60, 3600, 16, -1, -1, 16, 7200, 1024**2, 1, 1, 1, 1, 1, -1, -1, -1]]
    assert fates(imported) == {"kept": 1, "event": 2}
    assert "; Computer: server\n" in imported.log.text
    assert ("executable", 1, "my job") in imported.log.names


def test_a_job_deleted_in_the_queue_is_cancelled(tmp_path):
    deleted = "01/10/2024 10:05:00;D;124.server;requestor=mary@login"
    imported = read_lines(tmp_path, QUEUED, deleted, record())
    assert fates(imported) == {"kept": 2, "event": 1}
    assert jobs(imported)[0] == [1, 0, 300, -1, -1, -1, -1, -1, -1, -1, 5, -1, -1, -1, 1, -1, -1, -1]
    local = read_lines(tmp_path, QUEUED, deleted, record(), timezone="Europe/Berlin")
    assert "; UnixStartTime: 1704877200\n" in local.log.text


def test_a_job_aborted_and_deleted_in_the_queue_counts_once(tmp_path):
    lines = (f"01/10/2024 10:0{minute}:00;{kind};124.server;" for minute, kind in ((5, "D"), (6, "A")))
    imported = read_lines(tmp_path, QUEUED, *lines)
    assert (fates(imported), jobs(imported)[0][2]) == ({"kept": 1, "event": 2}, 300)


def test_a_job_deleted_while_it_ran_is_cancelled(tmp_path):
    imported = read_lines(tmp_path, record("S"), record("D"), record(Exit_status="271"))
    assert (fates(imported), jobs(imported)[0][10]) == ({"kept": 1, "event": 2}, 5)
    assert jobs(read_lines(tmp_path, record(Exit_status="271")))[0][10] == 0


def test_a_rerun_is_an_earlier_attempt(tmp_path):
    assert fates(read_lines(tmp_path, record("S"), record("R"), record("S"), record())) == {
        "kept": 1,
        "earlier_attempt": 1,
        "event": 2,
    }


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (record("S", job="7.server"), "not_finished"),
        (record("Q", job="7.server"), "not_finished"),
        (record("Z", job="7.server"), "unknown_state"),
        (record(job="7.server", Exit_status="none"), "unknown_state"),
        (record(job="7.server", start="soon"), "bad_time"),
        (record(job="7.server", exec_host="node1/0*x"), "bad_number"),
        (record(job="7.server", ctime="", qtime="", etime=""), "no_submit"),
        (record(job="job.server"), "no_job_number"),
        ("01/10/2024 10:00:00;E;7.server", "wrong_fields"),
        ("01/10/2024 10:00:00;L;license;floating license hour:0", "event"),
        ("", "blank"),
    ],
)
def test_other_lines_are_counted_by_a_rule(tmp_path, line, rule):
    assert fates(read_lines(tmp_path, record(), line)) == {"kept": 1, rule: 1}


@pytest.mark.parametrize(
    ("changes", "processors"),
    [
        ({"exec_host": "node1/0*8+node2/0*4"}, (12, 16)),
        ({"exec_host": "node1/0+node1/1+node2/3"}, (3, 16)),
        ({"exec_host": "node1/0-3,6"}, (5, 16)),
        ({"Resource_List.nodes": "", "Resource_List.ncpus": "12"}, (16, 12)),
        ({"Resource_List.nodes": "1:ppn=4+2:ppn=8:bigmem"}, (16, 20)),
        ({"Resource_List.nodes": "node7:ppn=4"}, (16, 4)),
        ({"Resource_List.nodes": "", "Resource_List.select": "2:ncpus=8:mpiprocs=8"}, (16, 16)),
        ({"Resource_List.nodes": ""}, (16, 2)),
        ({"exec_host": ""}, (16, 16)),
    ],
)
def test_processors(tmp_path, changes, processors):
    job = jobs(read_lines(tmp_path, record(**changes)))[0]
    assert (job[4], job[7]) == processors


NODES = {"exec_host": "", "Resource_List.nodes": "", "Resource_List.nodect": "4"}
"""What a record states that has nodes, and no processors."""


def test_nodes_without_processors_are_counted_whole_where_their_size_is_known(tmp_path):
    of_one = read_lines(tmp_path, record(**NODES))
    assert of_one.notes == [
        "1 record without a number of processors: each of their nodes counts as one processor. State --processors and --nodes of "
        "the machine, and each counts with all its processors"
    ]
    whole = read_lines(tmp_path, record(**NODES), processors=256, nodes=8)
    assert (jobs(of_one)[0][4], jobs(whole)[0][4], whole.notes) == (4, 128, [])
    stated = NODES | {"Resource_List.ncpus": "40"}
    assert jobs(read_lines(tmp_path, record(**stated), processors=256, nodes=8))[0][4] == 40


@pytest.mark.parametrize("hosts", ['"0-2,7"', "node1+node2+node3+node4"])
def test_hosts_without_processors_do_not_tell_how_many_were_held(tmp_path, hosts):
    """Cobalt lists the numbers of nodes."""
    job = jobs(read_lines(tmp_path, record(**NODES | {"exec_host": hosts, "Resource_List.ncpus": "256"})))[0]
    assert (job[4], job[7]) == (256, 256)


@pytest.mark.parametrize(
    ("changes", "gpus"),
    [
        ({"Resource_List.ngpus": "6"}, 6),
        ({"Resource_List.nodes": "", "Resource_List.select": "2:ncpus=8:ngpus=2+1:ncpus=4"}, 4),
        ({"Resource_List.nodes": "2:ppn=8:gpus=1"}, 2),
    ],
)
def test_gpus_may_be_counted_in_place_of_processors(tmp_path, changes, gpus):
    imported = read_lines(tmp_path, record(**changes), record(job="7.server"), gpus=True)
    assert (jobs(imported)[0][4], imported.log.processors, imported.notes) == (gpus, gpus, [])
    assert fates(imported) == {"kept": 1, "no_gpus": 1}


def test_several_servers_need_a_choice(tmp_path):
    lines = (record(), record(job="5.other"))
    with pytest.raises(LogError, match=r"other \(1 line\), server \(1 line\); choose one with --cluster"):
        read_lines(tmp_path, *lines)
    assert fates(read_lines(tmp_path, *lines, cluster="other")) == {"kept": 1, "other_cluster": 1}


def test_an_accounting_log_is_no_job_log(tmp_path, capsys):
    said = refused(capsys, "ingest", write(tmp_path, record() + "\n"), "--out", tmp_path / "out")
    assert "this looks like accounting of PBS or Torque; make a job log of it first: slotwise import" in said


def test_the_record_of_a_whole_array_is_no_job_beside_those_of_its_tasks(tmp_path):
    whole, *tasks = (record(job=job) for job in ("7[].server", "7[0].server", "7[1].server"))
    assert fates(read_lines(tmp_path, whole, *tasks)) == {"kept": 2, "event": 1}
    assert fates(read_lines(tmp_path, whole, record(job="8[1].server"))) == {"kept": 2}


def test_jobs_with_gpus_are_counted(tmp_path):
    asked = (
        {"Resource_List.ngpus": "2"},
        {"Resource_List.select": "2:ncpus=8:ngpus=2"},
        {"Resource_List.nodes": "1:ppn=8:gpus=1"},
    )
    records = [record(job=f"{number}.server", **changes) for number, changes in enumerate((*asked, {}))]
    odd = record(job="9.server", **{"Resource_List.select": "2:ncpus=8:ngpus=x"})
    (note,) = read_lines(tmp_path, *records, odd, record(kind="S", job="0.server", **asked[0])).notes
    assert note.startswith("3 jobs with GPUs")
    assert read_lines(tmp_path, record()).notes == []
