"""The SWF reader: lines, numbers, header comments."""

from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import LogError
from tests.from_python import from_python
from traces import swf_kernel
from traces.swf import parse_millionths, parse_swf, quote
from traces.swf_file import LogText
from traces.swf_header import clock, machine_name, machine_processors, processors_per_node, read_header
from traces.swf_kernel import BLANK, COMMENT, LARGEST, ODD, PLAIN

LINE = b"1 0 5 100 4 90 -1 4 200 -1 1 7 2 3 1 1 -1 -1"

parse_number = from_python(swf_kernel.parse_number)


def parse(data):
    return parse_swf(LogText(Path("some.swf"), data))


def number(text):
    data = np.frombuffer(text, np.uint8)
    return parse_number(data, 0)


@pytest.mark.parametrize(
    ("text", "millionths"),
    [
        (b"0", 0),
        (b"-1", -1_000_000),
        (b"+7", 7_000_000),
        (b"489.00", 489_000_000),
        (b"2.12", 2_120_000),
        (b".5", 500_000),
        (b"-.000001", -1),
        (b"3.", 3_000_000),
        (b"0.123456", 123_456),
        (b"8999999999999.999999", 8_999_999_999_999_999_999),
        (b"0000012", 12_000_000),
    ],
)
def test_plain_numbers_are_exact(text, millionths):
    assert number(text) == (millionths, len(text))


@pytest.mark.parametrize("text", [b"-", b".", b"1e3", b"12x", b"1.2.3", b"9000000000000", b"1.1234567", b"--1", b"nan"])
def test_other_numbers_are_left_to_the_slow_reader(text):
    assert number(text)[1] == -1


@given(st.decimals(-(10**12), 10**12, places=6))
def test_both_readers_read_the_same_number(value):
    text = f"{value:f}"
    assert number(text.encode())[0] == parse_millionths(text)[0] == int(value * 10**6)


@given(st.decimals(-(10**12), 10**12, allow_nan=False).filter(lambda d: d == 0 or abs(d) > Decimal("1e-30")))
def test_any_decimal_is_rounded_to_the_nearest_microsecond(value):
    found, rule = parse_millionths(str(value))
    exact = value.scaleb(6)
    assert found == exact.quantize(Decimal(1), ROUND_HALF_EVEN)
    assert (rule == "rounded_time") == (found != exact)


@pytest.mark.parametrize(
    ("token", "rule"),
    [
        ("nan", "not_finite"),
        ("-Inf", "not_finite"),
        ("infinity", "not_finite"),
        ("four", "not_a_number"),
        ("1,5", "not_a_number"),
        ("0x10", "not_a_number"),
        ("1_000", "not_a_number"),
        ("٣", "not_a_number"),
        ("1e13", "overflow"),
        ("1e999999999", "overflow"),
        ("1e99999999999999999999", "overflow"),
        ("9" * 5000, "overflow"),
        (str(LARGEST), "overflow"),
    ],
)
def test_what_is_no_number_says_why(token, rule):
    assert parse_millionths(token) == (0, rule)


def test_exponents_are_read():
    assert parse_millionths("1.5e3") == (1_500_000_000, "")
    assert parse_millionths("0e99") == (0, "")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_every_line_has_a_kind(end, last):
    lines = [b"; MaxProcs: 8", b"", b"  \t ", LINE, b"   ;indented", LINE + b" 19", LINE.replace(b" ", b"\t  ")]
    table = parse(end.join(lines) + (end if last else b""))
    assert table.kinds.tolist() == [COMMENT, BLANK, BLANK, PLAIN, COMMENT, ODD, PLAIN]
    assert table.numbers.tolist() == [3, 6]
    assert table.unreadable == {5: "too_many_fields"}
    expected = [int(token) * 10**6 for token in LINE.split()]
    assert table.values.T.tolist() == [expected, expected]
    assert table.line(3) == LINE.decode()


