"""What a real SLURM recorded of real jobs is imported, line by line, and simulated."""

import os
import subprocess

import polars as pl
import pytest

from scheduler_core.runs.folder import check_run, read_run
from tests.one_node_cluster import called, cluster, wait_for, why_not
from tests.slotwise.cli.command import run
from tests.traces.dumps.dump_lines import header, jobs
from traces.dumps.importing import import_dump
from traces.dumps.reading import ImportOptions
from traces.dumps.slurm import CALL
from traces.ingest import ingest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.cluster,
    pytest.mark.skipif(bool(why_not(accounting=True)), reason=why_not(accounting=True) or "there is a cluster"),
]

ZONE = "America/New_York"
PEOPLE = ("daemon", "bin", "sys", "games")
"""Users that every Debian has."""

CPUS = 8
"""Processors that SLURM gives to many jobs, which sleep: more than the machine may have."""

MANY = 200
"""Jobs of four users in two partitions, for a what-if."""

ENDED, BROKEN, ELEMENTS, CANCELLED = 16, 4, 3, 5
"""Jobs that complete, jobs that fail, elements of an array, and jobs that are cancelled in the queue."""


def submit(*words, script):
    return called("sbatch", "--parsable", "--output=/dev/null", *words, f"--wrap={script}").strip()


def dump(path, **environment):
    """Write what the call of the manual prints."""
    words = CALL.removesuffix(" > DUMP").split()
    told = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    path.write_text(told.stdout)
    return told.stdout.splitlines()


def recorded(path, count):
    """Return whether so many jobs have ended in the accounting, which comes later than the end of the job."""
    unfinished = ("PENDING", "RUNNING", "COMPLETING", "Unknown")
    lines = dump(path)
    return len(lines) == 1 + count and not any(word in line for word in unfinished for line in lines)


def wait_until_recorded(path, count, seconds):
    """Wait until no job is in the queue and all of so many are in the accounting."""
    wait_for("none", ["sh", "-c", 'test -z "$(squeue --noheader)" && echo none'], seconds=seconds)
    for _ in range(60):
        if recorded(path, count):
            break
        wait_for("later", ["sh", "-c", "sleep 1; echo later"])


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """Return two dumps of the same jobs: with local times, and with seconds since 1970."""
    folder = tmp_path_factory.mktemp("dumps")
    with cluster(accounting=True):
        for number in range(ENDED):
            where = ("--partition=short", "--time=1") if number % 2 else ("--partition=long", "--time=30")
            submit(*where, f"--ntasks={1 + number % 2}", script=f"sleep {number % 3 / 2}")
        for _ in range(BROKEN):
            submit("--partition=short", "--time=2", script="sleep 1; exit 3")
        submit("--partition=long", "--time=3", f"--array=1-{ELEMENTS}", script="sleep 1")
        # jobs that were never eligible, such as held ones, are not in sacct
        waiting = [submit("--partition=short", "--time=1", script="sleep 60") for _ in range(CANCELLED)]
        called("scancel", *waiting)
        wait_until_recorded(folder / "local.txt", ENDED + BROKEN + ELEMENTS + CANCELLED, seconds=120)
        dump(folder / "local.txt", TZ=ZONE)
        dump(folder / "epoch.txt", SLURM_TIME_FORMAT="%s")
    return folder


def test_every_job_of_a_real_cluster_is_imported(dumps):
    imported = import_dump(dumps / "local.txt", ImportOptions(timezone=ZONE, processors=2))
    accounting = imported.accounting
    assert (accounting.rejected, accounting.others) == ({}, {"header": 1})
    assert accounting.jobs == ENDED + BROKEN + ELEMENTS + CANCELLED
    found = jobs(imported)
    status = [job[10] for job in found]
    assert [status.count(one) for one in (1, 0, 5)] == [ENDED + ELEMENTS, BROKEN, CANCELLED]
    assert all((job[3], job[4]) == (-1, -1) for job in found if job[10] == 5)
    ran = [job for job in found if job[10] != 5]
    assert {(job[4], job[7]) for job in ran} == {(1, 1), (2, 2)}
    assert all(0 <= job[3] <= 30 and job[2] >= 0 for job in ran)
    assert {job[8] for job in ran} == {60, 120, 180, 1800}
    assert all(job[3] >= 1 for job in ran if job[10] == 0)
    lines = header(imported)
    assert {"Computer: elm", "MaxPartitions: 2", "MaxProcs: 2"} <= set(lines)


