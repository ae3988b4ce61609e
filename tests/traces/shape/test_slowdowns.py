"""Tables of slowdowns: the published one in both directions, a user's own, and what is wrong with one."""

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import JobClass, Workload
from tests.traces.jobs import workload_of
from traces.definition import read_definition
from traces.shape.behaviour import LomarcBehaviour, with_behaviour
from traces.shape.slowdowns import published_slowdowns, read_slowdowns, with_slowdowns

PRINTED = """
Grid-300  1.2  1.4/1.1  2.2/0.9  0.9/1.6  1/1.3    1.8/0.8
Grid-1200      1.2      1.4/0.8  1.1/1.7  1/1.4    1.3/0.8
Grid-2400               1.1      1/3.1    1.5/2.3  0.8/0.8
Central                          1.3      1.3/0.9  2.5/0.8
Random                                    2        1.8/0.9
Stream                                             0.8
"""
"""Table 5-2 as it is printed: the left value is that of the row's application, the right one that of the column's."""


def printed():
    """Return the slowdown of the first beside the second, by names, as the printed table says."""
    lines = [line.split() for line in PRINTED.split("\n") if line]
    names = [line[0] for line in lines]
    found = {}
    for row, (name, *cells) in enumerate(lines):
        for column, cell in zip(names[row:], cells, strict=True):
            own, _, other = cell.partition("/")
            found[name, column], found[column, name] = float(own), float(other or own)
    return found


def test_table_5_2_is_the_printed_one_in_both_directions():
    table = published_slowdowns("huang_2004")
    assert table.slowdowns == printed()
    assert len(table.slowdowns) == 36
    assert table.slowdowns["Central", "Grid-2400"] == 3.1
    assert table.slowdowns["Grid-2400", "Central"] == 1.0
    companion = table.companion()
    assert companion.select("application", "beside").rows() == [(a, b) for a in range(1, 7) for b in range(1, 7)]
    number = {name: table.number(name) for name in table.applications}
    cells = {(a, b): value for a, b, value in companion.rows()}
    assert all(cells[number[a], number[b]] == value for (a, b), value in printed().items())


def behaving(**columns):
    workload = workload_of(len(next(iter(columns.values()))), **columns)
    return with_behaviour(workload, LomarcBehaviour(), np.random.default_rng(1))


def slowed(workload, table, seed=2):
    return with_slowdowns(workload, table, np.random.default_rng(seed))


def executables(*numbers):
    return {"executable": pl.Series(numbers, dtype=pl.Int32)}


def test_applications_of_a_published_table_are_drawn_for_jobs_or_executables():
    each = slowed(behaving(**executables(*range(6000))), published_slowdowns("huang_2004"))
    counts = each.companions["behaviour"]["application"].value_counts().sort("application")
    assert counts["application"].to_list() == [1, 2, 3, 4, 5, 6]
    assert (counts["count"] / 6000).to_list() == pytest.approx([1 / 6] * 6, abs=0.02)
    shared = slowed(behaving(**executables(3, 3, 5, None, 3)), published_slowdowns("huang_2004", "executable"))
    drawn = shared.companions["behaviour"]["application"].to_list()
    assert drawn[0] == drawn[1] == drawn[4]
    step = shared.provenance["transformations"][-1]
    assert (step["step"], step["table"], step["by"]) == ("slowdowns", "huang_2004", "executable")


def written(tmp_path, *lines, heading="job,beside,slowdown"):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([heading, *lines]) + "\n", encoding="utf-8")
    return path


def every_pair(*words):
    return [
        f"{job},{beside},{1 + (number % 7) / 10}"
        for number, (job, beside) in enumerate((a, b) for a in words for b in words)
    ]


def test_a_table_by_class_takes_the_class_that_is_stated_or_that_of_the_run_time(tmp_path):
    table = read_slowdowns(written(tmp_path, *every_pair("short", "medium", "long")), "class")
    stated = pl.Series("class", ["long", "short", "medium"], dtype=JobClass)
    assert slowed(behaving(**{"class": stated}), table).companions["behaviour"]["application"].to_list() == [3, 1, 2]
    runs = pl.Series("runtime_us", [60, 61, 3600, 3601]) * 10**6
    unstated = behaving(runtime_us=runs, estimate_us=runs)
    assert slowed(unstated, table).companions["behaviour"]["application"].to_list() == [1, 2, 2, 3]


def test_a_table_by_kind_takes_what_dominates(tmp_path):
    table = read_slowdowns(written(tmp_path, *every_pair("disk", "cpu", "network")), "kind")
    behaviour = slowed(behaving(**executables(*range(50))), table).companions["behaviour"]
    numbers = {"disk": 1, "cpu": 2, "network": 3}
    assert behaviour["application"].to_list() == [numbers[kind] for kind in behaviour["kind"]]


def test_a_table_by_executable_has_a_word_for_all_others(tmp_path):
    jobs = behaving(**executables(17, 4, None, 99))
    table = read_slowdowns(written(tmp_path, *every_pair("17", "004", "other")), "executable")
    shaped = slowed(jobs, table)
    assert shaped.companions["behaviour"]["application"].to_list() == [1, 2, 0, 0]
    assert shaped.companions["slowdowns"].select("application", "beside").rows() == [
        (a, b) for a in range(3) for b in range(3)
    ]
    strict = read_slowdowns(written(tmp_path, *every_pair("17", "4")), "executable")
    with pytest.raises(
        ParameterError, match=r"the executable 'none' of job 3 is not in the file, which affects 2 of 4 jobs"
    ):
        slowed(jobs, strict)


