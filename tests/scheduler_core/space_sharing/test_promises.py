"""What the policies of space sharing promise, on drawn workloads."""

from hypothesis import given

from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Job
from tests.oracles.plan import Use, earliest
from tests.oracles.space_sharing.oracle import Schedule
from tests.profiles import searching
from tests.scheduler_core.examples import Case
from tests.scheduler_core.space_sharing.subjects import workloads
from tests.scheduler_core.space_sharing.ways import WAYS

Drawn = tuple[list[Job], int]


def engine(policy: str, jobs: list[Job], processors: int) -> Schedule:
    """Run the engine."""
    return WAYS.engine(Case(jobs, processors, get_policy(policy)))


def starts_of(policy: str, jobs: list[Job], processors: int) -> dict[int, int]:
    """Run the engine and return the starts of the jobs that ran."""
    found = engine(policy, jobs, processors)
    return {job: times[0] for job, times in found.items() if times is not None}


@searching(100)
@given(drawn=workloads())
def test_fcfs_starts_in_the_order_of_submission(drawn: Drawn) -> None:
    jobs, processors = drawn
    starts = starts_of("fcfs", jobs, processors)
    in_order = [starts[job.job] for job in jobs if job.job in starts]
    assert in_order == sorted(in_order)


@searching(100)
@given(drawn=workloads())
def test_conservative_without_compression_keeps_its_promises(drawn: Drawn) -> None:
    """The promise at arrival: the earliest interval beside the jobs before, each where promised."""
    jobs, processors = drawn
    starts = starts_of("conservative(compression=False)", jobs, processors)
    placed: list[Job] = []
    for job in [job for job in jobs if job.job in starts]:
        present = [before for before in placed if starts[before.job] + before.stay > job.submit]
        plan = [Use(starts[b.job], starts[b.job] + b.estimate, b.size) for b in present]
        assert starts[job.job] == earliest(processors, plan, job.submit, job.estimate, job.size)
        placed.append(job)


def as_known_at(instant: int, jobs: list[Job], found: Schedule) -> list[Job]:
    """Return the jobs as a scheduler knows them: one that has not ended by the instant will run for its estimate."""

    def ended(job: Job) -> bool:
        times = found[job.job]
        return times is not None and times[1] <= instant

    return [job if ended(job) else Job(job.job, job.submit, job.estimate, job.estimate, job.size) for job in jobs]


@searching(40)
@given(drawn=workloads(most=12))
def test_conservative_with_compression_never_starts_later_than_promised(drawn: Drawn) -> None:
    """The promise at arrival: the start if no job came later and none still present ended early."""
    jobs, processors = drawn
    found = engine("conservative", jobs, processors)
    for row, job in enumerate(jobs):
        if found[job.job] is None:
            continue
        known = as_known_at(job.submit, jobs[: row + 1], found)
        promised = engine("conservative", known, processors)[job.job]
        assert found[job.job][0] <= promised[0]


def free_from(processors: int, taken: list[tuple[int, int, int]], size: int, now: int) -> int:
    """Return the first time from now on at which ``size`` processors are free of jobs (start, end, size)."""
    times = sorted({now, *(end for _, end, _ in taken if end > now)})
    return next(t for t in times if sum(s for _, end, s in taken if end > t) + size <= processors)


@searching(100)
@given(drawn=workloads(exact=True))
def test_easy_with_exact_estimates_never_delays_the_head(drawn: Drawn) -> None:
    """A job that is head from ``now`` on starts as if no job behind it had started from then on."""
    jobs, processors = drawn
    starts = starts_of("easy", jobs, processors)
    ran = [job for job in jobs if job.job in starts]
    for row, job in enumerate(ran):
        now = max([job.submit, *(starts[ahead.job] for ahead in ran[:row])])
        if starts[job.job] < now:  # it was backfilled and never was the head
            continue
        there = ran[:row] + [behind for behind in ran[row + 1 :] if starts[behind.job] < now]
        taken = [(starts[j.job], starts[j.job] + j.stay, j.size) for j in there]
        assert starts[job.job] == free_from(processors, taken, job.size, now)
