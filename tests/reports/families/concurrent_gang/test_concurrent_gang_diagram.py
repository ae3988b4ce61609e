"""The diagram of activities: what ran where and who chose it; windows, figures and the page's data."""

import json
import shutil

import duckdb
import polars as pl
import pytest

from reports.draw.charts import NoData
from reports.draw.drawing import open_store, specification
from reports.families.concurrent_gang.charts import Panel, Remark, concurrent_gang_figure, draw_panels
from reports.families.concurrent_gang.diagram import read_window, telling_slices
from reports.families.concurrent_gang.page import contexts, workload_context
from reports.families.concurrent_gang.rows import LANE, LOCAL, paints_of, rows_of_window
from reports.pages.diagram_page import ShownRun
from scheduler_core.common.errors import SlotwiseError
from studies.concurrent_gang import figures_drawings as figures
from tests.reports.families.concurrent_gang import fixture as made

MS = 1_000_000
SLICE = 10 * MS


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return made.write_store(tmp_path_factory.mktemp("activities")).parent


@pytest.fixture(scope="module")
def gang(root):
    return read_window(root / "runs" / "cascade" / "gang")


@pytest.fixture(scope="module")
def rr(root):
    return read_window(root / "runs" / "cascade" / "rr")


def of(window, part):
    return [row for row in rows_of_window(window, paints_of([window])) if row["part"] == part]


def test_every_processor_does_one_thing_at_every_time(gang):
    for (_,), lane in gang.activity.group_by("processor"):
        assert lane["begin_ns"][0] == 0
        assert lane["end_ns"][-1] == 9 * SLICE
        assert lane["begin_ns"][1:].to_list() == lane["end_ns"][:-1].to_list()
    owners = gang.slices.filter(pl.col("processor") == 3)["job"].to_list()
    assert owners == [3, 1, None] * 3


def test_a_cut_keeps_what_meets_it(root):
    window = read_window(root / "runs" / "cascade" / "rr", (25_000, 35_000))
    assert (window.activity["begin_ns"].min(), window.activity["end_ns"].max()) == (25 * MS, 35 * MS)
    assert window.slices["begin_ns"].unique().sort().to_list() == [20 * MS, 30 * MS]
    assert window.barriers.filter(pl.col("arrived_ns") < 25 * MS)["task"].to_list() == [3]  # it waits for the others


def test_who_chose_a_task_is_seen_in_the_height_of_its_block(rr):
    heights = {(row["by"], round(row["low"] - row["processor"], 6)) for row in of(rr, "compute")}
    assert heights == {("the gang scheduler", LANE[0]), ("the local scheduler", LOCAL)}
    alone = [row for row in of(rr, "compute") if row["job"] == 3 and row["by"] == "the local scheduler"]
    assert {row["processor"] for row in alone} == {3}


def test_owners_are_grounds_and_slices_are_named_by_rows(gang):
    assert [row["text"] for row in of(gang, "slice")] == ["row 1", "row 2", "row 3"] * 3
    owned = [(row["begin"], round(row["low"] - LANE[0]), row["job"]) for row in of(gang, "owner") if row["begin"] == 20]
    assert owned == [(20, 0, 2), (20, 1, 2), (20, 2, 2)]


def test_stripes_stay_within_what_spins(rr):
    spins, stripes = of(rr, "spin"), of(rr, "stripe")
    assert stripes
    for stripe in stripes:
        assert any(
            spin["begin"] <= stripe["begin"] < stripe["end"] <= spin["end"]
            and spin["low"] - 1e-3 <= stripe["high"] <= stripe["low"] <= spin["high"] + 1e-3
            for spin in spins
        )


def test_disks_serve_below_the_lanes_and_a_blocked_owner_has_a_line(root):
    window = read_window(root / "runs" / "mixed" / "mixed-gang")
    disks = of(window, "disk")
    assert disks
    assert {row["job"] for row in disks} == {1}
    blocked = of(window, "blocked")
    assert {row["job"] for row in blocked} == {1}
    assert len(blocked) == window.activity.filter(pl.col("activity") == "blocked").height


