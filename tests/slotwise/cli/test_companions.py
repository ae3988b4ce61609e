"""Behaviour and slowdowns on the command line: drawn with a seed, repeated for a log, refused with the line."""

import json

import polars as pl
import pytest

from scheduler_core.contracts import Workload, read_replications, write_replications
from tests.slotwise.cli.command import refused, run
from traces.build import build_workload
from traces.companions import advice

SWF = """; MaxProcs: 8
1 0 0 100 4 -1 -1 4 120 -1 1 1 1 5 -1 -1 -1 -1
2 10 0 5000 8 -1 -1 8 5000 -1 1 2 1 6 -1 -1 -1 -1
3 20 0 300 3 -1 -1 3 600 -1 1 1 1 5 -1 -1 -1 -1
4 30 0 400 2 -1 -1 2 600 -1 1 1 1 5 -1 -1 -1 -1
5 40 0 4000 8 -1 -1 8 6000 -1 1 3 1 6 -1 -1 -1 -1
"""

SLOWDOWNS = "job,beside,slowdown\n5,5,1.2\n5,6,1.3\n6,5,1.4\n6,6,1.1\n"


@pytest.fixture
def log_file(tmp_path):
    (tmp_path / "small.swf").write_text(SWF)
    return tmp_path / "small.swf"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "mine.csv").write_text(SLOWDOWNS)
    return tmp_path / "mine.csv"


def test_generate_draws_behaviour_by_its_seed(tmp_path, capsys):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        words = ("--jobs", 40, "--seed", seed, "--behaviour", "lomarc", "--slowdowns", "huang_2004")
        assert run("generate", "lublin", *words, "--out", tmp_path / f"{name}.parquet") == 0
        assert f"(beside it {name}.behaviour.parquet, {name}.slowdowns.parquet)" in capsys.readouterr().out
    digests = [Workload.read(tmp_path / f"{name}.parquet").digest for name in "abc"]
    assert digests[0] == digests[1] != digests[2]


def test_jobs_of_a_log_become_flexible_for_a_policy_that_chooses_sizes(tmp_path, log_file, capsys):
    (tmp_path / "mine.py").write_text(
        "import slotwise as sw\n\n\n@sw.moldable\ndef narrow(now, waiting, running, free):\n"
        "    return [sw.Start(job, size=job.sizes[0]) for job in waiting][:free >= 8]\n"
    )
    asked = (log_file, "--policy", f"{tmp_path / 'mine.py'}:narrow")
    assert run("simulate", *asked, "--out", tmp_path / "rigid") == 0
    assert "every job of the workload is rigid and keeps the size it asked for" in capsys.readouterr().err
    assert run("simulate", *asked, "--flexibility", "huang(rigid=0)", "--out", tmp_path / "sized") == 0
    printed = capsys.readouterr()
    assert "NOTE" not in printed.err
    sizes = [pl.read_parquet(tmp_path / name / "jobs.parquet")["processors"].to_list() for name in ("rigid", "sized")]
    assert sizes == [[4, 8, 3, 2, 8], [2, 4, 1, 1, 4]]
    assert run("check", tmp_path / "sized", "--workload", log_file, "--flexibility", "huang(rigid=0)", "--replay") == 0


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("hunag", "--flexibility: there is no flexibility model 'hunag'; did you mean 'huang'?"),
        ("huang(rigid=2)", "--flexibility: huang: rigid must be at most 1; found 2"),
        ("huang(moldable=0.9,rigid=0.5)", "moldable and rigid are shares of all jobs"),
    ],
)
def test_a_wrong_flexibility_is_refused(tmp_path, log_file, capsys, model, message):
    words = ("--policy", "fcfs", "--flexibility", model, "--out", tmp_path / "run")
    assert message in refused(capsys, "simulate", log_file, *words)


