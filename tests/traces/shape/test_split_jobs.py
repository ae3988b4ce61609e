"""Jobs split into workflows: what becomes of their work, how many there are, and what does not change with the share."""

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import COMPANIONS, WORKLOAD_COLUMNS, Machine, Workload
from traces.build import build_workload
from traces.definition import read_definition
from traces.seeds import generator
from traces.shape.clusters import cluster_words, machine_of
from traces.shape.split_jobs import EDGES, TASKS
from traces.written_values import read_workflows

S = 1_000_000
SHARES = (0, 0.07, 0.13, 0.18, 0.22, 0.26)
GRID = {"model": "lublin", "jobs": 20_000, "clusters": [{"processors": 128}] * 4, "load": 0.77}


def drawn(purpose: str) -> np.random.Generator:
    return generator(2009, "grid", 0, purpose)


@pytest.fixture(scope="module")
def local() -> Workload:
    return build_workload(GRID, "grid", 2009).workloads[0]


def split(workload: Workload, **keys: object) -> Workload:
    return read_workflows({"share": 0.26, **keys} if "fraction" not in keys else keys).add(workload, drawn)


def step_of(workload: Workload) -> dict:
    return workload.provenance["transformations"][-1]


def tasks_of(workload: Workload) -> pl.DataFrame:
    return workload.companions["tasks"].join(workload.jobs, on="job", maintain_order="left")


def one_job(runtime_s: int, size: int, estimate_s: int | None = None) -> Workload:
    row = (7, 0, runtime_s * S, (estimate_s or runtime_s) * S, size)
    return Workload(
        pl.DataFrame([row], schema=WORKLOAD_COLUMNS, orient="row").with_columns(home=pl.lit(1, pl.Int16)),
        machine_of(cluster_words("2x128"), "grid"),
    )


@pytest.mark.parametrize(
    ("mode", "sizes", "runtimes_s"),
    [("level", [16, 6, 5, 5, 16], [3000] * 5), ("proc", [4, 3, 3, 3, 3], [9000] * 5), ("fifth", [16] * 5, [1800] * 5)],
)
def test_a_job_is_split_as_worked_by_hand(mode, sizes, runtimes_s):
    made = split(one_job(9000, 16), select="all", fraction=1.0, split=mode)
    tasks = tasks_of(made)
    assert made.companions["tasks"].rows() == [(7 + 6 * TASKS + task, 7, task) for task in range(1, TASKS + 1)]
    assert tasks["size"].to_list() == sizes
    assert tasks["runtime_us"].to_list() == [seconds * S for seconds in runtimes_s]
    assert tasks["estimate_us"].equals(tasks["runtime_us"])
    assert made.homes().tolist() == [-1] * TASKS
    assert made.companions["edges"].select("from_task", "to_task").rows() == list(EDGES)


@pytest.mark.parametrize("mode", ["level", "proc", "fifth"])
@pytest.mark.parametrize("size", [11, 17, 128])
@pytest.mark.parametrize("told_s", [7001, 6001, 9999])
def test_work_is_kept_to_the_microsecond_and_estimates_follow_run_times(mode, size, told_s):
    job = one_job(7001, size, told_s)
    tasks = tasks_of(split(job, select="all", fraction=1.0, split=mode))
    work = (tasks["runtime_us"] * tasks["size"].cast(pl.Int64)).sum()
    assert work == 7001 * S * size
    longer = np.sign(told_s - 7001)
    assert np.sign((tasks["estimate_us"] - tasks["runtime_us"]).to_numpy()).tolist() == [longer] * TASKS


@pytest.mark.parametrize("mode", ["level", "proc", "fifth"])
def test_every_workflow_has_five_tasks_six_edges_three_levels_and_the_work_of_its_job(local, mode):
    made = split(local, split=mode)
    tasks, edges = tasks_of(made), made.companions["edges"]
    assert set(tasks.group_by("workflow").len()["len"]) == {TASKS}
    assert set(edges.group_by("workflow").len()["len"]) == {len(EDGES)}
    level = {1: 1}
    for before, after in EDGES:
        level[after] = max(level.get(after, 0), level[before] + 1)
    assert max(level.values()) == 3
    assert TASKS / len(EDGES) == pytest.approx(5 / 6)
    work = tasks.group_by("workflow").agg(
        (pl.col("runtime_us") * pl.col("size").cast(pl.Int64)).sum().alias("of_tasks")
    )
    jobs = local.jobs.select("job", "submit_us", work=pl.col("runtime_us") * pl.col("size").cast(pl.Int64))
    assert work.join(jobs, left_on="workflow", right_on="job").filter(pl.col("work") != pl.col("of_tasks")).is_empty()
    submits = tasks.join(jobs, left_on="workflow", right_on="job")
    assert submits["submit_us"].equals(submits["submit_us_right"])
    assert not made.jobs["job"].is_in(tasks["workflow"].implode()).any()
    assert len(made) == len(local) + 4 * step_of(made)["workflows"]


