"""A line on standard error when kernels are compiled, which the first run of a family of policies waits for."""

import functools
import sys
from typing import Any

from slotwise.cli.words import say


@functools.cache
def tell_of_compiling() -> None:
    """Have numba tell on standard error when it compiles the kernels of a family, once for each; cached kernels tell nothing."""
    from numba.core.event import Listener, register

    from scheduler_core.declarations.families import families

    class Teller(Listener):
        def __init__(self) -> None:
            self.told: set[str] = set()

        def on_start(self, event: Any) -> None:
            name = event.data["dispatcher"].py_func.__module__.removeprefix("scheduler_core.").partition(".")[0]
            if name in families() and name not in self.told:
                self.told.add(name)
                say("")
                said = f"Compiling the kernels of {name.replace('_', ' ')}, once; this takes up to a minute ..."
                print(said, file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            pass

    register("numba:compile", Teller())
