"""Gang scheduling of jobs that are all there at time 0, as a fluid and in exact fractions: a second opinion.

After da Silva 2000, sections 4.1 to 4.5 and 5.3.1: a period is a list of slots, all of them get the same share of the
time, and the period is packed anew whenever a job completes. It shares no code with the engine. Beside it stand the
bounds that chapter 4 and 5 compare with: the area bound, the fewest slots that can hold the jobs, and the best that any
scheduler can do that runs whole jobs side by side and may preempt and move them.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil

Rigid = tuple[int, int]
"""A job: its size in processors and its time alone, in any unit."""

Slot = list[int]
"""A slot: the numbers of its jobs, in the order they were put there."""

Period = list[Slot]


def free(slot: Slot, sizes: Sequence[int], processors: int) -> int:
    """Count the processors a slot has left."""
    return processors - sum(sizes[job] for job in slot)


def pack(order: Sequence[int], sizes: Sequence[int], processors: int, packing: str) -> Period:
    """Pack the jobs of ``order``, one after the other, into slots.

    ``first_fit`` takes the first slot with room, ``best_fit`` the one it fills most (ties the first), ``one_job`` none.
    """
    period: Period = []
    for job in order:
        room = [slot for slot in period if free(slot, sizes, processors) >= sizes[job] and packing != "one_job"]
        if not room:
            period.append([job])
        elif packing == "best_fit":
            min(room, key=lambda slot: free(slot, sizes, processors)).append(job)
        else:
            room[0].append(job)
    return period


def filled(period: Period, order: Sequence[int], sizes: Sequence[int], processors: int) -> Period:
    """Add to each slot, in turn, every job of ``order`` that is not in it and for which it has room."""
    full = [list(slot) for slot in period]
    for slot in full:
        for job in order:
            if job not in slot and free(slot, sizes, processors) >= sizes[job]:
                slot.append(job)
    return full


def period_of(present: Sequence[int], sizes: Sequence[int], processors: int, packing: str, fill: bool) -> Period:
    """Return the period in which the jobs ``present`` take turns; first fit decreasing puts the largest first."""
    decreasing = packing == "first_fit_decreasing"
    order = sorted(present, key=lambda job: (-sizes[job], job)) if decreasing else list(present)
    period = pack(order, sizes, processors, "first_fit" if decreasing else packing)
    return filled(period, order, sizes, processors) if fill else period


def completions(jobs: Sequence[Rigid], processors: int, packing: str, fill: bool) -> list[Fraction]:
    """Return when each job completes: a job in c of k slots works at the rate c / k."""
    sizes = [size for size, _ in jobs]
    left = {job: Fraction(time) for job, (_, time) in enumerate(jobs)}
    now, finish = Fraction(0), [Fraction(0)] * len(jobs)
    while left:
        period = period_of(list(left), sizes, processors, packing, fill)
        rates = {job: Fraction(sum(job in slot for slot in period), len(period)) for job in left}
        step = min(left[job] / rates[job] for job in left)
        now += step
        for job in list(left):
            left[job] -= step * rates[job]
            if not left[job]:
                finish[job] = now
                del left[job]
    return finish


def makespan(
    jobs: Sequence[Rigid], processors: int, packing: str = "first_fit_decreasing", fill: bool = True
) -> Fraction:
    """Return the time at which the last job completes."""
    return max(completions(jobs, processors, packing, fill))


def lower_bound(jobs: Sequence[Rigid], processors: int) -> Fraction:
    """Return what no scheduler can beat, coordinated or not: the longest job, and the area over the processors."""
    return max(Fraction(sum(size * time for size, time in jobs), processors), Fraction(max(time for _, time in jobs)))


def area_slots(sizes: Sequence[int], processors: int) -> int:
    """Return s(L), the slots that the sizes would fill without a gap (da Silva 2000, equation 5.1)."""
    return ceil(Fraction(sum(sizes), processors))


def fewest_slots(sizes: Sequence[int], processors: int) -> int:
    """Return the fewest slots that hold all jobs, by trying every assignment that differs in more than names."""
    largest_first = sorted(sizes, reverse=True)
    best = len(sizes)

    def assign(number: int, room: tuple[int, ...]) -> None:
        nonlocal best
        if len(room) >= best:
            return
        if number == len(sizes):
            best = len(room)
            return
        for left in set(room):
            if left >= largest_first[number]:
                rest = list(room)
                rest[rest.index(left)] -= largest_first[number]
                assign(number + 1, tuple(sorted(rest)))
        assign(number + 1, tuple(sorted((*room, processors - largest_first[number]))))

    assign(0, ())
    return best


def preemptive_optimum(jobs: Sequence[Rigid], processors: int) -> float:
    """Return the shortest makespan when any set of jobs that fits may run at any time (da Silva 2000, section 4.2).

    A linear program: a length for each set of jobs that fit side by side, each job's sets lasting its time in all.
    Sets to which a job could be added are left out, as adding it costs nothing.
    """
    import numpy as np
    from scipy.optimize import linprog

    sizes = [size for size, _ in jobs]
    fitting = [
        frozenset(chosen)
        for count in range(1, len(jobs) + 1)
        for chosen in combinations(range(len(jobs)), count)
        if sum(sizes[job] for job in chosen) <= processors
    ]
    largest = [chosen for chosen in fitting if not any(chosen < other for other in fitting)]
    lasts = np.array([[-float(job in chosen) for chosen in largest] for job in range(len(jobs))])
    due = np.array([-float(time) for _, time in jobs])
    found = linprog(np.ones(len(largest)), A_ub=lasts, b_ub=due, method="highs")
    assert found.success, found.message
    return float(found.fun)


def idling_ratio(period: Sequence[Sequence[int]], sizes: Sequence[int], processors: int) -> Fraction:
    """Return the share of a period's processors x slots that no job holds (da Silva 2000, section 3.3)."""
    held = sum(sizes[job] for slot in period for job in slot)
    return 1 - Fraction(held, len(period) * processors)
