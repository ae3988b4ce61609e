"""Periodic schedules do as well as any (da Silva 2000, section 5.2, theorem 5).

A temporal schedule is a list of slices, each the set of tasks that run in it, a processor each. The theorem's step that
can be tried out: cut a legal schedule wherever its differential progress is what it was at the begin, repeat one of the
pieces for ever, and that is legal and idles no more than the whole.
"""

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import searching

Task = tuple[int, int]
"""A job and the number of its task."""

Slices = list[frozenset[Task]]


def progress_after(slices: Slices, tasks: list[list[Task]]) -> list[list[dict[Task, int]]]:
    """Return, at the begin and after each slice, the slices each task of each job has had."""
    now = [dict.fromkeys(own, 0) for own in tasks]
    found = [[dict(own) for own in now]]
    for running in slices:
        for own in now:
            for task in own:
                own[task] += task in running
        found.append([dict(own) for own in now])
    return found


def differential(progress: list[dict[Task, int]]) -> tuple[int, ...]:
    """Return by how much each task leads the slowest task of its job."""
    return tuple(value - min(own.values()) for own in progress for value in own.values())


def lead(slices: Slices, tasks: list[list[Task]]) -> int:
    """Return the greatest lead of a task over another of its job at any time."""
    return max(max(differential(progress)) for progress in progress_after(slices, tasks))


def idling(slices: Slices, processors: int) -> Fraction:
    """Return the idle share of processors x slices."""
    return 1 - Fraction(sum(map(len, slices)), processors * len(slices))


def pieces(slices: Slices, tasks: list[list[Task]]) -> list[Slices]:
    """Cut a schedule wherever no task leads."""
    level = [not any(differential(progress)) for progress in progress_after(slices, tasks)]
    cuts = [place for place, even in enumerate(level) if even]
    return [slices[begin:end] for begin, end in pairwise(cuts)]


@st.composite
def legal_schedules(draw: st.DrawFn) -> tuple[Slices, list[list[Task]], int, int]:
    """Draw a schedule in which no task leads by more than C, and none leads at the end; with C and the machine."""
    processors = draw(st.integers(2, 6))
    sizes = draw(st.lists(st.integers(1, processors), min_size=1, max_size=4))
    tasks = [[(job, number) for number in range(size)] for job, size in enumerate(sizes)]
    most = draw(st.integers(1, 3))
    ahead = {task: 0 for own in tasks for task in own}
    slices: Slices = []

    def run_slice(wanted: list[Task]) -> None:
        running: list[Task] = []
        for task in wanted:
            slowest = min(ahead[other] for other in tasks[task[0]])
            if len(running) < processors and ahead[task] - slowest < most:
                running.append(task)
        for task in running:
            ahead[task] += 1
        slices.append(frozenset(running))

    everyone = list(ahead)
    for _ in range(draw(st.integers(1, 25))):
        run_slice(draw(st.permutations(everyone))[: draw(st.integers(0, len(everyone)))])
    # let those behind catch up, so that the schedule ends as it began
    while behind := [task for task in everyone if ahead[task] < max(ahead[other] for other in tasks[task[0]])]:
        run_slice(behind[:processors])
    return slices, tasks, most, processors


@searching(300)
@given(drawn=legal_schedules())
def test_theorem_5_some_piece_idles_no_more_than_the_whole(drawn: tuple[Slices, list[list[Task]], int, int]) -> None:
    slices, tasks, most, processors = drawn
    assert lead(slices, tasks) <= most
    cut = pieces(slices, tasks)
    assert sum(map(len, cut)) == len(slices)
    assert min(idling(piece, processors) for piece in cut) <= idling(slices, processors)
    for piece in cut:
        assert lead(piece * 3, tasks) <= most


def test_theorem_5_needs_equal_progress_at_both_ends() -> None:
    """A piece cut where a task leads cannot be repeated: the lead would grow without end."""
    tasks = [[(0, 0), (0, 1)]]
    slices: Slices = [frozenset({(0, 0)}), frozenset({(0, 1)})]
    assert lead(slices, tasks) == 1
    assert lead(slices[:1] * 5, tasks) == 5
    assert len(pieces(slices, tasks)) == 1
