"""Days of a log: whole ones, both ends included, by the clock where the machine stood."""

from dataclasses import replace

import numpy as np
import pytest

from scheduler_core.common.errors import ParameterError
from tests.traces.jobs import workload_of
from traces.shape.dates import Dates, between_dates

HOUR_US = 3600 * 10**6
NEW_YORK = {"start_s": 835823160, "utc_offset_s": -14400, "zone": "US/Eastern"}
"""26 June 1996, 17:06 on the wall."""


def hourly(hours, clock):
    """Make a log with a job every hour."""
    provenance = {"kind": "log", "source": "hourly", **({} if clock is None else {"clock": clock})}
    return replace(workload_of(hours, submit_us=np.arange(hours) * HOUR_US), provenance=provenance)


def days(first, last):
    return Dates.build({"from": first, "to": last})


def test_midnight_is_that_of_the_machine_and_both_days_count():
    kept = between_dates(hourly(72, NEW_YORK), days("1996-06-26", "1996-06-27"))
    assert kept.jobs["job"].to_list() == list(range(1, 32))  # 17:06 to 23:06, and 24 hours of the next day
    assert between_dates(hourly(72, NEW_YORK), days("1996-06-28", "1996-06-28")).jobs["job"].to_list() == list(
        range(32, 56)
    )
    assert kept.provenance["transformations"] == [{"step": "dates", "from": "1996-06-26", "to": "1996-06-27"}]


def test_a_zone_by_its_offset_does():
    clock = {"start_s": 0, "utc_offset_s": 7200, "zone": "UTC+2 h"}
    assert len(between_dates(hourly(72, clock), days("1970-01-01", "1970-01-01"))) == 22


def test_summer_time_ends_within_the_window():
    start_s = 846388800  # 27 October 1996, 00:00, of 25 hours
    clock = {"start_s": start_s, "utc_offset_s": -14400, "zone": "US/Eastern"}
    assert len(between_dates(hourly(72, clock), days("1996-10-27", "1996-10-27"))) == 25


def test_errors_say_what_the_log_has():
    with pytest.raises(
        ParameterError, match=r"no job of hourly .* 1997-01-01 to 1997-01-02; it has 1996-06-26 to 1996-06-2"
    ):
        between_dates(hourly(30, NEW_YORK), days("1997-01-01", "1997-01-02"))
    with pytest.raises(ParameterError, match="header of hourly does not say when the log begins"):
        between_dates(hourly(30, None), days("1997-01-01", "1997-01-02"))
