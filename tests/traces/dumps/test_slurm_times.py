"""Times in lines of `sacct -P`: clocks that were changed, clocks that differ, zones."""

from tests.traces.dumps.dump_lines import fates, jobs, read, row


def test_an_hour_that_the_clock_showed_twice_is_decided_by_the_duration(tmp_path):
    times = {"Submit": "2024-10-27T01:00:00", "Start": "2024-10-27T02:50:00", "End": "2024-10-27T02:10:00"}
    imported = read(tmp_path, row(**times, ElapsedRaw="1200"), timezone="Europe/Berlin")
    assert fates(imported) == {"clock_went_back": 1, "header": 1}
    assert jobs(imported)[0][1:4] == [0, 6600, 1200]
    long = {**times, "Start": "2024-10-27T02:10:00", "End": "2024-10-27T02:50:00"}
    assert jobs(read(tmp_path, row(**long, ElapsedRaw="6000"), timezone="Europe/Berlin"))[0][3] == 6000
    kept = read(tmp_path, row(**long, ElapsedRaw="2400"), timezone="Europe/Berlin")
    assert (jobs(kept)[0][3], fates(kept)) == (2400, {"kept": 1, "header": 1})


def test_a_time_that_the_clock_skipped_is_repaired(tmp_path):
    changes = {"Submit": "2024-03-31T02:30:00", "Start": "2024-03-31T03:40:00", "End": "2024-03-31T04:40:00"}
    imported = read(tmp_path, row(**changes), timezone="Europe/Berlin")
    assert fates(imported) == {"skipped_time": 1, "header": 1}
    assert jobs(imported)[0][2] == 600


def test_times_may_be_seconds_since_1970_or_have_an_offset(tmp_path):
    times = {"Submit": "1704880800", "Start": "2024-01-10T12:01:00+0200", "End": "2024-01-10 11:01:00Z"}
    assert jobs(read(tmp_path, row(**times))) == jobs(read(tmp_path, row()))


def test_a_clock_that_was_changed_is_told_where_no_zone_is_named(tmp_path):
    longer = row(ElapsedRaw="7200")
    (note,) = read(tmp_path, longer).notes
    assert note.startswith("1 job lasted an hour more or less than from start to end: the local clock was changed")
    assert read(tmp_path, longer, timezone="Europe/Berlin").notes == []
    assert read(tmp_path, row()).notes == []


def test_clocks_that_differ_are_told_by_jobs_submitted_after_they_started(tmp_path):
    early = row(Submit="2024-01-10T11:00:00")
    (note,) = read(tmp_path, early).notes
    assert note.startswith("submitted after they started: 1 job, from 2024-01-10 to 2024-01-10")
    many = [row(JobIDRaw=f"{number}", JobID=f"{number}") for number in range(200, 300)]
    assert read(tmp_path, early, *many).notes == []