def test_spaces_order_of_columns_and_empty_lines_do_not_matter(tmp_path):
    path = written(tmp_path, " 1.5 , cpu , cpu ", "", heading="slowdown, beside, job")
    assert read_slowdowns(path, "kind").slowdowns == {("cpu", "cpu"): 1.5}


WRONG = {
    "a pair that is missing": (
        [*every_pair("cpu", "disk")[:3]],
        "there is no line for 'disk' beside 'disk', and 1 of 4 such lines are missing",
    ),
    "a pair twice": (["cpu,cpu,1", "cpu,cpu,2"], "line 3: 'cpu' beside 'cpu' is in line 2 already"),
    "a word there is not": (["gpu,cpu,1"], "line 2: job: expected one of cpu, network, disk; found 'gpu'"),
    "no number": (["cpu,cpu,fast"], "line 2: slowdown: expected a number from 0.001 to 1000, .* found 'fast'"),
    "not a number": (["cpu,cpu,nan"], "expected a number from 0.001 to 1000, .* found 'nan'"),
    "no time at all": (["cpu,cpu,0"], "expected a number from 0.001 to 1000, .* found '0'"),
    "a value less": (["cpu,cpu"], "line 2: expected 3 values; found 2"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_file_is_told_with_its_line(tmp_path, name):
    lines, words = WRONG[name]
    with pytest.raises(ParameterError, match=rf"mine\.csv.*{words}"):
        read_slowdowns(written(tmp_path, *lines), "kind")


def test_files_that_are_no_tables_are_refused(tmp_path):
    with pytest.raises(ParameterError, match="expected the columns job, beside, slowdown; found a, b"):
        read_slowdowns(written(tmp_path, heading="a,b"))
    with pytest.raises(ParameterError, match=r"there is no file '.*none\.csv'"):
        read_slowdowns(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"job,beside,slowdown\n\xff,a,1\n")
    with pytest.raises(ParameterError, match=r"bytes\.csv: cannot be read as a CSV in UTF-8"):
        read_slowdowns(tmp_path / "bytes.csv")
    with pytest.raises(ParameterError, match="expected the number of an executable or 'other'; found 'ls'"):
        read_slowdowns(written(tmp_path, "ls,ls,1"), "executable")


def test_jobs_must_have_what_the_table_goes_by(tmp_path):
    table = read_slowdowns(written(tmp_path, "1,1,1.0"), "executable")
    with pytest.raises(ParameterError, match="the workload names no executables; write by: class"):
        slowed(behaving(user=pl.Series([1], dtype=pl.Int32)), table)
    named = behaving(**executables(1))
    with pytest.raises(ParameterError, match="has a table of slowdowns already"):
        slowed(slowed(named, table), table)
    plain = Workload(named.jobs, named.machine)
    with pytest.raises(ParameterError, match="which 'behaviour' gives to jobs; write 'behaviour' as well"):
        slowed(plain, table)


DEFINITION = {"model": "lublin", "jobs": 9, "behaviour": "lomarc"}


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("huang", "slowdowns: there is no published table of slowdowns 'huang'; did you mean 'huang_2004'"),
        ({"tabel": "huang_2004"}, "slowdowns: there is no key 'tabel'; did you mean 'table'"),
        ({"by": "class"}, "slowdowns: expected either a 'table' by its name or the path of a 'file'"),
        ({"table": "huang_2004", "by": "class"}, "slowdowns: by: .* job, executable or user; found 'class'"),
        ({"file": "none.csv"}, "slowdowns: there is no file 'none.csv'"),
        ({"file": 3}, "slowdowns: file: expected text; found 3"),
    ],
)
def test_a_definition_is_told_its_key(written, words):
    with pytest.raises(StudyError, match=words):
        read_definition({**DEFINITION, "slowdowns": written})


def test_slowdowns_need_behaviour_and_name_their_file(tmp_path):
    with pytest.raises(StudyError, match=r"slowdowns: .* which 'behaviour' gives to jobs; write that key"):
        read_definition({"model": "lublin", "jobs": 9, "slowdowns": "huang_2004"})
    classes = ("short", "medium", "long")
    lines = ["job,beside,slowdown", *(f"{one},{other},1.5" for one in classes for other in classes)]
    table, graph = tmp_path / "a.csv", tmp_path / "b.json"
    table.write_text("\n".join(lines))
    graph.write_text('{"workflow": {"tasks": [{"name": "a", "runtime": 1, "parents": []}]}}')
    assert read_definition({**DEFINITION, "slowdowns": {"file": str(table), "by": "class"}}).files == [str(table)]
    assert read_definition({**DEFINITION, "slowdowns": "huang_2004"}).files == []
    workflows = {"files": [str(graph)], "share": 0.2}
    assert read_definition({"model": "lublin", "jobs": 9, "workflows": workflows}).files == [str(graph)]
