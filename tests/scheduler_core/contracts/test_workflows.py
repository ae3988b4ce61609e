"""Workloads with workflows: their tables fit each other and the machine, workflows stay whole, local jobs have a home."""

from dataclasses import replace

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import COMPANIONS, WORKLOAD_COLUMNS, Cluster, Machine, Workload

S = 1_000_000

JOBS = pl.DataFrame(
    [
        (1, 0, 50 * S, 60 * S, 4),
        *((number, 10 * S, 30 * S, 30 * S, 2) for number in (2, 3, 4, 5)),
        *((number, 20 * S, 20 * S, 20 * S, 9) for number in (6, 7)),
        (8, 30 * S, 5 * S, 5 * S, 1),
    ],
    schema=WORKLOAD_COLUMNS,
    orient="row",
).with_columns(home=pl.Series([1, *[None] * 6, 0], dtype=pl.Int16))
"""Two local jobs; a workflow of four tasks, wide in the middle; one of two, each wider than any cluster."""

GRID = Machine(name="grid", clusters=(Cluster(4), Cluster(8, speed=2.0)))


def table(name: str, *rows: tuple[int, ...]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(COMPANIONS[name].columns), orient="row")


def matrix(*edges: tuple[int, int, int], clusters: int = 2) -> pl.DataFrame:
    """Return transfers of some edges between every ordered pair of clusters."""
    pairs = [(a, b) for a in range(clusters) for b in range(clusters)]
    return table("transfers", *((*edge, a, b, 0 if a == b else 100 * S) for edge in edges for a, b in pairs))


TASKS = table("tasks", (2, 1, 1), (3, 1, 2), (4, 1, 3), (5, 1, 4), (6, 7, 1), (7, 7, 2))
EDGES = table("edges", *((1, a, b, 1024, 100 * S) for a, b in ((1, 2), (1, 3), (2, 4), (3, 4))), (7, 1, 2, 0, 0))
TABLES = {
    "tasks": TASKS,
    "edges": EDGES,
    "transfers": matrix((1, 1, 2)),
    "run_times": table("run_times", (2, 0, 30 * S), (2, 1, 15 * S)),
}


@pytest.fixture
def grid() -> Workload:
    return Workload(JOBS, GRID, companions=TABLES)


def test_tasks_are_submitted_to_the_grid_and_others_to_their_home(grid):
    assert grid.homes().tolist() == [1, *[-1] * 6, 0]


def test_on_one_cluster_no_home_is_needed_and_on_several_it_is(grid):
    plain = JOBS.drop("home")
    one = Workload(plain, Machine(8), companions={"tasks": TASKS, "edges": EDGES})
    assert one.homes().tolist() == [0, *[-1] * 6, 0]
    several = replace(grid, jobs=plain)
    with pytest.raises(ContractError, match=r"grid has 2 clusters.* no column 'home'.*`--clusters`"):
        several.homes()


def test_homes_and_workflows_are_in_the_digest_and_survive_their_files(grid, tmp_path):
    grid.write(tmp_path / "w.parquet")
    again = Workload.read(tmp_path / "w.parquet")
    assert again.digest == grid.digest
    assert again.homes().tolist() == grid.homes().tolist()
    moved = replace(grid, jobs=JOBS.with_columns(home=pl.Series([0, *[None] * 6, 0], dtype=pl.Int16)))
    slower = {**TABLES, "run_times": table("run_times", (2, 0, 30 * S), (2, 1, 16 * S))}
    assert len({grid.digest, moved.digest, replace(grid, companions=slower).digest}) == 3


def test_a_workflow_that_loses_a_task_is_left_out_whole_and_counted(grid):
    part = grid.first(6)
    assert part.jobs["job"].to_list() == [1, 2, 3, 4, 5]
    assert part.provenance["transformations"][-1]["workflows_left_out"] == 1
    assert part.companions["tasks"]["workflow"].unique().to_list() == [1]
    assert part.companions["edges"].height == 4
    less = grid.first(3)
    assert less.jobs["job"].to_list() == [1]
    assert [less.companions[name].height for name in TABLES] == [0, 0, 0, 0]
    assert "workflows_left_out" not in grid.first(8).provenance["transformations"][-1]


def test_a_workflow_may_be_a_single_task_and_wider_than_every_cluster():
    jobs = JOBS.filter(pl.col("job") == 6)
    Workload(jobs, GRID, companions={"tasks": table("tasks", (6, 3, 1))})


