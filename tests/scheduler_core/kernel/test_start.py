"""What a process loads to run a kernel."""

import subprocess
import sys

import numba
import pytest

CODE = """
import sys
from scheduler_core.runs.simulation import compile_family
compile_family(["fcfs"])
assert "numba" in sys.modules
print("scipy.linalg" in sys.modules)
import scipy.linalg
print(scipy.linalg.det([[2.0]]))
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
def test_kernels_run_without_blas_and_leave_it_to_others():
    ran = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "2.0"]
