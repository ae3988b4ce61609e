"""SCOJO's test cases: the numbers the thesis prints, what is drawn and what is not, and the jobs of Table 5-1."""

import polars as pl
import pytest

from scheduler_core.common.errors import StudyError
from traces.build import build_workload
from traces.definition import read_definition

S = 1_000_000

PRINTED = {
    1: {"long": (4, 1800, 1800), "medium": (4, 480, 600), "short": (6, 180, 300), "special": (22, 60, 90)},
    2: {"long": (6, 300, 300), "medium": (8, 60, 60), "short": (12, 30, 30), "special": (14, 10, 10)},
    3: {"long": (4, 300, 300), "medium": (8, 60, 60), "short": (8, 30, 30), "special": (20, 10, 10)},
}
"""By case and level: jobs, shortest and longest run time in seconds."""

CASES = [(1, "as_worded"), (2, "as_worded"), (2, "as_table"), (3, "as_worded"), (3, "as_table")]


def definition(case, arrivals="as_worded", **more):
    return {"model": "scojo_cases", "set": {"case": case, "arrivals": arrivals, **more}, "replications": 4}


def replications(case, arrivals="as_worded", **more):
    return build_workload(definition(case, arrivals, **more), "cases", 11).workloads


def joined(workload):
    """Return the jobs with what they ask for, submissions and run times in seconds."""
    rows = workload.jobs.join(workload.companions["shares"], on="job", maintain_order="left")
    return rows.with_columns(submit_s=pl.col("submit_us") / S, run_s=pl.col("runtime_us") / S)


@pytest.mark.parametrize(("case", "arrivals"), CASES)
def test_jobs_and_run_times_by_level_are_those_printed(case, arrivals):
    for workload in replications(case, arrivals):
        rows = joined(workload)
        found = {level: (of.height, of["run_s"].min(), of["run_s"].max()) for (level,), of in rows.group_by("level")}
        for level, (count, shortest, longest) in PRINTED[case].items():
            assert found[level][0] == count
            assert shortest <= found[level][1] <= found[level][2] <= longest
        assert set(rows["size"]) == {workload.machine.processors} == {12}
        assert (rows["runtime_us"] == rows["estimate_us"]).all()
        assert ((rows["class"] == "short") == rows["level"].is_in(["short", "special"])).all()


@pytest.mark.parametrize(("case", "arrivals"), CASES)
def test_replications_differ_and_the_same_seed_gives_the_same_jobs(case, arrivals):
    drawn = replications(case, arrivals)
    assert len({workload.digest for workload in drawn}) == len(drawn)
    assert [w.digest for w in replications(case, arrivals)] == [w.digest for w in drawn]


def test_case_1_has_long_jobs_every_40_minutes_and_the_others_equally_spread():
    for workload in replications(1):
        rows = joined(workload)
        long = rows.filter(pl.col("level") == "long")
        assert long["submit_s"].to_list() == [0, 2400, 4800, 7200]
        others = rows.filter(pl.col("level") != "long")["submit_s"]
        assert set(others.diff().drop_nulls()) == {300}
        assert (long["site"] == "cross_site").sum() == 2
        assert (rows["site"] == "cross_site").sum() == (rows["asks"] == "reserves").sum() == 2


def test_programs_of_case_1_are_those_of_table_5_2():
    names = {1: "Grid-300", 2: "Grid-1200", 3: "Grid-2400", 4: "Central", 5: "Random", 6: "Stream"}
    expected = {
        ("long", "Grid-2400"): 4,
        ("medium", "Random"): 2,
        ("medium", "Grid-300"): 2,
        ("short", "Grid-300"): 3,
        ("short", "Central"): 3,
        ("special", "Grid-1200"): 11,
        ("special", "Stream"): 11,
    }
    for workload in replications(1):
        rows = joined(workload).join(workload.companions["behaviour"], on="job")
        counts = rows.group_by("level", "application").len().rows()
        assert {(level, names[number]): count for level, number, count in counts} == expected
        assert workload.companions["slowdowns"].height == 36


