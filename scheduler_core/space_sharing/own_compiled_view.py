"""What a policy that numba compiles sees: jobs and their columns, as :mod:`own_view` has them in Python."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, impl_ret_new_ref, iternext_impl, lower_builtin
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, overload_attribute, register_model

from scheduler_core.common.sources import closure, digest
from scheduler_core.space_sharing.own_state import JOB
from scheduler_core.space_sharing.own_view import Job

COLUMNS = dict(zip(Job._fields, JOB.names or (), strict=False))
"""What jobs have as numbers, and the fields of the table. The rest of a job is None."""

TABLE = numba.typeof(np.zeros(1, JOB))
ORDER = numba.typeof(np.zeros(1, np.int32))
NUMERIC = [numba.from_dtype(JOB[field]) for field in COLUMNS.values()]
JOB_TYPE = types.NamedTuple([*NUMERIC, *[types.none] * (len(Job._fields) - len(NUMERIC))], Job)


class JobsIterator(types.SimpleIteratorType):
    """The type of an iterator over jobs."""


class JobsType(types.Sized, types.IterableType):
    """The type of jobs in order: the part of ``order`` from ``first`` to before ``last``, which are positions in ``table``."""

    @property
    def iterator_type(self) -> JobsIterator:
        """The type of its iterators."""
        return JobsIterator("iterator of jobs", JOB_TYPE)


JOBS = JobsType(f"jobs-{digest(closure(Path(__file__)))[:8]}")
"""Its name changes with these modules, so that machine code which numba keeps for a user (``cache=True``) serves no others."""


@register_model(JobsType)
class JobsModel(models.StructModel):
    """How jobs in order lie in memory."""

    def __init__(self, manager: Any, kind: JobsType) -> None:
        members = [("table", TABLE), ("order", ORDER), ("first", types.int64), ("last", types.int64)]
        super().__init__(manager, kind, members)


@register_model(JobsIterator)
class IteratorModel(models.StructModel):
    """How an iterator lies in memory."""

    def __init__(self, manager: Any, kind: JobsIterator) -> None:
        super().__init__(manager, kind, [("place", types.EphemeralPointer(types.int64)), ("jobs", JOBS)])


for member in ("table", "order", "first", "last"):
    make_attribute_wrapper(JobsType, member, f"_{member}")


@intrinsic
def jobs_in(typing: Any, table: Any, order: Any, first: Any, last: Any) -> Any:
    """Return the jobs of a part of an order."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(JOBS)(context, builder)
        made.table, made.order, made.first, made.last = arguments
        for kind, argument in zip(signature.args, arguments, strict=True):
            context.nrt.incref(builder, kind, argument)
        return made._getvalue()

    return JOBS(TABLE, ORDER, types.int64, types.int64), build


@numba.njit
def job_at(jobs: Any, place: int) -> Any:
    """Return the job at a place of the order, counted from its beginning."""
    seen = jobs._table[jobs._order[place]]
    return Job(
        seen.number,
        seen.submitted,
        seen.processors,
        seen.estimate,
        seen.user,
        seen.group,
        seen.queue,
        seen.partition,
        seen.executable,
        seen.position,
        seen.started,
        seen.expected_end,
        None,
        None,
        None,
        None,
        None,
    )


@lower_builtin("getiter", JobsType)
def iterate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Begin with the first job."""
    made = context.make_helper(builder, signature.return_type)
    jobs = cgutils.create_struct_proxy(JOBS)(context, builder, value=arguments[0])
    made.place = cgutils.alloca_once_value(builder, jobs.first)
    made.jobs = arguments[0]
    context.nrt.incref(builder, JOBS, arguments[0])
    return impl_ret_new_ref(context, builder, signature.return_type, made._getvalue())


@lower_builtin("iternext", JobsIterator)
@iternext_impl(RefType.NEW)
def iterate_further(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    """Give the next job, if there is one."""
    iterator = context.make_helper(builder, signature.args[0], value=arguments[0])
    jobs = cgutils.create_struct_proxy(JOBS)(context, builder, value=iterator.jobs)
    place = builder.load(iterator.place)
    there = builder.icmp_signed("<", place, jobs.last)
    result.set_valid(there)
    with builder.if_then(there):
        given = (iterator.jobs, place)
        result.yield_(context.compile_internal(builder, job_at.py_func, JOB_TYPE(JOBS, types.int64), given))
        builder.store(builder.add(place, place.type(1)), iterator.place)


@overload(len)
def count(jobs: Any) -> Any:
    """Return how many jobs there are."""
    if isinstance(jobs, JobsType):
        return counted
    return None


@overload(bool)
def truth(jobs: Any) -> Any:
    """Return whether there are jobs."""
    return some if isinstance(jobs, JobsType) else None


def some(jobs: Any) -> bool:
    """Return whether a part of an order is not empty."""
    return bool(jobs._last > jobs._first)


def counted(jobs: Any) -> Any:
    """Return the length of a part of an order."""
    return jobs._last - jobs._first


@overload(operator.getitem)
def take(jobs: Any, place: Any) -> Any:
    """Return the job at a place, from the end if it is negative, or a list of the jobs of a slice."""
    if not isinstance(jobs, JobsType):
        return None
    if isinstance(place, types.SliceType):
        return jobs_of_slice
    return job_of_place if isinstance(place, types.Integer) else None


def job_of_place(jobs: Any, place: Any) -> Any:
    """Return a job; raise IndexError when there is none at this place."""
    if not -len(jobs) <= place < len(jobs):
        raise IndexError("there is no job at this place")
    return job_at(jobs, place + (jobs._first if place >= 0 else jobs._last))


def jobs_of_slice(jobs: Any, place: Any) -> Any:
    """Return the jobs of a slice."""
    first, last, step = place.indices(len(jobs))
    return [jobs[k] for k in range(first, last, step)]


@overload(operator.contains)
def contain(jobs: Any, job: Any) -> Any:
    """Return whether a job is one of some jobs."""
    if not (isinstance(jobs, JobsType) and job == JOB_TYPE):
        return None

    def found(jobs: Any, job: Any) -> bool:
        for place in range(jobs._first, jobs._last):
            if jobs._order[place] == job.position:
                return True
        return False

    return found


def offer_column(name: str, field: str) -> None:
    """Give jobs the column of an attribute, which is a copy."""
    kind = JOB[field]

    @overload_attribute(JobsType, name)
    def column(jobs: Any) -> Any:
        def values(jobs: Any) -> Any:
            found = np.empty(len(jobs), kind)
            for k in range(len(found)):
                found[k] = getattr(jobs._table[jobs._order[jobs._first + k]], field)
            return found

        return values


for name, field in COLUMNS.items():
    offer_column(name, field)