def test_generate_draws_what_tasks_do_by_its_seed(tmp_path, capsys):
    for name, seed, mix in (("a", 3, "IO/Msg"), ("b", 3, "io/msg"), ("c", 4, "mix=IO/Msg")):
        words = ("--jobs", 40, "--seed", seed, "--applications", mix, "--applications", "chapter=6")
        assert run("generate", "lublin", *words, "--out", tmp_path / f"{name}.parquet") == 0
        assert f"(beside it {name}.applications.parquet)" in capsys.readouterr().out
    read = [Workload.read(tmp_path / f"{name}.parquet") for name in "abc"]
    assert read[0].digest == read[1].digest != read[2].digest
    assert set(read[0].companions["applications"]["burst_us"]) == {50_000, 5000}


def test_a_workload_without_jobs_gets_empty_tables(tmp_path, capsys):
    path = tmp_path / "missing.parquet"
    write_replications(path, build_workload({"log": "SDSC-SP2"}, "missing", 1).workloads)
    words = ("--policy", "lomarc", "--behaviour", "lomarc", "--slowdowns", "huang_2004")
    assert run("simulate", path, *words, "--begin", "first_job", "--out", tmp_path / "run") == 0
    assert "missing.parquet on 128 processors under LOMARC" in capsys.readouterr().out
    assert run("check", tmp_path / "run", "--workload", path, *words[2:]) == 0


def test_a_log_whose_tasks_block_is_simulated_and_checked(log_file, tmp_path, capsys):
    told = ("--applications", "IO", "--applications", "spread=constant")
    out = tmp_path / "run"
    assert run("simulate", log_file, *told, "--policy", "cg_prio", "--set", "until_s=1", "--out", out) == 0
    said = capsys.readouterr().out
    assert "unfinished" in said
    assert "legal" in said
    assert json.loads((out / "run.json").read_text())["replications"][0]["unfinished"] > 0
    assert run("check", out, "--workload", log_file, *told) == 0
    assert run("check", out, "--workload", log_file, *told, "--seed", 1) != 0
    assert run("simulate", log_file, *told, "--policy", "easy", "--out", tmp_path / "easy") == 0
    noted = "NOTE: EASY (easy) ignores what tasks do inside a time slice (--applications)\n"
    assert noted in capsys.readouterr().err
    said = refused(capsys, "simulate", log_file, "--policy", "cg_prio", "--out", tmp_path / "other")
    assert "missing: applications; found none. The table 'applications' comes with `--applications MIX`" in said
    assert "A run is checked" not in said, "there is no run yet"


def test_tables_that_one_option_adds_are_told_together():
    words = "The tables 'tasks' and 'edges' come with `--workflows SHARE`; the table 'behaviour' comes with `--behaviour lomarc`"
    assert advice(["tasks", "behaviour", "edges"]) == words


def test_time_begins_with_the_first_job_where_a_run_would_end_before_it(log_file, tmp_path, capsys):
    log_file.write_text(late := SWF.replace("\n1 0 ", "\n1 3600 ", 1))
    assert late != SWF
    log_file.write_text("".join(line for line in late.splitlines(keepends=True) if line.startswith((";", "1 "))))
    told = ("--applications", "IO")
    for name, begin in (("log", ()), ("first", ("--begin", "first_job"))):
        words = (*told, *begin, "--policy", "cg_prio", "--set", "until_s=1", "--out", tmp_path / name)
        assert run("simulate", log_file, *words) == 0
        noted = "NOTE: the run ends at 1 s, and the first job is submitted at 3,600 s: no job will run; let time begin"
        assert (noted in capsys.readouterr().err) == (name == "log")
        assert run("check", tmp_path / name, "--workload", log_file, *told, *begin) == 0
    assert run("check", tmp_path / "first", "--workload", log_file, *told) != 0
    assert pl.read_parquet(tmp_path / "first" / "jobs.parquet")["start_us"].to_list() == [0]


