"""The matrix, rebuilt from placements and finishes: rows that take turns, and the owners they name in the trace's slices."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, once
from scheduler_core.common.units import NS_PER_US

NONE = -1

PLACED_WRONGLY: dict[str, Any] = {
    "job": pl.Int64,
    "begin_us": pl.Int64,
    "slot": pl.Int32,
    "rows": pl.Int64,
    "processors_taken": pl.List(pl.Int64),
    "processors_due": pl.List(pl.Int64),
}


@dataclass(frozen=True)
class Matrix:
    """The rebuilt matrix: its ``wrong`` placements, and for slices of the trace the row and the tasks it names.

    ``slices`` has begin, row (-1 for none) and, for each processor, the task's number (-1 for none).
    ``told`` is false if the ticks at which jobs left are ambiguous.
    """

    wrong: pl.DataFrame
    slices: list[tuple[int, int, np.ndarray]]
    told: bool = True


class Replay:
    """The rows of the matrix as jobs come and leave, tick by tick."""

    def __init__(self, evidence: ConcurrentGangEvidence) -> None:
        self.facts, self.processors = evidence.facts, evidence.machine.processors
        self.rows: list[np.ndarray] = []
        self.turn = NONE
        self.bound = np.zeros(self.processors, np.int64)
        self.where: dict[int, np.ndarray] = {}
        self.wrong: list[tuple[object, ...]] = []

    def leave(self, first: int, held: np.ndarray) -> None:
        """Remove a job. An empty row disappears; the turn moves back by a row if it had reached it."""
        self.bound[held] -= 1
        row = self.where.pop(first, None)
        if row is None:
            return
        row[(row >= first) & (row < first + len(held))] = NONE
        here = [number for number, other in enumerate(self.rows) if other is row]  # none, if a job took another's place
        if here and (row == NONE).all():
            del self.rows[here[0]]
            self.turn -= here[0] <= self.turn

    def place(self, job: dict[str, object], first: int, held: np.ndarray) -> None:
        """Put a job into its stated row, on the lowest-numbered eligible idle processors there."""
        slot = int(job["slot"])  # type: ignore[call-overload]
        eligible = np.ones(self.processors, bool)
        if self.facts.most_tasks is not None:
            eligible = self.bound < self.facts.most_tasks
        new = slot == len(self.rows) and (self.facts.most_rows is None or slot < self.facts.most_rows)
        if new:
            self.rows.append(np.full(self.processors, NONE))
        inside = 0 <= slot < len(self.rows)
        due = np.flatnonzero((self.rows[slot] == NONE) & eligible)[: len(held)] if inside else np.zeros(0, np.int64)
        if not np.array_equal(due, held):
            rows = len(self.rows) - new
            self.wrong.append((job["job"], job["begin_us"], slot, rows, held.tolist(), due.tolist()))
        if inside:
            self.rows[slot][held] = np.arange(first, first + len(held))
            self.where[first] = self.rows[slot]
        self.bound[held] += 1

    def next_turn(self, slices: int) -> None:
        """Pass the turn on by a number of slices."""
        self.turn = (self.turn + slices) % len(self.rows) if self.rows else NONE


@once
def matrix_of(evidence: ConcurrentGangEvidence) -> Matrix:
    """Return the matrix. If jobs may have left at their last tick or the next, try both if need be."""
    named = evidence.owners.group_by("job").agg(named_ns=pl.col("begin_ns").max()).drop_nulls()
    jobs = aligned(evidence.placed, named, "job")
    still = (pl.col("late") & (pl.col("named_ns") >= pl.col("left_ns"))).fill_null(False)
    after = pl.col("left_ns") + evidence.facts.slice_ns
    jobs = jobs.with_columns(left_ns=pl.when(still).then(after).otherwise("left_ns"), late=pl.col("late") & ~still)
    first = replay(evidence, jobs)
    if not jobs["late"].any() or fits(evidence, first):
        return first
    second = replay(evidence, jobs.with_columns(left_ns=pl.when("late").then(after).otherwise("left_ns")))
    return second if fits(evidence, second) else Matrix(first.wrong.clear(), [], told=False)


def fits(evidence: ConcurrentGangEvidence, matrix: Matrix) -> bool:
    """Return whether all placements are right, and the trace's rows have their turns in the matrix."""
    rows = evidence.owners.unique("begin_ns", keep="first", maintain_order=True).select("begin_ns", "row").rows()
    due = {begin: None if row == NONE else row for begin, row, _ in matrix.slices}
    return matrix.wrong.is_empty() and all(due.get(begin) == row for begin, row in rows)


