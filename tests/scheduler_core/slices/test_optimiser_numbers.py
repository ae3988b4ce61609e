"""The optimiser on numbers worked out by hand: estimates, long-wide orders, holes, selection, conditions of groups."""

from itertools import permutations
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Schedule, Workload
from scheduler_core.slices import force_shift, heuristic_order, select_schedule, virtual_schedule
from scheduler_core.slices.select_schedule import LITERAL, SLOWDOWN, TOLERANCE
from scheduler_core.slices.virtual_schedule import Search, new_search
from tests.from_python import from_python
from tests.profiles import searching
from tests.scheduler_core.slices.trees import tree_size

S = 1_000_000
PROCESSORS = 128
find_hole, order_long_wide = from_python(force_shift.find_hole), from_python(heuristic_order.order_long_wide)
chosen_candidate = from_python(select_schedule.chosen_candidate)
response_of, slowdown_of = from_python(virtual_schedule.response_of), from_python(virtual_schedule.slowdown_of)


def search_of(jobs: list[tuple[int, int, int]], clock: int = 0, share: float = 0.73) -> Search:
    """Make a search over jobs of (processors, estimate, waited), in seconds, on an idle machine."""
    search = new_search(PROCESSORS, 64, 10)
    search.note.count, search.note.clock, search.note.holes = len(jobs), clock * S, 1
    search.note.share, search.note.bound = share, 600.0 * S
    search.levels[0]["last"], search.levels[0]["latest"] = 1, clock * S
    search.steps[0, 0] = clock * S, PROCESSORS
    for number, (processors, estimate, waited) in enumerate(jobs):
        for name, value in (("processors", processors), ("length", estimate * S), ("waited", waited * S)):
            search.jobs[number][name] = value
    return search


def test_time_ahead_is_expanded_by_the_share_of_the_class() -> None:
    """Submitted at 0, now 1000: a long job of 7300 s that starts 3000 s ahead responds after 1000 + 10300 / 0.73 s."""
    long = search_of([(1, 7300, 1000)])
    assert response_of(0, 3000 * S, long) == pytest.approx((1000 + 10300 / 0.73) * S)
    medium = search_of([(1, 2650, 1000)], share=0.265)
    assert response_of(0, 0, medium) == pytest.approx(11000 * S)


@pytest.mark.parametrize(("response", "run", "slowdown"), [(300, 100, 1.0), (1500, 300, 2.5), (7000, 2000, 3.5)])
def test_slowdown_is_bounded_from_both_sides(response: int, run: int, slowdown: float) -> None:
    """Short run times count as the bound, and no job has a slowdown below 1."""
    assert slowdown_of(0, float(response * S), search_of([(1, run, 0)])) == slowdown


@pytest.mark.parametrize(("jobs", "orders", "nodes"), [(4, 24, 64), (5, 120, 325), (6, 720, 1956)])
def test_the_first_level_tries_every_order_of_the_long_wide_jobs(jobs: int, orders: int, nodes: int) -> None:
    """Each node of the tree is placed once, for orders that begin alike share what they have in common (Table 2)."""
    search = search_of([(32 + number, 15000 + 100 * number, 0) for number in range(jobs)])
    order_long_wide(32.0, 15000 * S, 4, 6, search)
    assert tree_size(jobs) == (orders, nodes)
    assert search.note.placed == nodes
    assert search.note.long_wide == jobs


def test_only_the_jobs_with_most_work_are_ordered_when_there_are_many() -> None:
    """Of seven long-wide jobs the one with the least work is left to the second level; three are too few."""
    search = search_of([(40, 20000 - number, 0) for number in range(7)])
    order_long_wide(32.0, 15000 * S, 4, 6, search)
    assert search.jobs["long_wide"][:7].tolist() == [True] * 6 + [False]
    few = search_of([(40, 20000, 0)] * 3 + [(31, 20000, 0), (40, 14999, 0)])
    order_long_wide(32.0, 15000 * S, 4, 6, few)
    assert few.note.long_wide == 0
    assert few.note.placed == 0


@pytest.mark.parametrize(("rest", "hole"), [(150, 0), (151, -1), (100, -1)])
def test_a_hole_may_be_too_short_by_half(rest: int, hole: int) -> None:
    """A hole of 100 s takes a job of 150 s by force; not one of 151 s; one of 100 s needs no force."""
    search = search_of([(8, rest, 0)])
    steps = [(0, 8), (100, 4), (400, 128)]
    for number, (time, room) in enumerate(steps):
        search.steps[0, number] = time * S, room
    search.levels[0]["last"] = len(steps)
    assert find_hole(0, 0, 400 * S, 1_500_000, search) == hole


