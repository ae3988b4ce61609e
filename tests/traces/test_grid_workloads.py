"""Workloads of grids by their definitions: the statistics that the thesis prints, loads by cluster, and what is refused."""

import polars as pl
import pytest

from scheduler_core.common.errors import SlotwiseError, StudyError
from scheduler_core.contracts import read_replications, write_replications
from traces.build import build_workload
from traces.definition import read_definition
from traces.shape.load import streams_of

S = 1_000_000
LOADS = [3.08 / 4, 3.05 / 4, 3.14 / 4, 2.96 / 4]
FOUR = [{"processors": 128}] * 4
GRID = {"model": "lublin", "jobs": 20_000, "clusters": FOUR, "replications": 4, "load": LOADS}

# Table 3 of the thesis: per cent of jobs, mean size and mean run time (s) of short, medium and long jobs, by seed.
TABLE_3 = {
    71: ((64.0, 19.4, 16.6), (8.7, 16.5, 19.7), (79, 5757, 19200)),
    13: ((63.9, 19.4, 16.7), (8.7, 16.7, 20.6), (79, 5821, 19100)),
    3: ((64.2, 19.8, 16.0), (8.7, 17.2, 20.1), (79, 5763, 19087)),
    31: ((64.0, 19.8, 16.2), (8.8, 16.6, 20.5), (79, 5829, 18954)),
}

# Table 4: short below 10 minutes, medium below 3 hours.
CLASSES = {"short": (0, 600), "medium": (600, 10_800), "long": (10_800, 10**9)}


@pytest.fixture(scope="module")
def grids():
    return build_workload(GRID, "grid", 2009).workloads


@pytest.mark.parametrize("replication", range(4))
def test_the_model_meets_table_3(grids, replication):
    shares, sizes, lengths = list(TABLE_3.values())[replication]
    jobs = grids[replication].jobs
    for k, (low, high) in enumerate(CLASSES.values()):
        own = jobs.filter((pl.col("runtime_us") >= low * S) & (pl.col("runtime_us") < high * S))
        assert 100 * len(own) / len(jobs) == pytest.approx(shares[k], abs=1)
        assert own["size"].mean() == pytest.approx(sizes[k], rel=0.08)
        assert own["runtime_us"].mean() / S == pytest.approx(lengths[k], rel=0.05)


def test_every_cluster_of_a_replication_has_its_offered_load(grids):
    for load, grid in zip(LOADS, grids, strict=True):
        assert [stream.offered_load for stream in streams_of(grid)] == pytest.approx([load] * 4, rel=1e-9)
        assert grid.jobs.group_by("home").len()["len"].to_list() == [5000] * 4


def test_gaps_between_submissions_are_those_that_follow_from_table_3(grids):
    for stream in streams_of(grids[0]):
        assert stream.jobs["submit_us"].diff().mean() / S == pytest.approx(828, rel=0.1)


def test_loads_are_taken_in_turn_and_more_replications_leave_the_first_as_they_are(grids):
    more = build_workload({**GRID, "jobs": 400, "replications": 6}, "grid", 2009).workloads
    assert streams_of(more[5])[2].offered_load == pytest.approx(LOADS[1])
    few = build_workload({**GRID, "jobs": 400, "replications": 2}, "grid", 2009).workloads
    assert [one.digest for one in few] == [one.digest for one in more[:2]]


def test_streams_are_different_and_another_cluster_leaves_them_as_they_are():
    plain = {"model": "lublin", "jobs": 800, "clusters": FOUR}
    streams = streams_of(build_workload(plain, "grid", 1).workloads[0])
    assert len({stream.jobs["runtime_us"].sum() for stream in streams}) == 4
    fifth = streams_of(
        build_workload({**plain, "jobs": 1000, "clusters": [*FOUR, {"processors": 64}]}, "grid", 1).workloads[0]
    )
    assert [one.jobs.equals(other.jobs) for one, other in zip(streams, fifth, strict=False)] == [True] * 4
    assert fifth[4].jobs["size"].max() <= 64


def test_one_stream_is_dealt():
    dealt, one = (
        build_workload({"model": "lublin", "jobs": 801, **keys}, "grid", 1).workloads[0]
        for keys in ({"clusters": FOUR, "streams": "dealt"}, {"processors": 128})
    )
    assert dealt.jobs.select("job", "runtime_us", "size").equals(one.jobs.select("job", "runtime_us", "size"))
    assert dealt.homes().tolist() == [k % 4 for k in range(801)]
    assert dealt.jobs["submit_us"][-1] == pytest.approx(
        one.jobs["submit_us"][0] + (one.jobs["submit_us"][-1] - one.jobs["submit_us"][0]) / 4, abs=1
    )


