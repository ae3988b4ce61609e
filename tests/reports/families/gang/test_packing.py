"""Packing metrics against values worked out by hand and against slow definitions, on runs of the real engine."""

import duckdb
import numpy as np
import polars as pl
import pytest

from reports.build import build_store
from reports.families.gang.packing import at_arrivals
from scheduler_core.common.files import read_json, write_json
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload, read_replications, write_replications
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import read_run
from tests.cells import run_cell
from tests.paths import study_file
from tests.reports.small_study import make_small
from workflow.policies import StudyPolicy
from workflow.studies import read_study

POLICIES = {
    "first": {"packing": "first_fit"},
    "moved": {"packing": "best_fit", "repack": "arrivals"},
    "memory": {"packing": "memory_fit", "backfill": "greedy"},
}


def described(cells, policies, workloads, **more):
    study = {"study": "tiny", "title": "Tiny", "question": "What?", "versus": None, "claims": []}
    return {**study, "workloads": workloads, "policies": policies, "cells": cells, "shown": cells, **more}


def make(root, workloads, policies):
    """Run workloads under gang scheduling as the pipeline does, and build the store."""
    made = {n: get_policy("gang", level="unlimited", slice_s=0.0, **parameters) for n, parameters in policies.items()}
    kinds = {name: StudyPolicy("gang", name, False, policy).described() for name, policy in made.items()}
    for name, replications in workloads.items():
        write_replications(root / "workloads" / f"{name}.parquet", replications)
        write_json(root / "workloads" / f"{name}.accounting.json", {})
        for policy, kind in made.items():
            run_cell(root / "workloads" / f"{name}.parquet", "gang", kind.values(), root / "runs" / name / policy)
    cells = [(workload, policy) for workload in workloads for policy in policies]
    described_workloads = {name: {"label": name, "model": {"name": "made"}} for name in workloads}
    build_store(root, [described(cells, kinds, described_workloads)], root / "store.duckdb")
    return duckdb.connect(str(root / "store.duckdb"), read_only=True)


def workload(jobs, processors, memory_kb=0):
    """Make a workload of (submission, run time, size, memory a processor), in seconds and kilobytes."""
    seconds = 1_000_000
    columns = {
        "job": list(range(1, len(jobs) + 1)),
        "submit_us": [round(job[0] * seconds) for job in jobs],
        "runtime_us": [round(job[1] * seconds) for job in jobs],
        "estimate_us": [round(job[1] * seconds) for job in jobs],
        "size": [job[2] for job in jobs],
    }
    table = pl.DataFrame(columns, schema=WORKLOAD_COLUMNS)
    table = table.with_columns(memory_kb=pl.Series([job[3] for job in jobs], dtype=pl.Int64))
    return Workload(table, Machine(processors, "made", memory_kb=memory_kb))


