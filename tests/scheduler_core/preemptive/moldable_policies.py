"""Policies that choose the sizes of jobs, as users write them."""

from slotwise import CallAgain, Start, Suspend, moldable, preemptive
from tests.scheduler_core.space_sharing.own_policies import fcfs, unoccupied


@moldable
def widest(now, waiting, running, free):
    """Starts jobs in the order of submission, on as many processors as they may have and as are free."""
    chosen = []
    for job in waiting:
        if job.sizes[0] > free:
            break
        size = min(job.sizes[-1], free)
        chosen.append(Start(job, size=size))
        free -= size
    return chosen


@moldable
def widest_on_the_lowest(now, waiting, running, free):
    """Does what ``widest`` does, and names the lowest processors that are free."""
    places = unoccupied(running, free)
    starts = []
    for start in widest(now, waiting, running, free):
        starts.append(Start(start.job, places[: start.size], start.size))
        del places[: start.size]
    return starts


@moldable
def as_asked(now, waiting, running, free):
    """FCFS that leaves every job its size, and asserts what it sees."""
    for job in waiting:
        assert job.size in job.sizes
        assert job.remaining_on(job.size) == job.remaining == job.estimate
    return fcfs(now, waiting, running, free)


@preemptive
@moldable
class Widening:
    """Suspends all jobs at every full hour; a second later the queue starts anew, each job as wide as it may be."""

    every_s = 3600

    def choose(self, now, waiting, running, free):
        if now % self.every_s == 0 and len(running):
            return CallAgain(now + 1), *map(Suspend, running)
        return CallAgain((now // self.every_s + 1) * self.every_s), widest(now, waiting, running, free)


class WideningSoon(Widening):
    every_s = 10


@moldable
def too_wide(now, waiting, running, free):
    return Start(waiting[0], size=waiting[0].sizes[-1] + 1)


@moldable
def too_narrow(now, waiting, running, free):
    return Start(waiting[0], size=0)


@moldable
def in_part(now, waiting, running, free):
    return Start(waiting[0], size=2.5)


@moldable
def looking_too_far(now, waiting, running, free):
    return waiting[0].remaining_on(10**6)


@moldable
def suspending(now, waiting, running, free):
    return [Suspend(job) for job in running] or Start(waiting[0], size=1)


@preemptive
@moldable
def changing_its_mind(now, waiting, running, free):
    if len(running):
        return CallAgain(now + 1), Suspend(running[0])
    job = waiting[0]
    return CallAgain(now + 1), Start(job, size=job.sizes[0] + 1 if job.suspended else job.sizes[0])


@preemptive
def unmarked(now, waiting, running, free):
    return Start(waiting[0], size=waiting[0].size)


def unmarked_in_space_sharing(now, waiting, running, free):
    return Start(waiting[0], size=waiting[0].size)


@preemptive
def seeing_no_sizes(now, waiting, running, free):
    return waiting[0].remaining_on(1)
