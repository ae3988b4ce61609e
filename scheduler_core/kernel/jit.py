"""How kernels are compiled, and where their machine code is kept."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from scheduler_core.common.sources import closure, digest

PACKAGE = Path(__file__).parents[1]


def cache_folder() -> Path:
    """Return the folder for machine code: under ``NUMBA_CACHE_DIR``, else beside the package, else in the user's cache."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if os.access(PACKAGE, os.W_OK):
        return PACKAGE / "__pycache__" / "kernels"
    return Path.home() / ".cache" / "slotwise" / "kernels"


CACHE = cache_folder()


@functools.cache
def module_cache(file: str) -> str:
    """Return the folder for the machine code of one module: it is good for this text of all modules that it reaches.

    numba itself looks at the file a function stands in, not at the functions it calls; a changed callee in another file
    would go unnoticed and the old schedule would come back. An edit elsewhere leaves the machine code in use.
    """
    return str(CACHE / f"{digest(closure(Path(file)))[:16]}-{numba.__version__}")


def _compile(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function with some of numba's options beside those all kernels have."""
    compiler = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False, **options)

    def decorate(function: Callable[..., Any]) -> Any:
        numba.config.CACHE_DIR = module_cache(function.__code__.co_filename)  # numba asks for it as it decorates
        return compiler(function)

    return decorate


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


class Direct:
    """Calls the machine code of a kernel entry without looking at the types of the arguments each time.

    Use it for entries that are called often and take the state of an engine. Looking at the types of a hundred arrays takes
    longer than what many of them do. All calls must have arguments of the same types.

    Parameters
    ----------
    entry
        What :data:`kernel_entry` made.
    """

    def __init__(self, entry: Callable[..., Any]) -> None:
        self.entry: Any = entry
        self.code: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the entry."""
        if self.code is not None:
            return self.code(*arguments)
        result = self.entry(*arguments)
        signatures: list[Any] = getattr(self.entry, "signatures", [])  # none where kernels run as plain Python
        if len(signatures) == 1:
            self.code = self.entry.get_overload(signatures[0])
        return result