def test_jobs_whose_tasks_are_written_out_are_simulated_and_refused_where_they_could_not_end(
    log_file, tmp_path, capsys
):
    path, out = tmp_path / "programs.csv", tmp_path / "run"
    waits = [
        f"3,{task},receive,{task + 1}\n3,{task},compute,5000\n3,{task},send,{(task + 1) % 3 + 1}\n" for task in range(3)
    ]
    told = ("--programs", path, "--applications", "Emb")
    path.write_text("job,task,statement,value\n" + "".join(waits))
    said = refused(capsys, "simulate", log_file, *told, "--policy", "cg_rr", "--out", out)
    assert "job 3 never ends: task 0 waits at step 0 for message 1, which task 2 sends at step 2, task 2 waits" in said
    assert not out.exists()
    path.write_text("job,task,statement,value\n" + "".join(waits).replace("3,0,receive,1\n", "") + "3,0,receive,1\n")
    assert run("simulate", log_file, *told, "--policy", "cg_rr", "--out", out) == 0
    assert run("check", out, "--workload", log_file, *told) == 0
    jobs = pl.read_parquet(out / "jobs.parquet")
    assert jobs.filter(pl.col("job") == 3)["runtime_us"].item() == 15_000  # one after the other


def test_a_log_with_a_table_of_slowdowns_is_simulated_and_checked(log_file, table, tmp_path, capsys):
    told = (
        "--behaviour",
        "lomarc(mixture='M3', by='executable')",
        "--slowdowns",
        table,
        "--slowdowns-by",
        "executable",
    )
    out = tmp_path / "run"
    assert run("simulate", log_file, *told, "--policy", "lomarc_r", "--set", "slowdown=table", "--out", out) == 0
    assert "legal" in capsys.readouterr().out
    assert run("check", out, "--workload", log_file, *told) == 0
    assert "legal" in capsys.readouterr().out
    assert run("check", out, "--workload", log_file, *told, "--seed", 1) != 0
    assert run("ingest", log_file, *told, "--out", tmp_path / "w.parquet") == 0
    assert run("check", out, "--workload", tmp_path / "w.parquet") == 0
    behaviour = Workload.read(tmp_path / "w.parquet").companions["behaviour"]
    assert behaviour["application"].to_list() == [1, 2, 1, 1, 2]
    assert behaviour["kind"][0] == behaviour["kind"][2]


def test_the_first_jobs_of_a_log_behave_as_they_do_in_the_whole(log_file, tmp_path):
    for name, first in (("part", ("--first", 3)), ("whole", ())):
        words = ("--behaviour", "lomarc", *first, "--policy", "lomarc_r")
        assert run("simulate", log_file, *words, "--out", tmp_path / name) == 0
    assert run("check", tmp_path / "part", "--workload", log_file, "--behaviour", "lomarc", "--first", 3) == 0
    memory = [pl.read_parquet(tmp_path / name / "jobs.parquet")["memory_kb"].to_list() for name in ("part", "whole")]
    assert memory[0] == memory[1][:3]


def test_replications_are_drawn_for_each_by_itself(tmp_path, capsys):
    built = build_workload({"model": "lublin", "processors": 8, "jobs": 20, "replications": 2}, "w", 1)
    write_replications(tmp_path / "w.parquet", built.workloads)
    words = (tmp_path / "w.parquet", "--behaviour", "lomarc", "--replication", 1)
    assert run("simulate", *words, "--policy", "lomarc_r", "--out", tmp_path / "run") == 0
    drawn = build_workload({"model": "scojo_cases", "set": {"case": 2}, "replications": 2}, "cases", 1).workloads
    write_replications(tmp_path / "cases.parquet", drawn)
    assert [w.digest for w in read_replications(tmp_path / "cases.parquet")] == [w.digest for w in drawn]
    words = (tmp_path / "cases.parquet", "--replication", 1, "--policy", "scojo_c3")
    assert run("simulate", *words, "--out", tmp_path / "shares") == 0
    assert "legal" in capsys.readouterr().out


