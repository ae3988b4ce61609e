"""The matrix diagram: rectangles, slots that take turns, the slices, and what is chosen to be shown."""

import itertools
import json
from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pytest

from reports.diagrams.allocations import rectangles_of
from reports.diagrams.windows import COLOURS, colour_jobs, telling_window
from reports.draw.charts import NoData
from reports.draw.drawing import specification
from reports.families.gang.charts import draw_window, gang_figure
from reports.families.gang.diagram import level_changes, phases_of, read_window, slice_us, telling_stretch
from reports.families.gang.layout import gathered, take
from reports.families.gang.page import contexts
from reports.families.space_sharing.diagram import windows
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.gang.family import LEVELS_COLUMNS
from scheduler_core.space_sharing.family import FAMILY as SPACE
from tests.reports.families import stores
from tests.reports.families.gang import fixture as worked
from tests.reports.families.gang.time_slices import pieces, time_slices
from tests.reports.families.stores import window_of

S = worked.SECOND


@pytest.fixture
def matrix():
    return window_of(read_window, worked.schedule(), 0, 54 * S)


def with_policy(**changes):
    return {**worked.POLICY, "parameters": {**worked.POLICY["parameters"], **changes}}


def job_at(matrix, job, begin):
    return matrix.allocations.row(by_predicate=(pl.col("job") == job) & (pl.col("begin_us") == begin * S), named=True)


def test_processors_that_do_not_neighbour_become_several_rectangles_of_one_interval(matrix):
    drawn = rectangles_of(matrix).with_columns(
        matrix.allocations["job"].gather(pl.Series(rectangles_of(matrix)["allocation"]))
    )
    gang = drawn.filter(pl.col("job") == 6)
    assert gang.select("row", "first", "last").rows() == [(1, 0, 2), (1, 4, 6)]
    assert gang["allocation"].n_unique() == 1
    held = drawn.with_columns(pl.col("last") - pl.col("first")).group_by("allocation").agg(pl.col("last").sum())
    assert dict(held.rows()) == dict(enumerate(matrix.allocations["processors"].to_list()))


def overlaps(drawn):
    """Return how many pairs of rectangles of a slot there are, and how many of them overlap."""
    pairs = (
        drawn.with_row_index("a")
        .join(drawn.with_row_index("b"), on="row", suffix="_b")
        .filter(pl.col("a") < pl.col("b"))
    )
    both = pl.min_horizontal("end_us", "end_us_b") > pl.max_horizontal("begin_us", "begin_us_b")
    same = pl.min_horizontal("last", "last_b") > pl.max_horizontal("first", "first_b")
    return pairs.height, pairs.filter(both & same).height


def test_rectangles_of_a_slot_do_not_overlap_and_are_cut_to_the_window():
    drawn = rectangles_of(window_of(read_window, worked.schedule(), 10 * S, 33 * S))
    assert (drawn["begin_us"].min(), drawn["end_us"].max()) == (10 * S, 33 * S)
    pairs, overlapping = overlaps(drawn)
    assert pairs > 10
    assert overlapping == 0


def test_resizings_say_how_many_processors_came_and_went(matrix):
    assert job_at(matrix, 1, 24)["change"] == -2
    assert job_at(matrix, 1, 36)["change"] == 3
    assert matrix.allocations.filter(pl.col("change") != 0).height == 2


def test_an_interval_that_only_counts_gets_the_lowest_processors_free_in_its_slot():
    matrix = window_of(read_window, worked.schedule(named=False), 0, 54 * S)
    assert not matrix.named
    assert list(job_at(matrix, 6, 24)["runs"]) == [0, 4]
    assert list(job_at(matrix, 2, 0)["runs"]) == [5, 8]


