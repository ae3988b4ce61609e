"""A full disk ends in a sentence that names the file and what is free, and leaves nothing half-written."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import programs
from tests.traces.swf_lines import EIGHT_JOBS

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from slotwise.cli.main import main
sys.exit(main(sys.argv[2:]))
"""

COMMANDS = {
    "ingest good.swf --out out/w.parquet": "out/w.parquet",
    "generate lublin --jobs 500 --seed 1 --out out/w.parquet": "out/w.parquet",
    "simulate good.swf --policy easy --out out": "out/",
}


@pytest.mark.parametrize("most", [0, pytest.param(300, marks=pytest.mark.thorough), 3000])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_has_no_room(tmp_path, command, most):
    (tmp_path / "good.swf").write_text(EIGHT_JOBS)
    words = [programs() / "python", "-c", LIMITED, str(most), *command.split()]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert COMMANDS[command] in ended.stderr
    assert "cannot be written: File too large" in ended.stderr
    assert "MB are free in" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list(tmp_path.rglob("*.part*"))


def test_standard_output_that_has_no_room(tmp_path):
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "slotwise", "policies"]
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "slotwise policies: standard output cannot be written: No space left on device\n"
