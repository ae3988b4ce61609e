"""Accounting of a small cluster goes through import, validate, fit and what-if to a page that says what it cannot tell."""

import datetime
import re

import numpy as np
import polars as pl
import pytest

from scheduler_core.contracts import Machine, Workload
from scheduler_core.runs.simulation import simulate
from tests.slotwise.cli.command import run
from tests.slotwise.planning.small_jobs import jobs
from tests.traces.dumps.dump_lines import CANCELLED, dump, row, write

JOBS, CANCELLATIONS, PROCESSORS = 250, 6, 32
PEOPLE = ("ann", "bo", "cy", "dee")
PARTITIONS = ("short", "long")
BEGIN = datetime.datetime(2024, 3, 4, 8)
HOUR = 3600


def cluster_week():
    """Return ten days of a cluster under EASY as lines of sacct: jobs of four people in two partitions, some cancelled."""
    random = np.random.default_rng(20)
    submit = np.sort(random.integers(0, 240 * HOUR, JOBS)).tolist()
    long = random.random(JOBS) < 0.4
    runs = np.where(long, random.integers(HOUR, 14 * HOUR, JOBS), random.integers(30, HOUR, JOBS)).tolist()
    sizes = random.choice([1, 2, 4, 8, 16, 32], JOBS, p=[0.2, 0.2, 0.2, 0.2, 0.15, 0.05]).tolist()
    table = jobs(*zip(submit, runs, sizes, strict=True)).with_columns(estimate_us=pl.col("runtime_us") * 2)
    made = simulate(Workload(table, Machine(PROCESSORS)), "easy").jobs.sort("job")
    lines = []
    for number, (start_us, finish_us) in enumerate(made.select("start_us", "finish_us").rows()):
        cores = f"billing={sizes[number]},cpu={sizes[number]},node=1"
        lines.append(
            row(
                JobIDRaw=str(100 + number),
                JobID=str(100 + number),
                User=PEOPLE[int(random.integers(4))],
                Partition=PARTITIONS[int(long[number])],
                Submit=moment(submit[number]),
                Eligible=moment(submit[number]),
                Start=moment(start_us // 10**6),
                End=moment(finish_us // 10**6),
                ElapsedRaw=str(runs[number]),
                Timelimit=clock(2 * runs[number]),
                NNodes="1",
                ReqTRES=cores,
                AllocTRES=cores,
                State="FAILED" if number % 40 == 7 else "COMPLETED",
            )
        )
    gone = {**CANCELLED, "Submit": moment(0), "Eligible": moment(0), "End": moment(60)}
    return lines + [row(JobIDRaw=str(number), JobID=str(number), **gone) for number in range(1, CANCELLATIONS + 1)]


def moment(seconds):
    return (BEGIN + datetime.timedelta(seconds=seconds)).isoformat()


def clock(seconds):
    return f"{seconds // HOUR:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the log and the names of a dump."""
    folder = tmp_path_factory.mktemp("site")
    path = write(folder, dump(*cluster_week()))
    words = ("--processors", PROCESSORS, "--timezone", "Europe/Berlin", "--names", folder / "names.csv")
    assert run("import", path, "--out", folder / "elm.swf", *words) == 0
    return folder


TOO_SHORT = re.compile(r"it has [123] weeks? with at least 10 jobs; a grade needs 10")


def test_validate_gives_no_grade(site, capsys):
    assert run("validate", site / "elm.swf") == 0
    said = capsys.readouterr().out
    assert "EASY (easy): No grade. The simulation cannot be graded: the log is too short." in said
    assert TOO_SHORT.search(said)


def test_fit_claims_no_model(site, capsys):
    assert run("fit", site / "elm.swf") == 0
    said = capsys.readouterr().out
    assert re.search(r"it has [12] even weeks? with at least 10 jobs\. A fit chooses on odd weeks", said)
    assert "slotwise whatif" not in said


def test_the_page_says_that_there_are_too_few_weeks(site, capsys):
    words = ("--names", site / "names.csv", "--tune", "mean_wait", "--out", site / "page.html")
    assert run("whatif", site / "elm.swf", *words) == 0
    page = (site / "page.html").read_text()
    assert '<span class="grade ">No grade</span>' in page
    assert TOO_SHORT.search(page)
    assert "95 % CI" not in page.partition("<h2")[0]
    groups = pl.read_parquet(site / "page_tables" / "groups.parquet")
    assert set(groups.filter(kind="user")["group"]) == set(PEOPLE)
    assert set(groups.filter(kind="partition")["group"]) == set(PARTITIONS)
    scenarios = pl.read_parquet(site / "page_tables" / "scenarios.parquet")
    assert scenarios["jobs"].to_list() == [JOBS] * scenarios.height
    assert "too few even weeks to confirm it" in page or "nothing helps" in page


def test_the_recorded_waits_are_simulated(site):
    """EASY made the waits, so EASY repeats them."""
    assert run("whatif", site / "elm.swf", "--try", "fcfs", "--out", site / "easy.html") == 0
    means = pl.read_parquet(site / "easy_tables" / "recorded.parquet").filter(kind="partition")
    assert means["recorded_h"].to_list() == pytest.approx(means["simulated_h"].to_list())
