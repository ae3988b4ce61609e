"""Kernels as tests call them: only kernels can call a kernel that is no entry."""

from types import ModuleType, SimpleNamespace
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher


def from_python(step: Any) -> Any:
    """Return a step of a kernel as something Python can call."""
    return step if numba.config.DISABLE_JIT else numba.njit(lambda *arguments: step(*arguments))


def all_from_python(module: ModuleType) -> SimpleNamespace:
    """Return all that stands in a module, its kernels as something Python can call."""
    found = vars(module).items()
    return SimpleNamespace(**{name: from_python(one) if isinstance(one, Dispatcher) else one for name, one in found})
