"""The event loop of policies that users compile with numba: the loop of :mod:`own_engine`, compiled around the function."""

from __future__ import annotations

import dis
import re
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from numba import njit, typeof, types

from scheduler_core.common.errors import ParameterError, PolicyError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.space_sharing.own_answers import follow, way_of
from scheduler_core.space_sharing.own_compiled_view import JOB_TYPE, JOBS, jobs_in
from scheduler_core.space_sharing.own_policy import at_line
from scheduler_core.space_sharing.own_state import (
    CALL,
    CALL_AGAIN,
    NONE,
    PROMISE,
    REFUSED,
    STUCK,
    State,
    new_state,
    next_call,
)
from scheduler_core.space_sharing.own_view import CallAgain, Promise
from scheduler_core.space_sharing.own_world import PROGRESS_CALLS, STRANGER, Outcome, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.declarations.policy import Progress
    from scheduler_core.stepping.engine_shell import Shell

ARGUMENTS = (types.float64, JOBS, JOBS, types.int64)
"""The types of `now`, `waiting`, `running` and `free`."""

SHORTER = {
    re.escape(str(JOB_TYPE)): "Job",
    re.escape(str(JOBS)): "jobs",
    r"type\(CPUDispatcher\(<function .*?(\w+) at 0x\w+>\)\)": r"\1",
    r"Function\(<[\w -]*function (\w+)[^>]*>\)": r"\1",
    r"<iv=[^>]*>": "",
    r"\s*>>> ": " ",
    r"No definition for lowering (\w+\.\w+) = .*": r"\1 is read-only",
    r"\. Raised from (None|\S+ \(\d+\))": "",
    r"Literal\[(\w+)\]\([^)]*\)": r"\1",
    r"\bunicode_type\b": "str",
    r"\b(int|float)(32|64)\b": r"\1",
    r"\breflected list\b": "list",
    r"\blist\(undefined\)<iv=None>": "list(undefined)",
    r"attribute '(\w+)' of type Module\(<module '(\w+)'.*": r"attribute \2.\1",
    r"Cannot infer the type of variable '(\w[\w.]*)'.*type: (list|set)\(undefined\)": (
        r"nothing is ever added to the \2 `\1`, so it has no type; return None in its place"
    ),
    r"Cannot infer the type of variable .*type: (list|set)\(undefined\)": (
        r"nothing is ever added to a \1, so it has no type; return None in its place"
    ),
    r"Invalid use of BoundFunction\((list|set)\.\w+ for \w+\((\w+)\)\) with parameters \(([^)]*)\)": r"a \1 of \2 takes no \3",
    r"Cannot unify (.+?) and (.+?) for '.*": r"a variable is \1 in one place and \2 in another; numba needs one type",
    r"Untyped global name '(\w+)':.*<class 'function'>": r"`\1` is not compiled; write @njit above it, too",
    r"No implementation of function (\w+) found for signature:\s*(\S.*)": r"numba knows no \2",
}
"""Patterns in the texts of numba, and what people read instead."""

IN_PYTHON = "remove numba's decorator to run it in Python"


def run_compiled(choose: Any, shell: Shell, world_of: Callable[[Shell], World], report: Progress) -> Outcome:
    """Call a policy at each instant, as :func:`own_engine.run_in_python` does.

    ``choose`` is what numba made of the function, or an object of its class.

    The world words the errors: it raises them once it has the state of the arrays. Raise :class:`ParameterError` when numba
    cannot compile the function, or it returns what the loop cannot read.
    """
    called, own = (choose, ()) if hasattr(choose, "py_func") else (choose_of, (choose,))
    compile_policy(called, own, shell.policy)
    state = new_state(shell)
    clock, promises = state.clock[0], list[tuple[int, int, int]]()
    found = run_calls(called, own, state, 0)  # compiles the loop
    with shell.kernel():
        while found == CALL:
            try:
                found = run_calls(called, own, state, PROGRESS_CALLS)
            except Exception as error:
                raise as_in_python(world_of(shell), state).raised(error) from error
            promises += map(tuple, state.promises[: clock.promised].tolist())
            clock.promised = 0
            report(int(clock.coming), len(state.start))
    if found in (STUCK, REFUSED):
        raise_as_python(as_in_python(world_of(shell), state), clock)
    return Outcome(state.start, int(clock.calls), promises, {})


