"""Forked programs do what processes of their own do, in less time."""

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.forked import programs


def ended(*words, **options):
    """Return what becomes of Python with some words."""
    return subprocess.run([programs() / "python", *words], capture_output=True, text=True, check=False, **options)


def test_words_streams_folder_parent_and_exit_code_are_those_of_the_program(tmp_path):
    (tmp_path / "one.py").write_text(
        "import os, sys; print(sys.argv, os.getcwd(), os.environ['MINE'], os.getppid(), input()); sys.exit(7)"
    )
    made = ended("one.py", "a b", cwd=tmp_path, env={**os.environ, "MINE": "3"}, input="told\n")
    assert (made.returncode, made.stdout, made.stderr) == (
        7,
        f"['one.py', 'a b'] {tmp_path} 3 {os.getpid()} told\n",
        "",
    )


def test_an_error_is_printed_and_exits_with_one():
    made = ended("-c", "import nowhere")
    assert made.returncode == 1
    assert "No module named 'nowhere'" in made.stderr


def test_a_signal_ends_the_program_too():
    assert ended("-c", "import os; os.kill(os.getpid(), 14)").returncode == -signal.SIGALRM


def test_what_a_killed_program_began_is_killed():
    words = [programs() / "python", "-c", "import os, time; print(os.getpid()); time.sleep(600)"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        child = Path("/proc", program.stdout.readline().strip())
        assert child.exists()
        program.kill()
    while child.exists():
        time.sleep(0.01)