def replay(evidence: ConcurrentGangEvidence, jobs: pl.DataFrame) -> Matrix:
    """Return the matrix that follows from placements and finishes, with its state in the slices of the trace."""
    facts = evidence.facts
    first_slice, end_slice = evidence.traced_slices
    coming: dict[int, list[tuple[dict[str, object], int, np.ndarray]]] = {}
    leaving: dict[int, list[tuple[int, np.ndarray]]] = {}
    first = 0
    for job in jobs.iter_rows(named=True):
        named = job["processor_ids"] or []
        held = np.sort(np.array(named, np.int64))
        held = held[(held >= 0) & (held < evidence.machine.processors)]
        coming.setdefault(job["placed_ns"], []).append((job, first, held))
        if job["left_ns"] is not None:
            leaving.setdefault(job["left_ns"], []).append((first, held))
        first += len(named)
    matrix, slices, now = Replay(evidence), [], 0
    for tick in [*sorted({*coming, *leaving}), evidence.end_ns]:
        number = min(tick // facts.slice_ns, evidence.end_ns // facts.slice_ns)
        for passed in range(max(now, first_slice), min(number, end_slice)):
            turn = (matrix.turn + passed - now) % len(matrix.rows) if matrix.rows else NONE
            named = matrix.rows[turn].copy() if matrix.rows else np.full(matrix.processors, NONE)
            slices.append((passed * facts.slice_ns, turn, named))
        if number > now:
            matrix.next_turn(number - now - 1)
        for gone in leaving.get(tick, []):
            matrix.leave(*gone)
        for come in coming.get(tick, []):
            matrix.place(*come)
        matrix.next_turn(1)
        now = number
    wrong = pl.DataFrame(matrix.wrong, schema=PLACED_WRONGLY, orient="row")
    return Matrix(wrong, slices)


@once
def due_owners(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """The tasks that the rows name in the trace's slices, ended or not: ``due``, -1 for none."""
    slices = [(begin, turn, named.tolist()) for begin, turn, named in matrix_of(evidence).slices]
    schema: dict[str, Any] = {"begin_ns": pl.Int64, "due_row": pl.Int64, "due": pl.List(pl.Int64)}
    table = pl.DataFrame(slices, schema=schema, orient="row").explode("due")
    number = pl.int_range(pl.len(), dtype=pl.Int32) % evidence.machine.processors
    named = (pl.when(pl.col(name) >= 0).then(name).alias(name) for name in ("due", "due_row"))
    return table.with_columns(*named, processor=number)


def placed_in_rows(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A job takes the lowest-numbered eligible idle processors of a row, or of a new one; a row names one task per processor.

    Placements alone do not determine this if ending tasks free their places, nor under DHC.
    """
    if not evidence.facts.in_matrix or evidence.facts.frees_places:
        return NOTHING_CHECKED
    return evidence.placed.height if matrix_of(evidence).told else 0, matrix_of(evidence).wrong


def starts_are_at_ticks(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The front end places jobs at ticks of the clock, before the run ends."""
    rows = evidence.placed.select("job", "begin_us", tick_us=-(-pl.col("placed_ns") // NS_PER_US))
    late = pl.col("tick_us") * NS_PER_US >= evidence.end_ns
    return rows.height, rows.filter((pl.col("begin_us") != pl.col("tick_us")) | late)


def processors_have_room(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """No processor has more bound tasks than the policy allows."""
    most = evidence.facts.most_tasks
    if most is None or evidence.facts.frees_places:
        return NOTHING_CHECKED
    begins = evidence.bound.select("processor", time_ns="placed_ns", change=pl.lit(1, pl.Int64))
    ends = evidence.bound.select("processor", time_ns="left_ns", change=pl.lit(-1, pl.Int64)).drop_nulls()
    both = pl.concat([begins, ends]).sort("processor", "time_ns", "change")
    tasks = both.with_columns(tasks=pl.col("change").cum_sum().over("processor"))
    return evidence.bound.height, tasks.filter(pl.col("tasks") > most).drop("change")


def owners_follow(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Rows take turns, and a slice's owners are the tasks that its row names, until they end.

    If idle processors get owners by what was learned, these are tasks bound there. Under DHC, too, owners are bound where they
    own. If local schedulers alone choose tasks, no slice has an owner.
    """
    stated = evidence.owners
    ran = trace_of(evidence).runs.group_by("number").agg(last_ns=pl.col("begin_ns").max())
    rows = aligned(stated, ran, "number")
    unbound = pl.col("number").is_not_null() & (pl.col("bound_to") != pl.col("processor"))
    broken = unbound | (pl.col("number").is_not_null() & pl.lit(not evidence.facts.gang))
    if evidence.facts.in_matrix and not evidence.facts.frees_places and matrix_of(evidence).told:
        rows = rows.join(due_owners(evidence), on=["begin_ns", "processor"], how="full", coalesce=True)
        last = pl.DataFrame({"due": ran["number"], "due_last_ns": ran["last_ns"]})
        rows = aligned(rows, last, "due").sort("begin_ns", "processor")
        ended = pl.col("due_last_ns").fill_null(NONE) < pl.col("begin_ns")
        filled = pl.lit(evidence.facts.fills_with_owners) & (pl.col("due").is_null() | ended)
        ownerless = ended | pl.lit(not evidence.facts.gang)
        right = pl.col("number").eq_missing(pl.col("due")) | (pl.col("number").is_null() & ownerless) | filled
        turn = pl.col("row").eq_missing(pl.col("due_row"))
        broken = broken | ~right | ~turn
    names = [name for name in ("begin_ns", "row", "due_row", "processor", "job", "task", "due") if name in rows.columns]
    return rows.height, rows.filter(broken).select(names)
