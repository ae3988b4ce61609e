"""A replay runs a run's policy again: any forged value of a table or counter is named, and so is changed code."""

import json
from dataclasses import replace

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.checker import Certificate
from scheduler_core.common.errors import MissingTableError
from scheduler_core.contracts import write_replications
from scheduler_core.runs.cells import MADE_FROM
from scheduler_core.runs.folder import read_run, write_run
from scheduler_core.runs.replay import changed_since, replay_of
from slotwise.cli.main import main
from tests.cells import run_cell
from tests.scheduler_core.checker.broken_schedules import counters, jobs, said, table, with_allocation, with_processors


@pytest.fixture
def schedule(small_workload):
    """A schedule of gang scheduling, whose slots take turns."""
    return sw.simulate(small_workload, "gang", level=2)


def replayed(workload, schedule):
    return replay_of(workload, schedule).differences


def test_a_schedule_is_its_own_replay(small_workload, schedule):
    certificate = sw.check(small_workload, schedule, replay=True)
    assert certificate.replay.same
    assert certificate.replay.compared == ("jobs", "allocations", "levels", "counters")
    assert "gives the same jobs, allocations, levels, counters, byte for byte" in certificate.describe()
    assert certificate.as_dict()["replay"]["differences"] == ()
    assert sw.check(small_workload, schedule).replay is None
    assert "replay" not in sw.check(small_workload, schedule).as_dict()


FORGED = {
    "a job": (
        lambda made: jobs(made, cluster=pl.when(job=3).then(7).otherwise("cluster").cast(pl.Int16)),
        "jobs: row 3 (job 3): recorded cluster 7 and replayed cluster 0",
    ),
    "processors": (
        lambda made: with_processors(made, 0, [2, 1]),
        "recorded processor_ids [2, 1] and replayed processor_ids [",
    ),
    "a bit of a rate": (lambda made: with_allocation(made, 1, rate=1.0000000000000002), "allocations: row 2 (job "),
    "a sign of nothing": (lambda made: said(made, "levels", pl.col("level") >= 0, share=-0.0), "levels: row 1"),
    "a row": (lambda made: table(made, "levels", made.tables["levels"].head(-1)), " replayed; the first "),
    "a counter": (lambda made: counters(made, **{next(iter(made.run["counters"])): 1}), "counter "),
}


def test_jobs_of_other_workloads_can_be_checked_after_the_replay_of_jobs_with_classes(small_workload, schedule):
    flexible = sw.generate("huang", jobs=20, seed=1)
    assert replay_of(flexible, sw.simulate(flexible, "gang")).same
    assert sw.check(small_workload, schedule).legal


@pytest.mark.parametrize("what", FORGED)
def test_what_was_forged_is_named(small_workload, schedule, what):
    change, words = FORGED[what]
    (difference,) = replayed(small_workload, change(schedule))
    assert words in difference


def test_a_replay_on_jobs_without_a_column_of_the_run_names_the_column(small_workload):
    flexible = sw.generate("huang", jobs=20, seed=1)
    rigid = replace(flexible, jobs=flexible.jobs.drop("flexibility", "size_min", "size_max"))
    differences = replayed(rigid, sw.simulate(flexible, "easy"))
    assert differences == ("jobs: row 1 (job 1): recorded flexibility moldable and replayed flexibility None",)


def test_missing_and_invented_counters_are_named(small_workload, schedule):
    name, value = next(iter(schedule.run["counters"].items()))
    other = {key: kept for key, kept in schedule.run["counters"].items() if key != name} | {"invented": 1}
    found = replayed(small_workload, replace(schedule, run={**schedule.run, "counters": other}))
    assert found == (
        "counter invented: recorded 1 and replayed nothing",
        f"counter {name}: recorded nothing and replayed {json.dumps(value)}",
    )


def test_a_replay_needs_the_companion_tables_of_the_policy(small_workload, schedule):
    policy = {"name": "lomarc", "parameters": sw.policies()["lomarc"]().values()}
    with pytest.raises(MissingTableError, match="needs the workload's companion"):
        replay_of(small_workload, replace(schedule, run={"policy": policy, "counters": {}}))


def test_a_title_that_the_policy_never_has_is_named(small_workload):
    made = sw.simulate(small_workload, "easy_sjbf")
    assert replayed(small_workload, made) == ()
    made.run["policy"]["title"] = "FCFS (fcfs)"
    (difference,) = replayed(small_workload, made)
    assert difference.startswith("title: recorded 'FCFS (fcfs)'; the policy is 'EASY (easy, ")


def test_the_command_replays_every_replication(small_workload, tmp_path, capsys):
    write_replications(tmp_path / "w.parquet", [small_workload, small_workload.first(4)])
    run_cell(tmp_path / "w.parquet", "gang", {"level": 2}, tmp_path / "run")
    assert main(["check", str(tmp_path / "run"), "--replay"]) == 0
    assert capsys.readouterr().out.count("byte for byte") == 2
    whole = read_run(tmp_path / "run")
    forged = [whole.schedules[0], said(whole.schedules[1], "levels", pl.col("level") > 0, end_us=pl.col("end_us") + 1)]
    claims = [Certificate("gang", (), each.allocations.height, each.digest) for each in forged]
    write_run(tmp_path / "run", whole.workloads, forged, claims, "w")
    assert main(["check", str(tmp_path / "run"), "--replay"]) == 1
    assert "replication 1: illegal" in (out := capsys.readouterr().out)
    assert "gives another schedule:\n  levels: row 1 (cluster 0): recorded end " in out


def test_changed_code_is_said_beside_the_result(small_workload, tmp_path):
    small_workload.write(tmp_path / "w.parquet")
    run_cell(tmp_path / "w.parquet", "easy", {}, tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert list(changed_since(run)) == []
    (tmp_path / "run" / MADE_FROM).write_text('{"sources": "0123456789abcdef"}')
    earlier = replace(run, note={**run.note, "versions": {**run.note["versions"], "numba": "0.1", "lost": "2"}})
    package, gone, modules = changed_since(earlier)
    assert package.startswith("numba 0.1 made the run, and ")
    assert gone == "lost 2 made the run, and none replayed it"
    assert modules.startswith("modules of easy have the digest ")
    assert modules.endswith("made by 0123456789ab…")
