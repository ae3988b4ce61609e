"""Whatever stands in a log, reading it ends in a workload with an accounting that adds up, or in an error in words."""

import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import LogError
from tests.traces.swf_lines import line, write
from traces import ingest
from traces.swf_header import NUMBERS

header_keys = st.sampled_from((*NUMBERS, "TimeZoneString", "Computer", "Note", "Queue", "maxprocs", "Anything"))
header_values = st.one_of(
    st.text(max_size=12),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(("1,024", "128 (64, 64)", "US/Pacific", "UTC", "../UTC", "1e400", "-1", "9" * 50, "0x10", "１２")),
)
header_lines = st.lists(
    st.one_of(
        st.tuples(header_keys, header_values).map(lambda pair: f"; {pair[0]}: {pair[1]}"),
        st.text(max_size=20).map(lambda text: f";{text}"),
    ).map(lambda text: " ".join(text.split("\n"))),
    max_size=8,
)


@given(header_lines)
def test_whatever_a_header_says_is_typed_and_counted(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("header") / "some.swf"
    path.write_bytes("\n".join([*lines, line()]).encode("utf-8", "surrogatepass"))
    try:
        result = ingest(path)
    except LogError as refusal:
        assert "does not say how large the machine is" in str(refusal) or "not one job is left" in str(refusal)  # noqa: PT017
        return
    counted = result.accounting.header_lines
    assert counted.lines == counted.kept + sum(counted.repaired.values()) + sum(counted.rejected.values())
    assert counted.lines + result.accounting.blank == result.accounting.comments
    provenance = result.workload.provenance
    for key, (least, most) in NUMBERS.items():
        assert least <= provenance["header"].get(key, least) <= most
    clock = provenance["clock"]
    assert (clock is None) == ("UnixStartTime" not in provenance["header"])
    if clock:
        assert abs(clock["utc_offset_s"]) <= 86_400
        assert datetime.fromtimestamp(clock["start_s"] + clock["utc_offset_s"], UTC)
    json.dumps(provenance, allow_nan=False)


@given(st.binary(max_size=60), st.integers(0, 200), st.integers(0, 60))
def test_damaged_gzip_is_refused_in_words_or_read(tmp_path_factory, junk, at, cut):
    path = tmp_path_factory.mktemp("packed") / "some.swf.gz"
    packed = gzip.compress(f"; MaxProcs: 8\n{line()}\n".encode(), mtime=0)
    path.write_bytes((packed[:at] + junk + packed[at:])[: len(packed) + len(junk) - cut])
    try:
        assert len(ingest(path).workload) > 0
    except LogError as refusal:
        assert str(path) in str(refusal)  # noqa: PT017


def test_run_times_that_add_up_to_more_than_a_schedule_can_count_are_refused(tmp_path):
    lines = [line(job=job, runtime=9_999_999_999, estimate=9_999_999_999) for job in range(1, 999)]
    with pytest.raises(LogError, match=r"some.swf: workload: run times .* reach .* s; most of it have job 1"):
        ingest(write(tmp_path, *lines))
