"""Every engine against its oracle, on drawn workloads: every table agrees in every value.

``SLOTWISE_EXAMPLES`` asks for another number of examples, drawn anew in each run.
"""

import dataclasses

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.profiles import searching, seeds
from tests.scheduler_core.all_subjects import SUBJECTS, seeded
from tests.scheduler_core.examples import SeededChooser
from tests.scheduler_core.subjects import assert_legal, assert_same, changed

LARGE = [(name, seed) for name, subject in SUBJECTS.items() for seed in seeds(subject.large_seeds)]


@pytest.mark.parametrize("name", SUBJECTS)
@searching(200)
@given(data=st.data())
def test_engine_agrees_with_oracle(name: str, data: st.DataObject) -> None:
    case = data.draw(SUBJECTS[name].strategy)
    note(f"{case.processors} processors of {case.memory} kB, {case.policy!r}")
    assert_same(SUBJECTS[name].ways.engine(case), SUBJECTS[name].ways.oracle(case))


@pytest.mark.parametrize(("name", "seed"), LARGE)
def test_engine_agrees_with_oracle_on_more_jobs_and_processors(name: str, seed: int) -> None:
    case = SUBJECTS[name].draw(SeededChooser(seed), True)
    assert_same(SUBJECTS[name].ways.engine(case), SUBJECTS[name].ways.oracle(case))
    assert_legal(case)


@pytest.mark.parametrize("name", SUBJECTS)
def test_schedules_of_drawn_examples_are_legal(name: str) -> None:
    for seed in seeds(10):
        assert_legal(seeded(name, seed)[0])


@pytest.mark.parametrize("name", SUBJECTS)
def test_no_jobs_make_an_empty_schedule(name: str) -> None:
    case = dataclasses.replace(seeded(name, 0)[0], jobs=[])
    assert_same(SUBJECTS[name].ways.engine(case), SUBJECTS[name].ways.oracle(case))
    assert_legal(case)


@pytest.mark.parametrize("name", SUBJECTS)
def test_drawn_examples_exercise_the_features(name: str) -> None:
    """Seen in the oracle's schedules of seeded examples, drawn as those of the differential test are."""
    unseen = dict(SUBJECTS[name].exercised)
    for seed in range(SUBJECTS[name].seeds):
        if not unseen:
            break
        case, found = seeded(name, seed)
        unseen = {feature: shown for feature, shown in unseen.items() if not shown(case, found)}
    assert unseen == {}


@pytest.mark.parametrize("name", [name for name, subject in SUBJECTS.items() if subject.decides])
def test_every_parameter_decides_some_schedule_of_the_drawn_examples(name: str) -> None:
    undecided = dict(SUBJECTS[name].decides)
    for seed in range(SUBJECTS[name].seeds):
        if not undecided:
            break
        case, found = seeded(name, seed)
        for parameter, instead in list(undecided.items()):
            other = changed(case, parameter, instead)
            if other is not None and SUBJECTS[name].ways.oracle(other) != found:
                del undecided[parameter]
    assert undecided == {}
