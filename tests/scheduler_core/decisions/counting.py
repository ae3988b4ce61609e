"""What explanations are counted against: a wait in pieces, and the jobs ahead and behind, from an oracle's outcomes."""

from itertools import pairwise

import pytest

MOST_LINES = 9
"""The answer, and about eight lines that matter most."""


def whole(found):
    """Return every sentence of an explanation."""
    return "\n".join(found.sentences())


def pieces(edges, low, high):
    """Yield the stretches between edges from ``low`` until ``high``."""
    yield from pairwise(sorted({low, high, *(edge for edge in edges if low < edge < high)}))


def assert_counted(found, stretches):
    """Hold for how long, and when first, a job would have fitted against the stretches in which it would.

    The causes of the wait last as long as it; those that tell why a job with room did not start, as long as it had room.
    """
    assert found.fitting_us == sum(end - begin for begin, end in stretches)
    assert found.fitted_first_us == (stretches[0][0] if stretches else None)
    assert_told(found)
    assert sum(cause.us for cause in found.causes if found.reason(cause)) == found.fitting_us


def assert_told(found):
    """Hold that the causes of a wait last as long as it, that each is a rule, and that the answer comes first of a few lines."""
    assert sum(cause.us for cause in found.causes) == found.wait_us
    assert not [cause for cause in found.causes if cause.rule == "untold"]
    lines = str(found).splitlines()
    assert lines[0] == found.answer()
    assert lines[0].startswith(f"Job {found.job} {'waited' if found.wait_us else 'started at once'}")
    assert len(lines) <= MOST_LINES
    assert set(lines) <= set(found.sentences())


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


@pytest.fixture
def steps_of(monkeypatch):
    """Return a function that keeps the steps of the waits that a family's module explains, in a list."""

    def kept(module):
        found = []
        counted = module.causes_of

        def keeping(steps):
            steps = list(steps)
            found.append(steps)
            return counted(steps)

        monkeypatch.setattr(module, "causes_of", keeping)
        return found

    return kept
