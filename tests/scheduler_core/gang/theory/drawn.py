"""What hypothesis draws for the theory: jobs that are all there at time 0, and jobs that come one after the other."""

from hypothesis import strategies as st

from tests.scheduler_core.gang.theory.runs import Arrival

Batch = tuple[list[tuple[int, int]], int]
"""Jobs as size and time, and the machine's processors."""

Stream = tuple[list[Arrival], int]
"""Arrivals in order, and the machine's processors."""

MACHINES = (2, 4, 8, 16, 17, 32)


def sizes_on(processors: int) -> st.SearchStrategy[int]:
    """Draw a size: any, or one that leaves little room beside it, or hardly any of the machine."""
    just_over_half = min(processors, processors // 2 + 1)
    special = [size for size in (1, 2, processors // 2, just_over_half, processors - 1, processors) if size >= 1]
    return st.one_of(st.integers(1, processors), st.sampled_from(special))


@st.composite
def batches(draw: st.DrawFn, most: int = 12, machines: tuple[int, ...] = MACHINES) -> Batch:
    """Draw jobs that are all there at time 0."""
    processors = draw(st.sampled_from(machines))
    count = draw(st.integers(1, most))
    longest = draw(st.sampled_from((1, 3, 20)))
    job = st.tuples(sizes_on(processors), st.integers(1, longest))
    return draw(st.lists(job, min_size=count, max_size=count)), processors


@st.composite
def streams(draw: st.DrawFn, most: int = 25, powers_of_two: bool = False) -> Stream:
    """Draw jobs that come one after the other; with ``powers_of_two`` every size, the machine's too, is one."""
    processors = draw(st.sampled_from((4, 8, 16, 32) if powers_of_two else MACHINES))
    powers = [2**power for power in range(processors.bit_length()) if 2**power <= processors]
    size = st.sampled_from(powers) if powers_of_two else sizes_on(processors)
    count = draw(st.integers(1, most))
    gap = draw(st.sampled_from((1, 4)))
    job = st.tuples(st.integers(0, gap), size, st.integers(1, 12))
    now, arrivals = 0, []
    for pause, wanted, time in draw(st.lists(job, min_size=count, max_size=count)):
        now += pause
        arrivals.append(Arrival(now, wanted, time))
    return arrivals, processors
