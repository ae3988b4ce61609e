"""Clusters as definitions and the command line write them, and jobs of one stream dealt and cut onto several."""

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Cluster, Machine, Workload
from traces.shape.clusters import DAY_US, Line, cluster_words, dealt, distribute, machine_of, read_clusters
from traces.shape.load import scale_load, scale_mean_gap, streams_of

S = 1_000_000


def workload_of(*jobs: tuple[int, int, int], processors: int = 16) -> Workload:
    """Return jobs of submission, run time (both in seconds) and size."""
    rows = [(k, submit * S, run * S, run * S, size) for k, (submit, run, size) in enumerate(jobs, start=1)]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(processors, "log"), {})


def test_a_line_says_processors_and_the_rest_has_defaults():
    lines = read_clusters([{"processors": 128}, {"name": "fast", "processors": 64, "speed": 2}])
    assert lines == (Line("A", 128, 1.0), Line("fast", 64, 2.0))
    machine = machine_of(lines, "SP2")
    assert machine == Machine(name="SP2", clusters=(Cluster(128, name="A"), Cluster(64, speed=2.0, name="fast")))


def test_the_command_line_writes_clusters_in_a_word():
    assert [line[1:] for line in cluster_words("2x128,64@2")] == [(128, 1.0), (128, 1.0), (64, 2.0)]
    assert [line.name for line in cluster_words("30x1")][24:28] == ["Y", "Z", "27", "28"]


@pytest.mark.parametrize("text", ["", "x128", "0x128", "4x", "many", "128@", "128,,64", "128@fast"])
def test_words_that_are_no_clusters_are_refused(text):
    with pytest.raises(ParameterError, match=r"expected clusters as 4x128 .* found"):
        cluster_words(text)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("A", "expected a list with a line per cluster"),
        ([], "expected a list with a line per cluster"),
        ([128], r"line 1: expected \{name: A"),
        ([{"processors": 8}, {"speed": 2}], "line 2: processors is missing"),
        ([{"processors": 0}], "line 1: a cluster: processors must be at least 1; found 0"),
        ([{"processors": 8, "sped": 2}], "line 1: a cluster has no parameter 'sped'; did you mean 'speed'?"),
        ([{"processors": 8, "name": 3}], "line 1: name: expected text; found 3"),
        ([{"processors": 8, "name": "B"}, {"processors": 8}], "two clusters are called 'B': the 1. and the 2."),
        ([{"processors": 8}] * 2**15, "at most 32,767 clusters"),
    ],
)
def test_lines_that_are_no_clusters_are_refused(written, words):
    with pytest.raises(ParameterError, match=words):
        read_clusters(written)


def test_jobs_are_dealt_in_turn_and_a_machine_of_several_is_as_loaded_as_one():
    before = workload_of(*((100 + 40 * k, 10 * k + 5, 2) for k in range(8)))
    after = distribute(before, cluster_words("4x4"), "dealt")
    assert after.homes().tolist() == [0, 1, 2, 3] * 2
    assert after.jobs["submit_us"].to_list() == [(100 + 10 * k) * S for k in range(8)]
    assert after.jobs["job"].to_list() == list(range(1, 9))
    assert after.machine.processors == 16
    assert after.offered_load == pytest.approx(
        4 * before.offered_load
    )  # same work and processors in a quarter of the time


def test_wide_jobs_are_dealt_to_the_next_cluster_they_fit_on_and_else_to_the_next():
    import numpy as np

    assert dealt(np.array([1, 9, 9, 1, 99, 1]), [4, 16, 8, 16]).tolist() == [0, 1, 3, 0, 1, 2]
    after = distribute(workload_of((0, 1, 9), (1, 1, 2), (2, 1, 12)), cluster_words("4,8"), "dealt")
    assert after.provenance["transformations"][-1]["wider_than_their_cluster"] == 2


def test_a_log_is_cut_into_pieces_of_as_many_jobs_that_keep_their_hours():
    day = DAY_US // S
    before = workload_of(*((day * k + 3600 * k, 10, 2) for k in range(6)))
    after = distribute(before, cluster_words("3x8"), "cut")
    by_home = after.jobs.sort("job")
    assert by_home["home"].to_list() == [0, 0, 1, 1, 2, 2]
    begins = by_home["submit_us"].to_list()
    assert [begin % DAY_US for begin in begins] == [3600 * k * S for k in range(6)]
    assert [begin // DAY_US for begin in begins] == [0, 1, 0, 1, 0, 1]


def test_what_cannot_be_distributed_is_refused():
    two = cluster_words("2x8")
    jobs = workload_of((0, 1, 1), (9, 1, 1))
    with pytest.raises(ParameterError, match="'dealt' or 'cut'; found 'own'"):
        distribute(jobs, two, "own")
    with pytest.raises(ContractError, match="for clusters of their own already"):
        distribute(distribute(jobs, two, "cut"), two, "cut")
    tasks = pl.DataFrame({"job": [1], "workflow": [1], "task": [1]})
    with pytest.raises(ContractError, match="tasks of workflows belong to no cluster"):
        distribute(Workload(jobs.jobs, jobs.machine, companions={"tasks": tasks}), two, "cut")


def test_each_cluster_gets_the_load_by_itself_and_a_fast_one_has_more_to_offer():
    before = distribute(
        workload_of(*((k * k, 100 + k, 1 + k % 7) for k in range(40))), cluster_words("8,4,8@2"), "dealt"
    )
    after = scale_load(before, 0.6)
    assert [stream.offered_load for stream in streams_of(after)] == pytest.approx([0.6] * 3, rel=1e-9)
    assert after.jobs.sort("job")["home"].equals(before.jobs.sort("job")["home"])
    assert len(after.provenance["transformations"][-1]["clusters"]) == 3
    gaps = scale_mean_gap(before, 30)
    assert [s.jobs["submit_us"].diff().mean() for s in streams_of(gaps)] == pytest.approx([30 * S] * 3)


def test_a_cluster_whose_gaps_cannot_be_scaled_is_named():
    jobs = distribute(workload_of((0, 1, 1), (9, 1, 1), (10, 1, 1)), cluster_words("2x8"), "dealt")
    with pytest.raises(ParameterError, match="cluster B: load: all 1 jobs are submitted at one instant"):
        scale_load(jobs, 0.5)