def test_a_table_need_not_know_what_only_later_jobs_are(log_file, table, tmp_path, capsys):
    table.write_text("job,beside,slowdown\n5,5,1.2\n")
    told = ("--behaviour", "lomarc", "--slowdowns", table, "--slowdowns-by", "executable", "--policy", "lomarc_r")
    out = ("--set", "slowdown=table", "--out", tmp_path / "run")
    assert "executable '6' of job 2 is not in the file" in refused(capsys, "simulate", log_file, *told, *out)
    assert run("simulate", log_file, "--first", 1, *told, *out) == 0


def test_a_table_that_the_policy_does_not_go_by_is_not_passed_over_in_silence(log_file, table, tmp_path, capsys):
    told = ("--behaviour", "lomarc", "--slowdowns", table, "--slowdowns-by", "executable", "--out", tmp_path / "run")
    assert run("simulate", log_file, *told, "--policy", "lomarc_r") == 0
    assert "and takes slowdown=printed; add `--set slowdown=table`" in capsys.readouterr().err
    for words in (("lomarc_r", "--set", "slowdown=table"), ("easy",)):
        assert run("simulate", log_file, *told, "--policy", *words, "--force") == 0
        assert "NOTE" not in capsys.readouterr().err


REFUSED = [
    ("--applications IO/Mesg", "--applications: applications: mix must be one of IO, IO/Msg"),
    ("--applications chapter=6", "--applications: mix is missing; write one of IO, IO/Msg"),
    ("--applications IO --applications mix=Msg", "--applications mix is given twice; leave one of the two out"),
    ("--applications IO --applications io_disk_ms=-3", "io_disk_ms must be at least 0.001; found -3"),
    ("--behaviour lomarck", "--behaviour: there is no behaviour model 'lomarck'; did you mean 'lomarc'"),
    ("--behaviour lomarc(mixture='M4')", "mixture must be one of M1, M2, M3; found 'M4'"),
    ("--behaviour lomarc(M2)", "expected a model of --behaviour as name(key=value, ...); found 'lomarc(M2)'"),
    ("--behaviour lomarc --slowdowns huang_2005", "there is no file 'huang_2005'"),
    ("--behaviour lomarc --slowdowns huang_2005", "no published table of this name (huang_2004)"),
    ("--slowdowns TABLE --slowdowns-by executable", "write 'behaviour' as well"),
    ("--behaviour lomarc --slowdowns-by class", "name it with --slowdowns TABLE"),
    (
        "--behaviour lomarc --slowdowns CUT --slowdowns-by executable",
        "cut.csv: there is no line for '6' beside '6', and 1 of 4 such lines are missing",
    ),
    ("--policy lomarc_r", "needs the workload's companion table behaviour; missing: behaviour; found none"),
    ("--policy lomarc_r", "The table 'behaviour' comes with `--behaviour lomarc`"),
    ("--behaviour lomarc --policy scojo_pricob", "The table 'shares' comes with the model scojo_cases"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_is_wrong_is_told_with_its_option(log_file, table, tmp_path, capsys, words, said):
    (cut := tmp_path / "cut.csv").write_text(SLOWDOWNS.replace("6,6,1.1\n", ""))
    command, out = "simulate" if "--policy" in words else "ingest", tmp_path / "out"
    options = [{"TABLE": table, "CUT": cut}.get(word, word) for word in words.split()]
    assert said in refused(capsys, command, log_file, *options, "--out", out)
    assert not out.exists()


def test_a_table_is_never_written_over_the_file_it_was_read_from(log_file, table, capsys):
    words = ("--behaviour", "lomarc", "--slowdowns", table, "--slowdowns-by", "executable", "--out", table)
    assert run("ingest", log_file, *words) == 2
    assert table.read_text() == SLOWDOWNS
