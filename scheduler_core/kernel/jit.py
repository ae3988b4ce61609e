"""How kernels are compiled, and where their machine code is kept."""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import sys
from pathlib import Path

import numba

PACKAGE = Path(__file__).parents[1]


def sources_digest() -> str:
    """Give a digest of every module with kernels: machine code in the cache is good for these sources only.

    numba itself looks at the file a function stands in, not at the functions it calls; a changed callee in another file
    would go unnoticed and the old schedule would come back.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"@kernel" in source:
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + source)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Give the folder for machine code: under ``NUMBA_CACHE_DIR``, else beside the package, else in the user's cache."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"]) / sources_digest()
    if os.access(PACKAGE, os.W_OK):
        return PACKAGE / "__pycache__" / "kernels" / sources_digest()
    return Path.home() / ".cache" / "slotwise" / "kernels" / sources_digest()


def leave_out_blas() -> None:
    """Load numba's functions of arrays without BLAS: no kernel multiplies matrices.

    numba looks for BLAS in scipy.linalg in every process that runs a kernel; importing that takes a fifth of the time from
    the start of a process to its first schedule.
    """
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # an import of it fails
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


numba.config.CACHE_DIR = str(cache_folder())
if not numba.config.DISABLE_JIT:
    leave_out_blas()

_compile = functools.partial(numba.njit, cache=True, nogil=True, error_model="numpy", _nrt=False)
_within = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

kernel = _compile(forceinline=True, **_within)
"""Compile a function of the event loops: cached on disk, runs without the interpreter's lock, allocates nothing.

Because kernels allocate nothing, reference counting is off in them (``_nrt=False``): with it, every call that hands on
the arrays of the state pays for an atomic count per array, which made the loop of FCFS six times slower. Inlining the
small functions into the loop (``forceinline``) makes it another three times faster. Only kernels can call it: taking the
arrays of the state apart for a caller in Python is a third of what compiling a function costs.
"""

kernel_step = _compile(**_within)
"""Compile a step of a pass: like :data:`kernel`, but the compiler decides what to inline.

For loops with many long steps: inlining them all everywhere would take minutes to compile and make nothing faster.
"""

kernel_entry = _compile()
"""Compile what Python calls."""
