"""Runs as folders of files: written whole, read back, refused when changed; and cells of a study."""

import json

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError, IllegalScheduleError
from scheduler_core.contracts import OUTCOMES, Flexibility, write_replications
from scheduler_core.runs.folder import read_run, write_run
from tests.cells import run_cell


@pytest.fixture
def cell(small_workload, tmp_path):
    write_replications(tmp_path / "w.parquet", [small_workload, small_workload.first(4)])
    run_cell(tmp_path / "w.parquet", "easy", {"extra_processors": False}, tmp_path / "run")
    return tmp_path / "run"


def test_a_cell_runs_and_certifies_every_replication(cell, small_workload):
    run = read_run(cell)
    assert [len(w) for w in run.workloads] == [6, 4]
    expected = simulate(small_workload, "easy", extra_processors=False)
    assert run.schedules[0].jobs.equals(expected.jobs)
    assert run.note["policy"]["parameters"]["extra_processors"] is False
    certificate = json.loads((cell / "certificate.json").read_text())
    assert certificate["legal"]
    assert [c["allocations"] for c in certificate["replications"]] == [6, 4]


def test_everything_but_the_timing_is_the_same_bytes_again(cell, tmp_path):
    run_cell(tmp_path / "w.parquet", "easy", {"extra_processors": False}, tmp_path / "again")
    for path in cell.iterdir():
        same = path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
        assert same or path.name == "timing.json", path.name


def test_a_run_without_its_jobs_is_refused(cell):
    (cell / "jobs.parquet").unlink()
    with pytest.raises(ContractError, match="cannot read the jobs table"):
        read_run(cell)


def test_a_run_of_a_time_with_fewer_outcomes_is_read_as_one_of_today(cell):
    jobs = pl.read_parquet(cell / "jobs.parquet")
    earlier = pl.Enum(OUTCOMES[:3])
    jobs.with_columns(pl.col("outcome").cast(earlier)).write_parquet(cell / "jobs.parquet")
    assert read_run(cell).schedules[0].jobs["outcome"].dtype == pl.Enum(OUTCOMES)
    other = pl.Enum(("finished", "killed", "refused"))
    jobs.with_columns(outcome=pl.lit("finished", other)).write_parquet(cell / "jobs.parquet")
    with pytest.raises(ContractError, match="column 'outcome' must be Enum"):
        read_run(cell)


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(ContractError, match=r"there is no run\.json"):
        read_run(tmp_path)


def test_an_illegal_schedule_stops_the_run_and_leaves_its_certificate(small_workload, tmp_path):
    schedule = simulate(small_workload, "fcfs")
    late = schedule.jobs.with_columns(pl.col("start_us") + 1)
    broken = type(schedule)(late, schedule.allocations, schedule.machine, schedule.run, schedule.family)
    with pytest.raises(IllegalScheduleError, match="start and finish agree with the allocations: broken 6 times"):
        write_run(tmp_path, [small_workload], [broken], [check(small_workload, broken)], "w")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["certificate.json"]


def test_a_workload_of_no_jobs_runs_trivially(small_workload, tmp_path):
    write_replications(tmp_path / "none.parquet", [small_workload.first(0)])
    for policy in ("fcfs", "easy", "conservative", "priority"):
        run_cell(tmp_path / "none.parquet", policy, {}, tmp_path / policy)
        assert read_run(tmp_path / policy).note["replications"][0]["jobs"] == 0


def test_a_run_in_which_slots_take_turns_keeps_its_levels_and_what_was_asked(small_workload, tmp_path):
    flexible = small_workload.jobs.with_columns(flexibility=pl.lit("malleable", Flexibility))
    workload = small_workload.transformed(flexible, {"step": "flexibility"})
    write_replications(tmp_path / "w.parquet", [workload])
    run_cell(tmp_path / "w.parquet", "scojo_pri_b_wa_fa", {"reconfiguration_s": 10.0}, tmp_path / "run")
    read = read_run(tmp_path / "run")
    expected = simulate(workload, "scojo_pri_b_wa_fa", reconfiguration_s=10.0)
    assert read.schedules[0].tables["levels"].equals(expected.tables["levels"])
    assert read.schedules[0].allocations.equals(expected.allocations)
    assert read.workloads[0].jobs["flexibility"].to_list() == ["malleable"] * 6
    assert check(read.workloads[0], read.schedules[0]).legal


def test_a_folder_forgets_the_levels_of_an_earlier_run(small_workload, tmp_path):
    write_replications(tmp_path / "w.parquet", [small_workload])
    for policy in ("gang", "easy"):
        run_cell(tmp_path / "w.parquet", policy, {}, tmp_path / "run")
    assert not read_run(tmp_path / "run").schedules[0].tables
    assert not (tmp_path / "run" / "levels.parquet").exists()
