"""Why a job under Concurrent Gang started when it did: from its schedule, by following the rows of the matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.units import NS_PER_US
from scheduler_core.decisions.alternatives import lacking, without_later
from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, causes_of, pieces
from scheduler_core.decisions.concurrent_gang.explained import ConcurrentGangExplanation, Row
from scheduler_core.decisions.concurrent_gang.rows import rooms_in, rows_of
from scheduler_core.decisions.waits import facts_of, fitting, others_of

if TYPE_CHECKING:
    from scheduler_core.concurrent_gang.facts import ConcurrentGangFacts
    from scheduler_core.decisions.history import History


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> ConcurrentGangExplanation:
    """Return why a job was placed when it was; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, workload, schedule = job["submit_us"], job["start_us"], history.workload, history.schedule
    facts: ConcurrentGangFacts = history.facts
    slice_us = facts.slice_ns // NS_PER_US
    others = others_of(history, job)
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
        **placing_of(history, facts, others, job),
    )


def placed_of(history: History) -> pl.DataFrame | None:
    """Return the allocations with the ``row`` of each job; None where the tables do not tell the rows."""
    facts, held = history.facts, history.schedule.allocations
    row = rows_of(held) if facts.in_matrix and not facts.frees_places else None
    return None if row is None else held.with_columns(row=pl.col("job").replace_strict(row, return_dtype=pl.Int64))


def placing_of(
    history: History, facts: ConcurrentGangFacts, others: pl.DataFrame, job: dict[str, Any]
) -> dict[str, Any]:
    """Return what follows from the rows of the matrix: how full they were, who was in that of the job, and why it waited."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    placed = history.once(placed_of)
    if placed is None:
        return {
            "rows_at_submission": [],
            "row": None,
            "beside": [],
            "bound_with": [],
            "told_rows": False,
            "could_open": False,
            "causes": causes_of(untold_steps(facts, submit, start)),
        }
    processors = history.schedule.machine.processors
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
        "causes": causes_of(steps_of_wait(facts, history.values["queue"], others, job, at, fits)),
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


def tick_after(facts: ConcurrentGangFacts, now: int) -> int:
    """Return the first tick at or after an instant; both in microseconds."""
    return -(-now * NS_PER_US // facts.slice_ns) * facts.slice_ns // NS_PER_US


def untold_steps(facts: ConcurrentGangFacts, submit: int, start: int) -> Iterator[Step]:
    """Yield the wait of a job in steps where the tables do not tell the rows."""
    tick = min(start, tick_after(facts, submit))
    yield Step(submit, tick, "slice")
    yield Step(tick, start, "untold_rows")


def steps_of_wait(
    facts: ConcurrentGangFacts, queue: str, others: pl.DataFrame, job: dict[str, Any], at: np.ndarray, fits: np.ndarray
) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it waiting; ``fits`` tells of steps from ``at`` on."""
    since = job["submit_us"]
    for begin, end in pieces(at, job["submit_us"], job["start_us"]):
        if not fits[np.searchsorted(at, begin, side="right") - 1]:
            yield Step(begin, end, ROOM)
            since = end
            continue
        tick = min(max(begin, tick_after(facts, since)), end)
        yield Step(begin, tick, "slice")
        ahead = others.filter(pl.col("before") & (pl.col("start_us") > tick)).sort("place")["job"]
        if queue == "fcfs" and len(ahead):
            yield Step(tick, end, "head", ahead[0])
        else:
            yield Step(tick, end, UNTOLD)
