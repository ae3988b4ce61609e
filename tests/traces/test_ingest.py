"""From files to workloads: every rule of the accounting, everything that can be wrong with a file, the real logs."""

import gzip
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import LogError
from tests.paths import PROJECT
from tests.traces.swf_lines import SECOND, first, line, read
from traces import IngestOptions, ingest, read_log
from traces.accounting import HEADER_REJECTIONS, HEADER_REPAIRS, REJECTIONS, REPAIRS, Accounting
from traces.catalog import catalog, find_log


def test_a_good_line_is_kept_as_it_stands(tmp_path):
    result = read(tmp_path, line())
    assert first(result) == {
        "job": 1,
        "submit_us": 10 * SECOND,
        "runtime_us": 100 * SECOND,
        "estimate_us": 200 * SECOND,
        "size": 4,
        "user": 7,
        "group": 2,
        "executable": 3,
        "queue": 0,
        "partition": 1,
        "status": 1,
        "recorded_wait_us": 5 * SECOND,
    }
    assert (result.accounting.lines, result.accounting.comments, result.accounting.kept) == (2, 1, 1)
    assert result.workload.machine.processors == 8


def test_values_on_the_border_are_kept(tmp_path):
    lines = [line(estimate=100), line(job=2, allocated=8), line(job=3, allocated=1), line(job=4, submit=0)]
    lines.sort(key=lambda text: int(text.split()[1]))
    result = read(tmp_path, *lines)
    assert (result.accounting.kept, result.accounting.jobs) == (4, 4)
    assert result.workload.jobs.sort("job")["size"].to_list() == [4, 8, 1, 4]


def test_all_optional_columns_are_filled_where_they_are_known(tmp_path):
    known = line(job=2, memory=64, used_memory=32, after=1, think=2.5)
    unknown = line(job=3, user=-1, group=-1, executable=-1, queue=-1, partition=-1, status=-1, wait=-1)
    used = line(job=4, used_memory="17.9", think=9)
    jobs = read(tmp_path, known, unknown, used).workload.jobs
    assert jobs["memory_kb"].to_list() == [64, None, 17]
    assert jobs["after_job"].to_list() == [1, None, None]
    assert jobs["think_us"].to_list() == [2_500_000, None, None]
    names = ("user", "group", "executable", "queue", "partition", "status", "recorded_wait_us")
    assert [jobs[name][1] for name in names] == [None] * 7
    assert [jobs[name][0] for name in names] == [7, 2, 3, 0, 1, 1, 5 * SECOND]


def test_fractional_seconds_are_exact(tmp_path):
    result = read(tmp_path, line(submit="0.000001", runtime="489.00", estimate="500.25", wait="0.1"))
    job = first(result)
    found = [job[name] for name in ("submit_us", "runtime_us", "estimate_us", "recorded_wait_us")]
    assert found == [1, 489 * SECOND, 500_250_000, 100_000]
    assert result.accounting.kept == 1


REJECTED = {
    "too_few_fields": [line().rsplit(" ", 1)[0], "7", "2 10"],
    "too_many_fields": [line() + " 19", line() + " ; remark"],
    "not_a_number": [line(runtime="long"), line(job="1x"), line(think="-"), line(user="münchen")],
    "not_finite": [line(runtime="nan"), line(estimate="-inf")],
    "overflow": [line(runtime="1e300"), line(submit=10**11), line(user=2**31), line(job=10**13)],
    "fractional_number": [line(allocated="2.5"), line(job="1.5"), line(status="0.1")],
    "missing_submit": [line(submit=-1)],
    "negative_submit": [line(submit=-2), line(submit="-0.5")],
    "cancelled_before_start": [line(allocated=-1, status=5), line(allocated=0, runtime=-1, status=5)],
    "no_processors": [line(allocated=-1, requested=-1), line(allocated=0, requested=0)],
    "unknown_runtime": [line(runtime=-1)],
    "zero_runtime": [line(runtime=0), line(runtime="0.0000001")],
    "larger_than_machine": [line(allocated=9), line(allocated=-1, requested=9), line(allocated=10**12)],
}


@pytest.mark.parametrize(("rule", "bad"), [(rule, bad) for rule, lines in REJECTED.items() for bad in lines])
def test_a_line_that_is_no_job_is_rejected_by_its_rule(tmp_path, rule, bad):
    result = read(tmp_path, line(job=99), bad)
    assert result.accounting.rejected == {rule: 1}
    assert result.accounting.kept == 1
    assert result.workload.jobs["job"].to_list() == [99]
    (example,) = result.accounting.examples[rule]
    assert example["line"] == 3
    assert example["found"].split()[0] == bad.split()[0]


