"""The local time of a log's origin, whatever its header says."""

import pytest

from reports.figures.general.workload import local_origin
from tests.traces.swf_lines import line, write
from traces import ingest

DAY = 86_400
THURSDAY = 3 * DAY
"""1970 began on a Thursday, and days are counted from a Monday's midnight."""


def origin_of(tmp_path, *header):
    text = "".join(f"; {entry}\n" for entry in ("MaxProcs: 8", *header))
    return local_origin([ingest(write(tmp_path, line(), header=text)).workload.provenance])


def test_the_zone_of_the_log_is_taken_with_its_offset_at_the_start(tmp_path):
    start = "UnixStartTime: 893466664"
    assert origin_of(tmp_path, start, "TimeZone: -28800", "TimeZoneString: US/Pacific") == (
        893466664 - 25200 + THURSDAY,
        "in the log's local time (US/Pacific)",
    )
    assert origin_of(tmp_path, start, "TimeZone: -28800") == (
        893466664 - 28800 + THURSDAY,
        "in the log's local time (UTC-8 h)",
    )
    assert origin_of(tmp_path, start) == (
        893466664 + THURSDAY,
        "in the log's local time (UTC; the log names no time zone)",
    )


@pytest.mark.parametrize(
    "header",
    [
        ["UnixStartTime: soon"],
        ["UnixStartTime: inf", "TimeZone: nan"],
        ["UnixStartTime: 99999999999999999999", "TimeZoneString: US/Pacific"],
        ["UnixStartTime: -1"],
        ["TimeZoneString: ../../etc"],
    ],
)
def test_no_word_in_a_header_loses_the_figure(tmp_path, header):
    assert origin_of(tmp_path, *header) == (0, "counted from the first submission (the start's clock time is unknown)")


def test_a_key_that_is_there_twice_counts_once(tmp_path):
    origin, _ = origin_of(tmp_path, "UnixStartTime: 5", "UnixStartTime: 6", "TimeZone: inf", "TimeZone: 3600")
    assert origin == 5 + 3600 + THURSDAY


def test_a_workload_without_a_log_is_counted_from_its_first_submission():
    assert local_origin([])[0] == local_origin([{"kind": "model"}])[0] == 0