def random_jobs(seed, count=60, processors=8):
    drawn = np.random.default_rng(seed)
    submit = np.cumsum(drawn.integers(0, 40, count))
    sizes = drawn.integers(1, processors + 1, count)
    return [
        (int(s), int(r), int(p), int(8 * p))
        for s, r, p in zip(submit, drawn.integers(1, 90, count), sizes, strict=True)
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("packing")
    stream = [workload(random_jobs(seed), 8, memory_kb=100) for seed in (1, 2, 3)]
    with make(root, {"model": stream}, POLICIES) as connection:
        yield root, connection


@pytest.mark.parametrize("policy", POLICIES)
def test_slots_and_fewest_slots_at_each_arrival(made, policy):
    root, connection = made
    run = read_run(root / "runs" / "model" / policy)
    for replication, schedule in enumerate(run.schedules):
        found = connection.execute(
            "SELECT arrival, slots, fewest, present, ratio FROM packing WHERE policy = ? AND replication = ? ORDER BY arrival",
            [policy, replication],
        ).fetchall()
        jobs = schedule.jobs.sort("submit_us", "job").rows(named=True)
        levels = schedule.tables["levels"].rows(named=True)
        expected, total = [], 0.0
        for number, job in enumerate(jobs, 1):
            now = job["submit_us"]
            sizes = [other["size"] for other in jobs if other["start_us"] <= now < other["finish_us"]]
            fewest = -(-sum(sizes) // 8)
            (slots,) = [row["level"] for row in levels if row["begin_us"] <= now < row["end_us"]]
            total += slots / fewest
            expected.append((number, slots, fewest, len(sizes), pytest.approx(total / number, rel=1e-7)))
        assert found == expected


def test_excess_is_the_ratio_less_one_and_replications_are_the_units(made):
    _, connection = made
    rows = connection.execute(
        """
        SELECT r.value, e.value, u.value, p.ratio FROM measurements AS r JOIN measurements AS e USING (workload, policy, unit)
            JOIN independent_measurements AS u ON u.policy = policy AND u.unit = unit AND u.metric = r.metric
            JOIN (SELECT policy, replication AS unit, arg_max(ratio, arrival) AS ratio FROM packing GROUP BY ALL) AS p
                USING (policy, unit)
        WHERE r.metric = 'dynamic_competitive_ratio' AND e.metric = 'packing_excess'
        """
    ).fetchall()
    assert len(rows) == 9
    for ratio, excess, unit, last in rows:
        assert ratio > 1
        assert excess == pytest.approx(ratio - 1)
        assert ratio == pytest.approx(unit) == pytest.approx(last)


def test_arrivals_at_one_instant_count_with_what_there_is_after_the_last():
    jobs = {
        "replication": np.zeros(3, int), "batch": np.zeros(3, int), "size": np.array([3, 3, 1]),
        "submit_us": np.array([0, 0, 6]), "start_us": np.array([0, 0, 6]), "finish_us": np.array([6, 9, 20]),
    }  # fmt: skip
    found = at_arrivals(jobs, np.array([0, 6]), np.array([2, 1]), 4)
    assert found["slots"].tolist() == [2, 2, 1]
    assert found["fewest"].tolist() == [2, 2, 1]
    assert found["jobs"].tolist() == [2, 2, 2]


def test_memory_by_hand(tmp_path):
    """Two processors of 100 KB. The second job fits beside the first in memory, the third must wait for one of them.

    The first two take turns and end at 20,000 s; then the third runs alone. The last submission makes 30,000 s the
    latest of the five times that is measured.
    """
    jobs = [(0, 10_000, 2, 60), (0, 10_000, 2, 40), (1000, 4000, 2, 50), (30_000, 1, 1, 10)]
    with make(tmp_path, {"model": [workload(jobs, 2, 100)]}, {"memory": POLICIES["memory"]}) as connection:
        found = connection.execute(
            "SELECT horizon_s, arrived, completed, waited, ratio FROM memory_packing ORDER BY horizon_s"
        ).fetchall()
    assert [row[:4] for row in found] == [(10_000, 3, 0, 1), (20_000, 3, 2, 1), (30_000, 4, 3, 1)]
    assert [row[4] for row in found] == [1, 1, 1]


def test_memory_left_idle_while_a_job_wants_it(tmp_path):
    """The waiting job wants 60 of the 50 KB left: in use are 50 of 100, so the ratio at its arrival is 2."""
    jobs = [(0, 10_000, 2, 50), (5, 10, 2, 60), (20_000, 1, 1, 1)]
    with make(tmp_path, {"model": [workload(jobs, 2, 100)]}, {"memory": POLICIES["memory"]}) as connection:
        ((ratio,),) = connection.execute("SELECT ratio FROM memory_packing WHERE horizon_s = 10000").fetchall()
    assert ratio == pytest.approx((1 + 2) / 2)


def test_makespans_of_batches(tmp_path):
    """Four jobs of 3 processors and a thin one of 4 units on 4 (da Silva 2000, chapter 4): 7 without filling, 4 with."""
    batch = workload([(0, 100, 3, 0)] * 4 + [(0, 400, 1, 0)], 4)
    packings = {"bare": {"packing": "first_fit_decreasing"}, "full": {"packing": "first_fit_decreasing", "fill": True}}
    with make(tmp_path, {"model": [batch], "stream": [workload(random_jobs(5), 8)]}, packings) as connection:
        found = connection.execute(
            "SELECT workload, policy, makespan_s, bound_s, ratio, slots, idling_ratio FROM batches ORDER BY policy"
        ).fetchall()
    assert [row[:2] for row in found] == [("model", "bare"), ("model", "full")]
    assert [row[2:6] for row in found] == [(700, 400, 7 / 4, 4), (400, 400, 1, 4)]
    assert [row[6] for row in found] == pytest.approx([1 - 13 / 16, 0])


def test_the_figures_and_claims_of_the_theory(tmp_path):
    """The whole study in miniature: every figure is drawn, and every claim finds what it is about."""
    study = read_study(study_file("gang_theory"), "quick")
    fewer = {
        name: {"replications": 3} if "replications" in one.written else {} for name, one in study.workloads.items()
    }
    make_small(tmp_path, study, fewer)
    assert len(read_replications(tmp_path / "workloads" / "batch-small.parquet")) == 3
    assert [entry["name"] for entry in read_json(tmp_path / "figures" / "figures.json") if entry.get("absent")] == []
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as connection:
        verdicts = dict(connection.execute("SELECT claim, verdict FROM claims").fetchall())
    contradicted = {claim for claim, verdict in verdicts.items() if verdict != "reproduced"}
    on_two = {"two-on-every-machine", "two-with-any-number-of-jobs"}  # long thin jobs break it
    assert contradicted == {"theorem-4", "four-is-the-ratio", "four-is-the-lower-bound", *on_two}
