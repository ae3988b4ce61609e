"""Policies as users write them: plain functions and classes. Three are those that slotwise has compiled."""

from scheduler_core.space_sharing.own_view import Job
from slotwise import CallAgain, Promise, Start


def fcfs(now, waiting, running, free):
    chosen = []
    for job in waiting:
        if job.size > free:
            break
        free -= job.size
        chosen.append(job)
    return chosen


def shortest_first(now, waiting, running, free):
    """List scheduling by estimates: the compiled policy `sjf`."""
    chosen = []
    for job in sorted(waiting, key=lambda job: (job.estimate, job.position)):
        if job.size > free:
            break
        free -= job.size
        chosen.append(job)
    return chosen


def easy(now, waiting, running, free):
    chosen = []
    ends = [(job.expected_end, job.size) for job in running]
    blocked, shadow, extra = False, now, 0
    for job in waiting:
        if blocked:
            in_time = now + job.estimate <= shadow
            if job.size <= free and (in_time or job.size <= extra):
                free -= job.size
                extra -= 0 if in_time else job.size
                chosen.append(job)
        elif job.size <= free:
            free -= job.size
            ends.append((now + job.estimate, job.size))
            chosen.append(job)
        else:
            blocked, later = True, free
            for end, size in sorted(ends):
                if later >= job.size and end > shadow:
                    break
                later += size
                shadow = end
            extra = later - job.size
    return chosen


def conservative(now, waiting, running, free):
    """Plans all waiting jobs anew, in the order of submission; each where it delays no job before it."""
    chosen = []
    processors = free + sum(running.size)
    planned = [(now, job.expected_end, job.size) for job in running]
    for job in waiting:
        for start in sorted([now] + [end for _, end, _ in planned]):
            most = 0
            for time in [start] + [begin for begin, _, _ in planned if start < begin < start + job.estimate]:
                held = 0
                for begin, end, size in planned:
                    held += size if begin <= time < end else 0
                most = max(most, held)
            if most + job.size <= processors:
                planned.append((start, start + job.estimate, job.size))
                if start == now:
                    chosen.append(job)
                break
    return chosen


