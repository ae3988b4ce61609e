"""A cluster without limits: every job starts as soon as it may, and predictions come true."""

import polars as pl

from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.stepping.local_scheduler import (
    BECAME_COLUMNS,
    BEFORE_US,
    SLIDES_COLUMNS,
    Booking,
    Completion,
    Job,
    Prediction,
    Record,
    Request,
)


class IdealCluster:
    """What the grid uses of a :class:`~scheduler_core.stepping.local_scheduler.LocalScheduler`, on a cluster where none waits."""

    def __init__(self) -> None:
        self.now_us = BEFORE_US
        self.jobs: dict[int, Job] = {}
        self.frames: dict[int, Booking] = {}
        self.starts: dict[int, int] = {}
        self.followed: set[int] = set()
        self.predictions = 0

    def submit_many(self, jobs: pl.DataFrame) -> None:
        for row in jobs.select("job", "submit_us", "runtime_us", "estimate_us", "size").iter_rows():
            self.submit(Job(*row))

    def submit(self, job: Job, *, followed: bool = False) -> None:
        assert job.submit_us >= self.now_us
        self.jobs[job.job], self.starts[job.job] = job, job.submit_us
        if followed:
            self.followed.add(job.job)

    def book(self, job: Job, booking: Booking) -> Prediction | None:
        assert job.submit_us == self.now_us
        assert booking.earliest_us >= self.now_us
        self.jobs[job.job], self.frames[job.job] = job, booking
        self.followed.add(job.job)
        if booking.ready_us is not None:
            self.starts[job.job] = max(booking.earliest_us, booking.ready_us)
        start = max(booking.earliest_us, booking.expected_us)
        return Prediction(start, start + job.estimate_us, False)

    def release(self, job: int, ready_us: int, earliest_us: int) -> None:
        assert job not in self.starts
        assert ready_us >= self.now_us
        assert earliest_us <= self.frames[job].earliest_us
        self.starts[job] = max(self.now_us, ready_us, earliest_us)

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        self.predictions += 1
        start = max(self.now_us, earliest_us)
        return Prediction(start, start + request.estimate_us, True)

    def finish(self, job: int) -> int:
        return self.starts[job] + min(self.jobs[job].runtime_us, self.jobs[job].estimate_us)

    def no_completion_before(self) -> int:
        return min((self.finish(job) for job in self.followed & self.starts.keys()), default=NEVER_US)

    def advance_to_completion(self, until_us: int) -> list[Completion]:
        assert until_us >= self.now_us
        self.now_us = min(until_us, self.no_completion_before())
        done = [job for job in sorted(self.followed & self.starts.keys()) if self.finish(job) == self.now_us]
        self.followed -= set(done)
        return [Completion(job, self.starts[job], self.now_us) for job in done]

    def advance(self, until_us: int) -> list[Completion]:
        assert not self.followed
        self.now_us = until_us
        return []

    def record(self) -> Record:
        rows = [(job, start, self.finish(job)) for job, start in self.starts.items()]
        sizes = {job.job: job.size for job in self.jobs.values()}
        held = [(job, begin, end, sizes[job], None, 0, 0, 1.0, end - begin) for job, begin, end in rows]
        return Record(
            jobs=pl.DataFrame([(*row, 0) for row in rows], schema=BECAME_COLUMNS, orient="row"),
            allocations=pl.DataFrame(held, schema=ALLOCATIONS_COLUMNS, orient="row"),
            slides=pl.DataFrame(schema=SLIDES_COLUMNS),
            tables={},
            counters={},
        )
