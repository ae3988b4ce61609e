"""Workflow files: what is read, what is repaired, what is refused, and that everything is counted."""

import gzip
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from scheduler_core.common.errors import LogError
from tests.traces.workflows.instances import TWO_ROOTS, instance, task
from traces.workflows import Dependency, Graph, Task, WorkflowAccounting, read_workflow

DIAMOND = """<?xml version="1.0"?>
<adag xmlns="http://pegasus.isi.edu/schema/DAX" name="diamond">
  <job id="last" name="analyse" runtime="30.5">
    <uses file="b" link="input" size="1500"/><uses file="c" link="input" size="1"/>
  </job>
  <job id="first" name="preprocess" runtime="10" cores="4"><uses file="a" link="output" size="2000"/></job>
  <job id="left" name="find" runtime="20">
    <uses file="a" link="input" size="2000"/><uses file="b" link="output" size="1500"/>
  </job>
  <job id="right" name="find" runtime="20"><uses file="a" link="input" size="2000"/><uses file="c" link="output"/></job>
  <child ref="left"><parent ref="first"/></child>
  <child ref="right"><parent ref="first"/></child>
  <child ref="last"><parent ref="left"/><parent ref="right"/></child>
</adag>
"""


def read_text(tmp_path: Path, text: str, ends: str = "refuse", name: str = "w.dax") -> tuple[Graph, WorkflowAccounting]:
    """Read a workflow from a file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_workflow(path, ends)


def test_a_dax_file_is_read_in_topological_order(tmp_path: Path) -> None:
    graph, accounting = read_text(tmp_path, DIAMOND)
    assert [task.name for task in graph.tasks] == ["first", "left", "right", "last"]
    assert graph.tasks[0] == Task("first", 10.0, 4, "preprocess")
    assert graph.dependencies == (Dependency(1, 2, 2), Dependency(1, 3, 2), Dependency(2, 4, 2), Dependency(3, 4, 1))
    assert (graph.roots, graph.exits, graph.levels) == ([1], [4], [1, 2, 2, 3])
    assert (accounting.tasks, accounting.kept_tasks, accounting.dependencies, accounting.kept) == (4, 4, 4, 4)


def test_a_gzipped_file_is_the_same_workflow(tmp_path: Path) -> None:
    packed = tmp_path / "w.dax.gz"
    packed.write_bytes(gzip.compress(DIAMOND.encode()))
    assert read_workflow(packed) == (
        read_text(tmp_path, DIAMOND)[0],
        replace(read_text(tmp_path, DIAMOND)[1], file="w.dax.gz"),
    )


def test_a_dependency_that_only_files_tell_is_taken_and_counted(tmp_path: Path) -> None:
    graph, accounting = read_text(tmp_path, DIAMOND.replace('<child ref="left"><parent ref="first"/></child>', ""))
    assert Dependency(1, 2, 2) in graph.dependencies
    assert (accounting.kept, accounting.repaired) == (3, {"by_file": 1})


def test_a_dependency_said_twice_counts_once(tmp_path: Path) -> None:
    twice = DIAMOND.replace('<parent ref="left"/>', '<parent ref="left"/><parent ref="left"/>')
    graph, accounting = read_text(tmp_path, twice)
    assert len(graph.dependencies) == 4
    assert (accounting.dependencies, accounting.kept, accounting.rejected) == (5, 4, {"repeated": 1})


def test_wfcommons_before_and_since_format_1_5_say_the_same(tmp_path: Path) -> None:
    files = [{"link": "output", "name": "f", "size": 5000}]
    second = {"runtimeInSeconds": 4, "cores": 1, "parents": ["a"], "files": [{**files[0], "link": "input"}]}
    old = instance([task("a", runtime=3, cores=2, children=["b"], files=files), {"name": "b", **second}])
    new = {
        "name": "w",
        "schemaVersion": "1.5",
        "workflow": {
            "specification": {
                "tasks": [
                    {"id": "a", "name": "a", "parents": [], "children": ["b"], "inputFiles": [], "outputFiles": ["f"]},
                    {"id": "b", "name": "b", "parents": ["a"], "children": [], "inputFiles": ["f"], "outputFiles": []},
                ],
                "files": [{"id": "f", "sizeInBytes": 5000}],
            },
            "execution": {
                "tasks": [
                    {"id": "a", "runtimeInSeconds": 3, "coreCount": 2},
                    {"id": "b", "runtimeInSeconds": 4, "coreCount": 1},
                ]
            },
        },
    }
    of_old, of_new = read_text(tmp_path, old, name="w.json"), read_text(tmp_path, json.dumps(new), name="w.json")
    assert of_old[0] == of_new[0]
    assert of_old[0].dependencies == (Dependency(1, 2, 5),)
    assert of_old[1].kept == of_new[1].kept == 1


def test_what_is_repaired_of_tasks_and_dependencies_is_counted(tmp_path: Path) -> None:
    tasks = [task("a", runtime=0, children=["b"]), {"name": "b", "runtime": 2}, task("c", runtime=2, parents=["b"])]
    del tasks[0]["cores"]
    text = instance(tasks)
    graph, accounting = read_text(tmp_path, text, name="w.json")
    assert [task.runtime_s for task in graph.tasks] == [1.0, 2.0, 2.0]
    assert accounting.repaired_tasks == {"one_second": 1, "one_processor": 1}
    assert (accounting.kept_tasks, accounting.repaired) == (1, {"one_sided": 2})
    assert list(accounting.rows()) == [
        ("tasks", "kept", "", 1),
        ("tasks", "repaired", "one_second", 1),
        ("tasks", "repaired", "one_processor", 1),
        ("dependencies", "kept", "", 0),
        ("dependencies", "repaired", "one_sided", 2),
    ]


def test_two_roots_are_refused_or_joined(tmp_path: Path) -> None:
    with pytest.raises(
        LogError, match=r"w\.json: workflow w: 2 roots, tasks a, b; expected one\. Without ends: refuse"
    ):
        read_text(tmp_path, instance(TWO_ROOTS), name="w.json")
    graph, accounting = read_text(tmp_path, instance(TWO_ROOTS), "join", "w.json")
    assert (graph.roots, graph.exits, len(graph.tasks), accounting.joined) == ([1], [4], 4, 1)
    assert graph.dependencies == (Dependency(1, 2), Dependency(1, 3), Dependency(2, 4), Dependency(3, 4))


def test_two_exits_are_joined_behind_them(tmp_path: Path) -> None:
    text = instance([task("a", children=["b", "c"]), task("b", parents=["a"]), task("c", parents=["a"])])
    with pytest.raises(LogError, match="2 exits, tasks b, c"):
        read_text(tmp_path, text, name="w.json")
    graph, _ = read_text(tmp_path, text, "join", "w.json")
    assert (graph.roots, graph.exits, graph.levels) == ([1], [4], [1, 2, 2, 3])


CYCLE = DIAMOND.replace('<child ref="left"><parent ref="first"/>', '<child ref="left"><parent ref="last"/>')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CYCLE, r"w: workflow diamond: a cycle: tasks last, left wait for each other"),
        (
            DIAMOND.replace('parent ref="right"', 'parent ref="wrong"'),
            "names the task wrong, which the file does not have",
        ),
        (
            DIAMOND.replace('runtime="10"', ""),
            r"workflow diamond, task first: expected a run time in seconds; found none",
        ),
        (DIAMOND.replace('runtime="10"', 'runtime="-1"'), "task first: expected a run time in seconds; found '-1'"),
        (DIAMOND.replace('runtime="10"', 'runtime="nan"'), "task first: expected a run time in seconds; found 'nan'"),
        (
            DIAMOND.replace('cores="4"', 'cores="0"'),
            "task first: expected a number of processors of at least 1 and at most 2,147,483,647; found '0'",
        ),
        (DIAMOND.replace('id="right"', 'id="left"'), "expected a unique id for every job; found left twice"),
        (DIAMOND.replace("</adag>", ""), r"w, line \d+, column \d+: this is no XML"),
        ("<workflow/>", "expected <adag> around the workflow of a DAX file; found <workflow>"),
        ('<adag name="none"></adag>', "workflow none: there is no task in it"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><adag/>', "declares no entities"),
        ("job,runtime", "expected a DAX file, which begins with '<', or a WfCommons one"),
        ("{", "this is no JSON"),
        ("{}", "expected an object under 'workflow' of a WfCommons file; found nothing"),
        ('{"workflow": {"tasks": [1]}}', "expected a list of objects under 'workflow.tasks'"),
        ('{"workflow": {"specification": {"tasks": []}}}', "expected an object under 'workflow.execution'"),
        (instance([{"name": "a", "runtime": 1, "cores": 1.5}]), "task a: expected a number of processors"),
        (instance([{"name": "a", "runtime": 1}, {"name": "a", "runtime": 1}]), "found a twice"),
        (instance([{"runtime": 1}]), "expected a unique id for every task; found none"),
        (instance([{"name": "a", "runtime": "long"}]), "task a: expected a run time in seconds; found 'long'"),
        (
            instance([{"name": "a", "runtime": 1e18}]),
            r"task a: expected a run time of at most 1,000,000,000 s; found 1e\+18",
        ),
        (instance([{"name": "a", "runtime": 10**400}]), "task a: expected a run time in seconds; found 100000"),
        (instance([{"name": "a", "runtime": 1, "cores": 10**12}]), "task a: expected a number of processors"),
        (
            instance([{"name": "a", "runtime": 1, "cores": float("inf")}]),
            "expected a number of processors .*; found inf",
        ),
        (
            instance([{"name": "a", "runtime": 1, "parents": 5}]),
            "task a: expected a list under 'parents'; found a number",
        ),
        (
            instance([{"name": "a", "runtime": 1, "files": {}}]),
            "task a: expected a list under 'files'; found an object",
        ),
        (instance([{"name": "a", "runtime": 1, "inputFiles": 1}]), "task a: expected a list under 'inputFiles'"),
        ('{"workflow": ' + "[" * 100_000, "too many brackets within each other"),
        (DIAMOND.replace('cores="4"', 'cores="\u00b2"'), "task first: expected a number of processors"),
        (DIAMOND.replace('cores="4"', f'cores="{"9" * 5000}"'), "task first: expected a number of processors"),
        (DIAMOND.replace('version="1.0"', 'version="1.0" encoding="none"'), "no XML that can be read"),
        (DIAMOND.replace('<parent ref="right"/>', "<parent/>"), "a dependency names no task"),
        (DIAMOND.replace('parent ref="right"', 'parent ref="last"'), "task last waits for itself"),
        (DIAMOND.replace('size="1500"', 'size="1e30"'), "task left hands .* kB to task last; expected at most"),
    ],
)
def test_what_cannot_be_a_workflow_is_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(LogError, match=says):
        read_text(tmp_path, text, name="w")


def test_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(DIAMOND.encode()))
    packed[30:60] = b"\xff" * 30
    (tmp_path / "w.dax.gz").write_bytes(packed)
    with pytest.raises(LogError, match=r"w\.dax\.gz, line 1: the gzip stream is damaged"):
        read_workflow(tmp_path / "w.dax.gz")


def test_names_hold_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    tasks = [{"name": "a\x1b[2J", "runtime": 1, "category": "x\r\ny"}]
    graph, _ = read_text(tmp_path, instance(tasks, "\x1b[31mw\n"), name="w.json")
    assert (graph.name, graph.tasks[0].name, graph.tasks[0].kind) == ("[31mw", "a [2J", "x  y")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"none\.dax: there is no such file"):
        read_workflow(tmp_path / "none.dax")


def test_the_accounting_is_written_and_must_add_up(tmp_path: Path) -> None:
    _, accounting = read_text(tmp_path, DIAMOND)
    accounting.write(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == asdict(accounting)
    with pytest.raises(LogError, match="does not add up"):
        WorkflowAccounting("w", "", 0, tasks=3, kept_tasks=2, dependencies=0, kept=0)
