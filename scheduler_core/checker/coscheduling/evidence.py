"""What the rules of coscheduling read besides: each job's rows in order, and which rows share processors when.

Two rows *meet* if they hold a processor at the same time; the job of one is then *beside* the job of the other.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.slowdown import FULL, Behaviour
from scheduler_core.checker.evidence import Evidence, aligned, column_of
from scheduler_core.coscheduling.facts import CoschedulingFacts

MOST_OF_16_BITS = 2**16 - 1

LOOK_BACK = 3
"""A row is compared with this many rows before it on a processor: at most so many share one, if rows that meet begin together."""


MOST = 3
"""With shares, this many jobs that run at once are compared; the family has no more."""


@dataclass(frozen=True)
class Together:
    """The rows of jobs that run at once, one set of jobs a line, in the order in which the jobs started.

    ``vague``: the promised share of some job is only known within bounds, because it was stated for another slowdown.
    """

    row: np.ndarray  # number of each job's row; -1 for absent jobs
    position: np.ndarray  # of each job in ``asked``
    slowdown: np.ndarray  # of each job by the others
    least: np.ndarray  # share each job needs, by its request or promise
    most: np.ndarray  # the most it is assigned
    vague: np.ndarray

    @property
    def there(self) -> np.ndarray:
        """Whether a job is present."""
        return self.row >= 0

    def any_of(self, marked: np.ndarray) -> np.ndarray:
        """Return for each set of jobs whether a row of one of them is marked."""
        return (self.there & marked[self.row]).any(axis=1)


class CoschedulingEvidence(Evidence):
    """The evidence of a schedule of jobs that share processors and run there at once."""

    facts: CoschedulingFacts

    @cached_property
    def rows(self) -> pl.DataFrame:
        """A row per allocation of a job of the workload, in order of job and begin; ``row`` is its number in the allocations.

        ``position`` is the job's in :attr:`asked`; ``first`` and ``last`` mark the job's first and last row; ``gap`` marks a row
        before which the job held nothing.
        """
        due = pl.min_horizontal("runtime_us", "estimate_us")
        asked = self.asked.with_row_index("position").select(
            *("job", "submit_us", "estimate_us", "size"), pl.col("position").cast(pl.Int64), due_us=due
        )
        rows = self.allocations.drop("processor_ids").with_row_index("row").join(asked, on="job")
        rows = rows.sort("job", "begin_us", "end_us").with_columns(pl.col("row").cast(pl.Int64))
        same = (pl.col("job") == pl.col("job").shift(1)).fill_null(False)
        gap = same & (pl.col("begin_us") > pl.col("end_us").shift(1))
        return rows.with_columns(first=~same, last=~same.shift(-1).fill_null(False), gap=gap)

    @cached_property
    def in_time(self) -> tuple[np.ndarray, np.ndarray]:
        """Every processor of every row, with rows in order of begin, then end: the rows, and the processors."""
        in_time = np.lexsort((column_of(self.allocations, "end_us"), column_of(self.allocations, "begin_us")))
        ids = self.allocations["processor_ids"][in_time].list.drop_nulls()
        count = ids.list.len().fill_null(0)
        processor = ids.filter(count > 0).explode().to_numpy()
        return np.repeat(in_time.astype(np.int32), count.to_numpy()), processor

    @cached_property
    def by_processor(self) -> tuple[np.ndarray, np.ndarray]:
        """The same sorted by processor: the processors, and the rows that hold each, in order of time."""
        row, processor = self.in_time
        if len(processor) and 0 <= processor.min() <= processor.max() <= MOST_OF_16_BITS:
            processor = processor.astype(np.uint16)  # numpy sorts 16-bit integers without comparisons
        order = np.argsort(processor, kind="stable")
        return processor[order], row[order]

    @cached_property
    def overlaps(self) -> list[np.ndarray]:
        """The places in :attr:`by_processor` where a row begins before an earlier row on the processor has ended.

        Entry k - 1 compares with the row k places before, for k from 1 to :data:`LOOK_BACK`. A row that overlaps another also
        overlaps the rows between them, which began later.
        """
        processor, row = self.by_processor
        begin, end = column_of(self.allocations, "begin_us"), column_of(self.allocations, "end_us")
        meet = (processor[1:] == processor[:-1]) & (row[1:] != row[:-1])
        meet &= begin[row[1:]] < end[row[:-1]]
        after = np.flatnonzero(meet) + 1
        found = [after]
        for back in range(2, LOOK_BACK + 1):
            after = after[after < len(row) - 1] + 1
            after = after[(processor[after] == processor[after - back]) & (begin[row[after]] < end[row[after - back]])]
            found.append(after)
        return found

    @cached_property
    def meetings(self) -> pl.DataFrame:
        """Two rows per pair of rows that meet, one from each side: ``row, other``, and how many processors they ``share``.

        ``job, other_job`` are their jobs and ``position, other_position`` these jobs in :attr:`asked`. ``begin_us, end_us`` are
        those of ``row``; ``from_us`` is when the rows begin to meet.
        """
        _, row = self.by_processor
        rows = self.allocations.height
        pairs = [row[after - back].astype(np.int64) * rows + row[after] for back, after in enumerate(self.overlaps, 1)]
        pair, share = distinct(np.concatenate(pairs))
        one, two = np.divmod(pair, max(rows, 1))
        row, other, share = (np.concatenate(sides) for sides in ((one, two), (two, one), (share, share)))
        told = {"row": row, "other": other, "share": share}
        for name in ("job", "position", "begin_us", "end_us", "size"):
            of_row = np.full(rows, -1)
            of_row[column_of(self.rows, "row")] = column_of(self.rows, name)
            told[name], told[f"other_{name}"] = of_row[row], of_row[other]
        known = (told["position"] >= 0) & (told["other_position"] >= 0) & (told["job"] != told["other_job"])
        told["from_us"] = np.maximum(told["begin_us"], told["other_begin_us"])
        return pl.DataFrame({name: each[known].astype(np.int64) for name, each in told.items()})

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """A row per two jobs that are ever beside each other: from and until when, with start and size of each.

        ``holder`` had the processors, ``partner`` joined it. Of two jobs that start at once the larger is the holder, of two
        equal ones the one in the lower place.
        """
        return pairs_of(self.meetings, self.rows)

    @cached_property
    def behaviour(self) -> Behaviour:
        """What each job does with its time, in the order of :attr:`asked`."""
        return Behaviour(self.asked, self.companions, self.machine, self.parameters)

    @cached_property
    def together(self) -> Together:
        """The sets of jobs that run at once, under policies that assign shares."""
        return jobs_together(self)

    @cached_property
    def promised(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the share promised to each job of :attr:`asked` with its reservation; 0 without one.

        Effective shares are stated at the slowdown of the slot; if that is a speed-up, several shares round to the same one.
        """
        taken = self.tables["offers"].filter(pl.col("taken").cast(pl.String) == "reserved")
        offers = taken.unique("job", keep="first").select("job", stated="share_ppm", slowdown="slowdown_ppm")
        offers = aligned(self.asked.select("job"), offers, "job")
        stated = offers["stated"].fill_null(0).to_numpy().astype(np.int64)
        if self.parameters["accounting"] == "requested":
            return stated, stated
        slowdown = np.maximum(offers["slowdown"].fill_null(FULL).to_numpy().astype(np.int64), 1)
        return np.where(stated > 0, (stated - 1) * FULL // slowdown + 1, 0), stated * FULL // slowdown


def distinct(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct numbers in ascending order, and how often each occurs."""
    ordered = np.sort(numbers)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return ordered[first], np.diff(np.append(first, len(ordered)))


def pairs_of(meetings: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row per two jobs from their meetings, the holder's side first."""
    starts = rows.filter("first").select("job", start_us="begin_us", place="slot")
    both = meetings.join(starts, on="job").join(starts.select(pl.all().name.prefix("other_")), on="other_job")
    first = pl.lit(False)  # by start, then size, the largest first, then place, then number
    for name in ("job", "place", "size", "start_us"):
        one, other = pl.col(name), pl.col(f"other_{name}")
        first = (one > other if name == "size" else one < other) | ((one == other) & first)
    told = ("position", "size", "start_us")
    pairs = both.filter(first).group_by(holder="job", partner="other_job")
    return pairs.agg(
        *(pl.col(name).first().alias(f"holder_{name}") for name in told),
        *(pl.col(f"other_{name}").first().alias(f"partner_{name}") for name in told),
        pl.col("share").max(),
        formed_us=pl.col("from_us").min(),
        until_us=pl.min_horizontal("end_us", "other_end_us").max(),
    ).sort("formed_us", "holder", "partner")


def effective(share: np.ndarray, slowdown: np.ndarray) -> np.ndarray:
    """Return the share that leaves as much as the requested one at a slowdown."""
    return np.minimum(FULL, -(-share * slowdown // FULL))


def jobs_together(evidence: CoschedulingEvidence) -> Together:
    """Return the sets of rows that begin together."""
    started = pl.col("begin_us").min().over("job")
    rows = evidence.rows.select("row", "position", "begin_us", "slot", start_us=started).sort(
        "begin_us", "start_us", "slot", "position"
    )
    begin = column_of(rows, "begin_us")
    line = np.cumsum(np.concatenate([[True], begin[1:] != begin[:-1]])) - 1 if len(begin) else np.zeros(0, np.int64)
    place = np.arange(len(line)) - np.searchsorted(line, line)
    kept = place < MOST
    lines = int(line[-1]) + 1 if len(line) else 0
    row, position = np.full((lines, MOST), -1), np.full((lines, MOST), -1)
    row[line[kept], place[kept]] = column_of(rows, "row")[kept]
    position[line[kept], place[kept]] = column_of(rows, "position")[kept]
    slowdown = evidence.behaviour.slowdown_beside(position)
    low, high = evidence.behaviour.shares_asked
    promised, at_most = evidence.promised
    low = np.where(promised > 0, promised, low)
    if evidence.parameters["assignment"] == "equal":
        low = high = np.full_like(low, FULL // evidence.parameters["at_once"])
    least, most = low[position], high[position]
    if evidence.parameters["accounting"] == "effective":
        least, most = effective(least, slowdown), effective(most, slowdown)
    there = row >= 0
    most = np.where(there, np.maximum(least, most), 0)
    vague = (there & (promised != at_most)[position]).any(axis=1)
    return Together(row, position, slowdown, np.where(there, least, 0), most, vague)
