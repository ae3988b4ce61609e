"""`slotwise export`."""

import gzip

import pytest

from scheduler_core.runs.folder import read_run, write_run
from tests.slotwise.cli.command import refused, run
from tests.traces.swf_lines import line
from traces import read_log

TEXT = "; MaxProcs: 8\n; UnixStartTime: 86400\n" + "".join(f"{line(job=job, submit=10 * job)}\n" for job in range(1, 9))


@pytest.fixture
def log(tmp_path):
    (tmp_path / "some.swf").write_text(TEXT)
    return tmp_path / "some.swf"


@pytest.fixture
def finished(log, tmp_path, capsys):
    """Return the folder of a finished run."""
    assert run("simulate", log, "--policy", "easy", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    return tmp_path / "run"


def test_a_log_comes_back_as_it_was(log, tmp_path, capsys):
    for name in ("a.swf", "b.swf.gz", "c.swf.gz"):
        assert run("export", log, "--as", "swf", "--out", tmp_path / name) == 0
        assert capsys.readouterr().out == f"8 jobs written to {tmp_path / name}\n"
    assert gzip.decompress((tmp_path / "b.swf.gz").read_bytes()) == (tmp_path / "a.swf").read_bytes()
    assert (tmp_path / "b.swf.gz").read_bytes() == (tmp_path / "c.swf.gz").read_bytes()
    assert read_log(tmp_path / "b.swf.gz").digest == read_log(log).digest
    assert "; UnixStartTime: 86400\n" in (tmp_path / "a.swf").read_text()


def test_a_run_becomes_its_schedule_or_its_jobs(log, finished, tmp_path, capsys):
    assert run("export", finished, "--as", "swf", "--out", tmp_path / "schedule.swf") == 0
    schedule = read_log(tmp_path / "schedule.swf")
    known = read_run(finished).schedules[0].jobs
    assert schedule.jobs["recorded_wait_us"].to_list() == (known["start_us"] - known["submit_us"]).to_list()
    assert run("export", finished, "--as", "swf", "--without-schedule", "--out", tmp_path / "jobs.swf") == 0
    jobs = read_log(tmp_path / "jobs.swf")
    assert jobs.digest == read_log(log).digest
    assert "recorded_wait_us" not in jobs.jobs.columns


def test_an_exported_schedule_does_not_depend_on_the_folder(log, finished, tmp_path):
    assert run("simulate", log, "--policy", "easy", "--out", tmp_path / "other") == 0
    for folder, name in ((finished, "a"), (tmp_path / "other", "b")):
        for form in ("swf", "evalys"):
            assert run("export", folder, "--as", form, "--out", tmp_path / f"{name}.{form}") == 0
    for form in ("swf", "evalys"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()


def test_the_name_of_the_file_tells_the_format(finished, tmp_path):
    for form, name in (("swf", "a.swf"), ("swf", "b.swf.gz"), ("evalys", "c.csv"), ("evalys", "d.csv.gz")):
        assert run("export", finished, "--out", tmp_path / name) == 0
        assert run("export", finished, "--as", form, "--out", tmp_path / f"as_{name}") == 0
        assert (tmp_path / name).read_bytes() == (tmp_path / f"as_{name}").read_bytes()


def test_evalys_is_told_which_processors_were_numbered(finished, tmp_path, capsys):
    assert run("export", finished, "--as", "evalys", "--out", tmp_path / "jobs.csv") == 0
    said = capsys.readouterr().out
    assert "not held as it was:\n  8 jobs: the policy counts processors, so the lowest-numbered free ones" in said
    assert (tmp_path / "jobs.csv").read_text().startswith("jobID,workload_name,profile,submission_time,")


def test_what_only_a_run_has_is_refused_for_a_log(log, tmp_path, capsys):
    out = ("--out", tmp_path / "out")
    said = refused(capsys, "export", log, "--as", "evalys", *out)
    assert f"expected the folder of a finished run: slotwise simulate {log} --policy easy --out RUN" in said
    assert "a log has no schedule: leave it out" in refused(
        capsys, "export", log, "--as", "swf", "--without-schedule", *out
    )
    assert "a log has one replication, 0; found" in refused(
        capsys, "export", log, "--as", "swf", "--replication", 1, *out
    )
    assert "the file that is read" in refused(capsys, "export", log, "--as", "swf", "--out", log)
    assert not (tmp_path / "out").exists()


def test_a_run_is_not_written_over(finished, tmp_path, capsys):
    note = finished / "run.json"
    assert "the file that is read" in refused(capsys, "export", finished, "--as", "swf", "--out", note)
    assert "there is no run.json" in refused(capsys, "export", tmp_path, "--as", "swf", "--out", tmp_path / "out")
    said = refused(capsys, "export", finished, "--as", "evalys", "--without-schedule", "--out", tmp_path / "out")
    assert "--without-schedule is for --as swf" in said


def test_one_of_several_replications_is_named(finished, tmp_path, capsys):
    from scheduler_core.checker import check

    once = read_run(finished)
    pair = (once.workloads * 2, once.schedules * 2)
    write_run(tmp_path / "twice", *pair, [check(*one) for one in zip(*pair, strict=True)], name="some")
    words = ("export", tmp_path / "twice", "--as", "swf", "--out", tmp_path / "a.swf")
    assert "holds 2 replications; choose one with --replication, 0 to 1" in refused(capsys, *words)
    assert "there is no replication 2; the first is 0, the last 1" in refused(capsys, *words, "--replication", 2)
    assert run(*words, "--replication", 1) == 0
    assert "; Note: workload: some, replication 1\n" in (tmp_path / "a.swf").read_text()
