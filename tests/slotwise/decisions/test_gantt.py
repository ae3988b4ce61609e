"""Gantt charts."""

import argparse
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ContractError
from scheduler_core.decisions.words import unit_of
from scheduler_core.runs.simulation import simulate
from slotwise.cli.gantt import some_jobs
from slotwise.decisions.blocks import FREE, cells, written
from slotwise.decisions.gantt import gantt, rectangles
from tests.profiles import searching
from tests.scheduler_core.all_subjects import seeded
from tests.slotwise.cli.command import refused, run
from tests.slotwise.planning.small_jobs import jobs, workload

ROWS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30), st.integers(1, 4)), min_size=1, max_size=12).map(
    sorted
)


@given(ROWS)
@searching(60)
def test_no_two_rectangles_overlap_and_each_job_has_its_processors(rows):
    schedule = simulate(workload(jobs(*rows), 4), "easy")
    shown = rectangles(schedule, None, None).to_dicts()
    for one, other in itertools.combinations(shown, 2):
        apart = one["finish_us"] <= other["start_us"] or other["finish_us"] <= one["start_us"]
        assert apart or one["end"] <= other["first"] or other["end"] <= one["first"]
    for row in schedule.jobs.to_dicts():
        assert sum(one["end"] - one["first"] for one in shown if one["job"] == row["job"]) == row["size"]


def test_jobs_and_window_choose_what_is_shown():
    schedule = simulate(workload(jobs((0, 3600, 4), (0, 3600, 4), (0, 3600, 4)), 4), "fcfs")
    assert rectangles(schedule, [2], None)["job"].to_list() == [2]
    assert rectangles(schedule, None, (0.5, 1.5))["job"].to_list() == [1, 2]
    assert rectangles(schedule, None, (1.0, 2.0))["job"].to_list() == [2]
    domain = gantt(schedule, window=(0.5, 1.5)).chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert domain == [30, 90]


def test_the_axis_has_a_unit_that_fits():
    assert [unit_of(seconds)[0] for seconds in (30, 400, 10_000, 10**6)] == ["s", "min", "h", "days"]


@pytest.mark.parametrize(
    ("numbers", "window", "message"),
    [
        ([9], None, "job 9 is not in the schedule, or did not run"),
        (None, (5.0, 6.0), "no job runs in the time to show"),
        (None, (2.0, 1.0), "the window ends at 1 h, which is not after its begin, 2 h"),
    ],
)
def test_what_cannot_be_shown_is_refused(numbers, window, message):
    schedule = simulate(workload(jobs((0, 3600, 4)), 4), "fcfs")
    with pytest.raises(ContractError, match=message):
        gantt(schedule, numbers, window)


@pytest.mark.parametrize("policy", ["gang", "lazy_gang", "pect", "bottom_line", "grid"])
def test_processors_that_a_policy_numbers_are_the_ones_shown(policy):
    schedule = simulate(workload(jobs((0, 3600, 2), (0, 1800, 4), (60, 900, 1), (90, 600, 3)), 4), policy)
    shown = gantt(schedule).shown
    held = {
        (row["job"], row["start_us"], number) for row in shown.to_dicts() for number in range(row["first"], row["end"])
    }
    band = 4 if schedule.family.sharing == "slots" else 0
    assert held == {
        (row["job"], row["begin_us"], row["slot"] * band + number)
        for row in schedule.allocations.to_dicts()
        for number in row["processor_ids"]
        if row["end_us"] > row["begin_us"]
    }
    for one, other in itertools.combinations(shown.to_dicts(), 2):
        apart = one["finish_us"] <= other["start_us"] or other["finish_us"] <= one["start_us"]
        assert apart or one["end"] <= other["first"] or other["end"] <= one["first"]


