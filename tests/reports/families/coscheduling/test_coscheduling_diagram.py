"""The diagram of shared processors: who has which part of them, beside whom; windows, figures and the page's data."""

import json
from dataclasses import replace

import duckdb
import polars as pl
import pytest

from reports.draw.charts import NoData
from reports.draw.drawing import specification
from reports.families.coscheduling.charts import coscheduling_figure, draw_window
from reports.families.coscheduling.diagram import STRIP, pair_changes, read_window
from reports.families.coscheduling.page import contexts
from reports.families.space_sharing.page import contexts as space_sharing_contexts
from reports.figures.general.coscheduling import shared_window
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.gang.family import FAMILY as GANG
from tests.reports.families.coscheduling import fixture as made
from tests.reports.families.coscheduling.fixture import PAIRS, SHARES
from tests.reports.families.stores import window_of

S = made.SECOND


@pytest.fixture
def pairs():
    return window_of(read_window, made.schedule(PAIRS), 0, 157 * S)


def at(window, job, second):
    """Return a job's row of a window at a time."""
    own = window.allocations.filter(
        (pl.col("job") == job) & (pl.col("begin_us") <= second * S) & (pl.col("end_us") > second * S)
    )
    (row,) = own.iter_rows(named=True)
    return row


def test_a_pair_halves_the_processors_it_shares_and_the_holder_has_the_others(pairs):
    holder, partner = at(pairs, 1, 10), at(pairs, 2, 10)
    assert (partner["bands"], partner["alone"], partner["beside"]) == ([0, 2], [], [1])
    assert (holder["bands"], holder["alone"], holder["beside"]) == ([2, 4], [4, 6], [2])
    assert (at(pairs, 1, 110)["bands"], at(pairs, 1, 110)["alone"]) == ([], [0, 6])


def test_a_suspended_job_keeps_a_strip(pairs):
    strip, holder = at(pairs, 6, 60), at(pairs, 3, 60)
    high = 6 + 3 * STRIP / (made.WHOLE + STRIP)
    assert strip["suspended"]
    assert strip["bands"] == pytest.approx([6, high])
    assert holder["bands"] == pytest.approx([high, 9])
    assert (holder["alone"], holder["beside"]) == ([9, 10], [])
    assert not at(pairs, 6, 105)["suspended"]


def test_shares_lie_one_upon_the_other_and_what_is_left_is_idle():
    window = window_of(read_window, made.schedule(SHARES), 0, 83 * S)
    assert window.stacked
    assert [at(window, job, 20)["bands"] for job in (1, 2)] == [pytest.approx([0, 1.6]), pytest.approx([1.6, 3.2])]
    assert [at(window, job, 50)["bands"] for job in (1, 2, 3)] == [
        pytest.approx([0, 1.6]), pytest.approx([1.6, 3.2]), pytest.approx([3.2, 4]),
    ]  # fmt: skip
    assert at(window, 1, 5)["alone"] == [0, 4]
    assert at(window, 3, 50)["beside"] == [1, 2]


def test_processors_apart_from_one_another_are_parted_run_by_run():
    scattered = [
        [0, 1, 4, 5] if job == 1 else [0, 1, 4] if job == 2 else list(ids) for job, *_, ids, _, _, _ in PAIRS.held
    ]
    schedule = made.schedule(PAIRS)
    allocations = schedule.allocations.sort("begin_us", "job")
    order = [scattered[i] for i, _ in sorted(enumerate(PAIRS.held), key=lambda held: (held[1][1], held[1][0]))]
    moved = allocations.with_columns(pl.Series("processor_ids", order, dtype=pl.List(pl.Int32)))
    window = window_of(read_window, replace(schedule, held=moved), 0, 20 * S)
    assert at(window, 2, 5)["bands"] == [0, 1, 4, 4.5]
    assert (at(window, 1, 5)["bands"], at(window, 1, 5)["alone"]) == ([1, 2, 4.5, 5], [5, 6])


def test_jobs_have_the_kinds_of_their_workload(tmp_path):
    made.write_store(tmp_path)
    folder = tmp_path / "runs" / "pairs" / "lomarc"
    again = read_window(folder, 0, 157 * S)
    assert dict(again.jobs.select("job", "kind").rows()) == dict(enumerate(PAIRS.kinds, 1))
    assert pair_changes(folder).to_list() == [0, 20 * S, 75 * S]
    assert not read_window(folder, 120 * S, 130 * S).allocations["suspended"].any()


