"""A killed run that is started again leaves the same results as an undisturbed one."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.profiles import PROFILE
from tests.workflow.tiny_project import command, copy_project, digests, environment, run, store_content

pytestmark = pytest.mark.slow


def kill_after(folder: Path, seconds: float) -> None:
    """Start a run, and kill it with all its processes after some seconds."""
    process = subprocess.Popen(
        command("--cores", "2"),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_killed_run_is_taken_up_by_the_same_command(finished: Path, tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    moment = random.Random()
    for _ in range(4 if PROFILE == "thorough" else 1):
        kill_after(folder, seconds := moment.uniform(3, 10))
        print(f"killed after {seconds:.2f} s; files: {len(digests(folder))}")
    run(folder, "--cores", "2")
    assert digests(folder) == digests(finished)
    assert store_content(folder) == store_content(finished)
    assert not list(folder.glob("results/**/*.part")), "half-written files stay behind"
