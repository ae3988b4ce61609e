"""Hours of the week that are closed to some jobs."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotwise as sw
from scheduler_core.common.errors import ContractError, ParameterError
from tests.slotwise.cli.command import refused, run
from tests.slotwise.planning import small_jobs
from tests.slotwise.planning.small_jobs import HOUR_US
from tests.traces.shape.test_closed_hours import at
from traces.ingest import read_log
from traces.shape.closing import closed_to, closing_named, closing_words, over, with_closing
from traces.shape.hours import hours_of_week, hours_written
from traces.written_values import read_closing


def queues(*submits_h, queue=1):
    """Return jobs of one processor that run for a minute, on 48 processors, from Monday, 1 January 1996, 0:00 UTC."""
    table = small_jobs.jobs(*((round(3600 * hour), 60, 1) for hour in submits_h), queue=[queue] * len(submits_h))
    return replace(small_jobs.workload(table, 48), provenance=at("UTC"))


def starts_h(workload, policy="easy"):
    """Return the hours of the starts, of a schedule that is proved."""
    schedule = sw.simulate(workload, policy)
    assert sw.check(workload, schedule).legal
    return (schedule.jobs.sort("job")["start_us"] / HOUR_US).to_list()


@pytest.mark.parametrize(
    ("text", "monday", "saturday"),
    [
        ("8-18", range(8, 18), range(8, 18)),
        ("workdays:8-18", range(8, 18), ()),
        ("weekends:0-24", (), range(24)),
        ("18-8", (*range(8), *range(18, 24)), (*range(8), *range(18, 24))),
        ("mon:8-12", range(8, 12), ()),
        ("mon-tue:8-12+sat:0-2", range(8, 12), range(2)),
    ],
)
def test_a_job_waits_until_its_queue_opens(text, monday, saturday):
    closed = {*monday, *(24 * 5 + hour for hour in saturday)}
    asked = [*range(24), *range(24 * 5, 24 * 6)]
    found = starts_h(with_closing(queues(*asked), {"1": text}))
    assert [start == submit for start, submit in zip(found, asked, strict=True)] == [h not in closed for h in asked]


def test_a_queue_opens_to_the_second():
    assert starts_h(with_closing(queues(3, 9.5, 17.99), {"1": "8-18"})) == [3, 18, 18]
    assert starts_h(with_closing(queues(2), {"1": "18-8"})) == [8]
    assert starts_h(with_closing(queues(24 * 5 + 1), {"1": "weekends:0-24"})) == [24 * 7]


def test_other_queues_stay_open():
    assert starts_h(with_closing(queues(9), {"1": "8-18"})) == [18]
    both = queues(9, 9)
    mixed = replace(both, jobs=both.jobs.with_columns(queue=pl.Series([1, 2], dtype=pl.Int32)))
    assert starts_h(with_closing(mixed, {"1": "8-18"})) == [18, 9]
    assert starts_h(with_closing(mixed, {"1": "8-18", "2": "0-12"})) == [18, 12]


def test_hours_are_closed_to_long_jobs_or_to_all():
    """The second job asks for over an hour, the third for exactly one."""
    asked = queues(9, 9, 9)
    estimates = pl.Series([60, 3601, 3600]) * 1_000_000
    mixed = replace(asked, jobs=asked.jobs.with_columns(estimate_us=estimates))
    assert starts_h(with_closing(mixed, {"over1h": "8-18"})) == [9, 18, 9]
    assert starts_h(with_closing(mixed, {"over1h": "8-18", "all": "mon:7-11"})) == [11, 18, 11]
    without_queues = replace(mixed, jobs=mixed.jobs.drop("queue"))
    assert starts_h(with_closing(without_queues, {"all": "tue:8-18"})) == [9, 9, 9]


@given(st.sets(st.integers(0, 167), min_size=1, max_size=167))
def test_hours_are_written_as_they_are_read(hours):
    assert hours_of_week(hours_written(hours)) == sorted(hours)


@given(st.integers(1, 10**8))
def test_limits_are_written_as_they_are_read(seconds):
    assert closed_to(over(seconds * 1_000_000)) == (-1, seconds * 1_000_000)


def test_hours_are_written_by_days():
    assert hours_written(hours_of_week("workdays:8-12+sun:7-8")) == "workdays:8-12+sun:7-8"
    assert hours_written([*range(7, 9), *range(24 + 7, 24 + 9), 47]) == "mon:7-9+tue:7-9+tue:23-24"
    assert hours_written(hours_of_week("mon-tue:0-24+sat-sun:1-3")) == "mon-tue:0-24+weekends:1-3"
    assert hours_written(hours_of_week("mon-thu:20-7")) == "mon-thu:20-7"


def test_no_start_of_the_drawn_log_is_in_closed_hours_by_the_calendar():
    log = read_log("drawn")
    closed = with_closing(log, {"2": "workdays:8-18", "3": "weekends:0-24"})
    schedule = sw.simulate(closed, "conservative")
    clock = log.provenance["clock"]
    zero = datetime.fromtimestamp(clock["start_s"], ZoneInfo(clock["zone"]))
    table = schedule.jobs.join(log.jobs.select("job", "queue"), on="job")
    seen = set()
    for queue, start_us in table.select("queue", "start_us").iter_rows():
        when = (zero.astimezone(ZoneInfo("UTC")) + timedelta(microseconds=start_us)).astimezone(zero.tzinfo)
        weekend = when.weekday() > 4
        assert not (queue == 2 and not weekend and 8 <= when.hour < 18)
        assert not (queue == 3 and weekend)
        seen.add((queue, weekend))
    assert {(2, True), (3, False), (1, True)} <= seen


def test_closed_hours_are_added_to_those_that_the_workload_has():
    once = with_closing(queues(9), {"1": "8-12"})
    twice = with_closing(once, {"1": "10-14"})
    assert starts_h(twice) == [14]
    assert twice.companions["closed_hours"].row(0) == (1, 0, 8 * HOUR_US, 14 * HOUR_US)
    assert twice.companions["closed_hours"].height == once.companions["closed_hours"].height


def test_queues_stay_closed_for_a_year_after_the_last_submission():
    last = with_closing(queues(9), {"1": "8-18"}).companions["closed_hours"]["end_us"].max()
    assert last >= (366 * 24 + 9) * HOUR_US


def test_hours_are_said_in_words():
    assert closing_words({"2": "workdays:8-18"}) == "queue 2 closed from 8 to 18 on workdays"
    assert (
        closing_words({"2": "0-6", "3": "weekends:0-24"}) == "queue 2 closed from 0 to 6 and queue 3 closed on weekends"
    )
    long = "from 7 to 16 on Mondays to Thursdays and from 7 to 9 on Fridays"
    assert closing_words({"over4h": "mon-thu:7-16+fri:7-9"}) == f"no starts of jobs over 4 h {long}"
    assert closing_words({"over4h": "mon-thu:7-16+fri:7-9"}, clause=True) == f"no job over 4 h starts {long}"
    assert closing_words({"all": "tue:8-12+tue:14-15"}) == "no starts from 8 to 12, 14 to 15 on Tuesdays"
    assert closing_words({"all": "sun:0-24"}, clause=True) == "no job starts on Sundays"
    assert over(4 * HOUR_US) == "over4h"
    assert closing_words({"2": "0-6"}, clause=True) == "queue 2 is closed from 0 to 6"
    assert closing_named("3=0-6,2=weekends:9-10") == {"3": "0-6", "2": "weekends:9-10"}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "2",
            "2=",
            "2=8",
            "2=8-8",
            "2=8-25",
            "2=sundays:8-9",
            "=8-9",
            "-1=8-9",
            "2=8-9,2=9-10",
            "2=0-24",
            "2=:8-9",
        ),
        *(
            "over=8-9",
            "over-1h=8-9",
            "over4=8-9",
            "all=fri-mon:8-9",
            "2=8-9+",
            "2=workdays:0-24+weekends:0-24",
            "a=8-9",
        ),
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ParameterError, match=r"expected (hours|the hours|the number of a queue)|never open"):
        closing_named(text)


def test_hours_that_a_study_writes_are_refused_alike():
    for text in ("8", "8-8", "8-25", "sundays:8-9", ":8-9", ""):
        with pytest.raises(ParameterError, match="expected hours of the day"):
            hours_of_week(text)


@pytest.mark.parametrize("value", [{}, [1], {"a": "8-9"}, {2: "8-8"}, {2: {"from": 8}}])
def test_a_study_that_writes_anything_else_is_refused(value):
    with pytest.raises(ParameterError, match=r"expected (hours|the number of a queue)"):
        read_closing(value)


def test_a_run_is_checked_and_explained_with_the_queues_that_were_closed(tmp_path, capsys):
    close = ("--close", "2=8-18,3=weekends:0-24")
    assert run("simulate", "drawn", "--policy", "easy", *close, "--out", tmp_path / "run") == 0
    assert run("check", tmp_path / "run", "--workload", "drawn", *close, "--replay") == 0
    assert "with `--closed-hours`" in refused(capsys, "check", tmp_path / "run")
    assert run("ingest", "drawn", *close, "--out", tmp_path / "closed.parquet") == 0
    assert run("ingest", "drawn", "--close", "2=8-17", "--out", tmp_path / "other.parquet") == 0
    jobs = read_log("drawn").jobs
    noon = (pl.col("submit_us") // HOUR_US % 24 == 12) & (pl.col("queue") == 2)
    asked = ("explain", tmp_path / "run", "--job", jobs.filter(noon)["job"][0])
    capsys.readouterr()
    assert run(*asked, "--log", tmp_path / "closed.parquet") == 0
    assert "closed hours" in capsys.readouterr().out
    assert "its table closed_hours is not the one" in refused(capsys, *asked, "--log", tmp_path / "other.parquet")


def test_a_workload_that_does_not_tell_is_refused():
    with pytest.raises(ParameterError, match="no job is of queue 4; found 1"):
        with_closing(queues(9), {"4": "8-9"})
    with pytest.raises(ParameterError, match="no queue at all"):
        with_closing(queues().first(0), {"4": "8-9"})
    with pytest.raises(ContractError, match="UnixStartTime"):
        with_closing(replace(queues(9), provenance={}), {"1": "8-9"})