def test_the_window_is_where_processors_have_most_tasks(root):
    folders = [root / "runs" / "cascade" / name for name in ("gang", "rr")]
    begin, end = telling_slices(folders, longest=2)
    assert end - begin == 20_000
    different = [0] * 8
    for folder in folders:
        tasks = pl.read_parquet(folder / "trace.parquet").filter(pl.col("job").is_not_null())
        counted = (
            tasks.with_columns(slice=pl.col("begin_ns") // SLICE).select("slice", "processor", "job", "task").unique()
        )
        counts = counted.group_by("slice").len().sort("slice")["len"].to_list()
        different = [known + one + next_ for known, one, next_ in zip(different, counts, counts[1:], strict=False)]
    assert begin == 10_000 * different.index(max(different))


def test_a_slice_too_full_for_a_picture_is_not_chosen(root):
    folders = [root / "runs" / "cascade" / "gang"]
    assert telling_slices(folders, most=3) is None
    assert telling_slices([], most=3) is None


@pytest.mark.parametrize(
    ("workload", "policy", "window", "complaint"),
    [
        ("mixed", "untraced", None, "found no trace"),
        ("cascade", "gang", (50_000, 95_000), "found a trace from 0 to 90000"),
        ("cascade", "gang", (50_000, 50_000), "from 50000 to 50000 microseconds needs a trace of this time"),
    ],
)
def test_what_was_not_traced_is_said(root, workload, policy, window, complaint):
    with pytest.raises(SlotwiseError, match=complaint):
        read_window(root / "runs" / workload / policy, window)


def test_a_run_of_another_kind_is_no_diagram_of_activities(root):
    with open_store(root / "slotwise.duckdb") as connection:
        with pytest.raises(NoData, match="no run of cascade under none"):
            concurrent_gang_figure(connection, "cascade", "none")
        with pytest.raises(NoData, match="was not traced"):
            concurrent_gang_figure(connection, "mixed", "untraced")


def test_a_figure_carries_its_rows_and_remarks(root, gang):
    with open_store(root / "slotwise.duckdb") as connection:
        spec = specification(concurrent_gang_figure(connection, "mixed", "mixed-rt"))
    assert spec["usermeta"]["caption"]["processors"] == 4
    assert {row["part"] for row in spec["data"]["values"]} >= {"slice", "owner", "compute", "spin", "turn", "disk"}
    drawn = specification(draw_panels([Panel("A", gang, [Remark(1, 25 * MS, 3)], barriers=True)]))["data"]["values"]
    assert [(row["begin"], row["text"]) for row in drawn if row["part"] == "remark"] == [(25, "1")]
    barriers = [row for row in drawn if row["part"] == "barrier"]
    assert [row["number"] for row in barriers] == list(range(1, 16))
    assert {(row["low"], row["high"]) for row in barriers} == {(LANE[0], 3 + LANE[1])}


def test_the_course_of_the_cascade_is_found_in_the_trace(rr):
    marks = {mark.number: (mark.at_ns / MS, mark.processor) for mark in figures._lost(rr)}
    assert marks[1] == (20, 3)  # the processor without an owner gets the task of job 3
    assert marks[3] == (30, 3)  # the slice of job 3 comes
    assert 20 < marks[2][0] < 30 < marks[4][0] < marks[5][0] < 40
    blocked = rr.activity.filter((pl.col("end_ns") == round(marks[5][0] * MS)) & (pl.col("activity") == "spin"))
    assert blocked["processor"].to_list() == [0, 1, 2]
    assert figures._barriers(rr) == 9


def test_the_page_has_a_window_for_each_traced_workload(root):
    with open_store(root / "slotwise.duckdb") as connection:
        cascade, mixed = contexts(connection)
    assert [policy["policy"] for policy in mixed["policies"]] == ["mixed-gang", "mixed-rt"]
    told = dict(zip((job for job, *_ in mixed["jobs"]), mixed["applications"], strict=True))
    assert told == {1: "io", 2: "messages", 3: "supersteps", 5: "messages"}  # job 4 ends before the window
    assert cascade["policies"][0]["fates"]["0"][1] is None  # it does not end
    assert json.loads(json.dumps(mixed)) == mixed
    for policy in cascade["policies"]:
        for lane in policy["lanes"]:
            assert sum(lane[::3]) == round(cascade["length"] * 1e9)


def part_of_trace(run, folder, wanted):
    """Copy a run with the slices of its trace that an expression wants; return it as the page takes it."""
    shutil.copytree(run, folder)
    for name in ("trace", "trace_slices"):
        pl.read_parquet(folder / f"{name}.parquet").filter(wanted).write_parquet(folder / f"{name}.parquet")
    return ShownRun("cascade", "The cascade", folder.name, folder.name, folder)


def test_runs_that_were_traced_at_other_times_are_named_and_hide_no_others(root, tmp_path):
    run, late = root / "runs" / "cascade" / "gang", pl.col("begin_ns") >= 6 * SLICE
    early, later, again = (
        part_of_trace(run, tmp_path / name, wanted)
        for name, wanted in (("early", ~late), ("later", late), ("again", ~late))
    )
    context = workload_context([early, later, again], {})
    assert [policy["policy"] for policy in context["policies"]] == ["early", "again"]
    assert context["aside"] == ["later"]


def test_a_window_in_which_nothing_ran_is_no_picture(root, tmp_path):
    trace = pl.read_parquet(root / "runs" / "cascade" / "gang" / "trace.parquet")
    empty = part_of_trace(root / "runs" / "cascade" / "gang", tmp_path / "empty", pl.col("processor").is_not_null())
    trace.with_columns(pl.lit(None, trace.schema["job"]).alias("job")).write_parquet(empty.folder / "trace.parquet")
    assert workload_context([empty], {}) is None


def test_examples_stand_on_the_page_though_no_table_of_the_study_has_them(root, tmp_path):
    (tmp_path / "runs").symlink_to(root / "runs")
    shutil.copy(root / "slotwise.duckdb", tmp_path / "slotwise.duckdb")
    with duckdb.connect(str(tmp_path / "slotwise.duckdb")) as connection:
        connection.execute("DELETE FROM cells WHERE workload = 'cascade'")
        found = contexts(connection)
    assert [context["workload"] for context in found] == ["mixed", "cascade"]


def test_figures_of_a_store_without_the_example_say_so(tmp_path):
    with duckdb.connect(str(tmp_path / "empty.duckdb")) as connection, pytest.raises(NoData, match="was not run"):
        figures.blocking_cascade(connection)
