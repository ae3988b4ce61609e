"""Schedules as the CSV of evalys: its columns, exact times, and processors that no two jobs hold at once."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Cluster, Machine
from tests.traces.export.schedules import counts, schedule_of, with_columns, workload
from traces.export.evalys import COLUMNS, decimal_seconds, schedule_as_evalys
from traces.export.numbering import Free, merged, numbered

JOBS = ((0, 100, 200, 4), (10, 50, 60, 8), (20.25, 30, 30, 3), (30, 90, 20, 1), (40, 1, 1, 9))


def rows(exported):
    return list(csv.DictReader(io.StringIO(exported.text)))


def processors(text):
    """Return the processors of a text such as ``0-3 7``, as evalys reads it."""
    found = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_a_schedule_becomes_the_columns_of_evalys():
    exported = schedule_as_evalys(schedule_of(workload(*JOBS)), "elm")
    assert exported.text.splitlines() == [
        ",".join(COLUMNS),
        "1,elm,,0,4,200,1,0,100,100,0,100,1.000000,0-3",
        "2,elm,,10,8,60,1,100,50,150,90,140,2.800000,0-7",
        "3,elm,,20.25,3,30,1,20.25,30,50.25,0,30,1.000000,4-6",
        "4,elm,,30,1,20,0,30,20,50,0,20,1.000000,7",
    ]
    assert counts(exported) == {"no_times": 1, "numbered": 4}


def test_a_name_is_no_formula():
    assert rows(schedule_as_evalys(schedule_of(workload(*JOBS)), "=1+1"))[0]["workload_name"] == "'=1+1"


def test_numbers_of_the_policy_are_kept():
    schedule = schedule_of(workload((0, 50, 60, 4), (0, 50, 60, 8), (0, 50, 60, 2)), "gang", slice_s=10)
    first = schedule.allocations.sort("begin_us").unique("job", keep="first", maintain_order=True)
    expected = dict(first.select("job", "processor_ids").iter_rows())
    exported = schedule_as_evalys(schedule, "elm")
    assert {int(row["jobID"]): processors(row["allocated_resources"]) for row in rows(exported)} == {
        job: set(ids) for job, ids in expected.items()
    }
    assert "numbered" not in counts(exported)


def test_a_schedule_in_which_nothing_ended_is_refused():
    with pytest.raises(ContractError, match="no job of the schedule has ended"):
        schedule_as_evalys(schedule_of(workload((0, 10, 10, 9))), "elm")


drawn = st.lists(
    st.tuples(st.integers(0, 50), st.floats(0.000001, 40), st.floats(0.000001, 40), st.integers(1, 16)),
    min_size=1,
    max_size=25,
)


@given(drawn, st.sampled_from(("easy", "fcfs", "conservative")))
def test_no_processor_is_held_twice_at_once(jobs, policy):
    schedule = schedule_of(workload(*jobs, processors=16), policy)
    found = rows(schedule_as_evalys(schedule, "elm"))
    assert len(found) == len(jobs)
    held = [
        (float(row["starting_time"]), float(row["finish_time"]), processors(row["allocated_resources"]))
        for row in found
    ]
    for place, (start, finish, mine) in enumerate(held):
        assert len(mine) == int(found[place]["requested_number_of_resources"])
        assert mine <= set(range(16))
        others = [its for begin, end, its in held[:place] if begin < finish and start < end]
        assert not any(mine & its for its in others)
    by_number = {int(row["jobID"]): row for row in found}
    for job in schedule.jobs.iter_rows(named=True):
        row = by_number[job["job"]]
        assert row["starting_time"] == decimal_seconds(job["start_us"])
        assert row["waiting_time"] == decimal_seconds(job["start_us"] - job["submit_us"])
        assert row["success"] == str(int(job["outcome"] == "finished"))


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=30))
def test_free_processors_are_those_that_nobody_took(changes):
    free, taken = Free(3, 22), []
    for count, back in changes:
        if back and taken:
            free.give(taken.pop(0))
        elif count <= sum(last - first + 1 for first, last in free.intervals):
            taken.append(free.take(count))
    held = {number for its in taken for first, last in its for number in range(first, last + 1)}
    assert free.intervals == merged(set(range(3, 23)) - held)


def test_more_processors_than_are_free_are_refused():
    with pytest.raises(ContractError, match="1 processors more than are free"):
        Free(0, 3).take(5)


def test_clusters_have_processors_of_their_own():
    machine = Machine(clusters=(Cluster(4), Cluster(6)))
    one = with_columns(workload((0, 10, 10, 4), (0, 10, 10, 4)), machine, home=[0, 1])
    schedule = schedule_of(one, "grid")
    assert numbered(schedule) == {1: [(0, 3)], 2: [(4, 7)]}


@pytest.mark.parametrize(("time_us", "text"), [(0, "0"), (1, "0.000001"), (1_500_000, "1.5"), (10_000_000, "10")])
def test_seconds_are_exact(time_us, text):
    assert decimal_seconds(time_us) == text
