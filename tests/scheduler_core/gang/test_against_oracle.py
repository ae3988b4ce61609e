"""The engine of gang scheduling against its oracle, on drawn workloads: every table agrees in every value.

``SLOTWISE_EXAMPLES`` asks for another number of examples, drawn anew in each run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.errors import ParameterError
from scheduler_core.policy import get_policy, policies
from tests.oracles.gang.oracle import GangSchedule, schedule
from tests.scheduler_core.examples import SeededChooser, searching
from tests.scheduler_core.gang.cases import FAMILIES, Case, cases, draw_case
from tests.scheduler_core.gang.features import EXERCISED, FEATURES
from tests.scheduler_core.gang.runners import engine, workload_of


def by_oracle(case: Case) -> GangSchedule:
    """Let the oracle schedule an example."""
    return schedule(case.policy, case.jobs, case.processors, case.memory)


def by_engine(case: Case) -> GangSchedule:
    """Let the engine schedule an example."""
    return engine(case.policy, case.jobs, case.processors, case.memory)


def assert_same(found: GangSchedule, expected: GangSchedule) -> None:
    """Hold two schedules against each other, in every value."""
    assert found.jobs == expected.jobs
    assert found.segments == expected.segments
    assert found.levels == expected.levels
    assert found.counters == expected.counters


@pytest.mark.parametrize("family", FAMILIES)
@searching(200)
@given(data=st.data())
def test_engine_agrees_with_oracle(family: str, data: st.DataObject) -> None:
    case = data.draw(cases(family))
    note(f"{case.processors} processors of {case.memory} kB, {case.policy!r}")
    assert_same(by_engine(case), by_oracle(case))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8))
def test_engine_agrees_with_oracle_on_more_jobs_and_processors(family: str, seed: int) -> None:
    case = draw_case(SeededChooser(seed), family, large=True)
    assert_same(by_engine(case), by_oracle(case))


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "memory"])
@searching(50)
@given(data=st.data())
def test_counting_processors_instead_of_naming_them_changes_nothing_else(family: str, data: st.DataObject) -> None:
    case = data.draw(cases(family))
    workload = workload_of(case.jobs, case.processors, case.memory)
    named, counted = (simulate(workload, replace(case.policy, name_processors=named)) for named in (True, False))
    assert counted.jobs.equals(named.jobs)
    assert counted.levels.equals(named.levels)
    assert counted.run["counters"] == named.run["counters"]
    if case.policy.repacks == "never":
        # Who is re-packed to other processors of his slot begins a segment only where processors have names.
        assert rows_of(counted.allocations) == rows_of(named.allocations)


def rows_of(allocations: pl.DataFrame) -> list[tuple[Any, ...]]:
    """Give the allocations in an order of their own, without the processors' numbers."""
    return sorted(allocations.drop("processor_ids").rows())


def test_no_jobs_make_an_empty_schedule() -> None:
    case = Case([], 4, 0, get_policy("gang"))
    assert by_engine(case) == by_oracle(case)
    assert by_engine(case).levels == []


@pytest.mark.parametrize("family", FAMILIES)
def test_drawn_examples_exercise_the_features(family: str) -> None:
    """Counted in the oracle's schedules of seeded examples, drawn as those of the differential test are."""
    counts: Counter[str] = Counter()
    for seed in range(300):
        case = draw_case(SeededChooser(seed), family)
        found = by_oracle(case)
        counts.update(name for name, shown in FEATURES.items() if shown(case, found))
    assert {name: counts[name] for name in sorted(EXERCISED[family]) if counts[name] == 0} == {}


DECIDES = {
    "packing": {"packing", "level", "slice_s", "slice", "switch_cost", "switch_slows", "queue"}
    | {"short_s", "medium_s", "aging_s", "backfill", "backfill_depth"},
    "repacking": {"packing", "repack", "fill", "slice_s", "switch_cost", "switch_slows"},
    "filling": {"packing", "fill", "level", "backfill"},
    "memory": {"packing", "new_slot", "level", "backfill"},
    "adaptation": {"packing", "adapt", "resize_running", "eliminate_fragmentation", "demand"}
    | {"reconfiguration_s", "reconfiguration_cost_s", "level", "slice", "backfill", "backfill_depth"},
}
"""Parameters that must decide some schedule of a family's examples."""


OTHERS = {"short_s": 0.0}
"""Values to compare with where the default does not go with the rest."""


def without(case: Case, parameter: str, default: Any) -> Case | None:
    """Give the example with one parameter at another value, or None where that does not go together with the others."""
    try:
        return replace(case, policy=replace(case.policy, **{parameter: default}))
    except ParameterError:
        return None


@pytest.mark.parametrize("family", DECIDES)
def test_every_parameter_decides_some_schedule_of_the_drawn_examples(family: str) -> None:
    defaults = {entry["name"]: entry["default"] for entry in policies()["gang"].describe_parameters()} | OTHERS
    undecided = set(DECIDES[family])
    for seed in range(600):
        case = draw_case(SeededChooser(seed), family)
        found = by_oracle(case)
        for parameter in sorted(undecided):
            other = without(case, parameter, defaults[parameter])
            if other is not None and by_oracle(other).segments != found.segments:
                undecided.discard(parameter)
    assert undecided == set()
