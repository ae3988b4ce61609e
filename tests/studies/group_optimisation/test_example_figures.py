"""The worked examples as the study runs them: settings, certificates, and what the captions say of the small ones."""

import duckdb
import polars as pl
import pytest

from reports.draw.drawing import specification, words_of
from scheduler_core.contracts import write_replications
from scheduler_core.declarations.policy import get_policy
from studies.group_optimisation import figures_examples as figures
from tests.cells import run_cell
from tests.paths import study_file
from tests.reports.families.slices import fixture as made
from tests.reports.families.slices.fixture import SECOND, worked
from traces.build import build_workload
from workflow.studies import read_study

STUDY = study_file("group_optimisation")
DRAWN = (figures.example_of_slices, figures.example_of_a_group, figures.easy_and_conservative, figures.force_shifting,
         figures.plan_backfilling, figures.end_of_a_group)  # fmt: skip


@pytest.fixture(scope="module")
def study():
    return read_study(STUDY, "default")


@pytest.fixture(scope="module")
def root(study, tmp_path_factory):
    """Run and check the examples as the pipeline does."""
    root = tmp_path_factory.mktemp("examples")
    for workload, policy in study.cells:
        if workload.startswith("example-"):
            file = root / f"{workload}.parquet"
            definition = {key: study.workloads[workload].written[key] for key in ("model", "set")}
            write_replications(file, build_workload(definition, workload, 1).workloads)
            chosen = study.policies[policy].policy
            run_cell(file, chosen.name, chosen.values(), root / "runs" / workload / policy)
    return root


def starts(root, workload, policy):
    jobs = pl.read_parquet(root / "runs" / workload / policy / "jobs.parquet")
    return dict(jobs.select("job", pl.col("start_us") / SECOND).rows())


def group(root, workload, policy):
    return pl.read_parquet(root / "runs" / workload / policy / "groups.parquet").row(0, named=True)


def test_the_study_has_the_settings_that_were_worked_by_hand(study):
    for policy, example in (("example-pect", made.SLICES), ("example-pect-o", made.GROUP)):
        assert study.policies[policy].policy.values() == get_policy(example.policy, **example.parameters).values()
    assert all(study.policies[policy].reference for workload, policy in study.cells if workload.startswith("example-"))


def test_the_runs_are_the_schedules_worked_by_hand(root):
    for workload, policy, example in (
        ("example-slices", "example-pect", made.SLICES),
        ("example-group", "example-pect-o", made.GROUP),
    ):
        held = pl.read_parquet(root / "runs" / workload / policy / "allocations.parquet")
        later = example.later
        found = sorted(
            worked.Run(job, slot, begin / SECOND - later, end / SECOND - later, tuple(processor_ids))
            for job, slot, begin, end, processor_ids in held.select(
                "job", "slot", "begin_us", "end_us", "processor_ids"
            ).rows()
        )
        assert found == sorted(example.runs)


def test_easy_lets_job_5_start_at_once_and_conservative_backfilling_does_not(root):
    easy, kept = (starts(root, "example-backfilling", policy) for policy in ("example-easy", "example-conservative"))
    assert [easy[job] for job in (1, 4, 5, 2, 3)] == [0, 0, 0, 100, 200]
    assert [kept[job] for job in (1, 4, 2, 3, 5)] == [0, 0, 100, 150, 200]


def test_force_shifting_puts_job_3_into_the_hole_and_pushes_the_others(root):
    plain, shifted = (starts(root, "example-shifting", policy) for policy in ("example-heuristic", "example-shifted"))
    assert [plain[job] for job in (2, 4, 3)] == [40, 60, 100]
    assert [shifted[job] for job in (3, 2, 4)] == [1, 51, 71]
    # slowdowns with share 0.9: 2, 4, 3 end 59, 99, 149 s after the group formed; 3, 2, 4 end after 50, 70, 110
    totals = [
        group(root, "example-shifting", policy)["slowdown"] for policy in ("example-heuristic", "example-shifted")
    ]
    assert totals[0] == pytest.approx((59 / 20 + 99 / 40 + 149 / 50) / 0.9)
    assert totals[1] == pytest.approx((50 / 50 + 70 / 20 + 110 / 40) / 0.9)


def test_the_last_job_of_the_plan_starts_first(root):
    members = pl.read_parquet(root / "runs" / "example-hole" / "example-heuristic" / "members.parquet")
    assert members.sort("place")["job"].to_list() == [2, 4, 3]
    found = starts(root, "example-hole", "example-heuristic")
    assert [found[job] for job in (3, 2, 4)] == [1, 40, 60]


def test_the_group_ends_with_its_finish_job_while_another_runs_on(root):
    jobs = pl.read_parquet(root / "runs" / "example-finish" / "example-finish" / "jobs.parquet")
    ends = dict(jobs.select("job", "finish_us").rows())
    assert group(root, "example-finish", "example-finish")["ended_us"] == ends[5] < ends[6]


def test_every_example_is_drawn_with_its_caption_filled_in(root):
    captions = {}
    with duckdb.connect(str(root / "slotwise.duckdb")) as connection:
        for figure in DRAWN:
            spec = specification(figure(connection))
            assert any(row["part"] == "job" for row in spec["data"]["values"])
            captions[figure.__name__] = words_of(figure, spec["usermeta"]["caption"])[1]
            if figure is figures.end_of_a_group:
                curve = {
                    row["job"]: row["utilisation"] for row in spec["data"]["values"] if row["part"] == "utilisation"
                }
    assert "job 3 starts 50 s later" in captions["easy_and_conservative"]
    assert "job 3, of 50 s," in captions["force_shifting"]
    assert "only 39 s long" in captions["force_shifting"]
    assert "is jobs 2, 4 and 3" in captions["plan_backfilling"]
    assert "job 5 is the finish job" in captions["end_of_a_group"]
    assert list(curve) == [1, 4, 2, 3, 5, 6]
    # from 1 s to 30 s all ten processors are at work; to 290 s: 6 x 29, 5 x 60, 5 x 55, 4 x 50, 6 x 50, 3 x 200
    assert curve[1] == 100
    assert curve[6] == pytest.approx(100 * (174 + 300 + 275 + 200 + 300 + 600) / 2890, abs=1e-3)
    assert curve[5] > 90 > 70 > curve[6]
