"""The study of group optimisation in miniature: workloads as printed, figures with real columns, claims with rows."""

from __future__ import annotations

import inspect

import duckdb
import numpy as np
import pytest

from reports.figures.forms.groups import JOBS
from reports.figures.forms.pooled import pooled
from reports.measure.intervals import mean_bounds
from scheduler_core.common.files import read_json
from studies.group_optimisation import figures as group_optimisation
from tests.paths import study_file
from tests.reports.small_study import make_small, write_log
from traces.build import build_workload
from traces.shape.classes import class_table
from workflow.studies import read_study

STUDY = study_file("group_optimisation")
TABLE_5 = {"seed-71": 808, "seed-31": 859, "seed-73": 797, "seed-35": 800, "seed-7": 839}
SMALL = {"seed-71": 400, "seed-31": 300, "one-71": 250}


@pytest.mark.parametrize("name", TABLE_5)
def test_the_workloads_have_the_characteristics_of_table_5(name):
    """A draw of 3,000 jobs: shares and sizes near the printed ones, the mean gap as printed."""
    study = read_study(STUDY)
    definition = study.workloads[name].changed(jobs=3000, replications=1)
    (workload,) = build_workload(definition, name, study.seed).workloads
    table = class_table(workload, "pect")
    assert workload.machine.processors == 128
    assert [100 * share for share in table["share"]] == pytest.approx([64, 19.6, 16.4], abs=2.5)
    assert [100 * share for share in table["work_share"]] == pytest.approx([0.5, 26.2, 73.3], abs=6)
    assert table["mean_size"].to_list() == pytest.approx([8.8, 16.8, 20.2], abs=3)
    submit = workload.jobs["submit_us"]
    assert (submit[-1] - submit[0]) / 2999e6 == pytest.approx(TABLE_5[name], rel=1e-6)
    assert workload.jobs["estimate_us"].equals(workload.jobs["runtime_us"])


