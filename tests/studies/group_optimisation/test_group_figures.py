"""The study of group optimisation in miniature: workloads as printed, figures with real columns, claims with rows."""

from itertools import chain

import pytest

from reports.figures.forms.groups import JOBS
from reports.figures.study import own_figures
from scheduler_core.common.files import read_json
from tests.paths import STUDIES, study_file
from tests.reports.small_study import make_small, write_log
from tests.studies.miniatures import MINIATURES, in_miniature
from tests.traces.class_table import class_table
from traces.build import build_workload
from workflow.studies import read_study

STUDY = study_file("group_optimisation")
TABLE_5 = {"seed-71": 808, "seed-31": 859, "seed-73": 797, "seed-35": 800, "seed-7": 839}
FIGURES = "studies.group_optimisation.figures"
SPACE_SHARING = {"easy", "conservative"}
"""Policies that the miniature does not run."""

in_small = in_miniature("group_optimisation")


@pytest.mark.parametrize("name", TABLE_5)
def test_the_workloads_have_the_characteristics_of_table_5(name):
    """A draw of 3,000 jobs: shares and sizes near the printed ones, the mean gap as printed."""
    study = read_study(STUDY)
    definition = study.workloads[name].changed(jobs=3000, replications=1)
    (workload,) = build_workload(definition, name, study.file.seed).workloads
    table = class_table(workload, "pect")
    assert workload.machine.processors == 128
    assert [100 * share for share in table["share"]] == pytest.approx([64, 19.6, 16.4], abs=2.5)
    assert [100 * share for share in table["work_share"]] == pytest.approx([0.5, 26.2, 73.3], abs=6)
    assert table["mean_size"].to_list() == pytest.approx([8.8, 16.8, 20.2], abs=3)
    submit = workload.jobs["submit_us"]
    assert (submit[-1] - submit[0]) / 2999e6 == pytest.approx(TABLE_5[name], rel=1e-6)
    assert workload.jobs["estimate_us"].equals(workload.jobs["runtime_us"])


def test_the_scales_of_the_study():
    default, quick, paper = (read_study(STUDY, scale) for scale in ("full", "quick", "paper"))
    counted = [sum(not name.startswith("example-") for name, _ in study.cells) for study in (default, quick)]
    assert counted[0] <= 450
    assert counted[1] <= 45
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


def test_every_reading_has_ten_draws_of_the_seeds_together():
    study = read_study(STUDY)
    for reading in study.readings:
        run = [cell for (name, policy), (cell, _) in reading.cells.items() if name in TABLE_5 and policy == "pect_o"]
        assert sum(study.workloads[name].replications for name in run) >= 10, reading.reading


def test_figures_of_logs_and_of_searches_are_drawn(tmp_path):
    """On jobs that come so fast that groups are full and searched; the log is a made one."""
    log = str(write_log(tmp_path / "some.swf", 120, 128))
    crowded = {"jobs": 100, "replications": 1, "mean_gap_s": 60}
    workloads = {"seed-71": crowded, "sdsc-blue-first": {"log": log}}
    make_small(tmp_path, read_study(STUDY), workloads, policies={"pect", "pect_o"})
    entries = {entry["name"]: entry for entry in read_json(tmp_path / "figures" / "figures.json")}
    for name in ("shares_and_estimates", "quality_by_orders", "cost_of_a_group"):
        assert not entries[name].get("absent"), name
        assert "{" not in entries[name]["caption"]
        assert (tmp_path / "figures" / f"{name}.svg").stat().st_size > 2000


@in_small
def test_the_improvements_drawn_are_those_of_the_schedules(miniature):
    headline = (row for row in miniature.values("improvements") if row["of"].endswith("Figure 6 as listed"))
    rows = {(row["smart"], row["job_class"]): row for row in headline}
    means = miniature.connection.execute(
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


@in_small
def test_what_is_said_of_the_seeds_together_finds_rows(miniature):
    claims = miniature.study.claims
    pooled_over_seeds = {
        claim.id
        for claim in claims
        if claim.against
        and (claim.parameters.get("pooled") or claim.measure == "difference_of_changes")
        and SPACE_SHARING.isdisjoint(chain.from_iterable(claim.against))
    }
    assert len(pooled_over_seeds) > 20
    assert pooled_over_seeds <= miniature.judged()
    assert miniature.connection.execute("SELECT count(*) FROM claims").fetchone() == (len(claims),)


@in_small
def test_the_study_runs_without_migration(miniature):
    rule = "SELECT verdict FROM claims WHERE claim = 's1-no-migration'"
    assert miniature.connection.execute(rule).fetchall() == [("reproduced",)]


@in_small
def test_no_figure_shows_the_name_of_a_policy(miniature):
    drawn = [figure.__name__ for figure in own_figures(STUDIES / "group_optimisation") if figure.__module__ == FIGURES]
    for figure in set(drawn) - set(MINIATURES["group_optimisation"].absent):
        assert "pect" not in (miniature.root / "figures" / f"{figure}.svg").read_text()
