"""Kernels count no index from the end of an array. A check of bounds, which is numba's own, finds one that would."""

import os
import subprocess
import sys

import pytest

from tests.scheduler_core.kernel.test_machine_code import KERNEL, call, small_project

STEP = KERNEL + "@kernel\ndef step(values, place):\n    return values[place]\n"
LOOP = """
from scheduler_core.kernel.jit import kernel_entry
from scheduler_core.{family}.step import step
@kernel_entry
def loop(values, place):
    return step(values, place - 1)
"""
CALL = """
import numba
import numpy
from scheduler_core.one.loop import loop
values = numpy.arange(5, 9)
print(loop(values, 1), numba.njit(lambda values, place: values[place - 1])(values, 0))
numba.config.BOUNDSCHECK = 1
from scheduler_core.two.loop import loop
print(loop(values, 4))
try:
    loop(values, 0)
except IndexError as error:
    print(error)
"""

CHECKED = ("test_scenarios.py", "test_against_oracle.py", "grid/test_small_grids.py", "stepping", "gang/theory")


def test_a_check_of_bounds_finds_a_negative_index_in_a_kernel(tmp_path):
    """Code that is no kernel, such as a policy of one's own, still counts from the end."""
    folder = small_project(tmp_path)
    for family in ("one", "two"):
        (folder / "scheduler_core" / family / "step.py").write_text(STEP)
        (folder / "scheduler_core" / family / "loop.py").write_text(LOOP.format(family=family))
    assert call(folder, code=CALL)[:3] == ["5 8", "8", "index is out of bounds"]


@pytest.mark.thorough
def test_no_kernel_leaves_an_array(tmp_path):
    """The comparisons of engines with oracles pass with numba's check of bounds, in a process of their own."""
    tests = [f"tests/scheduler_core/{name}" for name in CHECKED]
    settings = {
        **os.environ,
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "HYPOTHESIS_PROFILE": "ordinary",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", *tests]
    subprocess.run(command, env=settings, check=True)
