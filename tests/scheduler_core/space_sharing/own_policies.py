"""Policies as users write them: plain functions and classes. Two are those that slotwise has compiled."""

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
    queue, chosen = list(waiting), []
    ends = [(job.expected_end, job.size) for job in running]
    while queue and queue[0].size <= free:
        job = queue.pop(0)
        free -= job.size
        ends.append((now + job.estimate, job.size))
        chosen.append(job)
    if not queue:
        return chosen
    head, *others = queue
    later, shadow = free, now
    ends.sort()
    for place, (end, size) in enumerate(ends):
        later += size
        if later >= head.size:
            shadow = end
            later += sum(size for other, size in ends[place + 1 :] if other == end)
            break
    extra = later - head.size
    for job in others:
        in_time = now + job.estimate <= shadow
        if job.size <= free and (in_time or job.size <= extra):
            free -= job.size
            extra -= 0 if in_time else job.size
            chosen.append(job)
    return chosen


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
    chosen = easy(now, waiting, running, free)
    started = {job.number for job in chosen}
    head = next((job for job in waiting if job.number not in started), None)
    if head is None:
        return chosen
    ahead = [job for job in chosen if job.position < head.position]
    later = free - sum(job.size for job in ahead)
    ends = [(job.expected_end, job.size) for job in running] + [(now + job.estimate, job.size) for job in ahead]
    for end, size in sorted(ends):
        later += size
        if later >= head.size:
            return [Promise(head, end), *chosen]
    raise AssertionError("the first job never fits")


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
    return [waiting[0], Promise(waiting[0], now + 1)]


def by_user(now, waiting, running, free):
    """Starts at most one job of each user at a time."""
    busy = {job.user for job in running}
    for job in waiting:
        if job.user not in busy and job.size <= free:
            return [job.number, CallAgain(now + 1)]
    return None


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


def in_the_past(now, waiting, running, free):
    return [CallAgain(now)]


def meddling(now, waiting, running, free):
    waiting.size = 1


def looking_for_run_times(now, waiting, running, free):
    return sorted(waiting, key=lambda job: job.runtime)


def forging(now, waiting, running, free):
    """Pretends that a job is narrower than it is."""
    return [waiting[0]._replace(size=1)] if waiting[0].size > free else fcfs(now, waiting, running, free)


def renumbering(now, waiting, running, free):
    return [waiting[0]._replace(number=10**9)]