def test_local_times_and_seconds_since_1970_give_the_same_jobs(dumps):
    local = import_dump(dumps / "local.txt", ImportOptions(timezone=ZONE))
    assert jobs(local) == jobs(import_dump(dumps / "epoch.txt"))
    (start,) = [line for line in header(local) if line.startswith("UnixStartTime")]
    assert start in header(import_dump(dumps / "epoch.txt"))


def test_a_partition_of_a_real_cluster_is_chosen(dumps):
    imported = import_dump(dumps / "local.txt", ImportOptions(timezone=ZONE, partitions=("short",)))
    assert imported.accounting.jobs == ENDED // 2 + BROKEN + CANCELLED
    assert imported.accounting.others["other_partition"] == ENDED // 2 + ELEMENTS


def test_what_a_real_cluster_ran_is_simulated(dumps, tmp_path):
    log = tmp_path / "elm.swf"
    assert run("import", dumps / "local.txt", "--out", log, "--timezone", ZONE, "--processors", 2) == 0
    ingested = ingest(log)
    assert set(ingested.accounting.rejected) <= {"cancelled_before_start", "zero_runtime"}
    assert ingested.accounting.rejected["cancelled_before_start"] == CANCELLED
    assert run("simulate", log, "--policy", "easy", "--out", tmp_path / "run") == 0
    finished = read_run(tmp_path / "run")
    assert all(one.legal for one in check_run(finished))
    assert finished.schedules[0].jobs.height == len(ingested.workload)
    assert run("export", tmp_path / "run", "--as", "evalys", "--out", tmp_path / "elm.csv") == 0


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Return the folder of a log, and of the names in it, of a few minutes of a busy cluster."""
    folder = tmp_path_factory.mktemp("many")
    with cluster(CPUS, accounting=True):
        for number in range(MANY):
            where = ("--partition=short", "--time=1") if number % 3 else ("--partition=long", "--time=30")
            owner = (f"--uid={PEOPLE[number % len(PEOPLE)]}", "--chdir=/tmp")
            submit(*where, *owner, f"--ntasks={1 + number % 2}", script=f"sleep {1 + (number % 4 == 0)}")
        wait_until_recorded(folder / "dump.txt", MANY, seconds=420)
        dump(folder / "dump.txt", TZ=ZONE)
    words = ("--timezone", ZONE, "--processors", CPUS, "--names", folder / "names.csv")
    assert run("import", folder / "dump.txt", "--out", folder / "elm.swf", *words) == 0
    return folder


def test_what_a_real_cluster_recorded_gets_a_page(many, capsys):
    """Minutes give no grade, and the page says so; the users and partitions are those of the cluster."""
    log = many / "elm.swf"
    assert [job[10] for job in jobs(import_dump(many / "dump.txt", ImportOptions(timezone=ZONE)))] == [1] * MANY
    for command, words in (
        ("validate", "1 week with at least 10 jobs; a grade needs 10"),
        ("fit", "1 even week with at least"),
    ):
        assert run(command, log) == 0
        assert f"it has {words}" in capsys.readouterr().out
    assert run("whatif", log, "--names", many / "names.csv", "--out", many / "page.html") == 0
    page = (many / "page.html").read_text()
    assert "No grade" in page
    assert "it has 1 week with at least 10 jobs; a grade needs 10" in page
    groups = pl.read_parquet(many / "page_tables" / "groups.parquet")
    assert set(groups.filter(kind="user")["group"]) == set(PEOPLE)
    assert set(groups.filter(kind="partition")["group"]) == {"short", "long"}
