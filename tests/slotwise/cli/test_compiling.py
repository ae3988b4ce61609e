"""Who waits for kernels to be compiled is told, once for each family."""

import os
import subprocess
import sys
from collections import defaultdict
from types import SimpleNamespace

import pytest
from numba.core import event
from numba.core.event import end_event, start_event

from slotwise.cli.compiling import tell_of_compiling
from tests.paths import PROJECT


def compiled(module):
    """Send the events of a function of a module that is compiled."""
    data = {"dispatcher": SimpleNamespace(py_func=SimpleNamespace(__module__=module))}
    start_event("numba:compile", data)
    end_event("numba:compile", data)


def test_each_family_is_told_once_and_nothing_else(capsys, monkeypatch):
    monkeypatch.setattr(event, "_registered", defaultdict(list))  # of commands that ran in this process before
    tell_of_compiling.cache_clear()
    tell_of_compiling()
    tell_of_compiling()
    for module in (
        "traces.swf_kernel",
        "scheduler_core.kernel.heap",
        "scheduler_core.space_sharing.event_loop",
        "scheduler_core.space_sharing.state",
        "scheduler_core.gang.engine",
    ):
        compiled(module)
    said = capsys.readouterr().err.splitlines()
    words = "Compiling the kernels of {}, once; this takes up to a minute ..."
    assert [line for line in said if "space sharing" in line] == [words.format("space sharing")]
    assert len(said) <= 2
    assert said[-1] == words.format("gang")


@pytest.mark.thorough
@pytest.mark.slow
def test_a_first_run_tells_and_a_second_does_not(tmp_path):
    log = tmp_path / "drawn.swf"
    log.write_text("; MaxProcs: 8\n" + "".join(f"{k} {k} -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n" for k in range(1, 9)))
    words = [sys.executable, "-m", "slotwise", "simulate", log, "--policy", "fcfs", "--force"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(PROJECT)}
    said = [
        subprocess.run(
            [*words, "--out", tmp_path / "run"], env=environment, capture_output=True, text=True, check=True
        ).stderr
        for _ in range(2)
    ]
    assert said == ["Compiling the kernels of space sharing, once; this takes up to a minute ...\n", ""]
