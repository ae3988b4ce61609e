"""Options that choose or change the jobs of a log: partitions, queues, load and estimates."""

import json

import polars as pl
import pytest

from scheduler_core.contracts import Workload
from tests.slotwise.cli.command import refused, run
from tests.traces.swf_lines import SIXTY_JOBS


@pytest.fixture
def log_file(tmp_path):
    (tmp_path / "own.swf").write_text(SIXTY_JOBS)
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
    assert "--queue: no job of the workload states a queue; leave the option out" in said


@pytest.mark.parametrize(
    ("condition", "chosen"),
    [
        ("size > 19", lambda k: 12 + k % 9 > 19),
        ("run_time >= 7010 AND run_time < 7020", lambda k: 10 <= k < 20),
        ("submit = 9000", lambda k: k == 1),
        ("estimate = 9000 AND job <= 3", lambda k: k < 3),
        ("user = 1 AND group = 1 and QUEUE in (0, 2)", lambda k: k % 3 != 1),
        ("partition = 2 OR queue = 1", lambda k: k % 2 == 1 or k % 3 == 1),
        ("NOT (partition = 2) AND size BETWEEN 12 AND 13", lambda k: k % 2 == 0 and k % 9 < 2),
        ("TRUE", lambda k: True),
    ],
)
def test_a_condition_chooses_jobs(log_file, condition, chosen):
    kept = ingested(log_file, "--where", condition).jobs["job"].to_list()
    assert kept == [k + 1 for k in range(60) if chosen(k)]


def test_a_job_of_which_a_column_is_unknown_is_left_out(tmp_path):
    log = tmp_path / "own.swf"
    log.write_text(SIXTY_JOBS.replace(" 9000 -1 1 1 1 1 2 1 -1 -1", " 9000 -1 1 1 1 1 -1 1 -1 -1"))
    assert set(ingested(log, "--where", "queue <> 0").jobs["queue"]) == {1, 2}


def test_a_condition_goes_with_the_other_choices(log_file):
    chosen = ingested(log_file, "--partition", 1, "--queue", 2, "--where", "size > 14", "--first", 3)
    assert chosen.jobs["job"].to_list() == [9, 15, 27]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("siez > 8", "--where: there is no column 'siez' in 'siez > 8'; did you mean 'size'?"),
        (
            "xyzzy > 8",
            "known: estimate, executable, group, job, partition, queue, run_time, size, status, submit, user",
        ),
        ("size", "it is neither true nor false of a job"),
        ("size >", "--where: 'size >' is no condition: "),
        ("", "--where: '' is no condition: "),
        ("size LIKE 'a'", "cannot compare string with numeric type"),
        ("size > 8; DROP TABLE jobs", "unexpected token ';'"),
        ("size IN (SELECT 1)", "there is no column"),
        ("size > 99", "--where: 'size > 99' holds for none of the 60 jobs"),
        ("wait > 5", "there is no column 'wait'"),
    ],
)
def test_what_is_no_condition_is_refused(log_file, tmp_path, capsys, condition, said):
    assert said in refused(capsys, "ingest", log_file, "--where", condition, "--out", tmp_path / "w.parquet")
    assert not (tmp_path / "w.parquet").exists()


def test_jobs_that_a_selection_leaves_out_are_accounted_for(log_file, tmp_path, capsys):
    words = ("--where", "queue = 1", "--partition", 1, "--first", 4)
    assert run("simulate", log_file, *words, "--policy", "easy", "--out", tmp_path / "r", "--verbose") == 0
    said = capsys.readouterr().out
    assert "61 lines: 1 comment, 60 kept, 0 repaired, 0 rejected, 56 jobs left out by the selection" in said
    assert "56 jobs left out by the selection: lines that were read" in said
    assert json.loads((tmp_path / "r/run.json").read_text())["replications"][0]["accounting"]["left_out"] == 56
    assert run("check", tmp_path / "r", "--workload", log_file, *words, "--replay") == 0
    ingested(log_file, *words)
    assert json.loads((tmp_path / "w.accounting.json").read_text())["left_out"] == 56
    again = ("simulate", tmp_path / "w.parquet", "--where", "job > 10", "--policy", "easy", "--out", tmp_path / "s")
    assert run(*again) == 0
    kept = pl.read_parquet(tmp_path / "s/jobs.parquet").height
    assert f"{60 - kept} jobs left out by the selection" in capsys.readouterr().out


@pytest.mark.parametrize(("size", "processors"), [("+25%", 80), ("-50%", 32), ("x1.5", 96), (256, 256)])
def test_the_machine_is_a_number_or_a_change(log_file, tmp_path, size, processors):
    for option in ("--procs", "--processors"):
        assert ingested(log_file, option, size).machine.processors == processors
    ingested(log_file)
    changed = ("simulate", tmp_path / "w.parquet", "--processors", size, "--policy", "easy", "--out", tmp_path / "r")
    assert run(*changed) == 0
    assert json.loads((tmp_path / "r/run.json").read_text())["machine"]["clusters"][0]["processors"] == processors


def test_a_larger_machine_takes_jobs_that_were_too_wide(tmp_path):
    log = tmp_path / "own.swf"
    log.write_text(SIXTY_JOBS.replace("MaxProcs: 64", "MaxProcs: 16"))
    assert len(ingested(log, "--procs", "+25%")) == len(ingested(log, "--procs", 20)) == 60


@pytest.mark.parametrize("size", ["25%", "+25", "many", "1e3"])
def test_another_size_is_refused(log_file, capsys, size):
    said = refused(capsys, "ingest", log_file, "--procs", size, "--out", "w.parquet")
    assert "--procs: expected a number of processors such as 256, or a change such as +25%, -10% or x1.2" in said


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [("--partition", "batch", "partition"), ("--queue", "long", "queue"), ("--queue-credit", "long=24", "queue")],
)
def test_a_name_in_place_of_a_number_is_answered_by_where_the_number_stands(option, value, kind, capsys):
    with pytest.raises(SystemExit):
        run("validate", "drawn", option, value)
    said = capsys.readouterr().err
    assert f"the top of an imported log tells the number of each {kind}: '; {kind.capitalize()}: 1 NAME'" in said