def test_case_2_has_a_long_job_every_10_minutes_followed_by_five_or_six_others():
    for arrivals in ("as_worded", "as_table"):
        for workload in replications(2, arrivals):
            rows = joined(workload)
            assert rows.filter(pl.col("level") == "long")["submit_s"].to_list() == [600 * k for k in range(6)]
            cycles = rows.filter(pl.col("level") != "long").group_by((pl.col("submit_s") // 600).alias("cycle"))
            assert sorted(cycles.len()["len"]) == [5, 5, 6, 6, 6, 6]
    gaps = joined(replications(2, "as_table")[0])["submit_s"].diff().drop_nulls()
    assert gaps.mode().to_list() == [30]


def test_case_3_as_worded_has_medium_jobs_right_behind_long_ones_about_every_14_minutes():
    for workload in replications(3):
        rows = joined(workload)
        long, medium = (rows.filter(pl.col("level") == level)["submit_s"] for level in ("long", "medium"))
        assert long.diff().drop_nulls().is_between(13.5 * 60, 14.5 * 60).all()
        assert medium.to_list() == [second + k for second in long for k in (1, 2)]
        assert rows["submit_s"].max() < long[-1] + 840
        assert set(rows["share_low"]) == {0.2}
        assert set(rows["share_high"]) == {0.4}


def test_case_3_as_the_table_begins_like_it_and_says_that_this_is_inferred():
    table = joined(replications("table")[0])
    for workload in replications(3, "as_table"):
        rows = joined(workload)
        for name in ("submit_us", "runtime_us", "level"):
            assert rows[name][:12].equals(table[name])
        assert rows.filter(pl.col("level") == "long")["submit_s"].to_list() == [0, 850, 1700, 2550]
        assert rows.filter(pl.col("site") == "cross_site").select("job", "wanted_us").rows() == [(11, 861 * S)]
        assert "inferred" in workload.provenance["note"]


def test_table_5_1_is_written_down():
    drawn = replications("table")
    assert len({workload.digest for workload in drawn}) == 1
    rows = joined(drawn[0])
    assert rows["run_s"].to_list() == [300, 60, 60, 10, 10, 10, 30, 10, 30, 10, 300, 60]
    assert rows["share_low"].to_list() == [0.4, 0.4, 0.2, 0.2, 0.2, 0.4, 0.2, 0.2, 0.2, 0.2, 0.4, 0.4]
    assert rows["share_high"].to_list() == [0.4, 0.4, 0.4, 0.2, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]
    priority = {"long": 0, "medium": 5, "short": 10, "special": 15}
    assert [priority[level] for level in rows["level"]] == [0, 5, 5, 15, 15, 15, 10, 15, 10, 15, 0, 5]
    assert rows["submit_s"].to_list() == [*range(0, 271, 30), 850, 880]
    assert rows.filter(pl.col("asks") == "reserves").select("job", "wanted_us").rows() == [(11, 861 * S)]


def test_what_cross_site_jobs_ask_for_is_a_parameter():
    picked = joined(replications(3, "as_table", asks="picks")[0])
    assert picked.filter(pl.col("asks") == "picks").select("job", "wanted_us").rows() == [(11, 861 * S)]
    silent = joined(replications(3, "as_table", asks="nothing")[0])
    assert set(silent["asks"]) == {"nothing"}
    assert silent.filter(pl.col("site") == "cross_site")["job"].to_list() == [11]
    assert (silent["wanted_us"] == silent["submit_us"]).all()


def test_companion_tables_are_known_from_the_definition():
    for case in (1, 2, 3, "table"):
        assert sorted(replications(case)[0].companions) == sorted(read_definition(definition(case)).companions)
    assert "slowdowns" in read_definition(definition(1)).companions
    assert "slowdowns" not in read_definition(definition(2)).companions


def test_at_another_load_wanted_starts_move_with_their_jobs():
    plain, loaded = (
        build_workload({**definition(3, "as_table"), **more}, "cases", 11).workloads[0] for more in ({}, {"load": 1.5})
    )
    asked = [
        w.jobs.join(w.companions["shares"], on="job").filter(pl.col("asks") == "reserves") for w in (plain, loaded)
    ]
    assert asked[0]["submit_us"][0] != asked[1]["submit_us"][0]
    assert [(rows["wanted_us"] - rows["submit_us"])[0] for rows in asked] == [11 * S] * 2


def test_what_there_is_not_is_refused():
    with pytest.raises(StudyError, match=r"jobs: .* there are 36 jobs; found 9"):
        read_definition({**definition(1), "jobs": 9})
