"""The worked examples as the study runs them: settings, certificates, and what the captions say of the small ones."""

import polars as pl
import pytest

from scheduler_core.declarations.policy import get_policy
from tests.paths import study_file
from tests.reports.families.slices import fixture as made
from tests.reports.families.slices.fixture import SECOND, worked
from tests.studies.miniatures import in_miniature
from workflow.studies import read_study

DRAWN = ("example_of_slices", "example_of_a_group", "easy_and_conservative", "force_shifting", "plan_backfilling",
         "end_of_a_group")  # fmt: skip
in_small = in_miniature("group_optimisation")


def starts(miniature, workload, policy):
    jobs = pl.read_parquet(miniature.root / "runs" / workload / policy / "jobs.parquet")
    return dict(jobs.select("job", pl.col("start_us") / SECOND).rows())


def group(miniature, workload, policy):
    return pl.read_parquet(miniature.root / "runs" / workload / policy / "groups.parquet").row(0, named=True)


def test_the_study_has_the_settings_that_were_worked_by_hand():
    study = read_study(study_file("group_optimisation"))
    for policy, example in (("example-pect", made.SLICES), ("example-pect-o", made.GROUP)):
        assert study.policies[policy].policy.values() == get_policy(example.policy, **example.parameters).values()
    assert all(study.policies[policy].reference for workload, policy in study.cells if workload.startswith("example-"))


@in_small
def test_the_runs_are_the_schedules_worked_by_hand(miniature):
    for workload, policy, example in (
        ("example-slices", "example-pect", made.SLICES),
        ("example-group", "example-pect-o", made.GROUP),
    ):
        held = pl.read_parquet(miniature.root / "runs" / workload / policy / "allocations.parquet")
        later = example.later
        found = sorted(
            worked.Run(job, slot, begin / SECOND - later, end / SECOND - later, tuple(processor_ids))
            for job, slot, begin, end, processor_ids in held.select(
                "job", "slot", "begin_us", "end_us", "processor_ids"
            ).rows()
        )
        assert found == sorted(example.runs)


@in_small
def test_easy_lets_job_5_start_at_once_and_conservative_backfilling_does_not(miniature):
    easy, kept = (
        starts(miniature, "example-backfilling", policy) for policy in ("example-easy", "example-conservative")
    )
    assert [easy[job] for job in (1, 4, 5, 2, 3)] == [0, 0, 0, 100, 200]
    assert [kept[job] for job in (1, 4, 2, 3, 5)] == [0, 0, 100, 150, 200]


@in_small
def test_force_shifting_puts_job_3_into_the_hole_and_pushes_the_others(miniature):
    plain, shifted = (
        starts(miniature, "example-shifting", policy) for policy in ("example-heuristic", "example-shifted")
    )
    assert [plain[job] for job in (2, 4, 3)] == [40, 60, 100]
    assert [shifted[job] for job in (3, 2, 4)] == [1, 51, 71]
    # slowdowns with share 0.9: 2, 4, 3 end 59, 99, 149 s after the group formed; 3, 2, 4 end after 50, 70, 110
    totals = [
        group(miniature, "example-shifting", policy)["slowdown"] for policy in ("example-heuristic", "example-shifted")
    ]
    assert totals[0] == pytest.approx((59 / 20 + 99 / 40 + 149 / 50) / 0.9)
    assert totals[1] == pytest.approx((50 / 50 + 70 / 20 + 110 / 40) / 0.9)


@in_small
def test_the_last_job_of_the_plan_starts_first(miniature):
    members = pl.read_parquet(miniature.root / "runs" / "example-hole" / "example-heuristic" / "members.parquet")
    assert members.sort("place")["job"].to_list() == [2, 4, 3]
    found = starts(miniature, "example-hole", "example-heuristic")
    assert [found[job] for job in (3, 2, 4)] == [1, 40, 60]


@in_small
def test_the_group_ends_with_its_finish_job_while_another_runs_on(miniature):
    jobs = pl.read_parquet(miniature.root / "runs" / "example-finish" / "example-finish" / "jobs.parquet")
    ends = dict(jobs.select("job", "finish_us").rows())
    assert group(miniature, "example-finish", "example-finish")["ended_us"] == ends[5] < ends[6]


@in_small
def test_every_example_is_drawn_with_its_caption_filled_in(miniature):
    captions = {figure: entry.get("caption") for figure, entry in miniature.entries().items()}
    curve = {
        row["job"]: row["utilisation"] for row in miniature.values("end_of_a_group") if row["part"] == "utilisation"
    }
    for figure in DRAWN:
        assert any(row["part"] == "job" for row in miniature.values(figure))
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