@pytest.mark.parametrize("share", SHARES)
def test_the_series_of_shares_is_met_within_half_a_point(local, share):
    step = step_of(split(local, share=share))
    assert step["share_reached"] == pytest.approx(share, abs=0.005)
    assert step["workflows"] == round(share * step["medium_and_long_before"] / (5 * (1 - share)))


def test_so_many_workflows_make_the_shares_of_7200_medium_and_long_jobs():
    rows = [(k, k, 700 * S, 700 * S, 1) for k in range(7200)] + [(k, k, 599 * S, 599 * S, 1) for k in range(7200, 9000)]
    jobs = Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(128))
    counts = [read_workflows({"share": share}).taken(jobs, np.full(2000, TASKS)) for share in SHARES]
    assert counts == [0, 108, 215, 316, 406, 506]


def test_what_is_split_and_how_long_data_take_do_not_change_with_the_share_or_the_split(local):
    made = [split(local, share=share, split=mode) for share in SHARES[1:] for mode in ("level", "proc")]
    for less, more in zip(made, made[2:], strict=False):
        for name in ("tasks", "edges", "transfers"):
            key = less.companions[name].columns
            assert less.companions[name].join(more.companions[name], on=key, how="anti").is_empty()
        kept = more.jobs.filter(pl.col("home").is_not_null())
        assert kept.join(less.jobs, on=kept.columns, how="anti").is_empty()
    assert made[0].companions["transfers"].equals(made[1].companions["transfers"])


def test_times_of_transfer_are_even_between_bounds_the_same_both_ways_and_none_within(local):
    transfers = split(local).companions["transfers"]
    apart = transfers.filter(pl.col("from_cluster") != pl.col("to_cluster"))
    seconds = apart["time_us"].to_numpy() / S
    assert seconds.min() >= 20
    assert seconds.max() <= 600
    assert seconds.mean() == pytest.approx(310, rel=0.02)
    assert np.quantile(seconds, 0.25) == pytest.approx(165, rel=0.04)
    assert (transfers.filter(pl.col("from_cluster") == pl.col("to_cluster"))["time_us"] == 0).all()
    back = apart.select(
        "workflow", "from_task", "to_task", "time_us", from_cluster="to_cluster", to_cluster="from_cluster"
    )
    assert apart.join(back, on=back.columns, how="anti").is_empty()
    mean = apart.group_by("workflow", "from_task", "to_task", maintain_order=True).agg(pl.col("time_us").mean())
    edges = split(local).companions["edges"]
    assert (edges["transfer_us"] - mean["time_us"]).abs().max() <= 1


def test_times_within_clusters_are_drawn_beside_and_leave_the_others(local):
    plain, within = (split(local, intra=intra).companions["transfers"] for intra in ("zero", "drawn"))
    same = pl.col("from_cluster") == pl.col("to_cluster")
    assert plain.filter(~same).equals(within.filter(~same))
    assert within.filter(same)["time_us"].min() >= 20 * S


def test_run_times_by_cluster_differ_within_the_spread_and_are_nested():
    clusters = [{"processors": 128}, {"processors": 128, "speed": 2}]
    more, less = (
        build_workload(
            {**GRID, "jobs": 4000, "clusters": clusters, "workflows": {"share": share, "spread": 0.2}}, "w", 1
        ).workloads[0]
        for share in (0.2, 0.1)
    )
    times = more.companions["run_times"]
    plain = times.join(more.jobs.select("job", plain="runtime_us"), on="job")
    for cluster, speed in enumerate((1, 2)):
        part = (
            plain.filter(pl.col("cluster") == cluster)
            .select(speed * pl.col("runtime_us") / pl.col("plain"))
            .to_series()
        )
        assert 0.8 <= part.min() < 0.82
        assert 1.18 < part.max() <= 1.2 + 1e-6
    assert less.companions["run_times"].join(times, on=times.columns, how="anti").is_empty()
    assert len(times) == 2 * len(more.companions["tasks"])


def test_for_very_many_clusters_a_time_is_drawn_for_each_edge():
    made = build_workload(
        {
            **GRID,
            "jobs": 2000,
            "clusters": [{"processors": 128}] * 100,
            "workflows": {"share": 0.2, "transfers": "edge"},
        },
        "many",
        1,
    ).workloads[0]
    assert made.companions["transfers"].is_empty()
    assert made.companions["edges"]["transfer_us"].is_between(20 * S, 600 * S).all()


