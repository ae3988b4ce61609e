"""Whatever a dump holds, every line counts once; jobs written as a dump come back with the same numbers."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import SlotwiseError
from tests.traces.dumps.dump_lines import GOOD, counted_or_refused, dump, jobs, row, write
from traces.dumps.importing import import_dump
from traces.dumps.writing import KINDS

ODD = (
    "",
    "Unknown",
    "None",
    "0",
    "-1",
    "1704880800",
    "2024-10-27T02:30:00",
    "x",
    "1-00",
    "9" * 30,
    "cpu=0",
    "cpu=4,node=1",
    "1.5K",
)
STATES = ("COMPLETED", "CANCELLED by 7", "PENDING", "REQUEUED", "FAIL+", "TIMEOUT", "FAILED", "REVOKED")
changes = st.dictionaries(
    st.sampled_from([name for name in GOOD if name != "Cluster"]), st.sampled_from((*ODD, *STATES)), max_size=4
)
numbers = st.sampled_from(("1", "2", "1_2", "1_[2-3]", "1+0", "1.batch", "1_2.0"))


@given(st.lists(st.tuples(changes, numbers, numbers, st.sampled_from(STATES))), st.randoms())
def test_every_line_counts_once_in_any_order_of_columns(tmp_path_factory, lines, random):
    folder = tmp_path_factory.mktemp("dump")
    rows = [row(**{"JobID": job, "JobIDRaw": raw, "State": state, **some}) for some, job, raw, state in lines]
    columns = random.sample(list(GOOD), len(GOOD))
    try:
        imported = import_dump(write(folder, dump(*rows, row(JobID="9", JobIDRaw="9"))))
    except SlotwiseError as refusal:
        pytest.fail(f"one job is good: {refusal}")
    accounting = imported.accounting
    assert accounting.lines == len(rows) + 2
    assert accounting.lines == sum(count for _, _, count in accounting.rows())
    assert accounting.jobs == len(jobs(imported))
    again = import_dump(write(folder, dump(*rows, row(JobID="9", JobIDRaw="9"), columns=columns)))
    assert again.log == imported.log


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_words(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bytes") / "dump"
    path.write_bytes(dump(row()).encode() + data)
    counted_or_refused(path)


drawn = st.tuples(
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(1, 10**6),
    st.integers(1, 4096),
    st.integers(1, 10**6),
    st.sampled_from((0, 1, 5)),
    *(st.integers(1, 3) for _ in KINDS),
)
WORDS = {0: "FAILED", 1: "COMPLETED", 5: "CANCELLED by 0"}


@given(st.lists(drawn, min_size=1, max_size=20))
def test_drawn_jobs_come_back_with_the_same_numbers(tmp_path_factory, drawn):
    """Names are numbered by first appearance, so they are compared by who shares one."""
    rows = []
    base = 1_700_000_000
    for number, (submit, wait, runtime, size, limit, status, user, group, queue, partition, program) in enumerate(
        drawn
    ):
        start = base + submit + wait
        rows.append(
            row(
                JobIDRaw=str(number),
                JobID=str(number),
                Submit=str(base + submit),
                Start=str(start),
                End=str(start + runtime),
                ElapsedRaw=str(runtime),
                State=WORDS[status],
                ReqTRES=f"cpu={size}",
                AllocTRES=f"cpu={size},node=1",
                ReqMem=f"{size}M",
                Timelimit=f"{limit // 86400}-{limit // 3600 % 24:02}:{limit // 60 % 60:02}:{limit % 60:02}",
                User=f"u{user}",
                Account=f"a{group}",
                QOS=f"q{queue}",
                Partition=f"p{partition}",
                JobName=f"j{program}",
            )
        )
    random.Random(len(drawn)).shuffle(rows)
    path = write(tmp_path_factory.mktemp("dump"), dump(*rows))
    imported = import_dump(path)
    zero = min(job[0] for job in drawn)
    expected = sorted(
        (s - zero, wait, runtime, size, size, limit, 1024, status)
        for s, wait, runtime, size, limit, status, *_ in drawn
    )
    found = jobs(imported)
    assert sorted((*job[1:5], *job[7:11]) for job in found) == expected
    assert [job[0] for job in found] == list(range(1, len(drawn) + 1))
    assert [job[1] for job in found] == sorted(job[1] for job in found)
    names = {(kind, number): name for kind, number, name in imported.log.names}
    for job in found:
        original = drawn[int(names["job", job[0]])]
        shown = [names[kind, job[place]][1:] for kind, place in zip(KINDS, (11, 12, 14, 15, 13), strict=True)]
        assert shown == [str(number) for number in original[6:]]
    assert import_dump(path).log == imported.log
