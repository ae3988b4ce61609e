"""Workloads and schedules in the Standard Workload Format: what is written, what is lost, and reading it back."""

import dataclasses

import polars as pl
import pytest

from scheduler_core.contracts import Cluster, Machine
from scheduler_core.contracts.schedule import Outcome
from tests.paths import PROJECT
from tests.traces.export.schedules import counts, fields, header, read_back, schedule_of, with_columns, workload
from tests.traces.swf_lines import line, read
from traces import ingest, read_log
from traces.catalog import catalog, find_log
from traces.export.exported import LOSSES
from traces.export.header import CARRIED
from traces.export.swf import schedule_as_swf, workload_as_swf

JOBS = ((0, 100, 200, 4), (10, 50, 60, 8), (20, 30, 30, 3))


def test_a_log_comes_back_as_it_was(tmp_path):
    lines = (
        line(),
        line(job=2, submit=20, wait=-1, memory=512, after=1, think=7),
        line(job=3, memory=-1, used_memory=0),
    )
    known = read(tmp_path, *lines).workload
    exported = workload_as_swf(known)
    assert exported.losses == ()
    again = read_back(tmp_path, exported).workload
    assert again.jobs.equals(known.jobs)
    assert (again.machine, again.digest) == (known.machine, known.digest)
    assert workload_as_swf(known).text == exported.text


@pytest.mark.logs
@pytest.mark.parametrize("name", catalog())
def test_every_log_at_hand_comes_back_as_it_was(name, tmp_path):
    path = find_log(name)
    if path is None:
        pytest.skip(f"{name} is not at hand")
    known = ingest(path).workload
    exported = workload_as_swf(known)
    assert exported.losses == ()
    result = read_back(tmp_path, exported)
    again = result.workload
    assert again.jobs.equals(known.jobs)
    assert again.machine == known.machine
    assert (result.accounting.repaired, result.accounting.rejected) == ({}, {})
    assert again.provenance["clock"] == known.provenance["clock"]
    before, after = known.provenance["header"], again.provenance["header"]
    assert {key: after.get(key) for key in CARRIED if key in before and key != "Note"} == {
        key: before[key] for key in CARRIED if key in before and key != "Note"
    }


def test_the_header_keeps_what_the_log_says_of_itself(tmp_path):
    text = (
        "; Computer: Elm\n; Acknowledge: A. Person\n; UnixStartTime: 86400\n; TimeZoneString: UTC\n; MaxNodes: 4\n"
        "; MaxProcs: 8\n; StartTime: the beginning\n; Note: first\n;   and more\n; Note: second\n"
    )
    (tmp_path / "elm.swf").write_text(text + line() + "\n")
    known = ingest(tmp_path / "elm.swf").workload
    lines = header(workload_as_swf(known))
    assert lines[:10] == [
        "Version: 2.2",
        "Computer: Elm",
        "Acknowledge: A. Person",
        "MaxJobs: 1",
        "MaxRecords: 1",
        "MaxNodes: 4",
        "MaxProcs: 8",
        "UnixStartTime: 86400",
        "TimeZoneString: UTC",
        "StartTime: the beginning",
    ]
    assert lines[10:14] == ["Note: first", "  and more", "Note: second", "Note: written by slotwise export, from elm"]
    changed = header(workload_as_swf(known.first(1).on_machine(16)))
    assert "Note: slotwise changed the jobs: first, machine" in changed
    assert "StartTime: the beginning" not in changed
    assert "MaxProcs: 16" in changed


def test_times_are_whole_seconds_and_the_others_are_counted(tmp_path):
    known = workload((0.5, 0.2, 0.3, 1), (1, 10.49, 20, 1), (2, 10, 20, 1))
    exported = workload_as_swf(known)
    assert [(job[1], job[3], job[8]) for job in fields(exported)] == [(1, 1, 1), (1, 10, 20), (2, 10, 20)]
    assert counts(exported) == {"rounded_time": 2, "one_second": 1}
    note = "Note: 2 jobs: a time has a fraction of a second: rounded to the nearest second"
    assert note in header(exported)
    assert len(read_back(tmp_path, exported).workload) == 3


def test_an_estimate_below_the_run_time_is_told_and_comes_back_on_request(tmp_path):
    known = workload((0, 100, 60, 4))
    exported = workload_as_swf(known)
    assert counts(exported) == {"estimate_below_runtime": 1}
    assert read_back(tmp_path, exported, overrun="kill").workload.jobs.equals(known.jobs)