def test_pools_are_parts_of_the_eligible_jobs(local):
    eligible = local.jobs.filter(
        pl.col("runtime_us").is_between(6000 * S, 60_000 * S, closed="none") & (pl.col("size") > 10)
    )
    made = {name: split(local, select=name, fraction=1.0) for name in ("quarter", "one_stream", "all")}
    counts = {name: step_of(workload)["workflows"] for name, workload in made.items()}
    assert counts["all"] == len(eligible)
    assert counts["quarter"] == round(len(eligible) / 4)
    assert counts["one_stream"] == (eligible["home"] == 0).sum()
    assert step_of(made["all"])["share_reached"] > 0.5  # of what the source calls 26 %: the whole pool is too many
    half = split(local, select="quarter", fraction=0.5)
    assert half.companions["tasks"].join(made["quarter"].companions["tasks"], on="job", how="anti").is_empty()


def test_a_job_may_stay_beside_its_workflow_which_adds_load(local):
    made = split(local, keep_job=True)
    assert len(made) == len(local) + TASKS * step_of(made)["workflows"]
    assert local.jobs.join(made.jobs, on=local.jobs.columns, how="anti").is_empty()


def test_jobs_that_are_split_may_be_made_longer(local):
    plain, stretched = split(local, split="fifth"), split(local, split="fifth", stretch=10.0)
    assert tasks_of(stretched)["runtime_us"].sum() == 10 * tasks_of(plain)["runtime_us"].sum()


def test_what_else_is_known_of_a_job_its_tasks_know_and_the_rest_is_unknown(local):
    known = local.jobs.with_columns(user=pl.lit(3, pl.Int32), recorded_wait_us=pl.lit(5, pl.Int64))
    tasks = tasks_of(split(Workload(known, local.machine)))
    assert set(tasks["user"]) == {3}
    assert tasks["recorded_wait_us"].null_count() == len(tasks)


def test_on_one_cluster_jobs_need_no_home():
    made = build_workload({"model": "lublin", "jobs": 3000, "workflows": {"share": 0.2}}, "one", 1).workloads[0]
    assert "home" not in made.jobs.columns
    assert set(made.homes().tolist()) == {-1, 0}


def test_more_than_there_is_cannot_be_asked_for(local):
    with pytest.raises(
        ParameterError,
        match=r"a share of 0.8 is \d+ tasks, and the \d+ eligible jobs would have \d+; ask for a smaller",
    ):
        split(local, share=0.8)


def test_jobs_that_are_workflows_already_or_have_a_class_are_refused(local):
    with pytest.raises(ParameterError, match="tasks of workflows already"):
        split(split(local))
    classed = local.jobs.with_columns(pl.lit("long").cast(pl.Enum(["short", "medium", "long"])).alias("class"))
    with pytest.raises(ParameterError, match="states the class of its jobs"):
        split(Workload(classed, local.machine))
    beside = {"run_times": pl.DataFrame(schema=dict(COMPANIONS["run_times"].columns))}
    with pytest.raises(ParameterError, match=r"tables beside them \(run_times\)"):
        split(Workload(local.jobs, local.machine, companions=beside))


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (0.26, r"workflows: expected a mapping, such as \{share: 0.26\}; found 0.26"),
        ({}, "workflows: share is missing: with select target_share"),
        ({"share": 1}, "share must be at most 0.99"),
        ({"share": 0.1, "fraction": 0.2}, "leave fraction out"),
        ({"select": "quarter", "share": 0.1}, "fraction is missing: with select quarter"),
        ({"share": 0.1, "split": "thirds"}, "split must be one of level, proc, fifth; found 'thirds'"),
        ({"share": 0.1, "spilt": "level"}, "no parameter 'spilt'; did you mean 'split'?"),
        ({"share": 0.1, "transfers_s": [600, 20]}, r"transfers_s must be the least and the longest time, \[20, 600\]"),
        ({"share": 0.1, "transfers_s": ["a", 20]}, r"transfers_s must be the least and the longest time"),
        ({"share": 0.1, "transfers_s": 20}, "transfers_s must be a list; found 20"),
        ({"share": 0.1, "transfers": "edge", "intra": "drawn"}, "times within clusters are in the matrix"),
        ({"share": 0.1, "split": "proc", "wider_than": 3}, "split: proc needs jobs of at least 5 processors"),
        ({"share": 0.1, "longer_than_s": 9e4}, "longer_than_s must be below shorter_than_s"),
    ],
)
def test_what_workflows_cannot_be_is_refused(written, words):
    with pytest.raises(StudyError, match=words):
        read_definition({"model": "lublin", "jobs": 9, "workflows": written})