def test_schedules_of_other_families_and_without_names_of_processors_are_errors_in_words():
    whole = made.schedule(PAIRS)
    with pytest.raises(SlotwiseError, match="found a run of Gang scheduling"):
        window_of(read_window, replace(whole, family=GANG, tables={}), 0, S)
    counted = whole.allocations.with_columns(pl.lit(None, dtype=pl.List(pl.Int32)).alias("processor_ids"))
    with pytest.raises(SlotwiseError, match="found allocations without processor_ids"):
        window_of(read_window, replace(whole, held=counted), 0, S)


def test_the_page_has_a_window_of_each_workload(tmp_path):
    with duckdb.connect(str(made.write_store(tmp_path)), read_only=True) as connection:
        first, second = contexts(connection)
    assert (first["workload"], first["length"], second["length"]) == ("pairs", 320, 82.5)
    policy, _ = first["policies"]
    assert not policy["stacked"]
    assert second["policies"][0]["stacked"]
    assert policy["held"][0] == [0, 0, 75, 6, 1, 1.25, 0, [0, 6], [2, 4], [4, 6], [1]]
    assert policy["fates"]["2"][:2] == [10, 100]
    kinds = {job: kind for job, kind, *_ in first["jobs"]}
    assert kinds[6] == "network"
    assert {row[1] for row in second["jobs"]} == {None}


def drawn(chart):
    return specification(chart)["data"]["values"]


def test_the_picture_tells_speeds_where_processors_are_shared(pairs):
    rows = drawn(draw_window(pairs))
    told = {row["text"] for row in rows if row["shared"] and row["text"]}
    assert told >= {"1 · 80 %", "2 · 80 %", "3 · 67 %", "6 · 67 %", "5 · 62 %"}
    assert [row["text"] for row in rows if row["job"] == 4] == ["4"]
    assert {row["suspended"] for row in rows if row["begin"] == 50 and row["job"] == 6} == {True}
    assert specification(draw_window(pairs))["usermeta"]["caption"]["sharing"] == 5


def test_stacked_shares_have_an_axis_in_per_cent():
    chart = draw_window(window_of(read_window, made.schedule(SHARES), 0, 83 * S))
    assert "Share of every processor (%)" in json.dumps(specification(chart))
    assert max(row["last"] for row in drawn(chart)) == 100
    assert {row["speed"] for row in drawn(chart)} == {100.0, 33.3, 30.8, 15.4}


def test_colours_are_those_of_kinds_where_they_are_known(tmp_path):
    made.write_store(tmp_path)
    window = read_window(tmp_path / "runs" / "pairs" / "lomarc", 0, 157 * S)
    assert '"domain": ["cpu", "network", "disk"]' in json.dumps(specification(draw_window(window, by_kind=True)))
    with pytest.raises(NoData, match="No job runs"):
        draw_window(replace(window, allocations=window.allocations.clear()))


def test_a_figure_reads_the_run_beside_its_store_and_any_study_may_show_one(tmp_path):
    with duckdb.connect(str(made.write_store(tmp_path))) as connection:
        chart = coscheduling_figure(connection, "pairs", "lomarc", window=(0, 0))
        assert specification(chart)["usermeta"]["caption"]["processors"] == 10
        with pytest.raises(NoData, match="no run of pairs under nothing in the family Coscheduling"):
            coscheduling_figure(connection, "pairs", "nothing")
        connection.execute(
            "INSERT INTO measurements VALUES ('pairs', 'lomarc', 'replication', 0, 'shared_share', 'all', 0.3)"
        )
        told = specification(shared_window(connection, "shared"))["usermeta"]["caption"]
        assert (told["workload"], told["policy"]) == ("Worked <pairs>", "Lomarc")


def test_space_sharing_of_the_same_jobs_stands_beside_with_processors_that_are_counted(tmp_path):
    with duckdb.connect(str(made.write_store(tmp_path)), read_only=True) as connection:
        first, _ = contexts(connection)
        assert space_sharing_contexts(connection) == []
    policy, easy = first["policies"]
    assert (policy["named"], easy["named"], easy["stacked"]) == (True, False, False)
    assert easy["held"][0] == [0, 0, 100, 6, 1, 1, 0, [0, 6], [], [0, 6], []]
    assert pair_changes(tmp_path / "runs" / "pairs" / "easy").to_list() == []
