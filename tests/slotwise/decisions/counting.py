"""What explanations are counted against: a wait in pieces, and the jobs ahead and behind, from an oracle's outcomes."""

from itertools import pairwise


def pieces(edges, low, high):
    """Yield the stretches between edges from ``low`` until ``high``."""
    yield from pairwise(sorted({low, high, *(edge for edge in edges if low < edge < high)}))


def assert_counted(found, stretches):
    """Hold for how long, and when first, a job would have fitted against the stretches in which it would."""
    assert found.fitting_us == sum(end - begin for begin, end in stretches)
    assert found.fitted_first_us == (stretches[0][0] if stretches else None)


def assert_queue(found, jobs, times, own, queue=None):
    """Hold running, ahead, overtaking and ended jobs against starts and finishes by position, None for those that never came."""
    never = 2**62
    started = {place: start if start is not None else never for place, (start, _) in times.items()}
    ended = {place: end if end is not None else never for place, (_, end) in times.items()}
    now, start = jobs[own].submit, started[own]
    others = [place for place in times if place != own]

    def numbers(places):
        return {jobs[place].job for place in places}

    assert set(found.running) == numbers(place for place in others if started[place] <= now < ended[place])
    ahead = [place for place in others if place < own and started[place] > now]
    assert set(found.ahead) == numbers(place for place in ahead if queue is None or place in queue)
    assert set(found.overtook) == numbers(place for place in others if place > own and started[place] < start)
    assert set(found.ended) == numbers(place for place in others if ended[place] == start)
