"""The engine of slices against its oracle, on drawn workloads: every table agrees in every value.

``SLOTWISE_EXAMPLES`` asks for another number of examples, drawn anew in each run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from scheduler_core.errors import ParameterError
from scheduler_core.policy import get_policy, policies
from tests.oracles.slices.oracle import Result
from tests.oracles.slices.oracle import simulate as oracle
from tests.scheduler_core.examples import SeededChooser, searching
from tests.scheduler_core.slices.cases import FAMILIES, Case, cases, draw_case
from tests.scheduler_core.slices.features import EXERCISED, FEATURES
from tests.scheduler_core.slices.runners import ENGINE_EXISTS, by_engine

WITH_ENGINE = pytest.mark.skipif(not ENGINE_EXISTS, reason="there is no engine of slices")


def by_oracle(case: Case) -> Result:
    """Let the oracle schedule an example."""
    return oracle(case.jobs, case.processors, case.policy)


def assert_same(found: Result, expected: Result) -> None:
    """Hold two schedules against each other, in every value."""
    for table in fields(Result):
        assert getattr(found, table.name) == getattr(expected, table.name), table.name


@WITH_ENGINE
@pytest.mark.parametrize("family", FAMILIES)
@searching(200)
@given(data=st.data())
def test_engine_agrees_with_oracle(family: str, data: st.DataObject) -> None:
    case = data.draw(cases(family))
    note(f"{case.processors} processors, {case.policy!r}")
    assert_same(by_engine(case.jobs, case.processors, case.policy), by_oracle(case))


@WITH_ENGINE
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "crowds"])
@pytest.mark.parametrize("seed", range(8))
def test_engine_agrees_with_oracle_on_more_jobs_and_processors(family: str, seed: int) -> None:
    case = draw_case(SeededChooser(seed), family, large=True)
    assert_same(by_engine(case.jobs, case.processors, case.policy), by_oracle(case))


@WITH_ENGINE
@pytest.mark.parametrize("policy", ["pect", "pect_o", "bottom_line"])
def test_no_jobs_make_an_empty_schedule(policy: str) -> None:
    case = Case([], 4, get_policy(policy))
    assert_same(by_engine(case.jobs, case.processors, case.policy), by_oracle(case))
    assert by_oracle(case).slices == []


@cache
def seeded(family: str, seed: int) -> tuple[Case, Result]:
    """Give an example drawn by a seed, and its schedule."""
    case = draw_case(SeededChooser(seed), family)
    return case, by_oracle(case)


@pytest.mark.parametrize("family", FAMILIES)
def test_drawn_examples_exercise_the_features(family: str) -> None:
    """Counted in the oracle's schedules of seeded examples, drawn as those of the differential test are."""
    counts: Counter[str] = Counter()
    for seed in range(300):
        counts.update(name for name in EXERCISED[family] if FEATURES[name](*seeded(family, seed)))
    assert {name: counts[name] for name in sorted(EXERCISED[family]) if counts[name] == 0} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_promises_are_kept(family: str) -> None:
    """What the oracle promises holds in its own schedules, until another promise is made to the job."""
    kept = 0
    for seed in range(300):
        case, found = seeded(family, seed)
        last = {row[0]: row for row in found.promises}
        for position, (*_, clock, finish) in last.items():
            job = found.jobs[position]
            assert job.finish is not None
            assert job.finish <= finish, (seed, position)
            assert class_clock(found, case, position) <= clock, (seed, position)
            kept += 1
    assert kept > 0 or family == "search"


def class_clock(found: Result, case: Case, position: int) -> int:
    """Give the clock of a job's class when it started."""
    start = found.jobs[position].start
    assert start is not None
    kind = case.jobs[position].job_class or class_by_estimate(case, position)
    works = [(begin + overhead, end) for _, begin, end, name, overhead in found.slices if name == kind]
    return sum(max(0, min(start, end) - begin) for begin, end in works)