def other(**tables: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return {**TABLES, **tables}


BROKEN = {  # by what is said of them
    "the job is none of the workload's in 1 of 7 rows, the first of them workflow 8, task 1, job 9": other(
        tasks=pl.concat([TASKS, table("tasks", (9, 8, 1))])
    ),
    "the job is a task already in 2 of 7 rows, the first of them workflow 7, task 2, job 7": other(
        tasks=pl.concat([TASKS, table("tasks", (7, 8, 1))])
    ),
    "tasks of a workflow are not numbered 1, 2, ... without a gap in 2 of 5 rows, the first of them workflow 1, task 3": other(
        tasks=TASKS.filter(pl.col("job") != 3)
    ),
    "rows are not in the order of workflow, task": other(tasks=TASKS.reverse()),
    "submit_us is not that of the workflow's first task in 1 of 6 rows, the first of them workflow 7, task 2": other(
        tasks=table("tasks", (2, 1, 1), (3, 1, 2), (4, 1, 3), (5, 1, 4), (6, 7, 1), (8, 7, 2))
    ),
    "to_task is not higher than from_task in 1 of 1 rows, the first of them workflow 1, from_task 2, to_task 1": other(
        edges=table("edges", (1, 2, 1, 0, 0))
    ),
    "to_task is no task of its workflow in 1 of 5 rows, the first of them workflow 7, from_task 1, to_task 3": other(
        edges=pl.concat([EDGES[:4], table("edges", (7, 1, 3, 0, 0))])
    ),
    "from_task is no task of its workflow in 5 of 5": {"edges": EDGES},
    r"workflow 1 has 2 tasks without a predecessor \(tasks 1, 3\); expected one root": other(
        edges=EDGES.filter(~((pl.col("from_task") == 1) & (pl.col("to_task") == 3)))
    ),
    r"workflow 1 has 2 tasks without a successor \(tasks 2, 4\); expected one exit": other(
        edges=EDGES.filter(~((pl.col("from_task") == 2) & (pl.col("to_task") == 4)))
    ),
    "transfer_us is negative in 5 of 5": other(edges=EDGES.with_columns(transfer_us=pl.lit(-1, pl.Int64))),
    "workflow 1, task 1 to task 2: 1 times for 2 clusters; expected 4": other(transfers=matrix((1, 1, 2), clusters=1)),
    "from_cluster is none of the machine's clusters, which are 0 to 1": other(transfers=matrix((1, 1, 2), clusters=3)),
    "4 of 4 rows are of no edge, the first of them workflow 1": other(transfers=matrix((1, 1, 4))),
    "job 2 has 1 run times; expected 2, one for every cluster": other(run_times=table("run_times", (2, 0, S))),
    "cluster is none of the machine's, which are 0 to 1 in 1 of 2 rows, the first of them job 2, cluster 2": other(
        run_times=table("run_times", (2, 0, S), (2, 2, S))
    ),
}


@pytest.mark.parametrize("words", BROKEN)
def test_workflows_that_cannot_be_are_named(grid, words):
    with pytest.raises(ContractError, match=words):
        replace(grid, companions=BROKEN[words])


@pytest.mark.parametrize(
    ("homes", "words"),
    [
        (
            [2, *[None] * 6, 0],
            "home is none of the machine's clusters, which are 0 to 1, in 1 of 8 rows.* job 1, home 2",
        ),
        ([1, 0, *[None] * 5, 0], "home is that of a task.* job 2, home 0"),
        ([1, *[None] * 7], "home has no value though the job is no task of a workflow in 1 of 8 rows.* job 8"),
    ],
)
def test_homes_that_cannot_be_are_named(grid, homes, words):
    with pytest.raises(ContractError, match=words):
        replace(grid, jobs=JOBS.with_columns(home=pl.Series(homes, dtype=pl.Int16)))


def test_without_a_table_of_tasks_jobs_of_no_home_are_taken_for_tasks():
    assert Workload(JOBS, GRID).homes().tolist() == [1, *[-1] * 6, 0]


def test_slow_clusters_long_run_times_and_transfers_count_towards_what_a_schedule_can_reach():
    jobs = pl.DataFrame([(1, 0, 10**15, 10**15, 1), (2, 0, 1, 1, 1)], schema=WORKLOAD_COLUMNS, orient="row")
    tasks = table("tasks", (1, 1, 1), (2, 1, 2))
    edges = table("edges", (1, 1, 2, 0, 0))
    Workload(jobs, Machine(4), companions={"tasks": tasks, "edges": edges})
    too_far = {
        "a slow cluster": (Machine(4, speed=1e-5), {}),
        "a long run time": (Machine(4), {"run_times": table("run_times", (2, 0, 10**6))}),
        "a long transfer": (Machine(4), {"transfers": table("transfers", (1, 1, 2, 0, 0, 2**62))}),
    }
    for machine, more in too_far.values():
        with pytest.raises(ContractError, match="a schedule can count no further than"):
            Workload(jobs, machine, companions={"tasks": tasks, "edges": edges, **more})


def test_a_file_with_a_broken_workflow_is_named_with_the_workflow(grid, tmp_path):
    path = tmp_path / "mine.parquet"
    grid.write(path)
    EDGES.filter(pl.col("to_task") != 4).write_parquet(tmp_path / "mine.edges.parquet")
    with pytest.raises(ContractError, match=r"mine\.parquet: workload: workflow 1 has 2 tasks without a predecessor"):
        Workload.read(path)
