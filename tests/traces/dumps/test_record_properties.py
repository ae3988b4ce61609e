"""Whatever the records of PBS and LSF hold, every line counts once; drawn jobs come back with the same numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.dumps import lsf_lines, pbs_lines
from tests.traces.dumps.dump_lines import counted_or_refused, dump, jobs, read_lines, row, write
from traces.dumps import rules
from traces.dumps.importing import import_dump

ODD = (
    "",
    "0",
    "-1",
    "1704880800",
    "9" * 30,
    "x",
    "1:00",
    "1-00:00:00",
    "a/0*4",
    "a/0-9999999999",
    "2:ppn=8",
    '"',
    "a b",
    "=",
    ";",
)
BASE = 1_700_000_000
TIME = "01/10/2024 11:01:00"

pbs_records = st.builds(
    lambda kind, job, time, changes: pbs_lines.record(kind, job, time, **changes),
    st.sampled_from("EQSDARLz"),
    st.sampled_from(("1.server", "2.server", "3[1].server", "3[].server", "x", "")),
    st.sampled_from((TIME, "13/40/2024 25:00:00", "")),
    st.dictionaries(st.sampled_from(list(pbs_lines.GOOD)), st.sampled_from(ODD), max_size=3),
)
lsf_records = st.builds(
    lambda changes, later: lsf_lines.record(later=later, **changes),
    st.dictionaries(
        st.sampled_from([name for name in lsf_lines.GOOD if name != "usage"]), st.sampled_from(ODD), max_size=3
    ),
    st.booleans(),
)
junk = st.text(st.characters(exclude_characters="\0\n\r", codec="utf-8"), max_size=30)
GOOD = {"pbs": pbs_lines.record(job="9.server"), "lsf": lsf_lines.record(job=9)}


@pytest.mark.parametrize(("kind", "records"), [("pbs", pbs_records), ("lsf", lsf_records)])
@given(data=st.data())
def test_every_record_counts_once(tmp_path_factory, kind, records, data):
    lines = data.draw(st.lists(st.one_of(records, records, junk), max_size=12))
    imported = read_lines(tmp_path_factory.mktemp("dump"), GOOD[kind], *lines)
    accounting = imported.accounting
    assert accounting.format == kind
    assert accounting.lines == len(lines) + 1 == sum(count for _, _, count in accounting.rows())
    assert accounting.jobs == len(jobs(imported)) >= 1
    assert read_lines(tmp_path_factory.mktemp("dump"), GOOD[kind], *lines) == imported


@pytest.mark.parametrize("kind", GOOD)
@given(cut=st.integers(0, 2000), junk=st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_in_words(tmp_path_factory, kind, cut, junk):
    path = tmp_path_factory.mktemp("bytes") / "dump"
    line = GOOD[kind].encode()
    path.write_bytes(line + b"\n" + line[:cut] + junk + line[cut:])
    counted_or_refused(path)


drawn = st.lists(
    st.tuples(
        *(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 4096)),
        *(st.integers(1, 10**6), st.booleans(), st.integers(1, 3), st.integers(1, 3)),
    ),
    min_size=1,
    max_size=20,
)


def pbs_line(number, submit, wait, runtime, size, limit, good, user, queue):
    """Return the record of a drawn job."""
    start = BASE + submit + wait
    return pbs_lines.record(
        job=f"{number}.server",
        user=f"u{user}",
        queue=f"q{queue}",
        ctime=str(BASE + submit),
        start=str(start),
        end=str(start + runtime),
        Exit_status=str(int(not good)),
        exec_host=f"node/0*{size}",
        **{"Resource_List.walltime": str(limit), "Resource_List.nodes": f"1:ppn={size}"},
    )


def lsf_line(number, submit, wait, runtime, size, limit, good, user, queue):
    """Return the record of a drawn job."""
    start = BASE + submit + wait
    times = {"submit": BASE + submit, "start": start, "event_time": start + runtime}
    names = {"user": f"u{user}", "queue": f"q{queue}", "job": number + 1}
    held = (f"{size - 1}*a", "b") if size > 1 else ("b",)
    status = 64 if good else 32
    return lsf_lines.record(limit=limit, status=status, requested=size, held=held, **times, **names)


@pytest.mark.parametrize("line", [pbs_line, lsf_line])
@given(drawn=drawn, random=st.randoms())
def test_drawn_jobs_come_back_with_the_same_numbers(tmp_path_factory, line, drawn, random):
    lines = [line(number, *job) for number, job in enumerate(drawn)]
    random.shuffle(lines)
    imported = read_lines(tmp_path_factory.mktemp("dump"), *lines)
    zero = min(job[0] for job in drawn)
    expected = sorted(
        (submit - zero, wait, runtime, size, size, limit, int(good))
        for submit, wait, runtime, size, limit, good, _, _ in drawn
    )
    found = jobs(imported)
    assert sorted((*job[1:5], job[7], job[8], job[10]) for job in found) == expected
    names = {(kind, number): name for kind, number, name in imported.log.names}
    assert sorted((names["user", job[11]], names["queue", job[14]]) for job in found) == sorted(
        (f"u{user}", f"q{queue}") for *_, user, queue in drawn
    )


@pytest.mark.parametrize("text", [dump(row()), *(f"{line}\n" for line in GOOD.values())])
def test_a_line_that_is_too_long_is_rejected(tmp_path, text):
    longest = text + "x" * rules.LONGEST_LINE + "\n" + "x" * (rules.LONGEST_LINE + 1) + "\n"
    accounting = import_dump(write(tmp_path, longest)).accounting
    assert accounting.rejected["line_too_long"] == 1
    (example,) = accounting.examples["line_too_long"]
    assert example == {"line": accounting.lines, "found": "4,000,001 characters, at most 4,000,000"}