def class_by_estimate(case: Case, position: int) -> str:
    """Give the class of a job for which none is stated."""
    estimate = case.jobs[position].estimate_us
    if estimate < round(case.policy.short_limit_s * 1_000_000):
        return "short"
    return "medium" if estimate < round(case.policy.medium_limit_s * 1_000_000) else "long"


@pytest.mark.parametrize("family", FAMILIES)
def test_schedules_of_the_oracle_are_legal(family: str) -> None:
    """Nobody runs outside the work of slices, on another's processors, or on others than at first."""
    for seed in range(300):
        case, found = seeded(family, seed)
        works = [(begin + overhead, end) for _, begin, end, _, overhead in found.slices]
        ran: Counter[int] = Counter()
        for held in found.allocations:
            assert any(begin <= held.begin < held.end <= end for begin, end in works)
            assert held.processors == next(h.processors for h in found.allocations if h.position == held.position)
            ran[held.position] += held.end - held.begin
        for position, job in enumerate(case.jobs):
            stays = min(job.runtime_us, job.estimate_us) if job.size <= case.processors else 0
            assert ran[position] == stays
        for one in found.allocations:
            for other in found.allocations:
                if one is not other and set(one.processors) & set(other.processors):
                    assert one.end <= other.begin or other.end <= one.begin


TIMES = {"interval_s", "switch_s", "short_slice_s", "share_medium", "share_long", "short_limit_s", "medium_limit_s"}
LENT = {"smart", "guard"}
BY_CLASS = ("group_min", "group_max", "group_size_factor", "group_work_factor", "group_run_s", "long_wide_size")

DECIDES = {
    "plain": TIMES | LENT | {"backfilling", "night_share_medium", "night_begins_h", "night_ends_h"},
    "crowds": {
        *LENT,
        *(f"{name}_{kind}" for name in BY_CLASS for kind in ("medium", "long")),
        *("dynamic", "dynamic_least_s", "long_wide_min", "long_wide_max", "second_level", "orders"),
        *("discrepancies_from", "paths", "branch_and_bound", "force_shift", "shift_ratio", "shift_cut"),
        *("plan_backfilling", "select", "bound_s", "finish_dip", "finish_utilisation", "finish_jobs", "backfilling"),
    },
    "search": {"share_short", "queue_most", "tree_nodes", "bound_s"} | LENT,
}
"""Parameters that must decide some schedule of a family's examples."""

OTHERS: dict[str, dict[str, Any]] = {
    "interval_s": {"interval_s": 100.0},
    "switch_s": {"switch_s": 0.5},
    "short_slice_s": {"short_slice_s": 2.0},
    "short_limit_s": {"short_limit_s": 2.0},
    "night_share_medium": {"night_share_medium": "same", "night_share_long": "same"},
    "group_min_medium": {"group_min_medium": 4},
    "group_min_long": {"group_min_long": 4},
    "bound_s": {"bound_s": 30.0},
    "paths": {"paths": "front_first"},
}
"""Values to compare with where the default does not go with the rest, or is the only one drawn often."""


def without(case: Case, parameter: str, default: Any) -> Case | None:
    """Give the example with one parameter at another value, or None where that does not go together with the others."""
    try:
        return replace(case, policy=replace(case.policy, **OTHERS.get(parameter, {parameter: default})))
    except ParameterError:
        return None


@pytest.mark.parametrize("family", DECIDES)
def test_every_parameter_decides_some_schedule_of_the_drawn_examples(family: str) -> None:
    name = seeded(family, 0)[0].policy.name
    defaults = {entry["name"]: entry["default"] for entry in policies()[name].describe_parameters()}
    undecided = set(DECIDES[family])
    for seed in range(300):
        case, found = seeded(family, seed)
        for parameter in sorted(undecided):
            other = without(case, parameter, defaults[parameter])
            if other is not None and by_oracle(other) != found:
                undecided.discard(parameter)
    assert undecided == set()