def test_every_rejection_is_tried_and_described():
    assert {*REJECTED, "partial_execution"} == set(REJECTIONS)
    assert all(REJECTIONS.values())
    assert all(REPAIRS.values())


def test_parts_of_a_job_are_left_to_the_line_of_the_whole(tmp_path):
    lines = [line(job=1), line(job=1, status=2), line(job=1, status=4), line(job=2, status=3)]
    result = read(tmp_path, *lines)
    assert result.accounting.rejected == {"partial_execution": 2}
    assert result.workload.jobs["job"].to_list() == [1, 2]


REPAIRED = {
    "rounded_time": (line(runtime="100.0000004"), "runtime_us", 100 * SECOND),
    "missing_job_number": (line(job=-1), "job", 100),
    "duplicate_job": (line(job=99), "job", 100),
    "out_of_order": (line(submit=3), "submit_us", 3 * SECOND),
    "processors_from_request": (line(allocated=-1, requested=3), "size", 3),
    "estimate_from_runtime": (line(estimate=-1), "estimate_us", 100 * SECOND),
    "estimate_raised": (line(estimate=60), "estimate_us", 100 * SECOND),
}


@pytest.mark.parametrize("rule", REPAIRED)
def test_a_line_with_a_flaw_is_repaired_by_its_rule(tmp_path, rule):
    text, column, value = REPAIRED[rule]
    result = read(tmp_path, line(job=99), text)
    assert result.accounting.repaired == result.accounting.repairs_applied == {rule: 1}
    assert result.accounting.kept == 1
    assert value in result.workload.jobs[column].to_list()
    assert [example["line"] for example in result.accounting.examples[rule]] == [3]


@pytest.mark.parametrize(
    ("option", "word", "text", "rule"),
    [
        ("nonpositive_runtime", "one_second", line(runtime=0), "one_second_runtime"),
        ("nonpositive_runtime", "one_second", line(runtime=-1), "one_second_runtime"),
        ("nonpositive_runtime", "zero_as_one_second", line(runtime=0), "one_second_runtime"),
        ("cancelled_before_start", "keep", line(allocated=-1, status=5), "processors_from_request"),
        ("missing_submit", "previous", line(submit=-1), "submit_from_previous"),
    ],
)
def test_options_keep_what_is_rejected_by_default(tmp_path, option, word, text, rule):
    lines = (line(job=99, submit=20), text)
    assert sum(read(tmp_path, *lines).accounting.rejected.values()) == 1
    result = read(tmp_path, *lines, options={option: word})
    assert result.accounting.rejected == {}
    assert result.accounting.repairs_applied[rule] == 1
    assert len(result.workload) == 2
    job = result.workload.jobs.filter(job=1).row(0, named=True)
    assert job["runtime_us"] == (SECOND if rule == "one_second_runtime" else 100 * SECOND)
    assert job["submit_us"] == (20 * SECOND if rule == "submit_from_previous" else 10 * SECOND)
    assert result.workload.provenance["options"][option] == word


def test_an_unknown_run_time_is_not_zero(tmp_path):
    result = read(tmp_path, line(), line(runtime=-1), options={"nonpositive_runtime": "zero_as_one_second"})
    assert result.accounting.rejected == {"unknown_runtime": 1}


def test_a_first_job_without_submission_has_none_before_it(tmp_path):
    result = read(tmp_path, line(submit=-1), line(job=2), options={"missing_submit": "previous"})
    assert result.accounting.rejected == {"missing_submit": 1}


def test_jobs_may_run_over_their_estimate_and_be_killed(tmp_path):
    result = read(tmp_path, line(estimate=60), options={"overrun": "kill"})
    assert (first(result)["estimate_us"], first(result)["runtime_us"]) == (60 * SECOND, 100 * SECOND)
    assert result.accounting.kept == 1


def test_a_line_with_several_repairs_counts_under_the_first(tmp_path):
    result = read(tmp_path, line(job=5, submit=20), line(job=5, submit=3, allocated=0, estimate=0))
    assert result.accounting.repaired == {"duplicate_job": 1}
    expected = ["duplicate_job", "out_of_order", "processors_from_request", "estimate_from_runtime"]
    assert result.accounting.repairs_applied == dict.fromkeys(expected, 1)
    assert list(result.accounting.repairs_applied) == [rule for rule in REPAIRS if rule in expected]


def test_a_line_with_several_flaws_is_rejected_under_the_first(tmp_path):
    result = read(tmp_path, line(), line(submit=-5, allocated=-1, requested=-1, runtime=0), line(job="x", user="inf"))
    assert result.accounting.rejected == {"not_a_number": 1, "negative_submit": 1}


