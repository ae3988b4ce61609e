"""Options that choose or change the jobs of a log: partitions, queues, load and estimates."""

import pytest

from scheduler_core.contracts import Workload
from tests.slotwise.cli.command import refused, run

LINE = "{0} {1} -1 {2} {3} -1 -1 {3} 9000 -1 1 1 1 1 {4} {5} -1 -1\n"
SWF = "; MaxProcs: 64\n" + "".join(
    LINE.format(k + 1, 9000 * k, 7000 + k, 12 + k % 9, k % 3, 1 + k % 2) for k in range(60)
)


@pytest.fixture
def log_file(tmp_path):
    (tmp_path / "own.swf").write_text(SWF)
    return tmp_path / "own.swf"


def ingested(log_file, *words):
    """Return the workload that `slotwise ingest` writes with some options."""
    out = log_file.parent / "w.parquet"
    assert run("ingest", log_file, *words, "--out", out, "--force") == 0
    return Workload.read(out)


def test_partitions_and_queues_choose_jobs(log_file):
    assert set(ingested(log_file, "--partition", 2).jobs["job"]) == set(range(2, 61, 2))
    of_queues = ingested(log_file, "--queue", 0, "--queue", 2)
    assert set(of_queues.jobs["queue"]) == {0, 2}
    assert len(of_queues) == 40
    both = ingested(log_file, "--partition", 1, "--queue", 2, "--first", 4)
    assert both.jobs["job"].to_list() == [3, 9, 15, 21]
    assert both.machine.processors == 64


def test_load_is_reached_or_multiplied(log_file):
    """Submissions are whole microseconds, so a load is reached to half of one over the span."""
    plain = ingested(log_file)
    assert ingested(log_file, "--load", 0.9).offered_load == pytest.approx(0.9, rel=1e-6)
    assert ingested(log_file, "--load", "x1.25").offered_load == pytest.approx(1.25 * plain.offered_load, rel=1e-6)
    chosen = ingested(log_file, "--queue", 1)
    grown = ingested(log_file, "--queue", 1, "--load", "x2")
    assert grown.offered_load == pytest.approx(2 * chosen.offered_load, rel=1e-6)


def test_each_cluster_gets_the_multiple_of_its_own_load(log_file):
    words = ("--clusters", "2x32", "--streams", "dealt")
    plain, grown = ingested(log_file, *words), ingested(log_file, *words, "--load", "x1.5")
    for home in (0, 1):
        before, after = (one.jobs.filter(one.jobs["home"] == home)["submit_us"] for one in (plain, grown))
        assert (before[-1] - before[0]) / (after[-1] - after[0]) == pytest.approx(1.5, rel=1e-6)


def test_estimates_are_replaced(log_file):
    exact = ingested(log_file, "--estimates", "exact").jobs
    assert exact["estimate_us"].equals(exact["runtime_us"])
    longer = ingested(log_file, "--estimates", "f_model(f=4)", "--seed", 3).jobs
    assert (longer["estimate_us"] >= longer["runtime_us"]).all()
    assert not longer["estimate_us"].equals(
        ingested(log_file, "--estimates", "f_model(f=4)", "--seed", 4).jobs["estimate_us"]
    )


def test_a_run_is_checked_with_the_same_options(log_file, tmp_path, capsys):
    words = ("--queue", 1, "--load", "x1.5", "--estimates", "exact")
    assert run("simulate", log_file, *words, "--policy", "easy", "--out", tmp_path / "r") == 0
    assert run("check", tmp_path / "r", "--workload", log_file, *words, "--replay") == 0
    capsys.readouterr()
    assert run("check", tmp_path / "r", "--workload", log_file, *words[:4]) == 1
    assert "this run was made of another workload" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--queue", 7), "--queue: no job is of 7; found 0 (20 jobs), "),
        (("--estimates", "exakt"), "--estimates: there is no estimate model 'exakt'; did you mean 'exact'?"),
        (("--estimates", "f_model(f=-1)"), "--estimates: "),
        (("--load", "1e-300"), "--load: all submissions would lie within"),
        (("--load", "x1e300"), "--load: "),
    ],
)
def test_odd_options_are_refused(log_file, tmp_path, capsys, words, expected):
    assert expected in refused(capsys, "ingest", log_file, *words, "--out", tmp_path / "w.parquet")
    assert not (tmp_path / "w.parquet").exists()


@pytest.mark.parametrize("load", ["0", "-1", "x", "nan", "xinf", "x0", "1.2x"])
def test_a_load_is_a_number_or_a_multiple(log_file, capsys, load):
    with pytest.raises(SystemExit) as ended:
        run("ingest", log_file, f"--load={load}", "--out", "w.parquet")
    assert ended.value.code == 2
    assert (
        "expected an offered load above 0, such as 0.9, or a multiple of the log's, such as x1.2"
        in capsys.readouterr().err
    )


def test_a_log_without_queues_has_none_to_choose(tmp_path, capsys):
    plain = tmp_path / "plain.swf"
    plain.write_text("; MaxProcs: 4\n" + "".join(f"{k} {k} -1 9 1 -1 -1 1 9 -1 1 1 1 1 -1 -1 -1 -1\n" for k in (1, 2)))
    said = refused(capsys, "ingest", plain, "--queue", 1, "--out", tmp_path / "w.parquet")
    assert "--queue: no job of the workload names one; leave the option out" in said
