"""A bare kernel of EASY backfilling: the default dialect alone, in one function, without any parameter.

It is what the engine's speed is held against: a ratio near one says that parameters and tables cost next to nothing.
"""

import numpy as np
from numba import njit


@njit(nogil=True)
def bare_easy(submit, run, estimate, size, processors):
    """Return every job's start; the arguments are arrays in the order of submission, times in microseconds."""
    jobs = len(submit)
    start = np.full(jobs, -1, np.int64)
    room = min(jobs, processors) + 1
    end, end_job = np.empty(room, np.int64), np.empty(room, np.int32)
    expected, expected_job = np.empty(room, np.int64), np.empty(room, np.int32)
    queue = np.empty(jobs, np.int32)
    first, last, running, free, arrival = 0, 0, 0, processors, 0
    while arrival < jobs or running > 0:
        now = np.int64(2**62)
        if arrival < jobs:
            now = submit[arrival]
        if running > 0:
            now = min(now, end[running - 1])
        while running > 0 and end[running - 1] == now:
            running -= 1
            job = end_job[running]
            free += size[job]
            ends = start[job] + estimate[job]
            k = np.searchsorted(expected[: running + 1], ends)
            while expected_job[k] != job:
                k += 1
            for i in range(k, running):
                expected[i] = expected[i + 1]
                expected_job[i] = expected_job[i + 1]
        while arrival < jobs and submit[arrival] == now:
            queue[last] = arrival
            last += 1
            arrival += 1
        if first == last or free == 0:
            continue
        shadow, extra, head_waits = np.int64(0), 0, False
        kept = first
        for k in range(first, last):
            job = queue[k]
            fits = size[job] <= free
            if head_waits:
                if fits:
                    in_time = now + estimate[job] <= shadow
                    fits = in_time or size[job] <= extra
                    if fits and not in_time:
                        extra -= size[job]
            elif not fits:
                head_waits = True
                available = free
                i = 0
                while available < size[job] or (i < running and expected[i] == shadow):
                    available += size[expected_job[i]]
                    shadow = expected[i]
                    i += 1
                extra = available - size[job]
            if not fits:
                queue[kept] = job
                kept += 1
                continue
            start[job] = now
            free -= size[job]
            i = running
            while i > 0 and end[i - 1] < now + run[job]:
                end[i], end_job[i] = end[i - 1], end_job[i - 1]
                i -= 1
            end[i], end_job[i] = now + run[job], job
            i = running
            while i > 0 and expected[i - 1] > now + estimate[job]:
                expected[i], expected_job[i] = expected[i - 1], expected_job[i - 1]
                i -= 1
            expected[i], expected_job[i] = now + estimate[job], job
            running += 1
        last = kept
    return start