def test_slots_take_turns_in_the_phases_of_the_levels(matrix):
    assert [(p.begin_us // S, p.end_us // S, p.slots) for p in matrix.phases] == [
        (0, 6, (0,)), (6, 24, (0, 1)), (24, 36, (0, 1, 2)), (36, 48, (0, 1)), (48, 54, (0,)),
    ]  # fmt: skip
    assert matrix.slots == 3


def test_a_slot_whose_jobs_are_over_keeps_its_turn_until_its_level_ends(matrix):
    late = [one for one in time_slices(matrix, 24 * S, 36 * S) if one.slot == 2]
    assert [(t.begin_us // S, t.end_us // S) for t in late] == [(28, 30), (34, 36)]
    ran = pieces(matrix, late)
    assert ran["to_us"].to_list() == [30 * S, 35 * S]  # job 7 finishes inside the second slice


def test_slots_that_change_places_at_one_level_make_a_new_phase():
    # Slots 0 and 2 until 10 s; then slot 0 has emptied, and a new slot 1 takes its place: the level stays 2.
    held = pl.DataFrame(
        [(1, 0, 10, 0), (2, 0, 20, 2), (3, 10, 20, 1)], schema=["job", "begin_us", "end_us", "slot"], orient="row"
    ).with_columns(pl.col("begin_us", "end_us") * S)
    rows = [(0, 0, 20 * S, 2, 0.5)]
    levels = pl.DataFrame(rows, schema=LEVELS_COLUMNS, orient="row")
    found = list(phases_of(levels, held, {"slice_s": 1.0, "slice": "fixed"}, (0, 20 * S)))
    assert [(p.begin_us, p.end_us, p.slots) for p in found] == [(0, 10 * S, (0, 2)), (10 * S, 20 * S, (1, 2))]
    assert {p.origin_us for p in found} == {0}


def test_slices_alternate_in_the_order_of_the_slots_without_gaps(matrix):
    taken = time_slices(matrix, 6 * S, 48 * S)
    assert [one.slot for one in taken] == [0, 1] * 3 + [0, 1, 2] * 2 + [0, 1] * 2
    assert [one.place for one in taken] == [one.slot for one in taken]
    assert all(one.end_us == two.begin_us for one, two in itertools.pairwise(taken))
    assert {(t.end_us - t.begin_us) // S for t in taken if 24 * S <= t.begin_us < 36 * S} == {2}


def test_over_whole_cycles_every_slot_has_its_share(matrix):
    for phase in matrix.phases:
        taken = time_slices(matrix, phase.begin_us, phase.end_us)
        for slot in phase.slots:
            had = sum(one.end_us - one.work_us for one in taken if one.slot == slot)
            assert had == pytest.approx(phase.share * (phase.end_us - phase.begin_us))


def test_switching_that_slows_takes_its_part_of_every_slice():
    made = worked.schedule(policy=with_policy(switch_slows=True))
    slowed = made.tables["levels"].with_columns(
        pl.when(pl.col("level") > 1).then(1 / (pl.col("level") * 1.1)).otherwise(1.0).alias("share")
    )
    matrix = window_of(read_window, replace(made, tables={"levels": slowed}), 0, 54 * S)
    one = time_slices(matrix, 24 * S, 26 * S)[0]
    assert one.work_us - one.begin_us == pytest.approx(2 * S * (1 - 1 / 1.1), abs=2)
    assert pieces(matrix, [one])["from_us"].to_list() == [one.work_us] * 2
    assert time_slices(matrix, 0, 6 * S)[0].work_us == 0


def test_a_stretch_inside_a_slice_is_cut_and_keeps_the_count(matrix):
    taken = time_slices(matrix, 25 * S, 27 * S)
    assert [(t.slot, t.begin_us // S, t.end_us // S) for t in taken] == [(0, 25, 26), (1, 26, 27)]


@pytest.mark.parametrize(
    ("parameters", "level", "seconds"),
    [
        ({"slice_s": 2.0, "slice": "scaled", "level": 5}, 2, 5.0),
        ({"slice_s": 2.0, "slice": "scaled", "level": 5}, 0, 10.0),
        ({"slice_s": 2.0, "slice": "fixed", "level": 5}, 2, 2.0),
        ({"slice_s": 2.0, "slice": "fixed", "level": "unlimited"}, 7, 2.0),
        ({"slice_s": 0.0, "slice": "scaled", "level": 1}, 1, 0.0),
    ],
)
def test_the_nominal_slice_follows_the_policy(parameters, level, seconds):
    assert slice_us(parameters, level) == seconds * S


def test_the_stretch_of_turns_is_around_a_resizing(matrix):
    begin, end = telling_stretch(matrix)
    assert begin < 24 * S < end
    assert end - begin == 6 * 6 * S  # six cycles of three slices of 2 s


def test_the_stretch_begins_a_cycle():
    # Two slots with slices of 3 s all the time; job 5 starts at 21 s, in the middle of the cycle from 18 to 24 s.
    made = worked.schedule()
    begins = pl.when(pl.col("job") == 5).then(21 * S).otherwise(0).cast(pl.Int64)
    whole = pl.lit(60 * S, dtype=pl.Int64).alias("end_us")
    held = made.allocations.filter(pl.col("job").is_in([2, 3, 5])).with_columns(begins.alias("begin_us"), whole)
    levels = made.tables["levels"].filter(level=2).head(1).with_columns(whole, begin_us=pl.lit(0, dtype=pl.Int64))
    matrix = window_of(read_window, replace(made, held=held, tables={"levels": levels}), 0, 60 * S)
    assert telling_stretch(matrix, cycles=3) == (6 * S, 24 * S)


def test_a_space_shared_run_and_an_empty_window_are_errors_in_words(tmp_path):
    with pytest.raises(SlotwiseError, match="needs a run of Gang scheduling; found no run"):
        read_window(tmp_path, 0, S)
    with pytest.raises(SlotwiseError, match="ends after it begins"):
        window_of(read_window, worked.schedule(), S, S)


def test_rigid_jobs_have_one_size_and_missing_columns_follow_the_policies():
    made = worked.schedule()
    bare = made.jobs.drop("class", "size_min", "size_max")
    matrix = window_of(read_window, replace(made, jobs=bare), 0, 54 * S)
    by_job = {row["job"]: row for row in matrix.jobs.iter_rows(named=True)}
    assert (by_job[5]["size_min"], by_job[5]["size_max"]) == (2, 2)
    assert (by_job[1]["size_min"], by_job[1]["size_max"]) == (2, 8)  # half of 5; twice 5, at most the machine
    assert by_job[1]["class"] is None


def test_the_window_is_where_levels_and_sizes_change(tmp_path):
    # A long quiet time with many allocations of one level, then the worked example.
    made, quiet = worked.schedule(), 1_000_000
    late = [pl.col("begin_us") + quiet * S, pl.col("end_us") + quiet * S]
    one = made.allocations.head(1)
    at = (pl.int_range(quiet // 1000, dtype=pl.Int64) * 1000 * S).alias("begin_us")
    many = pl.concat([one] * (quiet // 1000)).with_columns(at, job=100 + pl.int_range(pl.len(), dtype=pl.Int64))
    dull = many.with_columns(end_us=pl.col("begin_us") + 1000 * S)
    held = pl.concat([dull, made.allocations.with_columns(late)])
    first = made.tables["levels"].head(1).with_columns(end_us=pl.lit(quiet * S, dtype=pl.Int64))
    levels = pl.concat([first, made.tables["levels"].with_columns(late)])
    folder = stores.write_run(tmp_path / "run", replace(made, held=held, tables={"levels": levels}))
    begin, end = telling_window([folder], level_changes)
    assert begin < (quiet + 24) * S < end
    inside = held.filter((pl.col("begin_us") < end) & (pl.col("end_us") > begin)).height
    assert inside < held.height / 2


def test_neighbours_differ_in_colour_and_a_job_keeps_its_own(matrix):
    other = window_of(read_window, worked.schedule(named=False), 0, 54 * S)
    chosen = colour_jobs([matrix, other])
    assert set(chosen) == set(worked.JOBS)
    assert len(set(chosen.values())) == len(worked.JOBS)
    many = pl.concat([matrix.allocations.with_columns(job=pl.col("job") + 10 * k) for k in range(4)])
    crowded = colour_jobs([replace(matrix, allocations=many)])
    assert set(crowded.values()) == set(range(len(COLOURS)))
    lines = pl.concat([matrix.allocations.with_columns(job=pl.col("job") + 10 * k) for k in range(200)])
    in_turn = colour_jobs([replace(matrix, allocations=lines)])
    assert list(in_turn.values())[: 2 * len(COLOURS)] == [*range(len(COLOURS))] * 2


def test_a_window_far_from_the_first_submission_counts_from_its_begin():
    made, far = worked.schedule(), 1000 * 3600 * S
    later = [pl.col("begin_us") + far, pl.col("end_us") + far]
    jobs = made.jobs.with_columns(pl.col("submit_us", "start_us", "finish_us") + far)
    levels = made.tables["levels"].with_columns(later)
    moved = replace(made, jobs=jobs, held=made.allocations.with_columns(later), tables={"levels": levels})
    spec = specification(draw_window(window_of(read_window, moved, far, far + 54 * S)))
    assert "Time since 1,000.000 h after the first submission (s)" in json.dumps(spec)
    assert max(row["end"] for row in spec["data"]["values"]) == 54


def test_a_policy_without_slices_shows_the_whole_window():
    matrix = window_of(read_window, worked.schedule(policy=with_policy(slice_s=0.0)), 0, 54 * S)
    assert telling_stretch(matrix) == (0, 54 * S)


@pytest.mark.parametrize("by_flexibility", [False, True])
def test_the_matrix_is_drawn_with_axes_in_words(matrix, by_flexibility):
    spec = specification(draw_window(matrix, by_flexibility))
    text = json.dumps(spec)
    assert all(words in text for words in ("Time since the first submission (s)", "Slot 2", "Level"))
    jobs = [row for row in spec["data"]["values"] if row["part"] == "job"]
    assert {row["job"] for row in jobs} == set(worked.JOBS)
    assert len({row["colour"] for row in jobs}) == (3 if by_flexibility else 7)


def test_a_figure_reads_the_run_beside_its_store(tmp_path):
    stores.write_run(tmp_path / "runs" / "worked" / "gang", worked.schedule())
    stores.write_run(tmp_path / "runs" / "worked" / "easy", replace(worked.schedule(), family=SPACE))
    with duckdb.connect(str(tmp_path / "slotwise.duckdb")) as connection:
        chart = gang_figure(connection, "worked", "gang")
        assert specification(chart)["usermeta"]["caption"]["processors"] == 8
        with pytest.raises(NoData, match="no run of worked under easy in the family Gang scheduling"):
            gang_figure(connection, "worked", "easy")


def test_an_empty_window_has_no_picture(matrix):
    with pytest.raises(NoData, match="No job runs"):
        draw_window(replace(matrix, allocations=matrix.allocations.clear()))


def test_gathered_jobs_are_in_one_piece_and_lose_nothing(matrix):
    close = gathered(matrix)
    for before, after in zip(
        matrix.allocations.iter_rows(named=True), close.allocations.iter_rows(named=True), strict=True
    ):
        edges = list(after["runs"])
        assert sum(edges[1::2]) - sum(edges[::2]) == after["processors"] == before["processors"]
    assert overlaps(rectangles_of(close))[1] == 0
    assert len(job_at(matrix, 6, 24)["runs"]) == 4
    assert len(job_at(close, 6, 24)["runs"]) == 2
    shrunk, whole = job_at(close, 1, 24)["runs"], job_at(close, 1, 0)["runs"]
    assert (shrunk[0], shrunk[1]) == (whole[0], whole[0] + 3)  # it keeps its lowest ones


@pytest.mark.parametrize(
    ("count", "beside", "low", "taken"),
    [
        (4, [], True, [4, 5, 6, 0]),
        (2, [], False, [5, 6]),
        (1, [2, 3], True, [4]),
        (2, [3], False, [4, 5]),
        (0, [], True, []),
    ],
)
def test_a_job_without_a_wide_gap_is_split(count, beside, low, taken):
    assert take(np.array([0, 1, 4, 5, 6]), count, np.array(beside), low) == taken


def test_the_page_carries_each_workload_once_with_all_its_policies(tmp_path):
    store = worked.write_store(tmp_path, {"gang": worked.schedule(), "counted": worked.schedule(named=False)})
    with duckdb.connect(str(store)) as connection:
        (found,) = contexts(connection)
        stores.study_again(connection)
        assert json.dumps(contexts(connection)) == json.dumps([found])
    assert [one["policy"] for one in found["policies"]] == ["gang", "counted"]
    assert [one["named"] for one in found["policies"]] == [True, False]
    assert [row[0] for row in found["jobs"]] == list(worked.JOBS)
    assert found["length"] == 54
    assert found["policies"][0]["phases"][2] == [24, 36, 3, 0.333333, 2, 24, [0, 1, 2]]
    assert len(json.dumps(found)) < 300_000


def test_a_run_with_a_slot_for_every_job_is_named_but_not_drawn(tmp_path):
    made = worked.schedule()
    high = replace(made, tables={"levels": made.tables["levels"].with_columns(level=pl.col("level") * 50)})
    store = worked.write_store(tmp_path, {"gang": made, "unlimited": high})
    with duckdb.connect(str(store), read_only=True) as connection:
        (found,) = contexts(connection)
    assert [one["policy"] for one in found["policies"]] == ["gang"]
    assert found["missing"] == ["Unlimited"]


def test_runs_of_space_sharing_have_no_matrix_diagram_and_those_of_gang_scheduling_no_other(tmp_path):
    store = worked.write_store(tmp_path, {"gang": worked.schedule(), "easy": replace(worked.schedule(), family=SPACE)})
    with duckdb.connect(str(store)) as connection:
        for policy in ("gang", "easy"):
            connection.execute("INSERT INTO series VALUES ('worked', ?, 0, 3600, 0.5, 2, 4)", [policy])
        (found,) = contexts(connection)
        (window,) = windows(connection, "sharing")
    assert [one["policy"] for one in found["policies"]] == ["gang"]
    assert window.policies == {"easy": "Easy"}