@pytest.mark.parametrize("name", ["coscheduling-profit", "coscheduling-shares", "concurrent_gang-mixed"])
def test_jobs_that_share_processors_at_once_are_in_bands(name):
    deepest = 0
    for seed in range(5):
        case, _ = seeded(name, seed)
        schedule = simulate(case.workload, case.policy)
        found = gantt(schedule)
        shown = found.shown.to_dicts()
        for one, other in itertools.combinations(shown, 2):
            apart = one["finish_us"] <= other["start_us"] or other["finish_us"] <= one["start_us"]
            assert apart or one["end"] <= other["first"] or other["end"] <= one["first"]
        size = case.processors
        assert {
            (row["job"], row["start_us"], number % size) for row in shown for number in range(row["first"], row["end"])
        } == {
            (row["job"], row["begin_us"], number)
            for row in schedule.allocations.to_dicts()
            for number in row["processor_ids"]
            if row["end_us"] > row["begin_us"]
        }
        if case.policy.name == "lomarc":
            bands = {row["job"]: row["first"] // size for row in shown}
            assert bands == dict(schedule.allocations.select("job", "slot").iter_rows())
        deepest = max(deepest, found.processors // size)
    assert deepest > 1


def test_characters_show_the_job_that_holds_their_middle():
    schedule = simulate(workload(jobs((0, 3600, 2), (0, 7200, 1), (0, 3600, 2)), 4), "fcfs")
    assert gantt(schedule).text(26).splitlines() == [
        "processors",
        "3 │·······················",
        "2 │▓▓▓▓▓▓▓▓▓▓ 2 ▓▓▓▓▓▓▓▓▓▓",
        "1 │████ 1 ████▒▒▒▒ 3 ▒▒▒▒▒",
        "0 │███████████▒▒▒▒▒▒▒▒▒▒▒▒",
        "  └┬─────┬────┬────┬─────┬",
        "   0     0.5  1    1.5   2",
        "                   time, h",
    ]


def test_a_suspended_job_has_its_number_in_its_longest_piece():
    """Job 1 runs, gives way to job 2, and goes on for longer: the middle of its cells is one of job 2."""
    held = np.array([[1] * 6 + [2] * 8 + [1] * 9])
    assert written(held) == ["██████▒▒ 2 ▒▒▒███ 1 ███"]


@given(ROWS, st.integers(1, 40), st.integers(1, 6))
@searching(60)
def test_every_cell_is_the_rectangle_around_its_middle(rows, columns, lines):
    found = gantt(simulate(workload(jobs(*rows), 4), "easy"))
    held = cells(found.shown, 4, found.low_us, found.high_us, lines, columns)
    for line, column in itertools.product(range(lines), range(columns)):
        time = found.low_us + (column + 0.5) * (found.high_us - found.low_us) / columns
        place = (line + 0.5) * 4 / lines
        there = [
            row["job"]
            for row in found.shown.to_dicts()
            if row["start_us"] <= time < row["finish_us"] and row["first"] <= place < row["end"]
        ]
        assert [held[line, column]] == (there or [FREE])


def test_the_command_prints_a_chart_as_wide_as_the_terminal(tmp_path, capsys, monkeypatch):
    assert run("simulate", "drawn", "--first", 300, "--policy", "pect", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", "60")
    assert run("gantt", tmp_path / "run", "--window", "0:60") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "processors"
    assert max(map(len, lines)) == 60
    assert run("gantt", tmp_path / "run", "--jobs", 6, 7) == 0
    shown = capsys.readouterr().out
    assert " 7 " in shown
    assert run("gantt", tmp_path / "run", "--jobs", "6-7") == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("text", ["7-6", "1-10001", "6-", "-6-7", "6-7-8"])
def test_a_range_of_jobs_that_cannot_be_read_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected"):
        some_jobs(text)


def test_pictures_are_written_and_equal_each_time(tmp_path, capsys):
    assert run("simulate", "drawn", "--first", 800, "--policy", "easy", "--out", tmp_path / "run") == 0
    for ending, begins in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        made = []
        for name in ("one", "other"):
            out = tmp_path / f"{name}{ending}"
            assert run("gantt", tmp_path / "run", "--window", "100:130", "--out", out) == 0
            made.append(out.read_bytes())
        assert made[0].startswith(begins)
        assert made[0] == made[1]
    assert "are too many for one picture" in refused(capsys, "gantt", tmp_path / "run", "--out", tmp_path / "all.svg")
    words = ("gantt", tmp_path / "run", "--window", "0:24", "--out", tmp_path / "x.gif")
    assert "expected a name that ends in .svg, .png, .pdf" in refused(capsys, *words)
    assert not (tmp_path / "x.gif").exists()
