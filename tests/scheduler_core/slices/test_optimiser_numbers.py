"""The optimiser on numbers worked out by hand: long-wide orders and conditions of groups; a complete search."""

from itertools import permutations
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Schedule, Workload
from scheduler_core.slices import heuristic_order
from scheduler_core.slices.virtual_schedule import BOUND, COUNT, LONG_WIDE, PLACED, SHARE, Search, new_search
from tests.from_python import from_python
from tests.scheduler_core.slices.trees import tree_size

S = 1_000_000
PROCESSORS = 128
order_long_wide = from_python(heuristic_order.order_long_wide)


def search_of(jobs: list[tuple[int, int]]) -> Search:
    """Make a search over jobs of (processors, estimate), in seconds, on an idle machine."""
    search = new_search(PROCESSORS, 64, 10)
    search.number[COUNT], search.real[SHARE], search.real[BOUND] = len(jobs), 0.73, 600.0 * S
    search.levels[0]["last"] = 1
    search.steps[0, 0] = 0, PROCESSORS
    for number, (processors, estimate) in enumerate(jobs):
        search.jobs[number]["processors"], search.jobs[number]["length"] = processors, estimate * S
    return search


@pytest.mark.parametrize(("jobs", "orders", "nodes"), [(4, 24, 64), (5, 120, 325), (6, 720, 1956)])
def test_the_first_level_tries_every_order_of_the_long_wide_jobs(jobs: int, orders: int, nodes: int) -> None:
    """Each node of the tree is placed once, for orders that begin alike share what they have in common (Table 2)."""
    search = search_of([(32 + number, 15000 + 100 * number) for number in range(jobs)])
    order_long_wide(32.0, 15000 * S, 4, 6, search)
    assert tree_size(jobs) == (orders, nodes)
    assert search.number[PLACED] == nodes
    assert search.number[LONG_WIDE] == jobs


def test_only_the_jobs_with_most_work_are_ordered_when_there_are_many() -> None:
    """Of seven long-wide jobs the one with the least work is left to the second level; three are too few."""
    search = search_of([(40, 20000 - number) for number in range(7)])
    order_long_wide(32.0, 15000 * S, 4, 6, search)
    assert search.jobs["long_wide"][:7].tolist() == [True] * 6 + [False]
    few = search_of([(40, 20000)] * 3 + [(31, 20000), (40, 14999)])
    order_long_wide(32.0, 15000 * S, 4, 6, few)
    assert few.number[LONG_WIDE] == 0
    assert few.number[PLACED] == 0


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
@settings(max_examples=25)
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
