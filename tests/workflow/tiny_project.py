"""Copies of the project with one tiny study, runs of Snakemake in them, and their results."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forked import programs
from tests.paths import PROJECT
from workflow.plan import Plan

ROOMS = ("workflow", "traces", "scheduler_core", "reports", "profiles")
UNLIKE = (".at-work.json", "timing.json", "slotwise.duckdb", "provenance.html", "runs.csv", "runs.js")
"""Files whose bytes may differ between equal runs: wall times, the layout of the database (and PDFs: fonts)."""

LOG = """\
; Version: 2.2
; Computer: a machine of eight processors
; MaxJobs: 12
; MaxRecords: 12
; UnixStartTime: 820454400
; TimeZoneString: UTC
; MaxNodes: 8
; MaxProcs: 8
; Note: written by hand: jobs that block, jobs that fit beside them, and one instant with two submissions
1 0 0 100 4 -1 -1 4 120 -1 1 1 1 1 1 1 -1 -1
2 10 90 200 8 -1 -1 8 240 -1 1 2 1 1 1 1 -1 -1
3 20 0 50 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1
4 20 0 70 4 -1 -1 4 900 -1 1 3 1 1 1 1 -1 -1
5 45 0 300 1 -1 -1 1 300 -1 1 3 1 2 1 1 -1 -1
6 50 0 10 2 -1 -1 2 20 -1 1 1 1 2 1 1 -1 -1
7 300 0 400 5 -1 -1 5 600 -1 1 2 1 1 1 1 -1 -1
8 301 0 60 6 -1 -1 6 60 -1 1 4 1 1 1 1 -1 -1
9 302 0 60 3 -1 -1 3 100 -1 1 4 1 1 1 1 -1 -1
10 303 0 500 3 -1 -1 3 700 -1 1 5 1 1 1 1 -1 -1
11 700 0 30 8 -1 -1 8 30 -1 1 5 1 1 1 1 -1 -1
12 705 0 20 1 -1 -1 1 40 -1 1 1 1 1 1 1 -1 -1
"""

STUDY = """\
study: tiny
title: A tiny study
question: Does the pipeline hold?
seed: 7
versus: easy
workloads:
  by-hand: {log: tiny.swf, label: By hand}
  model:
    {model: lublin, label: A model, processors: 16, jobs: 60, replications: 2, load: 0.8}
policies:
  fcfs: {}
  easy: {}
  conservative: {}
  gang: {}
"""

CLAIM = """\
claims:
  - id: C1
    kind: direction
    headline: Backfilling keeps waits short
    sentence: Backfilling keeps the waits of a model short.
    citation: An author, a paper, a year.
    measure: waits
    with: {workload: model}
    expect: {all: {below: 1000}}