@pytest.mark.parametrize(
    ("rule", "candidates", "chosen"),
    [
        # (total, makespan, utilisation, mean response): the best by slowdown is clearly longer than the next
        (TOLERANCE, [(10, 120, 0.8, 50), (11, 100, 0.8, 50)], 1),
        (SLOWDOWN, [(10, 120, 0.8, 50), (11, 100, 0.8, 50)], 0),
        (TOLERANCE, [(10, 109, 0.8, 50), (11, 100, 0.8, 50)], 0),
        (TOLERANCE, [(10, 100, 0.75, 50), (11, 100, 0.8, 50)], 1),
        (TOLERANCE, [(10, 100, 0.8, 55.1), (11, 100, 0.8, 50)], 1),
        # as printed, a longer makespan wins
        (LITERAL, [(10, 100, 0.8, 50), (11, 120, 0.8, 50)], 1),
        (LITERAL, [(10, 120, 0.8, 50), (11, 100, 0.8, 50)], 0),
        # the third is judged against the one that stands
        (TOLERANCE, [(10, 120, 0.8, 50), (11, 100, 0.8, 50), (12, 90, 0.8, 50)], 2),
    ],
)
def test_selection_among_the_best_three(rule: int, candidates: list[tuple[float, ...]], chosen: int) -> None:
    """The best by slowdown stays unless it is clearly worse elsewhere (section 6.4.4)."""
    search = search_of([(1, 1, 0)])
    for number, values in enumerate(candidates):
        for name, value in zip(("total", "makespan", "utilisation", "response"), values, strict=True):
            search.candidates[number][name] = value
    search.note.candidates = len(candidates)
    assert chosen_candidate(rule, search) == chosen


def run_batch(jobs: list[tuple[int, int]], processors: int = PROCESSORS, **parameters: Any) -> Schedule:
    """Simulate jobs of (size, run time in seconds), all submitted at once."""
    rows = [(number, 0, run * S, run * S, size) for number, (size, run) in enumerate(jobs, start=1)]
    workload = Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(processors))
    return simulate(workload, "pect_o", orders=1, smart=False, **parameters)


@pytest.mark.parametrize(
    ("jobs", "sizes", "run", "formed"),
    [
        (5, 52, 15000, True),  # 260 > 2 x 128 processors, 30469 > 15000 s of the machine
        (5, 51, 15000, False),  # 255 processors
        (4, 128, 15000, False),  # too few jobs
        (10, 20, 1100, True),  # 200 > 1.5 x 128 processors, 1718.75 > 1600 s
        (10, 20, 1000, False),  # 1562.5 s
        (9, 128, 1100, False),
    ],
)
def test_what_a_group_needs(jobs: int, sizes: int, run: int, formed: bool) -> None:
    """Number, size and work must all suffice (section 7.2)."""
    groups = run_batch([(sizes, run)] * jobs).tables["groups"]
    first = groups.filter(pl.col("formed_us") == groups["formed_us"].min()) if groups.height else groups
    assert first["jobs"].to_list() == ([jobs] if formed else [])


def place_all(order: tuple[int, ...], jobs: list[tuple[int, int]], processors: int, waited: float) -> list[float]:
    """Return the slowdowns of medium jobs placed in order on an idle machine, by definition: by trying every begin."""
    taken: list[tuple[int, int, int]] = []
    slowdowns = []
    for number in order:
        size, run = jobs[number]
        for begin in sorted({0, *(end for _, end, _ in taken)}):
            instants = [begin, *(b for b, _, _ in taken if begin < b < begin + run)]
            if all(sum(n for b, e, n in taken if b <= t < e) + size <= processors for t in instants):
                break
        taken.append((begin, begin + run, size))
        slowdowns.append(max((waited + (begin + run) / 0.265) / max(run, 600), 1.0))
    return slowdowns


@given(jobs=st.lists(st.tuples(st.integers(1, 4), st.integers(600, 10000)), min_size=2, max_size=6))
@searching(25)
def test_a_complete_search_finds_the_best_of_all_orders(jobs: list[tuple[int, int]]) -> None:
    """On groups small enough to try every order, no order has a smaller sum of slowdowns than the chosen schedule."""
    small: dict[str, Any] = {"group_min_medium": 2, "group_size_factor_medium": 0.0, "group_work_factor_medium": 0.0}
    rows = [(number, 0, run * S, run * S, size) for number, (size, run) in enumerate(jobs, start=1)]
    workload = Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(4))
    searched = simulate(
        workload, "pect_o", smart=False, discrepancies_from=0, force_shift=False, select="slowdown", **small
    )
    waited = 60.0  # the first slice is switched to before any job is placed
    best = min(sum(place_all(order, jobs, 4, waited)) for order in permutations(range(len(jobs))))
    assert searched.tables["groups"]["slowdown"][0] == pytest.approx(best)