def test_an_odd_line_that_can_be_read_is_read():
    table = parse(LINE.replace(b"100", b"1.00000051e2") + b"\n" + LINE)
    assert table.field(4).tolist() == [100_000_051, 100_000_000]
    assert table.rounded.tolist() == [False, False]
    table = parse(LINE.replace(b"100", b"100.00000051"))
    assert table.field(4).tolist() == [100_000_001]
    assert table.rounded.tolist() == [True]


def test_a_byte_order_mark_of_utf8_is_no_part_of_the_text():
    table = parse(b"\xef\xbb\xbf; MaxProcs: 8\n" + LINE)
    assert table.header.values == {"MaxProcs": 8}
    assert table.line(1) == LINE.decode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"; MaxProcs: 8\n\n", "no jobs in 2 lines"),
        (b"<html>\n<body>404</body>\n", "line 1: not one of 2 lines looks like a job; the first is '<html>'"),
        (b"\n; c\n1 2 3\n", "line 3: .*fewer than 18 fields"),
        (b"text\n\x00\x01\x02", "line 2: this is a binary file"),
    ],
)
def test_a_text_without_jobs_is_refused(data, words):
    with pytest.raises(LogError, match=r"(?s)some\.swf.*" + words + r".*18 numbers per line"):
        parse(data)


def test_quotes_fit_on_a_line():
    assert quote(b" a\t b\x07\xff ") == "a b\N{REPLACEMENT CHARACTER}ÿ"
    assert len(quote(b"word " * 1000)) == 160


HEADER = """\
; Version: 2.2
; Computer: IBM p655/p690
; Installation: SDSC DataStar
; Copyright: JOBLOG Usage Agreement:
;   The data is Copyright 2000
;   provided: that this notice is kept
; Information: http://joblog.npaci.edu/
;              http://www.cs.huji.ac.il/
;
; MaxNodes: 184  ( 6,  171,   7)
; MaxProcs: 1664 (72, 1368, 224)
; Queue:  0  interactive
; Queue:  1  express          (p655 /  2hr)
;  UnixStartTime: 5
; free words
""".splitlines()


def test_header_comments_become_keys_and_values():
    header = read_header(enumerate(HEADER))
    assert header.text == {
        "Version": "2.2",
        "Computer": "IBM p655/p690",
        "Installation": "SDSC DataStar",
        "Copyright": "JOBLOG Usage Agreement:\nThe data is Copyright 2000\nprovided: that this notice is kept",
        "Information": "http://joblog.npaci.edu/\nhttp://www.cs.huji.ac.il/",
        "MaxNodes": "184  ( 6,  171,   7)",
        "MaxProcs": "1664 (72, 1368, 224)",
        "Queue": ["0  interactive", "1  express          (p655 /  2hr)"],
        "UnixStartTime": "5",
        "Comment": "free words",
    }
    assert header.values == {
        **{key: header.text[key] for key in ("Version", "Computer", "Installation", "Copyright", "Information")},
        "MaxNodes": 184,
        "MaxProcs": 1664,
        "UnixStartTime": 5,
    }
    assert machine_name(header.values) == "IBM p655/p690, SDSC DataStar"
    assert processors_per_node(header.values) == 1
    assert header.accounting.counts == {"lines": 15, "kept": 13, "repaired": {"words_after_number": 2}, "rejected": {}}
    assert header.accounting.examples["words_after_number"][1] == {
        "line": 11,
        "found": "MaxProcs: 1664 (72, 1368, 224)",
    }


def values_of(*lines):
    return read_header((number, f"; {line}") for number, line in enumerate(lines))


@pytest.mark.parametrize(
    ("lines", "processors"),
    [
        (["MaxProcs: 1664 (72, 1368, 224)"], 1664),
        (["MaxProcs: 1,664"], 1664),
        (["MaxNodes: 400 (48 interactive, 352 batch)"], 400),
        (["MaxProcs: -1", "MaxNodes: 128"], 128),
        (["MaxProcs: 64", "MaxProcs: 128"], 64),
        (["MaxProcs: many", "MaxProcs: 128"], 128),
        (["maxprocs: 128.0"], 128),
        (["MaxProcs: 0"], None),
        (["MaxProcs: 99999999999"], None),
        (["MaxProcs: many"], None),
        (["MaxProcs: 12x4"], None),
        (["MaxProcs: 1,02"], None),
        ([], None),
    ],
)
def test_the_machine_is_as_large_as_the_header_says(lines, processors):
    assert machine_processors(values_of(*lines).values) == processors