def test_columns_tables_and_machines_that_no_field_holds_are_told():
    clusters = Machine(name="two", clusters=(Cluster(8, speed=2.0), Cluster(8, 4, memory_kb=9)))
    columns = {"flexibility": ["rigid", None, "rigid"], "class": ["long", None, None], "home": [0, 1, 0]}
    exported = workload_as_swf(with_columns(workload(*JOBS), clusters, **columns))
    assert counts(exported) == {
        "flexibility": 2,
        "class": 1,
        "home": 3,
        "clusters": 2,
        "speed": 1,
        "memory_kb": 1,
        "processors_per_node": 1,
    }
    assert "Note: column home of 3 jobs: no field holds it" in header(exported)
    assert "Note: 2 clusters are written as one machine of 16 processors" in header(exported)


def test_a_schedule_has_simulated_waits(tmp_path):
    exported = schedule_as_swf(schedule_of(workload(*JOBS, (30, 90, 20, 1), (40, 1, 1, 9))), "elm")
    assert fields(exported) == [
        [1, 0, 0, 100, 4, -1, -1, 4, 200, -1, 1, *[-1] * 7],
        [2, 10, 90, 50, 8, -1, -1, 8, 60, -1, 1, *[-1] * 7],
        [3, 20, 0, 30, 3, -1, -1, 3, 30, -1, 1, *[-1] * 7],
        [4, 30, 0, 20, 1, -1, -1, 1, 20, -1, 0, *[-1] * 7],
        [5, 40, -1, -1, -1, -1, -1, 9, 1, -1, 5, *[-1] * 7],
    ]
    assert counts(exported) == {"never_started": 1}
    lines = header(exported)
    assert lines[:2] == ["Version: 2.2", "Computer: Elm"]
    assert "Note: policy: easy" in lines
    assert any(text.startswith("Note: parameters: backfill_order=queue, ") for text in lines)
    assert any("waits, run times and processors are simulated" in text for text in lines)
    again = read_back(tmp_path, exported)
    assert again.accounting.rejected == {"cancelled_before_start": 1}
    assert again.workload.jobs["recorded_wait_us"].to_list() == [0, 90 * 10**6, 0, 0]


def test_points_in_time_are_rounded_so_that_a_legal_schedule_stays_legal():
    exported = schedule_as_swf(schedule_of(workload((0, 1.4, 2, 8), (0.2, 1.4, 2, 8), (0.3, 0.3, 1, 8))), "elm")
    ends = 0
    for job in fields(exported):
        assert job[1] + job[2] >= ends
        ends = job[1] + job[2] + job[3]
    assert [job[1:4] for job in fields(exported)] == [[0, 0, 1], [0, 1, 2], [0, 3, 0]]
    assert counts(exported) == {"rounded_time": 3, "zero_runtime": 1}


def test_jobs_that_are_suspended_are_told():
    known = workload((0, 500, 600, 8), (0, 500, 600, 8))
    exported = schedule_as_swf(schedule_of(known, "gang", slice_s=60), "elm")
    assert counts(exported)["stretched"] == 2
    assert all(job[3] > 500 for job in fields(exported)[1:])


def test_jobs_that_outlast_a_run_have_no_run_time():
    schedule = schedule_of(workload(*JOBS))
    late = pl.col("job") == 2
    cut = schedule.jobs.with_columns(
        pl.when(late).then(None).otherwise(pl.col("finish_us")).alias("finish_us"),
        pl.when(late).then(pl.lit("unfinished", Outcome)).otherwise(pl.col("outcome")).alias("outcome"),
    )
    exported = schedule_as_swf(dataclasses.replace(schedule, jobs=cut), "elm")
    assert fields(exported)[1][:11] == [2, 10, 90, -1, 8, -1, -1, 8, 60, -1, -1]
    assert counts(exported) == {"unfinished": 1}


def test_the_drawn_log_comes_back_as_it_was(tmp_path):
    known = read_log("drawn")
    again = read_back(tmp_path, workload_as_swf(known)).workload
    assert again.jobs.equals(known.jobs)
    assert again.machine == known.machine


def test_the_readme_explains_every_loss():
    text = (PROJECT / "traces" / "README.md").read_text(encoding="utf-8")
    assert [rule for rule in LOSSES if f"`{rule}`" not in text] == []


def test_a_memory_of_zero_is_not_unknown(tmp_path):
    known = with_columns(workload(*JOBS), memory_kb=[0, None, 7])
    assert [(job[6], job[9]) for job in fields(workload_as_swf(known))] == [(0, -1), (-1, -1), (-1, 7)]
    schedule = schedule_as_swf(schedule_of(known), "elm")
    assert read_back(tmp_path, schedule).workload.jobs["memory_kb"].to_list() == [0, None, 7]