def compile_policy(called: Any, own: tuple[Any, ...], policy: Any) -> None:
    """Compile a function for the types of this loop, behind those of its ``own`` arguments."""
    arguments = (*map(typeof, own), *ARGUMENTS)
    try:
        called.compile(arguments)
    except Exception as error:
        code = called.py_func.__code__
        reason = reason_of(error, policy.file or code.co_filename, code)
        raise ParameterError(f"{policy.title}: numba cannot compile it: {reason}; {IN_PYTHON}") from None
    answer = called.overloads[arguments].signature.return_type
    if way_of(answer) is None:
        raise ParameterError(
            f"{policy.title}: it returns {plain(str(answer))}; expected jobs of `waiting`, their numbers, "
            f"Promise, CallAgain, or lists of one of these; {IN_PYTHON}"
        )


@njit
def choose_of(own: Any, now: float, waiting: Any, running: Any, free: int) -> Any:
    """Return what an object of a compiled class chooses."""
    return own.choose(now, waiting, running, free)


@njit(nogil=True)
def run_calls(called: Any, own: tuple[Any, ...], state: State, calls: int) -> int:
    """Call a policy so many times; return CALL, or why there is no further call."""
    clock, seen, waiting, running = state.clock[0], state.seen, state.waiting, state.running
    for _ in range(calls):
        found = next_call(state)
        if found != CALL:
            return found
        queue = jobs_in(seen, waiting.jobs, waiting.bounds[FIRST], waiting.bounds[LAST])
        held = jobs_in(seen, running.jobs, running.bounds[FIRST], running.bounds[LAST])
        if not follow(called(*own, clock.now / MICROSECONDS, queue, held, clock.free), state):
            return REFUSED
        if 2 * clock.promised > len(state.promises):
            break
    return CALL


def as_in_python(world: World, state: State) -> World:
    """Give a world the clock, the starts and the queue of a state."""
    clock, (first, last) = state.clock[0], state.waiting.bounds.tolist()
    world.now, world.calls, world.coming, world.free = map(int, (clock.now, clock.calls, clock.coming, clock.free))
    world.idle, world.start_us = int(clock.idle), state.start.tolist()
    world.queue.update((job, world.jobs[job]) for job in state.waiting.jobs[first:last].tolist())
    return world


def raise_as_python(world: World, clock: Any) -> None:
    """Raise the error of a policy that asks for what cannot be done, or for nothing while nothing runs."""
    if clock.refused == NONE:
        raise PolicyError(world.where() + world.stuck_words())
    world.take(refused(clock))
    raise PolicyError(f"{world.where()}it asks for too many promises or calls at once; {IN_PYTHON}")


def refused(clock: Any) -> Any:
    """Return what the policy asked for and the state refused, as a policy in Python would return it."""
    if clock.refused == CALL_AGAIN:
        return CallAgain(float(clock.seconds))
    place, number = int(clock.position), int(clock.number)
    job = number if place < 0 else STRANGER._replace(number=number, position=place)
    return Promise(job, float(clock.seconds)) if clock.refused == PROMISE else job


def reason_of(error: Exception, file: str, code: CodeType) -> str:
    """Return why numba cannot compile a function, in one line, with the line of the user's file; ``code`` is the function's."""
    text = plain(str(error)) or type(error).__name__
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    told = [line for line in told if line.startswith("Unknown attribute")] or told
    reason = " ".join(told[:2]) if told[0].endswith(":") else told[0]
    line = re.search(rf'File "[^"]*{re.escape(Path(file).name)}", line (\d+)|{re.escape(file)} \((\d+)\)', str(error))
    place = int(line[1] or line[2]) if line else line_of_unknown(reason, code)
    return reason.rstrip(". ") + (at_line(place, file) if place else "")


def line_of_unknown(reason: str, code: CodeType) -> int:
    """Return the line of the name that is not defined, for which numba gives none; 0 if the reason is another."""
    unknown = re.search(r"name '(\w+)' is not defined", reason)
    if unknown is None:
        return 0
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    places = [
        one.positions.lineno or 0
        for part in (code, *inner)
        for one in dis.get_instructions(part)
        if one.positions and one.argval == unknown[1]
    ]
    return min(places, default=0)


def plain(text: str) -> str:
    """Return a text of numba as people say it: no addresses in memory, Python's names of types, and common reasons in words."""
    for pattern, instead in SHORTER.items():
        text = re.sub(pattern, instead, text)
    return text
