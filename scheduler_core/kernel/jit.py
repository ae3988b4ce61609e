"""How kernels are compiled, and where their machine code is kept."""

import functools
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _CacheLocator
from numba.core.errors import NumbaExperimentalFeatureWarning

from scheduler_core.common.sources import closure, digest
from scheduler_core.kernel.compiler import CalleeCompiler, KernelCompiler

PACKAGE = Path(__file__).parents[1]


def cache_folder() -> Path:
    """Return the folder for machine code: ``NUMBA_CACHE_DIR``, else the user's cache, else beside the package.

    The user's cache serves every checkout: machine code is found by the text that it was compiled from, wherever that stands.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    shared = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "slotwise" / "kernels"
    with suppress(OSError):
        shared.mkdir(parents=True, exist_ok=True)
    return shared if os.access(shared, os.W_OK) else PACKAGE / "__pycache__" / "kernels"


CACHE = cache_folder()

# numba says so of each record that another family has with fewer fields, before it finds the record itself.
warnings.filterwarnings("ignore", ".* considered a subtype", NumbaExperimentalFeatureWarning)


@functools.cache
def module_cache(file: str) -> Path:
    """Return the folder for the machine code of one module: it is good for this text of all modules that it reaches.

    numba itself looks at the file a function stands in, not at the functions it calls; a changed callee in another file
    would go unnoticed and the old schedule would come back. An edit elsewhere leaves the machine code in use. numba looks at
    the processor and the version of Python.
    """
    folder = CACHE / f"{digest(closure(Path(file)))[:16]}-{numba.__version__}"
    with suppress(OSError):
        os.utime(folder)
    return folder


def remove_unused(days: int = 30) -> None:
    """Remove machine code that no process has asked for in some days."""
    if CACHE.is_dir():
        for folder in CACHE.iterdir():
            with suppress(OSError):  # another process may remove it, too
                if folder.stat().st_mtime < time.time() - days * 86_400:
                    shutil.rmtree(folder)


class ByText(_CacheLocator):
    """Tells numba where the machine code of a function is. numba's own locators put the path of the checkout into the name."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file  # numba asks for it by this name
        self.line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(module_cache(self._py_file))

    def get_source_stamp(self) -> str:
        """Return what stands for the text: the folder is good for no other."""
        return ""

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name apart."""
        return str(self.line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "ByText":
        """Return the locator of a function."""
        return cls(function, file)


def _compile(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function with some of numba's options beside those all kernels have."""
    compiler = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)

    def decorate(function: Callable[..., Any]) -> Any:
        others = numba.config.CACHE_LOCATOR_CLASSES
        numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ByText.__name__}"  # numba asks for it as it decorates
        try:
            compiled = compiler(function)
        finally:
            numba.config.CACHE_LOCATOR_CLASSES = others
        if not numba.config.DISABLE_JIT:
            compiled.get_call_template = partial(for_wide_numbers, compiled.get_call_template)
        return compiled

    return decorate


def for_wide_numbers(find: Callable[..., Any], arguments: Iterable[Any], named: Mapping[str, Any]) -> Any:
    """Return what numba finds for a call of a kernel by another, where each whole number with a sign has 64 bits.

    By itself, numba would compile a kernel once more for each constant and each narrower number that a call gives it. That took a
    fifth of the time.
    """
    return find(tuple(map(wide, arguments)), {name: wide(kind) for name, kind in named.items()})


def wide(kind: Any) -> Any:
    """Return the type that a kernel is compiled for, given that of an argument."""
    general = numba.types.unliteral(kind)
    return numba.int64 if isinstance(general, numba.types.Integer) and general.signed else general


_within = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": CalleeCompiler}

kernel = _compile(forceinline=True, **_within)
"""Compile a function of the event loops: it runs without the interpreter's lock, and allocates nothing.

Because kernels allocate nothing, reference counting is off in them (``_nrt=False``): with it, every call that hands on
the arrays of the state pays for an atomic count per array, which made the loop of FCFS six times slower. Inlining the
small functions into the loop (``forceinline``) makes it another three times faster. Only kernels can call it: taking the
arrays of the state apart for a caller in Python is a third of what compiling a function costs.
"""

kernel_step = _compile(**_within)
"""Compile a step of a pass: like :data:`kernel`, but the compiler decides what to inline.

For loops with many long steps: inlining them all everywhere would take minutes to compile and make nothing faster.
"""

kernel_entry = _compile(cache=True, pipeline_class=KernelCompiler)
"""Compile what Python calls: with everything that it calls, cached on disk."""


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
