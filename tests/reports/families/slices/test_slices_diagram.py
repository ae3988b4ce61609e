"""The diagram of slices: what runs, whose slice it is, who waits; windows, figures and the page's data."""

import json
from dataclasses import replace

import duckdb
import polars as pl
import pytest

from reports.diagrams.allocations import rectangles_of
from reports.diagrams.windows import telling_window
from reports.draw.charts import NoData
from reports.draw.drawing import specification, words_of
from reports.families.slices.charts import draw_window, slices_figure
from reports.families.slices.diagram import group_changes, read_window
from reports.families.slices.page import contexts
from reports.families.space_sharing.diagram import windows
from reports.figures.study import own_figures
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.space_sharing.family import FAMILY as SPACE
from studies.group_optimisation import figures_examples as figures
from tests.paths import STUDIES
from tests.reports.families import stores
from tests.reports.families.slices import fixture as made
from tests.reports.families.slices.fixture import GROUP, SECOND, SLICES
from tests.reports.families.stores import window_of

S = SECOND
END = 404


@pytest.fixture
def window():
    return window_of(read_window, made.schedule(GROUP), 0, END * S)


def drawn(chart, part):
    return [row for row in specification(chart)["data"]["values"] if row["part"] == part]


def test_a_stretch_in_another_classes_slice_is_lent(window):
    lent = window.allocations.filter("lent").select(
        "job", pl.col("begin_us") // S - 64, pl.col("class").cast(pl.String)
    )
    assert lent.sort("begin_us", "job").rows() == [
        (13, 75, "medium"), (1, 90, "medium"), (14, 90, "medium"), (10, 98, "long"), (8, 105, "long"), (8, 160, "long"),
        (9, 170, "long"), (11, 249, "long"), (11, 288, "long"), (15, 305, "long"),
    ]  # fmt: skip