def test_nodes_divide_the_processors_where_they_are_alike():
    assert processors_per_node({"MaxProcs": 1152, "MaxNodes": 144}) == 8
    assert processors_per_node({"MaxProcs": 1152}) == 1
    assert processors_per_node({}) == 1


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("UnixStartTime: soon", "not_a_number"),
        ("UnixStartTime: inf", "not_finite"),
        ("UnixStartTime: NaN", "not_finite"),
        ("UnixStartTime: 1e400", "not_a_number"),
        ("UnixStartTime:", "not_a_number"),
        ("UnixStartTime: -5", "out_of_range"),
        ("UnixStartTime: 99999999999999", "out_of_range"),
        ("UnixStartTime: " + "9" * 5000, "out_of_range"),
        ("MaxProcs: -4", "out_of_range"),
        ("MaxProcs: 0.2", "out_of_range"),
        ("TimeZone: 999999", "out_of_range"),
        ("TimeZone: US/Pacific", "not_a_number"),
        ("TimeZoneString: Mars/Olympus", "unknown_zone"),
        ("TimeZoneString: America", "unknown_zone"),
        ("TimeZoneString: ../../etc/passwd", "unknown_zone"),
        ("TimeZoneString:", "unknown_zone"),
    ],
)
def test_a_header_line_that_cannot_be_used_is_counted(line, rule):
    header = values_of("Computer: CM-5", line)
    assert header.values == {"Computer": "CM-5"}
    counts = {"lines": 2, "kept": 1, "repaired": {}, "rejected": {rule: 1}, "unused": header.accounting.unused}
    assert header.accounting.counts == counts
    assert header.accounting.unused[0].startswith("line 2, ")
    assert header.accounting.examples[rule][0]["line"] == 2
    assert clock(header.values) is None


@pytest.mark.parametrize(
    ("line", "value", "rule"),
    [
        ("UnixStartTime: 7.0", 7, ""),
        ("UnixStartTime: 7.6", 8, "rounded_number"),
        ("UnixStartTime: 7 (about)", 7, "words_after_number"),
        ("UnixStartTime: 893,466,664", 893466664, "thousands_separators"),
        ("UnixStartTime: +7", 7, ""),
    ],
)
def test_a_header_line_that_can_be_mended_is_counted(line, value, rule):
    header = values_of(line)
    assert header.values == {"UnixStartTime": value}
    assert header.accounting.repaired == ({rule: 1} if rule else {})


def test_a_key_with_one_value_has_the_first_that_can_be_used():
    header = values_of("UnixStartTime: soon", "UnixStartTime: 5", "UnixStartTime: 6", "Note: a", "Note: b")
    assert header.values == {"UnixStartTime": 5, "Note": ["a", "b"]}
    assert header.text["UnixStartTime"] == ["soon", "5", "6"]
    assert header.accounting.rejected == {"not_a_number": 1, "repeated_key": 1}
    assert header.accounting.kept == 3


def test_the_clock_on_the_wall_when_the_log_begins():
    def of(*lines):
        return clock(values_of("UnixStartTime: 893466664", *lines).values)

    assert of("TimeZone: -28800", "TimeZoneString: US/Pacific") == {
        "start_s": 893466664,
        "utc_offset_s": -25200,  # summer time
        "zone": "US/Pacific",
    }
    assert of("TimeZone: -28800", "TimeZoneString: nowhere")["zone"] == "UTC-8 h"
    assert of("TimeZone: -28800")["utc_offset_s"] == -28800
    assert of() == {"start_s": 893466664, "utc_offset_s": 0, "zone": ""}