def every_hour(now, waiting, running, free):
    """Starts jobs in the order of submission, but only at full hours."""
    chosen = fcfs(now, waiting, running, free)
    again = [CallAgain((now // 3600 + 1) * 3600) for _ in range(1) if now % 3600]
    return chosen[:0] if again else chosen, again


class EveryHour:
    """Starts jobs in the order of submission, but only at full hours."""

    def __init__(self):
        self.calls = 0

    def choose(self, now, waiting, running, free):
        self.calls += 1
        if now % 3600:
            return [CallAgain((now // 3600 + 1) * 3600)]
        return fcfs(now, waiting, running, free)


def easy_with_promises(now, waiting, running, free):
    """EASY, which promises the first job that must wait its reservation."""
    chosen, promises = easy(now, waiting, running, free), []
    ends = [(job.expected_end, job.size) for job in running]
    later = free
    for job in waiting:
        if job not in chosen:
            for end, size in sorted(ends):
                later += size
                if later >= job.size:
                    promises.append(Promise(job, end))
                    break
            break
        later -= job.size
        ends.append((now + job.estimate, job.size))
    return promises, chosen


def promising_too_much(now, waiting, running, free):
    chosen = easy(now, waiting, running, free)
    return [*(Promise(job.number, now + 60) for job in waiting if job not in chosen), *chosen]


def unoccupied(running, free):
    taken = {place for job in running for place in job.processors}
    return sorted(set(range(free + len(taken))) - taken)


def on_the_last_processors(now, waiting, running, free):
    places, starts = unoccupied(running, free), []
    for job in fcfs(now, waiting, running, free):
        starts.append(Start(job, processors=places[-job.size :]))
        del places[-job.size :]
    return starts


def placing_twice(now, waiting, running, free):
    return [Start(job, [0, 0]) for job in waiting if job.size == 2]


def placing_short(now, waiting, running, free):
    return Start(waiting[0], ())


def placing_outside(now, waiting, running, free):
    return Start(waiting[0], range(-1, waiting[0].size - 1))


def placing_on_taken(now, waiting, running, free):
    return [Start(job, range(job.size)) for job in fcfs(now, waiting, running, free)]


def placing_on_words(now, waiting, running, free):
    return Start(waiting[0].number, "ab")


def placing_one_number(now, waiting, running, free):
    return Start(waiting[0], 3)


def placing_some(now, waiting, running, free):
    return [Start(waiting[0], range(waiting[0].size))] if not len(running) else [Start(waiting[0])]


def placing_late(now, waiting, running, free):
    """Names processors only when the machine is empty again."""
    if waiting[0].position == 0:
        return waiting[0]
    return Start(waiting[0], range(waiting[0].size)) if not len(running) else None


def promising_the_past(now, waiting, running, free):
    return Promise(waiting[0], now - 1)


def promising_the_started(now, waiting, running, free):
    return waiting[0], Promise(waiting[0], now + 1)


def by_user(now, waiting, running, free):
    """Starts at most one job of each user at a time."""
    busy = {job.user for job in running}
    for job in waiting:
        if job.user not in busy and job.size <= free:
            return [job.number, CallAgain(now + 1)]
    return None


def by_columns(now, waiting, running, free):
    """Chooses by every column, and returns an array of numbers."""
    late = (now - running.started).sum() + (running.expected_end - now).sum() + running.size.sum()
    value = waiting.submitted + waiting.size * waiting.estimate + waiting.user % 7 + waiting.group % 5 + late % 3
    value += waiting.queue % 3 + waiting.partition % 2 + waiting.executable % 11
    order = (value + waiting.position * 1e-3).argsort()
    return waiting.number[order[waiting.size[order].cumsum() <= free]]


def by_places(now, waiting, running, free):
    """Starts the latest job that fits, or else the first; one job at a time, or None."""
    if waiting[-1].size <= free and waiting[-1] in waiting and waiting[-1] not in running:
        return waiting[len(waiting) - 1]
    for job in waiting[:1]:
        if job.size <= free and (not running or running[0].started <= now):
            return job
    return None


def of_known_users(now, waiting, running, free):
    """Starts jobs of users whom the log names first."""
    known = [job for job in waiting if job.user is not None and job.user != -1]
    return fcfs(now, known + [job for job in waiting if job not in known], running, free)


def writing(now, waiting, running, free):
    """Writes into columns, which are copies."""
    sizes = waiting.size
    sizes[:] = 1
    waiting.estimate[:] = 0
    return fcfs(now, waiting, running, free)


def giving_up(now, waiting, running, free):
    if now > 3600:
        raise ValueError("I give up")
    return fcfs(now, waiting, running, free)


def promising_all(now, waiting, running, free):
    return [Promise(job, now + 1e6) for job in waiting], fcfs(now, waiting, running, free)


def promising_a_stranger(now, waiting, running, free):
    return [Promise(10**9, now + 1)]


def promising_never(now, waiting, running, free):
    return [Promise(waiting[0].number, float("nan"))]


def never_again(now, waiting, running, free):
    return fcfs(now, waiting, running, free), CallAgain(1e300)


def never_at_all(now, waiting, running, free):
    return None


def all_that_wait(now, waiting, running, free):
    return waiting


def never(now, waiting, running, free):
    return []


def too_wide(now, waiting, running, free):
    return list(waiting)


def twice(now, waiting, running, free):
    return [waiting[0], waiting[0]]


def a_stranger(now, waiting, running, free):
    return [10**9]


def nonsense(now, waiting, running, free):
    return ["first"]


def broken(now, waiting, running, free):
    return [1 / 0]


def asking_for_ever(now, waiting, running, free):
    return [CallAgain(now + 5)]


def in_the_past(now, waiting, running, free):
    return [CallAgain(now)]


def meddling(now, waiting, running, free):
    waiting.size = 1


def mistyping_a_name(now, waiting, running, free):
    return [job for job in waiting if job.sise <= free]


def looking_for_run_times(now, waiting, running, free):
    return sorted(waiting, key=lambda job: job.runtime)


def forging(now, waiting, running, free):
    """Pretends that a job is narrower than it is."""
    return [waiting[0]._replace(size=1)] if waiting[0].size > free else fcfs(now, waiting, running, free)


def narrowed(now, waiting, running, free):
    """Pretends that a job is narrower than it is, by a job of its own."""
    job = waiting[0]
    if job.size <= free:
        return [job]
    seen = (job.user, job.group, job.queue, job.partition, job.executable, job.position)
    return [
        Job(
            job.number,
            job.submitted,
            1,
            job.estimate,
            *seen,
            job.started,
            job.expected_end,
            None,
            None,
            None,
            None,
            None,
        )
    ]


def renumbered(now, waiting, running, free):
    job = waiting[0]
    seen = (job.user, job.group, job.queue, job.partition, job.executable, job.position)
    return [
        Job(10**9, job.submitted, 1, job.estimate, *seen, job.started, job.expected_end, None, None, None, None, None)
    ]


def renumbering(now, waiting, running, free):
    return [waiting[0]._replace(number=10**9)]