def test_the_queue_says_who_waits_when(window):
    at = {row["begin_us"] // S - 64: row for row in window.waiting.iter_rows(named=True)}
    assert at[50]["numbers"] == [8, 9, 10, 11, 12]
    assert at[77]["numbers"] == [8, 9, 11, 12, 14]
    assert (at[77]["short"], at[77]["medium"], at[77]["long"]) == (0, 4, 1)
    assert window.waiting["begin_us"][1:].to_list() == window.waiting["end_us"][:-1].to_list()
    assert (window.waiting["begin_us"][0], window.waiting["end_us"][-1]) == (0, END * S)


def test_a_part_of_a_window_has_what_meets_it():
    part = window_of(read_window, made.schedule(GROUP), 150 * S, 160 * S)  # 86 to 96 s of the table
    assert set(part.allocations["job"]) == {10, 13, 14, 1}
    assert part.slices["class"].cast(pl.String).to_list() == ["medium"]
    assert part.groups["group"].to_list() == [1]
    assert part.waiting["numbers"].to_list()[-1] == [8, 9, 11, 12, 15]
    assert window_of(read_window, made.schedule(GROUP), 0, 100 * S).groups.height == 0


def test_classes_are_those_of_the_policy_where_no_workload_states_them():
    whole = made.schedule(SLICES)
    limits = {"short_limit_s": 16.0, "medium_limit_s": 80.0}
    note = {**whole.run, "policy": {"name": "pect", "parameters": limits}}
    jobs = whole.jobs.drop("class")
    bare = replace(whole, jobs=jobs, run=note)
    found = dict(window_of(read_window, bare, 0, 300 * S).jobs.select("job", pl.col("class").cast(pl.String)).rows())
    assert [found[job] for job in (2, 3, 5, 8, 9)] == ["short", "medium", "short", "long", "long"]


def test_schedules_without_slices_and_empty_windows_are_errors_in_words(tmp_path):
    with pytest.raises(SlotwiseError, match=r"needs a run of Slices of classes \(SCOJO-PECT\); found no run"):
        read_window(tmp_path, 0, S)
    with pytest.raises(SlotwiseError, match="ends after it begins"):
        window_of(read_window, made.schedule(SLICES), S, S)
    whole = made.schedule(SLICES)
    with pytest.raises(SlotwiseError, match="found a run of Space sharing"):
        window_of(read_window, replace(whole, family=SPACE, tables={}), 0, S)


def test_counted_processors_do_not_overlap():
    window = window_of(read_window, made.schedule(GROUP, named=False), 0, END * S)
    assert not window.named
    cells = rectangles_of(window).with_columns(pl.int_ranges("first", "last").alias("processor")).explode("processor")
    before = pl.col("end_us").shift(1).over("processor")
    assert cells.sort("processor", "begin_us").filter(pl.col("begin_us") < before).height == 0


def test_the_picture_has_letters_jobs_queue_and_the_groups_arrows(window):
    chart = draw_window(window, zero=(64 * S, "the zero of Table 3"))
    text = json.dumps(specification(chart))
    assert all(
        word in text for word in ("Time since the zero of Table 3 (s)", "Processors", "Waiting", "Group", "Slice")
    )
    assert [row["text"] for row in drawn(chart, "slice")] == list("MLSMLSMLMLMLMLM")
    assert {row["job"] for row in drawn(chart, "job") if row["planned"]} == {8, 9, 10, 11, 12}
    (group,) = drawn(chart, "group")
    assert (group["begin"], group["end"], group["formed"], group["ended"]) == (68, 320, True, True)
    assert drawn(chart, "switch") == []


def test_arrows_only_stand_where_a_group_forms_or_ends():
    (group,) = drawn(draw_window(window_of(read_window, made.schedule(GROUP), 150 * S, 300 * S)), "group")
    assert (group["formed"], group["ended"]) == (False, False)


def test_jobs_of_a_class_have_its_shades(window):
    by_class = {row["job"]: row["colour"] for row in drawn(draw_window(window), "job")}
    assert by_class[1] != by_class[13] != by_class[3]
    assert len({by_class[job] for job in (8, 9, 10)}) == 3


def test_switching_is_drawn_from_the_begin_of_each_slice():
    chart = draw_window(window_of(read_window, made.schedule(SLICES, switch_s=1), 10 * S, 60 * S))
    assert [(row["begin"], row["end"]) for row in drawn(chart, "switch")] == [(25, 26), (45, 46), (54, 55)]


def test_the_unit_follows_the_length_shown():
    whole = made.schedule(GROUP)
    for factor, unit in ((1, "(s)"), (20, "(min)"), (100, "(h)")):
        times = pl.col("^.*_us$") * factor
        tables = {name: table.with_columns(times) for name, table in whole.tables.items()}
        longer = replace(
            whole, jobs=whole.jobs.with_columns(times), held=whole.allocations.with_columns(times), tables=tables
        )
        text = json.dumps(specification(draw_window(window_of(read_window, longer, 0, END * factor * S))))
        assert f"Time since the first submission {unit}" in text


def test_a_figure_reads_the_run_beside_its_store(tmp_path):
    store = made.write_store(tmp_path)
    with duckdb.connect(str(store), read_only=True) as connection:
        chart = slices_figure(connection, "group", "pect_o", window=(0, 0))
        assert specification(chart)["usermeta"]["caption"]["groups"] == 1
        with pytest.raises(NoData, match="no run of group under easy"):
            slices_figure(connection, "group", "easy")
        with pytest.raises(NoData, match="No job runs"):
            slices_figure(connection, "group", "pect_o", window=(900 * S, 999 * S))


def test_the_window_chosen_is_where_groups_change(tmp_path):
    folder = stores.write_run(tmp_path / "run", made.schedule(GROUP))
    begin, end = telling_window([folder], group_changes, wanted=6)
    assert begin <= 132 * S < end or begin <= 384 * S < end


def test_runs_with_slices_have_no_other_picture(tmp_path):
    with duckdb.connect(str(made.write_store(tmp_path))) as connection:
        for workload, policy in (("example", "pect"), ("group", "pect_o")):
            connection.execute("INSERT INTO series VALUES (?, ?, 0, 3600, 0.5, 2, 4)", [workload, policy])
        assert windows(connection, "sliced") == []


@pytest.mark.parametrize("shown", [True, False])
def test_the_page_carries_each_workload_once_examples_too(tmp_path, shown):
    with duckdb.connect(str(made.write_store(tmp_path, shown))) as connection:
        stores.study_again(connection)
        found = contexts(connection)
    assert [one["label"] for one in found] == ["Worked <example>", "Worked <group>"]
    assert [policy["policy"] for policy in found[1]["policies"]] == ["pect_o", "switching"]
    assert [policy["named"] for policy in found[1]["policies"]] == [True, False]
    assert found[1]["policies"][0]["groups"] == [[1, "medium", 132.0, 384.0, 5]]
    assert found[1]["policies"][0]["slices"][:3] == [[1, 0, 0, 32], [2, 32, 32, 64], [0, 64, 64, 68]]
    assert len(json.dumps(found)) < 100_000


def test_the_examples_are_figures_of_the_study_with_captions(tmp_path):
    examples = [
        figure for figure in own_figures(STUDIES / "group_optimisation") if figure.__module__ == figures.__name__
    ]
    assert [figure.__name__ for figure in examples][:2] == ["example_of_slices", "example_of_a_group"]
    for workload, policy, example in (
        ("example-slices", "example-pect", SLICES),
        ("example-group", "example-pect-o", GROUP),
    ):
        stores.write_run(tmp_path / "runs" / workload / policy, made.schedule(example))
    with duckdb.connect(str(tmp_path / "slotwise.duckdb")) as connection:
        for figure in examples[:2]:
            spec = specification(figure(connection))
            title, caption = words_of(figure, spec["usermeta"]["caption"])
            assert "Table" in title
            assert "{" not in caption
        assert "(34 to 64 s)" in caption
        assert "At 68 s jobs 8 to 12 become a group" in caption
        assert "at 249 s" in caption
        for figure in examples[2:]:
            with pytest.raises(NoData, match="no run of "):
                figure(connection)