def test_numbers_of_jobs_do_not_depend_on_the_load():
    low, high = (
        build_workload({**GRID, "jobs": 400, "replications": 1, "load": load}, "grid", 1).workloads[0].jobs.sort("job")
        for load in (0.3, 0.9)
    )
    assert low.drop("submit_us").equals(high.drop("submit_us"))


def test_a_workload_with_the_jobs_of_another_has_its_workflows_too():
    definition = {**GRID, "jobs": 4000, "replications": 2, "workflows": {"share": 0.2}}
    base = build_workload(definition, "p-20", 1).workloads
    other = build_workload({**definition, "jobs_of": "p-20", "workflows": {"share": 0.1}}, "p-10", 1).workloads
    for whole, part in zip(base, other, strict=True):
        assert (
            part.companions["transfers"]
            .join(whole.companions["transfers"], on=part.companions["transfers"].columns, how="anti")
            .is_empty()
        )


def test_replications_with_workflows_are_one_file_with_tables_beside(tmp_path):
    definition = {**GRID, "jobs": 2000, "workflows": {"share": 0.2}}
    made = build_workload(definition, "grid", 1).workloads
    write_replications(tmp_path / "grid.parquet", made)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["grid.parquet", *(f"grid.{name}.parquet" for name in read_definition(definition).companions)]
    )
    assert [w.digest for w in read_replications(tmp_path / "grid.parquet")] == [w.digest for w in made]


def test_a_share_of_none_has_the_tables_without_rows():
    made = build_workload({**GRID, "jobs": 400, "replications": 1, "workflows": {"share": 0}}, "grid", 1).workloads[0]
    assert {name: len(table) for name, table in made.companions.items()} == {"tasks": 0, "edges": 0, "transfers": 0}


def write_log(path, jobs=40):
    line = "{0} {1} -1 {2} 12 -1 -1 12 9000 -1 1 1 1 1 1 1 -1 -1\n"
    header = "; MaxProcs: 64\n; UnixStartTime: 0\n"
    path.write_text(header + "".join(line.format(n + 1, n * 40_000, 7000 + n) for n in range(jobs)))
    return str(path)


@pytest.mark.parametrize("streams", ["cut", "dealt"])
def test_any_log_gets_onto_any_clusters(tmp_path, streams):
    definition = {
        "log": write_log(tmp_path / "own.swf"),
        "clusters": [{"name": "new", "processors": 32, "speed": 2}, {"name": "old", "processors": 16}],
        "streams": streams,
        "first": 30,
        "load": 0.5,
        "workflows": {"share": 0.3},
    }
    made = build_workload(definition, "own", 1).workloads[0]
    assert [cluster.name for cluster in made.machine.clusters] == ["new", "old"]
    assert [step["step"] for step in made.provenance["transformations"]] == ["first", "clusters", "load", "workflows"]
    assert made.companions["tasks"]["workflow"].n_unique() == 3
    assert made.jobs.filter(pl.col("home").is_not_null())["home"].n_unique() == 2


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ({"clusters": 4}, "clusters: expected a list with a line per cluster"),
        ({"clusters": FOUR, "processors": 128}, "processors: it is for a machine of one cluster; leave either it or"),
        ({"clusters": FOUR, "behaviour": "lomarc"}, "behaviour: it is for a machine of one cluster"),
        ({"clusters": FOUR, "streams": "cut"}, "streams: for jobs from a model expected own or dealt; found 'cut'"),
        ({"streams": "own"}, "streams: .* write 'clusters' as well"),
        ({"clusters": FOUR, "jobs": 3}, "jobs: expected a job for each of 4 clusters at least; found 3"),
        ({"load": []}, "load: expected a load, or a list of loads"),
        ({"load": [0.7, "high"]}, "load: load must be a number above 0; found 'high'"),
        ({"workflows": {"share": 0.1}, "behaviour": "lomarc"}, "workflows: tasks of workflows have no behaviour"),
        ({"model": "slice_examples", "clusters": FOUR}, "clusters: "),
    ],
)
def test_what_does_not_go_together_is_refused(definition, words):
    with pytest.raises(StudyError, match=words):
        read_definition({"model": "lublin", "jobs": 100, **definition})


def test_a_log_has_one_load(tmp_path):
    log = write_log(tmp_path / "own.swf")
    with pytest.raises(StudyError, match="load: a log has one replication and one load"):
        read_definition({"log": log, "load": [0.5, 0.6]})
    with pytest.raises(StudyError, match="streams: for jobs from a log expected cut or dealt; found 'own'"):
        read_definition({"log": log, "clusters": FOUR, "streams": "own"})


def test_a_model_for_one_cluster_says_so():
    with pytest.raises(SlotwiseError, match="scojo_cases"):
        read_definition({"model": "scojo_cases", "clusters": FOUR})
