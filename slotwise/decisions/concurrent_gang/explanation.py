"""Why a job under Concurrent Gang started when it did: from its schedule, by following the rows of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from scheduler_core.declarations.policy import rebuild
from slotwise.decisions.alternatives import lacking, without_later
from slotwise.decisions.concurrent_gang.explained import ConcurrentGangExplanation, Row
from slotwise.decisions.concurrent_gang.rows import rooms_in, rows_of
from slotwise.decisions.waits import facts_of, fitting, others_of

if TYPE_CHECKING:
    from scheduler_core.concurrent_gang.facts import ConcurrentGangFacts
    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang
    from scheduler_core.contracts import Schedule, Workload

NS_PER_US = 1000


def explanation_of(
    workload: Workload, schedule: Schedule, job: dict[str, Any], *, alternatives: bool
) -> ConcurrentGangExplanation:
    """Return why a job was placed when it was; ``job`` is its row (:func:`~slotwise.decisions.waits.row_of`)."""
    submit, start = job["submit_us"], job["start_us"]
    facts: ConcurrentGangFacts = cast("ConcurrentGang", rebuild(schedule.run["policy"])).facts()
    slice_us = facts.slice_ns // NS_PER_US
    others = others_of(schedule, job)
    common = facts_of(schedule, job, others)
    ended = others.filter((pl.col("finish_us") > start - slice_us) & (pl.col("finish_us") <= start))["job"].to_list()
    tried: dict[str, Any] = {"alternatives": []}
    if alternatives and start > submit:
        # Estimates decide nothing, and the tasks of a program cannot become fewer.
        missing = lacking(workload, schedule)
        again = [] if missing else [without_later(workload, schedule, job)]
        tried = {"alternatives": again, "lacking": missing}
    return ConcurrentGangExplanation(
        **{**common, "ended": ended},
        **tried,
        slice_us=slice_us,
        most_rows=facts.most_rows,
        most_tasks=facts.most_tasks,
        **placing_of(schedule, facts, job),
    )


def placing_of(schedule: Schedule, facts: ConcurrentGangFacts, job: dict[str, Any]) -> dict[str, Any]:
    """Return what follows from the rows of the matrix: how full they were, and who was in that of the job."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    row = rows_of(schedule.allocations) if facts.in_matrix and not facts.frees_places else None
    if row is None:
        return {
            "rows_at_submission": [],
            "row": None,
            "beside": [],
            "bound_with": [],
            "told_rows": False,
            "could_open": False,
        }
    processors = schedule.machine.processors
    placed = schedule.allocations.with_columns(row=pl.col("job").replace_strict(row, return_dtype=pl.Int64))
    own = placed.row(by_predicate=pl.col("job") == number, named=True)
    held = placed.filter(pl.col("job") != number)
    at, rooms, eligible = rooms_in(held, processors, facts.most_tasks, submit, start)
    used = sum(((free >= 0) for free in rooms.values()), start=np.zeros(len(at), dtype=np.int64))
    opens = (eligible >= job["size"]) & (True if facts.most_rows is None else used < facts.most_rows)
    fits = opens.copy()
    for free in rooms.values():
        fits |= free >= job["size"]
    _, there, _ = rooms_in(held, processors, facts.most_tasks, submit, submit + 1)
    inside = held.filter((pl.col("begin_us") <= submit) & (pl.col("end_us") > submit))
    now = held.filter((pl.col("begin_us") <= start) & (pl.col("end_us") > start))
    own_ids = set(own["processor_ids"])
    shared = [one for one, ids in now.select("job", "processor_ids").iter_rows() if not own_ids.isdisjoint(ids)]
    beside = now.filter(pl.col("row") == own["row"])["job"].to_list()
    return {
        **fitting(at, np.append(at, start)[1:], fits),
        "told_rows": True,
        "rows_at_submission": [
            Row(place, inside.filter(pl.col("row") == one)["job"].to_list(), int(there[one][0]))
            for place, one in enumerate(sorted(there))
        ],
        "row": own["slot"],
        "beside": beside,
        "bound_with": [one for one in shared if one not in beside],
        "could_open": bool(opens.any()),
    }
