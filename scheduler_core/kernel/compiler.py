"""How numba compiles kernels: functions that only other kernels call are handed on, names are short, no index is negative.

By itself, numba optimises every function, makes its machine code and keeps both in the cache, although each entry contains the
code of all functions that it calls. That took over a quarter of the time and four fifths of the cache.

numba also puts the types of the arguments into the name of a function. A world has so many fields that each name had 10,000
characters, in every call. Names were 4 % of the compiler's work and seven tenths of the remaining cache.

At each index that is a variable, numba asks whether it is negative and then counts from the end of the array. Kernels have no
such index. Without the question, EASY takes two thirds of the time, slices take four fifths, and kernels compile faster.
"""

import hashlib
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.funcdesc import default_mangler
from numba.core.typed_passes import NativeLowering
from numba.core.types import intp
from numba.np import arrayobj


class WithoutMachineCode:
    """numba's code generator for code that has no address, so nothing can be stored there."""

    def __init__(self, generator: Any) -> None:
        self.generator = generator

    def set_env(self, name: str, environment: Any) -> None:
        """Store nothing: the environment of a function serves errors that it raises, and kernels raise none."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.generator, name)


class CalleeLibrary(JITCodeLibrary):
    """The code of a function and of those that it calls, as numba has translated it. The entry optimises it."""

    @property
    def codegen(self) -> WithoutMachineCode:
        """The code generator, as numba asks for it when it would store a function's environment."""
        return WithoutMachineCode(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: no function has an address."""
        self._ensure_finalized()
        return 0


def short_name(name: str, types: tuple[Any, ...], *, abi_tags: tuple[str, ...] = (), uid: int | None = None) -> str:
    """Return a function's name in machine code, with a digest in place of the types of its arguments."""
    digest = hashlib.sha256(", ".join(map(str, types)).encode()).hexdigest()
    return str(default_mangler(name, (f"types_{digest[:16]}",), abi_tags=abi_tags, uid=uid))


_counted_from_the_end = arrayobj.fix_integer_index


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Return an index as it is in kernels, whose names :func:`short_name` makes, and as numba does elsewhere.

    Tests compile kernels with numba's check of bounds, which finds a negative one.
    """
    if kind.signed and context.mangler is short_name:
        return context.cast(builder, index, kind, intp)
    return _counted_from_the_end(context, builder, kind, index, size)


arrayobj.fix_integer_index = index_as_it_is


@register_pass(mutates_CFG=False, analysis_only=True)
class WithShortNames(LoweringPass):
    """Has numba give a function a :func:`short_name`."""

    _name = "with_short_names"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set what makes names; return that the function itself stays as it is."""
        state.targetctx = state.targetctx.subtarget(mangler=short_name)
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class IntoCalleeLibrary(LoweringPass):
    """Has numba put a function's code into a :class:`CalleeLibrary`."""

    _name = "into_callee_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Make the library; return that the function itself stays as it is."""
        state.library = CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class KernelCompiler(CompilerBase):
    """numba's compiler, with passes of ours before it translates a function."""

    before_translation: tuple[type[LoweringPass], ...] = (WithShortNames,)

    def define_pipelines(self) -> list[Any]:
        """Return the compiler's passes."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = [kind for kind, _ in pipeline.passes]
        translation = passes.index(NativeLowering)
        for added in self.before_translation:
            pipeline.add_pass_after(added, passes[translation - 1])
        pipeline.finalize()
        return [pipeline]


class CalleeCompiler(KernelCompiler):
    """The compiler of functions that only other kernels call."""

    before_translation = (WithShortNames, IntoCalleeLibrary)