def test_the_scales_of_the_study():
    default, quick, paper = (read_study(STUDY, scale) for scale in ("default", "quick", "paper"))
    counted = [sum(not name.startswith("example-") for name, _ in study.cells) for study in (default, quick)]
    assert counted[0] <= 290
    assert counted[1] <= 30
    drawn_whole = {name for name in default.workloads if name.startswith("seed-") and "-draws-" not in name}
    assert drawn_whole == {*TABLE_5, "seed-13"}
    assert {default.workloads[name].mean_gap_s for name in TABLE_5} == set(TABLE_5.values())
    assert all(default.workloads[name].replications == 4 for name in TABLE_5)
    assert paper.workloads["seed-71"].replications > default.workloads["seed-71"].replications
    for name in ("pect", "pect_o", "pect_ns", "pect_o_ns"):  # as Figure 6 lists them
        policy = default.policies[name].policy
        assert (policy.backfilling, policy.guard) == ("easy", False)
    grid = {
        (entry.policy.group_max_medium, entry.policy.group_max_long)
        for name, entry in default.policies.items()
        if entry.policy.name == "pect_o" and ("one-7", name) in default.cells
    }
    assert grid == {(medium, long) for medium in (10, 20, 30, 40) for long in (10, 20, 30, 40)}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Run the synthetic cells of the quick scale on a few hundred jobs, build the store and draw every figure."""
    root = tmp_path_factory.mktemp("groups")
    study = make_small(root, read_study(STUDY, "quick"), {name: {"jobs": jobs} for name, jobs in SMALL.items()})
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield root, connection, study


def test_every_figure_is_drawn_but_those_of_logs_and_of_space_sharing(drawn):
    root, _, _ = drawn
    functions = inspect.getmembers(group_optimisation, inspect.isfunction)
    own = {name for name, made in functions if made.__module__ == group_optimisation.__name__}
    entries = [entry for entry in read_json(root / "figures" / "figures.json") if entry["name"] in own]
    assert len(entries) == len([name for name in own if not name.startswith("_")])
    absent = {entry["name"] for entry in entries if entry.get("absent")}
    assert absent <= {"shares_and_estimates", "quality_by_orders", "cost_of_a_group", "space_sharing"}
    for entry in entries:
        if entry["name"] not in absent:
            assert "{" not in entry["caption"]
            assert (root / "figures" / f"{entry['name']}.svg").stat().st_size > 2000
            assert "pect" not in (root / "figures" / f"{entry['name']}.svg").read_text()


def test_figures_of_logs_and_of_searches_are_drawn(tmp_path):
    """On jobs that come so fast that groups are full and searched; the log is a made one."""
    log = str(write_log(tmp_path / "some.swf", 120, 128))
    crowded = {"jobs": 200, "replications": 1, "mean_gap_s": 60}
    workloads = {"seed-71": crowded, "sdsc-blue-first": {"log": log}}
    make_small(tmp_path, read_study(STUDY), workloads, policies={"pect", "pect_o"})
    entries = {entry["name"]: entry for entry in read_json(tmp_path / "figures" / "figures.json")}
    for name in ("shares_and_estimates", "quality_by_orders", "cost_of_a_group"):
        assert not entries[name].get("absent"), name
        assert "{" not in entries[name]["caption"]
        assert (tmp_path / "figures" / f"{name}.svg").stat().st_size > 2000


def test_the_improvements_drawn_are_those_of_the_schedules(drawn):
    root, connection, _ = drawn
    spec = read_json(root / "figures" / "improvements.json")
    rows = {(row["smart"], row["job_class"]): row for row in spec["data"]["values"]}
    means = connection.execute(
        """
        SELECT workload, replication, policy, avg(bounded_slowdown_600) FROM job_times
        WHERE run_s >= 10800 AND policy IN ('pect', 'pect_o') AND workload LIKE 'seed-%' GROUP BY ALL
        """
    ).fetchall()
    by_run = {(w, r, p): value for w, r, p, value in means}
    gains = [100 * (1 - by_run[w, r, "pect_o"] / by_run[w, r, "pect"]) for w, r, p in by_run if p == "pect"]
    assert rows["with smart backfilling", JOBS["long"]]["value"] == pytest.approx(
        sum(gains) / len(gains), rel=1e-4, abs=1e-6
    )
    assert rows["with smart backfilling", JOBS["long"]]["units"] == 4


def test_what_is_said_of_the_seeds_together_finds_rows(drawn):
    _, connection, study = drawn
    found = {claim for (claim,) in connection.execute("SELECT DISTINCT claim FROM claim_evidence").fetchall()}
    pooled_over_seeds = {
        claim.id for claim in study.claims
        if claim.against and (claim.parameters.get("pooled") or claim.measure == "difference_of_changes")
    }  # fmt: skip
    assert len(pooled_over_seeds) > 20
    assert pooled_over_seeds <= found
    assert connection.execute("SELECT count(*) FROM claims").fetchone() == (len(study.claims),)


def test_schedules_of_the_study_keep_their_rules(drawn):
    _, connection, _ = drawn
    assert connection.execute("SELECT sum(violations), count(*) > 0 FROM certificates").fetchone() == (0, True)
    ((verdict,),) = connection.execute("SELECT verdict FROM claims WHERE claim = 's1-no-migration'").fetchall()
    assert verdict == "reproduced"


def test_pooled_rows_have_the_t_interval_of_their_units():
    rows = [{"of": "a", "unit": n, "value": v} for n, v in enumerate((1.0, 2.0, 6.0))]
    made = pooled([*rows, {"of": "b", "unit": 0, "value": 5.0}])
    ((low,), (high,)) = mean_bounds(np.array([[1.0, 2.0, 6.0]]))
    assert made[0] == {"of": "a", "value": 3, "low": pytest.approx(low), "high": pytest.approx(high), "units": 3}
    assert made[1] == {"of": "b", "value": 5, "low": 5, "high": 5, "units": 1}
