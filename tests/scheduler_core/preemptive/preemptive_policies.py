"""Preemptive policies as users write them."""

from slotwise import CallAgain, Promise, Start, Suspend, preemptive
from tests.scheduler_core.space_sharing.own_policies import fcfs, unoccupied


@preemptive
def shortest_remaining(now, waiting, running, free):
    free += sum(job.size for job in running)
    chosen = []
    for job in sorted([*waiting, *running], key=lambda job: (job.remaining, job.position)):
        if job.size <= free:
            chosen.append(job)
            free -= job.size
    return [Suspend(job) for job in running if job not in chosen] + [job for job in chosen if job not in running]


@preemptive
class RoundRobin:
    """Jobs take turns in slices of an hour; at full hours running jobs go to the end of the queue."""

    slice_s = 3600

    def __init__(self):
        self.queued = {}

    def choose(self, now, waiting, running, free):
        kept = set()
        if now % self.slice_s:
            kept = {job.number for job in running}
        else:
            self.queued.update({job.number: now for job in running})
            free += sum(job.size for job in running)
        turn = {job: self.queued.get(job.number, job.submitted) for job in [*waiting, *running]}
        chosen = []
        for job in sorted(turn, key=lambda job: (turn[job], job.position)):
            if job.number not in kept and job.size <= free:
                chosen.append(job)
                free -= job.size
        suspended = [Suspend(job.number) for job in running if job not in chosen and job.number not in kept]
        again = CallAgain((now // self.slice_s + 1) * self.slice_s)
        return again, [job for job in chosen if job not in running], suspended


@preemptive
def fcfs_that_sees(now, waiting, running, free):
    """Starts jobs in the order of submission, and asserts what it sees of them."""
    for job in waiting:
        assert (job.remaining, job.suspended, job.started) == (job.estimate, False, None)
    for job in running:
        assert not job.suspended
        assert abs(job.remaining - (job.expected_end - now)) < 1e-5
        assert job.started <= now
    return fcfs(now, waiting, running, free)


@preemptive
def elsewhere(now, waiting, running, free):
    """Runs the shortest job alone, on the lowest processors at its start and on the highest when it is resumed."""
    shortest = min([*waiting, *running], key=lambda job: (job.remaining, job.position))
    if shortest in running:
        return None
    machine = range(free + sum(running.size))
    places = machine[-shortest.size :] if shortest.suspended else machine[: shortest.size]
    return Start(shortest, places), [Suspend(job) for job in running]


@preemptive
def placing_resumed_jobs(now, waiting, running, free):
    """Names the processors of all jobs, the lowest that are free."""
    answer = shortest_remaining(now, waiting, running, free)
    going = [one.job for one in answer if isinstance(one, Suspend)]
    left = [job for job in running if job not in going]
    places = unoccupied(left, free + sum(job.size for job in going))
    starts = []
    for job in (one for one in answer if not isinstance(one, Suspend)):
        starts.append(Start(job, places[: job.size]))
        del places[: job.size]
    return [*starts, *map(Suspend, going)]


@preemptive
def suspending_the_waiting(now, waiting, running, free):
    return Suspend(waiting[0])


@preemptive
def suspending_twice(now, waiting, running, free):
    return [waiting[0], *(Suspend(job) for job in running), *(Suspend(job) for job in running)]


@preemptive
class SuspendingTheEnded:
    def __init__(self):
        self.first = None

    def choose(self, now, waiting, running, free):
        self.first = self.first or waiting[0]
        if len(running) or now == self.first.submitted:
            return fcfs(now, waiting, running, free)
        return Suspend(self.first)


@preemptive
def suspending_a_stranger(now, waiting, running, free):
    return Suspend(10**9)


@preemptive
def suspending_nonsense(now, waiting, running, free):
    return [Suspend("first")]


@preemptive
def nonsense(now, waiting, running, free):
    return ["first"]


@preemptive
def both_at_once(now, waiting, running, free):
    return [*(Suspend(job) for job in running), *running] if len(running) else fcfs(now, waiting, running, free)


@preemptive
def starting_twice(now, waiting, running, free):
    return running[0] if len(running) else fcfs(now, waiting, running, free)


@preemptive
def too_wide(now, waiting, running, free):
    return [*map(Suspend, running), *waiting]


@preemptive
def promising_the_suspended(now, waiting, running, free):
    if len(running):
        return Suspend(running[0]), Promise(running[0], now + 1e6)
    return waiting[0]


@preemptive
def resting(now, waiting, running, free):
    """Suspends all jobs, and never resumes them."""
    return [Suspend(job) for job in running] or [CallAgain(now + 3600), *waiting[: not waiting[0].suspended]]


@preemptive
def flickering(now, waiting, running, free):
    """Suspends and resumes the first job every microsecond."""
    return CallAgain(now + 1e-6), Suspend(running[0]) if len(running) else waiting[0]


@preemptive
def giving_up(now, waiting, running, free):
    if now > 3600:
        raise ValueError("I give up")
    return fcfs(now, waiting, running, free)


@preemptive
def meddling(now, waiting, running, free):
    waiting.remaining = 0.0


@preemptive
def never(now, waiting, running, free):
    return []


def unmarked(now, waiting, running, free):
    return [*map(Suspend, running), waiting[0]]