def test_jobs_out_of_order_are_sorted(tmp_path):
    submits = [30, 10, 20, 40, 35]
    result = read(tmp_path, *(line(job=number, submit=submit) for number, submit in enumerate(submits)))
    assert result.workload.jobs["job"].to_list() == [1, 2, 0, 4, 3]
    assert result.accounting.repaired == {"out_of_order": 3}
    assert result.workload.jobs["submit_us"][0] == 10 * SECOND, "the log's own zero is kept"


def test_jobs_of_one_instant_come_by_number(tmp_path):
    result = read(tmp_path, line(job=2), line(job=1))
    assert result.workload.jobs["job"].to_list() == [1, 2]
    assert result.accounting.kept == 2


def test_fresh_numbers_are_above_those_of_rejected_lines(tmp_path):
    result = read(tmp_path, line(job=3), line(job=3), line(job=3), line(job=1000, runtime=0))
    assert result.workload.jobs["job"].to_list() == [3, 1001, 1002]


def test_examples_are_the_first_three(tmp_path):
    result = read(tmp_path, *(line(job=n, estimate=50) for n in range(6)), "x", "y", "z", "w", line(job=7, estimate=1))
    assert [e["line"] for e in result.accounting.examples["estimate_raised"]] == [2, 3, 4]
    assert result.accounting.examples["too_few_fields"] == [
        {"line": 8, "found": "x"},
        {"line": 9, "found": "y"},
        {"line": 10, "found": "z"},
    ]
    assert result.accounting.rejected == {"too_few_fields": 4}


def test_examples_of_both_readers_are_merged(tmp_path):
    lines = [line(runtime=10**11), line(runtime="1e40"), line(runtime=10**11), line(runtime="1e40"), line()]
    result = read(tmp_path, *lines)
    assert result.accounting.rejected == {"overflow": 4}
    assert [e["line"] for e in result.accounting.examples["overflow"]] == [2, 3, 4]


def test_the_accounting_goes_to_json(tmp_path):
    result = read(tmp_path, line(), "", "x", line(job=1), expected_sha256=None)
    found = json.loads(json.dumps(result.accounting.to_dict()))
    assert found == result.accounting.to_dict()
    assert {name: found[name] for name in ("lines", "comments", "blank", "kept", "jobs", "file")} == {
        "lines": 5,
        "comments": 2,
        "blank": 1,
        "kept": 1,
        "jobs": 2,
        "file": "some.swf",
    }
    assert found["bytes"] == (tmp_path / "some.swf").stat().st_size
    assert found["header"] == {"MaxProcs": "8"}
    assert (found["repaired"], found["rejected"]) == ({"duplicate_job": 1}, {"too_few_fields": 1})


def test_an_accounting_that_does_not_add_up_is_an_error():
    good = {"file": "f", "sha256": "", "bytes": 9, "lines": 3, "comments": 1, "blank": 1, "kept": 1}
    assert Accounting(**good, repaired={"out_of_order": 1}).jobs == 2
    with pytest.raises(LogError, match="does not add up"):
        Accounting(**good)
    with pytest.raises(LogError, match="does not add up"):
        Accounting(**{**good, "lines": 2, "blank": 2})


# Properties

times = st.decimals(0, 10**7, places=6)
ids = st.integers(-1, 2**31 - 1)
drawn_jobs = st.lists(
    st.fixed_dictionaries(
        {
            "job": st.integers(0, 30),
            "submit": times,
            "wait": times,
            "runtime": times.filter(bool),
            "allocated": st.integers(1, 8),
            "estimate": st.one_of(st.just(Decimal(-1)), times.filter(bool)),
            "user": ids,
            "status": st.sampled_from((-1, 0, 1, 5)),
        }
    ),
    min_size=1,
    max_size=12,
)


@given(drawn_jobs, st.sampled_from(("raise_estimate", "kill")), st.booleans())
def test_written_jobs_are_read_back(tmp_path_factory, drawn, overrun, packed):
    path = tmp_path_factory.mktemp("drawn") / "drawn.swf"
    text = "; MaxProcs: 8\n" + "".join(line(**job) + "\n" for job in drawn)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    result = ingest(path, IngestOptions(overrun=overrun))
    used, fresh, expected = set(), max(job["job"] for job in drawn), []
    for job in drawn:
        number = job["job"]
        if number in used:
            fresh += 1
            number = fresh
        used.add(number)
        runtime, estimate = job["runtime"], job["estimate"]
        estimate = runtime if estimate < 0 or (estimate < runtime and overrun != "kill") else estimate
        times_us = [int(value * SECOND) for value in (job["submit"], runtime, estimate)]
        expected.append((number, *times_us, job["allocated"], None if job["user"] < 0 else job["user"]))
    jobs = result.workload.jobs
    users = jobs["user"].to_list() if "user" in jobs.columns else [None] * len(drawn)
    required = jobs.select("job", "submit_us", "runtime_us", "estimate_us", "size").rows()
    found = [(*row, user) for row, user in zip(required, users, strict=True)]
    assert found == sorted(expected, key=lambda row: (row[1], row[0]))


