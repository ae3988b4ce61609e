"""What an explanation of Concurrent Gang says: its facts, and its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.decisions.causes import ROOM
from scheduler_core.decisions.explained import Detail, Explanation, ahead_words, ended_words, fitted, overtaken
from scheduler_core.decisions.words import SHOWN, instant, lasting, listed, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Row:
    """A row of the matrix at an instant: its place, its jobs, and its processors that are free for a further task."""

    place: int
    jobs: list[int]
    free: int


@dataclass(frozen=True, kw_only=True, repr=False)
class ConcurrentGangExplanation(Explanation):
    """Why a job under Concurrent Gang started when it did, which is when it was placed: as a slice begins.

    ``rows_at_submission`` are the rows of the matrix then. ``row`` is the place of the row that it was placed in, and ``beside``
    the jobs in that row then; the jobs of ``bound_with`` are in other rows, and have tasks on its processors. ``told_rows`` says
    whether the tables tell the rows. Where they do not, as under controllers, these are empty, and it is unknown how long the
    job would have fitted. ``most_rows`` and ``most_tasks`` are the limits of rows and of tasks on a processor, None without.
    ``ended`` jobs had ended since the begin of the slice before its start.
    """

    WAITS_AFTER_START = True
    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        ROOM: ("because no row had {found.wanted} free", ""),
        "slice": ("until the next slice began", "jobs are placed only as a slice begins"),
        "head": ("behind {jobs} at the head of the queue", "no job may pass {jobs} at the head of the queue"),
        "untold_rows": ("for room in a row", ""),
    }

    slice_us: int
    most_rows: int | None
    most_tasks: int | None
    told_rows: bool
    rows_at_submission: list[Row]
    row: int | None
    beside: list[int]
    bound_with: list[int]
    could_open: bool

    def submission(self) -> str:
        """Return how full the rows were, and who waited, when the job was submitted."""
        rows = self.rows_at_submission
        shown = [f"{row.free:,}" for row in rows[:SHOWN]]
        free = listed(shown) if 0 < len(rows) <= SHOWN else f"{', '.join(shown)}, ..."
        most = "" if self.most_rows is None else f" (there may be {self.most_rows})"
        full = f" with room on {free} of {self.processors:,} processors," if rows else ""
        used = f"{counted(len(rows), 'row is', 'rows are')} in use{most},{full} " if self.told_rows else ""
        return (
            f"Submitted on {instant(self.submit_us)}: {used}{counted(len(self.running), 'job')} placed and not finished"
            f"{named(self.running)}, {ahead_words(self)}."
        )

    def wait(self) -> Iterator[str]:
        """Yield who overtook, and whether the job would have fitted."""
        if self.wait_us < self.slice_us:
            yield Detail(f"Jobs are placed as a slice begins, every {lasting(self.slice_us)}.")
        yield overtaken(self)
        if not self.told_rows:
            yield Detail("The tables do not tell which row each job is in, and so not where it would have fitted.")
            return
        yield from fitted(self, f" in one row{', or a new row was possible,' if self.could_open else ''}")

    def start(self) -> Iterator[str]:
        """Yield which row the job was placed in, and who was there."""
        yield f"It was placed on {instant(self.start_us)}{ended_words(self)}{self.placed}."

    def start_at_once(self) -> Iterator[str]:
        """Yield which row a job was placed in that did not wait."""
        if self.placed:
            yield f"It was placed{self.placed.removeprefix(',')}."

    @property
    def wanted(self) -> str:
        """The processors that the job asks for, in words."""
        return counted(self.size, "processor")

    @property
    def placed(self) -> str:
        """The row of the start and the jobs there, in words."""
        if self.row is None:
            return ""
        beside = f"beside {counted(len(self.beside), 'job')}{named(self.beside)}" if self.beside else "alone"
        others = counted(len(self.bound_with), "job of another row has", "jobs of other rows have")
        shared = f"; {others} tasks on its processors{named(self.bound_with)}" if self.bound_with else ""
        return f", in row {self.row}, {beside}{shared}"
