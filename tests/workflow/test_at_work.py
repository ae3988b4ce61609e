"""Two runs in one folder: the second is told who is at work, and the first goes on."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from scheduler_core.common.errors import OutputError
from tests.workflow.tiny_project import command, copy_project, environment
from workflow.at_work import hold

HOLDER = "import sys; from workflow.at_work import hold; hold(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
STARTER = """
import subprocess, sys
from workflow.at_work import hold
hold(sys.argv[1])
sys.exit(subprocess.call([sys.executable, "-c", "import sys; from workflow.at_work import hold; hold(sys.argv[1])", sys.argv[1]]))
"""


@pytest.fixture
def other():
    """Return a function that starts a process which holds a folder."""
    started = []

    def start(folder: Path) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", HOLDER, str(folder)]
        started.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout.readline() == "held\n"  # type: ignore[union-attr]
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_the_second_is_told_who_is_at_work_and_what_to_do(tmp_path, other):
    process = other(tmp_path / "results")
    with pytest.raises(OutputError) as told:
        hold(tmp_path / "results")
    for words in (
        f"process {process.pid} on {socket.gethostname()}, since 2",
        "another run is at work",
        "Wait until it ends",
    ):
        assert words in str(told.value)
    assert process.poll() is None
    hold(tmp_path / "elsewhere")


def test_a_killed_run_leaves_nothing_to_unlock(tmp_path, other):
    process = other(tmp_path)
    process.kill()
    process.wait()
    hold(tmp_path)
    hold(tmp_path)  # this process holds it already


@pytest.mark.parametrize("written", ["", "[]", "{", '{"pid": 1}', "\xff"])
def test_a_lock_without_a_name_is_still_a_lock(tmp_path, other, written):
    other(tmp_path)
    (tmp_path / ".at-work.json").write_text(written, encoding="latin-1")
    with pytest.raises(OutputError, match="another run is at work"):
        hold(tmp_path)


def test_the_pipeline_that_a_holder_starts_works_under_its_lock(tmp_path):
    assert subprocess.run([sys.executable, "-c", STARTER, str(tmp_path)], check=False).returncode == 0


@pytest.mark.slow
def test_a_second_snakemake_changes_nothing(tmp_path, other):
    folder = copy_project(tmp_path / "project")
    process = other(folder / "results")
    ended = subprocess.run(
        command("--cores", "1"), cwd=folder, env=environment(folder), capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert f"another run is at work in this folder (process {process.pid} on" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    assert os.listdir(folder / "results") == [".at-work.json"]  # noqa: PTH208