pieces = st.one_of(
    st.binary(max_size=40),
    st.sampled_from((line(), line(job=2, runtime="1e5"), "; MaxProcs: 8", "", "nan " * 18, "1 " * 17)).map(str.encode),
    st.lists(st.sampled_from((b"-1", b"0", b"7", b"1e9", b"2.5", b"x", b"\xff")), min_size=17, max_size=19).map(
        b" ".join
    ),
)


@given(st.lists(pieces, max_size=12), st.sampled_from((b"\n", b"\r\n")), st.sampled_from((None, 64)), st.booleans())
def test_arbitrary_bytes_give_an_error_in_words_or_an_accounting_that_adds_up(
    tmp_path_factory, lines, end, processors, packed
):
    path = tmp_path_factory.mktemp("any") / "any.swf"
    data = end.join(lines)
    path.write_bytes(gzip.compress(data) if packed else data)
    try:
        result = ingest(path, processors=processors)
    except LogError as refusal:
        assert str(path) in str(refusal)  # noqa: PT017 - an error is one of two right answers
        return
    accounting = result.accounting
    assert accounting.lines == data.count(b"\n") + (not data.endswith(b"\n"))
    fates = (accounting.comments, accounting.kept, *accounting.repaired.values(), *accounting.rejected.values())
    assert accounting.lines == sum(fates)
    assert accounting.jobs == len(result.workload) > 0
    assert result.workload.jobs["job"].n_unique() == len(result.workload)
    json.dumps(accounting.to_dict(), allow_nan=False)


# The logs of the archive

FOUND = {
    # lines rejected for having no run time or no processors, jobs kept whose run time is above their estimate
    "LANL-CM5-1994-4.1-cln": (5, 40_180),
    "SDSC-SP2-1998-4.2-cln": (5_681, 4_134),
    "SDSC-Par-1996-3.1-cln": (7, 0),
    "SDSC-BLUE-2000-4.2-cln": (19_669, 22_217),
    "SDSC-DS-2004-2.1-cln": (11_176, 10_658),
}


@pytest.mark.logs
@pytest.mark.parametrize("name", FOUND)
def test_the_logs_of_the_archive_are_accounted_for(name):
    entry, path = catalog()[name], find_log(name)
    if path is None:
        pytest.skip(f"{name} is not at hand")
    result = ingest(path, name=name, expected_sha256=entry.sha256)
    accounting, machine = result.accounting, result.workload.machine
    without_run, overruns = FOUND[name]
    assert accounting.bytes == entry.bytes
    assert accounting.lines - accounting.comments == entry.jobs
    assert sum(accounting.rejected.values()) == without_run
    assert len(result.workload) == entry.jobs - without_run
    assert accounting.repairs_applied.get("estimate_raised", 0) == overruns
    assert (machine.processors, machine.processors_per_node, machine.name) == (
        entry.processors,
        entry.processors_per_node,
        entry.machine,
    )
    assert int(accounting.header["UnixStartTime"]) == entry.start
    assert accounting.header["TimeZoneString"] == entry.time_zone
    assert accounting.header["Acknowledge"] == entry.contributor
    killed = ingest(path, IngestOptions(overrun="kill"))
    assert int((killed.workload.jobs["runtime_us"] > killed.workload.jobs["estimate_us"]).sum()) == overruns


@pytest.mark.logs
def test_a_log_is_read_by_its_label():
    if find_log("SDSC-Par") is None:
        pytest.skip("SDSC-Par is not at hand")
    workload = read_log("SDSC-Par")
    assert workload.provenance["source"] == "SDSC-Par-1996-3.1-cln"
    assert len(workload) == 32_135 - 7


def test_the_readme_explains_every_rule_and_option():
    text = (PROJECT / "traces" / "README.md").read_text(encoding="utf-8")
    words = [*REJECTIONS, *REPAIRS, *HEADER_REJECTIONS, *HEADER_REPAIRS]
    for parameter in IngestOptions.describe_parameters():
        words += [parameter["name"], *parameter["choices"]]
    assert [word for word in words if f"`{word}" not in text and f'"{word}"' not in text] == []
