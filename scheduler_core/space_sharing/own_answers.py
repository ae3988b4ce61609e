"""What a compiled policy may return, by type, and how the event loop follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from scheduler_core.space_sharing.own_compiled_view import JOB_TYPE, JobsType
from scheduler_core.space_sharing.own_state import begin, call_again, position_of, promise
from scheduler_core.space_sharing.own_view import CallAgain, Promise

Way = Callable[[Any, Any], bool]
"""Does in a state what an answer asks for; returns whether all of it can be done."""

REAL = (types.Float, types.Integer)

LISTS = (types.List, types.Set, types.Array, JobsType)


def follow(answer: Any, state: Any) -> bool:
    """Do what an answer asks for, up to what cannot be done; return whether all of it can. Only compiled code can call this."""
    raise NotImplementedError


@overload(follow)
def _(answer: Any, state: Any) -> Way | None:
    return way_of(answer)


def way_of(answer: Any) -> Way | None:
    """Return how to follow an answer of a type; None for what no policy may return."""
    named = getattr(answer, "instance_class", None)
    if isinstance(answer, types.NoneType):
        return nothing
    if isinstance(answer, types.Optional):
        return optional if way_of(answer.type) else None
    if answer == JOB_TYPE:
        return job
    if isinstance(answer, types.Integer):
        return number
    if named is CallAgain:
        return again if isinstance(answer.types[0], REAL) else None
    if named is Promise:
        return way_of_promise(*answer.types)
    if named is None and isinstance(answer, types.BaseTuple) and all(map(way_of, answer.types)):
        return one_by_one if len(answer) else nothing
    if isinstance(answer, LISTS) and getattr(answer, "ndim", 1) == 1 and way_of(answer.iterator_type.yield_type):
        return whole if isinstance(answer, JobsType) else each
    return None


def way_of_promise(to: Any, start: Any) -> Way | None:
    """Return how to follow a promise, whose job may be a number."""
    if not isinstance(start, REAL):
        return None
    if to == JOB_TYPE:
        return promised
    return promised_by_number if isinstance(to, types.Integer) else None


def nothing(answer: Any, state: Any) -> bool:
    """Nothing is asked for."""
    return True


def optional(answer: Any, state: Any) -> bool:
    """Follow an answer that may be None."""
    return answer is None or follow(some(answer), state)


def job(answer: Any, state: Any) -> bool:
    """Start a job."""
    return begin(answer.position, answer.number, state)


def number(answer: Any, state: Any) -> bool:
    """Start the job with a number."""
    return begin(position_of(answer, state), answer, state)


def again(answer: Any, state: Any) -> bool:
    """Call again at a time."""
    return call_again(float(answer.at), state)


def promised(answer: Any, state: Any) -> bool:
    """Promise a job a start."""
    return promise(answer.job.position, answer.job.number, float(answer.start_s), state)


def promised_by_number(answer: Any, state: Any) -> bool:
    """Promise the job with a number a start."""
    return promise(position_of(answer.job, state), answer.job, float(answer.start_s), state)


def one_by_one(answer: Any, state: Any) -> bool:
    """Follow the elements of a tuple, which may differ in type."""
    return follow(answer[0], state) and follow(answer[1:], state)


def each(answer: Any, state: Any) -> bool:
    """Follow the elements of a list."""
    for one in answer:
        if not follow(one, state):
            return False
    return True


def whole(answer: Any, state: Any) -> bool:
    """Follow the jobs of a queue, which changes as they start."""
    return follow(list(answer), state)


@intrinsic
def some(typing: Any, value: Any) -> Any:
    """Return a value that is not None, without the possibility that it were."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[0], value, value.type)

    return value.type(value), build
