"""Jobs made into workflows of a shape, or of files."""

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from scheduler_core.common.errors import LogError, ParameterError
from scheduler_core.contracts import Workload
from tests.traces.jobs import workload_of
from tests.traces.workflows.instances import TWO_ROOTS, instance, task
from traces.seeds import generator
from traces.written_values import read_workflows

S = 1_000_000
DRAWN = partial(generator, 1, "w", 0)


def jobs(count: int = 40) -> Workload:
    """Return eligible jobs of 20 processors and 9,000 s, estimated at 10,000 s, one every minute."""
    submit_us = [k * 60 * S for k in range(count)]
    return workload_of(count, submit_us=submit_us, runtime_us=9000 * S, estimate_us=10_000 * S, size=20)


def with_workflows(written: dict[str, Any]) -> Workload:
    """Return the jobs with workflows as a definition asks for them."""
    return read_workflows(written).add(jobs(), DRAWN)


def file_of(tmp_path: Path, name: str, tasks: list[dict[str, Any]]) -> str:
    """Write a WfCommons instance; return its path."""
    path = tmp_path / name
    path.write_text(instance(tasks, name), encoding="utf-8")
    return str(path)


def work(table: pl.DataFrame) -> int:
    """Return processor-microseconds."""
    return int((table["runtime_us"] * table["size"].cast(pl.Int64)).sum())


def test_shaped_jobs_keep_their_work_and_their_submission() -> None:
    workload = with_workflows({"shape": "montage", "width": 4, "share": 0.5})
    tasks = workload.jobs.join(workload.companions["tasks"], on="job")
    workflows = tasks["workflow"].n_unique()
    assert tasks.height == 18 * workflows
    assert workflows == 2  # of 40 medium jobs, half as many again are 40 tasks, and 36 come nearest
    before = jobs().jobs.filter(pl.col("job").is_in(tasks["workflow"].unique().implode()))
    assert abs(work(tasks) - work(before)) <= tasks["size"].sum()
    assert set(tasks["submit_us"]) == set(before["submit_us"])
    assert workload.jobs.height == 40 - workflows + tasks.height
    told = tasks["estimate_us"] / tasks["runtime_us"]
    assert told.is_between(10 / 9 - 1e-6, 10 / 9 + 1e-6).all()
    seconds = workload.companions["edges"]["transfer_us"] / S
    assert 20 <= seconds.min() < seconds.max() <= 600  # type: ignore[operator]


def test_a_larger_share_has_the_workflows_of_a_smaller_one() -> None:
    few, many = (with_workflows({"shape": "layered", "share": share}) for share in (0.3, 0.6))
    assert len(many.companions["tasks"]) > len(few.companions["tasks"]) > 0
    for name, key in (("tasks", ["workflow", "task", "job"]), ("edges", ["workflow", "from_task", "to_task"])):
        assert few.companions[name].join(many.companions[name], on=key, how="anti").height == 0
    both = few.jobs.join(few.companions["tasks"], on="job").join(many.jobs, on="job", suffix="_many")
    assert (both["runtime_us"] == both["runtime_us_many"]).all()
    edges = few.companions["edges"].join(many.companions["edges"], on=["workflow", "from_task", "to_task"])
    assert (edges["transfer_us"] == edges["transfer_us_right"]).all()


def test_every_shape_makes_a_workload() -> None:
    for shape in ("chain", "fork_join", "layered", "montage"):
        assert len(with_workflows({"shape": shape, "share": 0.4}).companions["tasks"]) > 0


def test_a_file_lends_its_shape_or_its_work(tmp_path: Path) -> None:
    files = [{"link": "output", "name": "f", "size": 5_000_000}]
    tasks = [
        task("a", runtime=30, cores=2, children=["b"], files=files),
        task("b", runtime=60, parents=["a"], files=[{**files[0], "link": "input"}]),
    ]
    named = file_of(tmp_path, "w.json", tasks)
    asked = {"files": [named], "select": "all", "fraction": 0.5, "bandwidth_mb_s": 10, "latency_s": 1}
    lent = with_workflows(asked)
    own = lent.jobs.join(lent.companions["tasks"], on="job")
    assert (
        own.filter(pl.col("task") == 1)["runtime_us"].to_list() == [4500 * S] * 20
    )  # half of the work on all processors
    assert set(lent.companions["edges"]["transfer_us"]) == {1_500_000}
    assert set(lent.companions["edges"]["data_kb"]) == {5000}
    recorded = with_workflows({**asked, "work": "recorded"})
    own = recorded.jobs.join(recorded.companions["tasks"], on="job").sort("workflow", "task")
    assert own.select("size", "runtime_us").head(2).rows() == [(2, 30 * S), (1, 60 * S)]


def test_which_file_a_job_becomes_is_drawn_and_does_not_hang_on_the_share(tmp_path: Path) -> None:
    two = [task("a", children=["b"]), task("b", parents=["a"])]
    named = [file_of(tmp_path, "one.json", [task("a")]), file_of(tmp_path, "two.json", two)]
    counts = []
    for share in (0.2, 0.4):
        tasks = with_workflows({"files": named, "share": share}).companions["tasks"]
        counts.append(dict(tasks.group_by("workflow").len().rows()))
    assert set(counts[1].values()) == {1, 2}
    assert counts[0].items() <= counts[1].items()


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"shape": "montag", "share": 0.2}, "did you mean 'montage'"),
        ({"shape": "chain", "width": 1, "share": 0.2}, "width must be at least 2"),
        ({"shape": "chain", "transfers_s": [600, 20], "share": 0.2}, r"\[20, 600\]; found \[600, 20\]"),
        ({"files": [], "share": 0.2}, "files must be a list of workflow files"),
        ({"files": "w.dax", "share": 0.2}, "files must be a list; found 'w.dax'"),
        ({"shape": "chain", "files": ["w.dax"], "share": 0.2}, "shape and files are of different kinds of workflows"),
        ({"shape": "chain", "split": "level", "share": 0.2}, "split and shape are of different kinds of workflows"),
    ],
)
def test_what_is_no_kind_of_workflows_is_refused(written: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        read_workflows(written)


def test_a_file_with_two_roots_is_refused_by_name_or_joined(tmp_path: Path) -> None:
    asked = {"files": [file_of(tmp_path, "w.json", TWO_ROOTS)], "share": 0.2}
    with pytest.raises(LogError, match=r"w\.json: workflow w\.json: 2 roots, tasks a, b"):
        with_workflows({**asked, "ends": "refuse"})
    assert with_workflows(asked).companions["tasks"]["task"].max() == 4


def test_a_single_eligible_job_becomes_a_workflow() -> None:
    made = read_workflows({"shape": "chain", "select": "all", "fraction": 1.0}).add(jobs(1), DRAWN)
    assert made.companions["tasks"]["workflow"].unique().to_list() == [1]