"""

MEASURE = """\
-- Mean wait of the jobs of $workload under EASY (s).
SELECT workload AS label, unit, value FROM independent_measurements
WHERE metric = 'mean_wait' AND scope = 'all' AND policy = 'easy' AND workload = $workload
"""

MISSING = "SDSC-SP2-1998-4.2-cln"
"""A log of the catalogue that the tests cannot reach."""

STUDY_WITH_A_MISSING_LOG = STUDY.replace(
    "policies:\n", f"  gone: {{log: {MISSING}, label: Not at hand, policies: [easy]}}\npolicies:\n"
)
FULL_STUDY = STUDY_WITH_A_MISSING_LOG + CLAIM

CONFIG = "studies: [tiny]\nrequire_logs: false\n"


def write_study(folder: Path, text: str, old: str = "", new: str = "") -> Path:
    """Write a study into the folder of its name, with ``new`` in place of ``old``, and a log beside; return its path."""
    assert old in text
    path = folder / text.partition("study: ")[2].split()[0] / "study.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace(old, new) if old else text)
    (folder / "tiny.swf").write_text(LOG)
    return path


def copy_project(folder: Path) -> Path:
    """Copy the packages of the project, and add the tiny study."""
    folder.mkdir(parents=True)
    for room in ROOMS:
        shutil.copytree(PROJECT / room, folder / room, ignore=shutil.ignore_patterns("logs"))
    shutil.copy2(PROJECT / "Snakefile", folder)
    (folder / "config").mkdir()
    (folder / "studies" / "tiny" / "measures").mkdir(parents=True)
    (folder / "studies" / "other").mkdir()
    (folder / "studies" / "other" / "figures.py").write_text("# figures of a study that is not run\n")
    (folder / "studies" / "tiny" / "measures" / "waits.sql").write_text(MEASURE)
    (folder / "config" / "config.yaml").write_text(CONFIG)
    (folder / "studies" / "tiny" / "study.yaml").write_text(FULL_STUDY)
    (folder / "tiny.swf").write_text(LOG)
    return folder


def environment(folder: Path, *, compiled: bool = False) -> dict[str, str]:
    """Return the environment of a run, without logs, network, and variables that name another copy.

    Unless ``compiled``, kernels run as plain Python: a copy has no machine code, and tiny workloads need none.
    """
    outside = ("PYTHONPATH", "SNAKEMAKE", "SLOTWISE", "NUMBA")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(outside)}
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    plain = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    return {**kept, **nowhere, **plain, "XDG_CACHE_HOME": str(folder / ".cache")}


LONGEST_S = 300
"""Seconds after which a test gives up on a run of the tiny study."""


def command(*arguments: str) -> list[str]:
    """Return the command line that starts Snakemake."""
    return [sys.executable, "-m", "snakemake", *arguments]


def forked(*arguments: str) -> list[str]:
    """Return the command line that forks Snakemake and its jobs, in less than half of the processor time."""
    return [str(programs(of_a_copy=True) / "python"), "-m", "snakemake", *arguments]


def run(
    folder: Path, *arguments: str, check: bool = True, start: Callable[..., list[str]] = forked
) -> subprocess.CompletedProcess[str]:
    """Run Snakemake in a project. When it fails, fail the test with its whole output."""
    done = subprocess.run(
        start(*arguments),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    if check and done.returncode:
        pytest.fail(f"snakemake {' '.join(arguments)} failed:\n{done.stdout}\n{done.stderr}")
    return done


TABLE_ROW = re.compile(r"^([\w.-]+) +(\d+)$", re.M)
BATCH_OF_CELLS = re.compile(r"Job \d+: Run (.+)")
CELL_RUN = re.compile(r"(\S+) under (\S+): run")


def planned(output: str) -> Counter[str]:
    """Count the jobs a dry run plans, by rule."""
    table = output.rpartition("Job stats:")[2]  # it is printed twice
    jobs = Counter({rule: int(count) for rule, count in TABLE_ROW.findall(table)})
    del jobs["total"], jobs["all"]
    return jobs


def dry_run(folder: Path, *arguments: str) -> tuple[Counter[str], set[tuple[str, str]]]:
    """Plan a run; return the number of jobs by rule, and the cells of their batches."""
    output = run(folder, "--dry-run", "--cores", "1", *arguments).stdout
    cells = {
        (workload, policy)
        for batch in BATCH_OF_CELLS.findall(output)
        for workload, _, policies in (part.partition(" under ") for part in batch.split("; "))
        for policy in policies.split(", ")
    }
    return planned(output), cells


def plan_of(folder: Path, *studies: str) -> Plan:
    """Plan studies given as text; the name of each stands in it."""
    return Plan({"studies": [write_study(folder, text).parent.name for text in studies]}, PROJECT, folder)


def cells_run(folder: Path) -> set[tuple[str, str]]:
    """Return the cells that were simulated, and not found done, according to the logs of batches."""
    logs = folder.glob("logs/results/simulate_cells/*.log")
    return {cell for log in logs for cell in CELL_RUN.findall(log.read_text())}


def digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of every result file whose bytes are a function of the inputs.

    The note on a missing log names the folders searched, so the path of the project is replaced.
    """
    results, here = folder / "results", str(folder.parent).encode()
    return {
        str(path.relative_to(results)): hashlib.sha256(path.read_bytes().replace(here, b"HERE")).hexdigest()
        for path in sorted(results.rglob("*"))
        if path.is_file() and path.name not in UNLIKE and path.suffix != ".pdf"
    }


def store_content(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of every table of the store, sorted, without wall times."""
    import duckdb

    with duckdb.connect(str(folder / "results" / "slotwise.duckdb"), read_only=True) as connection:
        tables = [row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()]
        columns = {"runs": "* EXCLUDE (kernel_s, wall_s)"}
        return {
            table: sorted(connection.execute(f"SELECT {columns.get(table, '*')} FROM {table}").fetchall(), key=repr)
            for table in tables
        }
