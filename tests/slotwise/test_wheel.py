"""slotwise installed from its wheel, far from any checkout."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.paths import PROJECT
from tests.workflow.tiny_project import CLAIM

pytestmark = pytest.mark.slow

LONGEST_S = 600
PACKAGES = ("slotwise", "scheduler_core", "traces", "reports", "workflow", "studies")

LOG = """\
; UnixStartTime: 820454400
; TimeZoneString: UTC
; MaxProcs: 8
1 0 0 100 4 -1 -1 4 120 -1 1 1 1 1 1 1 -1 -1
2 10 90 200 8 -1 -1 8 240 -1 1 2 1 1 1 1 -1 -1
3 20 0 50 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1
"""

STUDY = """\
study: mine
title: A study far from any checkout
question: Does it run here?
seed: 7
versus: easy
workloads:
  by-hand: {log: logs/mine.swf, label: By hand}
  model: {model: lublin, label: A model, processors: 16, jobs: 30, replications: 2}
policies:
  fcfs: {}
  easy: {}
""" + CLAIM.replace("below: 1000", "below: 1000000")

MEASURE = """\
-- Mean wait of the jobs of $workload under EASY (s).
SELECT workload AS label, policy AS unit, value FROM run_values
WHERE metric = 'mean_wait' AND policy = 'easy' AND workload = $workload
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """Install the wheel into an empty environment that sees the dependencies alone; return its `slotwise`."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip"]
    build = [*pip, "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "-w", folder, PROJECT]
    subprocess.run(build, check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    [wheel] = folder.glob("*.whl")
    subprocess.run([*pip, "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    [packages] = (folder / "venv" / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(
        sysconfig.get_path("purelib")
    )  # without the checkout, whose .pth is not read
    return folder / "venv" / "bin" / "slotwise"


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """An empty folder to work in; kernels run as plain Python, for tiny workloads need no machine code."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("PYTHONPATH", "SNAKEMAKE", "SLOTWISE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def answer(*words, code=0):
    """Return what a command printed, and fail with all of it when it ends with another code."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_the_checkout_is_out_of_reach(command, desk):
    found = answer(command.with_name("python"), "-c", "import slotwise, sys; print(slotwise.__file__, *sys.path)")
    assert Path(found.split()[0]).is_relative_to(command.parents[1])
    assert str(PROJECT) not in found.split()


def test_commands(command, desk):
    drawn = ("lublin", "--set", "processors=16", "--jobs", "20", "--seed", "1", "--out", "w.parquet")
    assert "20 jobs on 16 processors" in answer(command, "generate", *drawn)
    for policy in ("easy", "fcfs"):
        assert "legal" in answer(command, "simulate", "w.parquet", "--policy", policy, "--out", policy)
    assert "legal" in answer(command, "check", "easy", "--workload", "w.parquet")
    assert "of 20 jobs" in answer(command, "compare", "easy", "fcfs")
    assert "Parameters" in answer(command, "policies", "easy")
    assert "SDSC-SP2" in answer(command, "logs")
    assert "easy_dialects" in answer(command, "study", "list")


def test_the_wheel_has_every_file_of_the_packages(command):
    [packages] = (command.parents[1] / "lib").glob("python*/site-packages")
    written = [path.relative_to(PROJECT) for room in PACKAGES for path in (PROJECT / room).rglob("*") if path.is_file()]
    names = [name for name in written if "__pycache__" not in name.parts and not name.is_relative_to("traces/logs")]
    assert [str(name) for name in (Path("Snakefile"), *names) if not (packages / name).is_file()] == []


@pytest.mark.thorough
def test_a_study_of_the_user_becomes_a_report(command, desk):
    for name, text in {
        "papers/mine/study.yaml": STUDY,
        "papers/mine/measures/waits.sql": MEASURE,
        "logs/mine.swf": LOG,
    }.items():
        (desk / name).parent.mkdir(parents=True, exist_ok=True)
        (desk / name).write_text(text)
    told = answer(command, "study", "run", "papers/mine", "--cores", "2")
    assert told.splitlines()[-1] == "report: results/report/index.html"
    assert "A study far from any checkout" in (desk / "results/report/index.html").read_text()
    assert {path.name for path in desk.iterdir()} == {"papers", "logs", "results", "cache"}
