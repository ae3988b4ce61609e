"""DHC, partitioning, partitions and sizing by efficiency against their oracles: every table agrees in every value.

``SLOTWISE_EXAMPLES`` asks for another number of examples, drawn anew in each run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.oracles.gang.oracle import GangSchedule
from tests.oracles.gang.parts import PartsSchedule
from tests.scheduler_core.examples import SeededChooser, searching
from tests.scheduler_core.gang.background_cases import SUBJECTS, cases, draw_case
from tests.scheduler_core.gang.cases import Case
from tests.scheduler_core.gang.features import FEATURES


def assert_agreement(name: str, case: Case) -> None:
    """Hold the engine's schedule of an example against the oracle's, in every value."""
    found, expected = SUBJECTS[name].by_engine(case), SUBJECTS[name].by_oracle(case)
    assert found.jobs == expected.jobs
    assert found.segments == expected.segments
    assert found.levels == expected.levels
    assert found.counters == expected.counters


@pytest.mark.parametrize("name", SUBJECTS)
@searching(100)
@given(data=st.data())
def test_engine_agrees_with_oracle(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name))
    note(f"{case.processors} processors of {case.memory} kB, {case.policy!r}")
    assert_agreement(name, case)


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("seed", range(6))
def test_engine_agrees_with_oracle_on_more_jobs_and_processors(name: str, seed: int) -> None:
    assert_agreement(name, draw_case(SeededChooser(seed), name, large=True))


RESIZED = {"grown", "shrunk", "stalled", "stalled for a whole segment", "starts on more", "starts on fewer"}
ALWAYS = {"rejected for size", "killed", "machine idle in between", "waits for a boundary"}
EXERCISED: dict[str, set[str]] = {
    "dhc": ALWAYS | {"level of three or more", "level falls and rises", "copies", "unequal copies"},
    "equipartition": ALWAYS | RESIZED | {"processors not contiguous"},
    "folding": ALWAYS | RESIZED | {"processors not contiguous"},
    "compress": ALWAYS | RESIZED - {"grown", "starts on more"} | {"processors not contiguous"},
    "static": ALWAYS,
    "partitions": ALWAYS | {"several clusters", "level of three or more", "moved", "copies", "overtaken by priority"},
    "efficiency": ALWAYS - {"machine idle in between"}
    | {"starts on more", "starts on fewer", "copies", "waits for memory"},
}
"""What the examples of each subject must have exercised; who waits for processors seems to wait for a boundary."""


def shown(case: Case, found: GangSchedule | PartsSchedule, feature: str) -> bool:
    """Tell whether a schedule shows a feature."""
    if isinstance(found, GangSchedule):
        return FEATURES[feature](case, found)
    if feature == "several clusters":
        return len({cluster for cluster, _ in found.segments}) > 1
    jobs = {job: None if ran is None else ran[1] for job, ran in found.jobs.items()}
    segments, levels = sorted(segment for _, segment in found.segments), [level for _, level in found.levels]
    return FEATURES[feature](case, GangSchedule(jobs, segments, levels, found.counters))


@pytest.mark.parametrize("name", SUBJECTS)
def test_drawn_examples_exercise_the_features(name: str) -> None:
    """Counted in the oracle's schedules of seeded examples, drawn as those of the differential test are."""
    counts: Counter[str] = Counter()
    for seed in range(150):
        case = draw_case(SeededChooser(seed), name)
        found = SUBJECTS[name].by_oracle(case)
        counts.update(feature for feature in EXERCISED[name] if shown(case, found, feature))
    assert {feature for feature in EXERCISED[name] if counts[feature] == 0} == set()


OTHER: dict[str, dict[str, Callable[[Any], Any]]] = {
    "dhc": {
        "slice_s": lambda slice_s: 0.0,
        "selective_disabling": lambda selective: not selective,
        "alternative": lambda alternative: not alternative,
    },
    "equipartition": {"rule": lambda rule: "folding", "reconfiguration_cost_s": lambda cost: 0.0},
    "folding": {"rule": lambda rule: "compress", "reconfiguration_cost_s": lambda cost: 0.0},
    "compress": {"rule": lambda rule: "equipartition", "reconfiguration_cost_s": lambda cost: 0.0},
    "static": {"cut": lambda cut: "equal", "partitions": lambda partitions: 1},
    "partitions": {"partitions": lambda partitions: 1 + partitions // 2},
    "efficiency": {"sizing": lambda sizing: "load", "efficiency": lambda least: 0.65},
}
"""Parameters that must decide some schedule, and what other value is tried."""


@pytest.mark.parametrize(("name", "parameter"), [(name, parameter) for name in OTHER for parameter in OTHER[name]])
def test_every_parameter_decides_some_schedule_of_the_drawn_examples(name: str, parameter: str) -> None:
    def decides(case: Case) -> bool:
        changed = replace(case.policy, **{parameter: OTHER[name][parameter](getattr(case.policy, parameter))})
        other = SUBJECTS[name].by_oracle(replace(case, policy=changed))
        return other.segments != SUBJECTS[name].by_oracle(case).segments

    assert any(decides(draw_case(SeededChooser(seed), name)) for seed in range(100))
