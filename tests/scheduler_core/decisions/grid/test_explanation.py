"""Why a job on a grid started when it did, counted from the oracle's schedules."""

from collections import Counter
from itertools import groupby

import pytest

from scheduler_core.decisions.explanation import explain
from scheduler_core.runs.simulation import simulate
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.decisions.counting import assert_counted, assert_queue, pieces, whole
from tests.scheduler_core.grid.subjects import SUBJECTS
from tests.slotwise.planning.small_jobs import SECOND_US

CLASSES = ("short", "medium", "long")


def class_there(case, job, cluster):
    """Return the number of a job's class on a cluster."""
    if job.job_class:
        return CLASSES.index(job.job_class)
    estimate = case.grid.on(job, cluster).estimate
    return sum(
        estimate >= round(limit * SECOND_US) for limit in (case.policy.short_limit_s, case.policy.medium_limit_s)
    )


def fits_of(case, oracle, jobs, own, low, start):
    """Return the stretches in which a job would have fitted on its cluster, by sets of processors, or by sizes."""
    cluster = oracle.jobs[own][0]
    held = [row for row in oracle.allocations if row[3] == cluster and row[0] != own]
    edges = [edge for row in held for edge in row[1:3]]
    if case.policy.local != "pect":
        free = case.sites[cluster].processors
        return [
            (begin, end)
            for begin, end in pieces(edges, low, start)
            if sum(jobs[row[0]].size for row in held if row[1] <= begin < row[2]) + jobs[own].size <= free
        ]
    slices = [(row[1] + row[4], row[2]) for row in oracle.slices if row[0] == cluster]
    kind = class_there(case, jobs[own], cluster)
    names = {row[0]: set(row[5]) for row in held}
    ends = {job: oracle.jobs[job][1:3] for job in names}
    found = []
    for begin, end in pieces([*edges, *(edge for one in slices for edge in one)], low, start):
        busy = {number for row in held if row[1] <= begin < row[2] for number in row[5]}
        for job, numbers in names.items():
            if class_there(case, jobs[job], cluster) == kind and ends[job][0] <= begin < ends[job][1]:
                busy |= numbers
        works = any(first <= begin < last for first, last in slices)
        if works and case.sites[cluster].processors - len(busy) >= jobs[own].size:
            found.append((begin, end))
    return found


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_told_is_what_a_count_of_the_oracles_schedule_finds(name):
    seen = Counter()
    for seed in range(6):
        case, oracle = seeded(f"grid-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        jobs = {job.job: job for job in case.jobs}
        tasks = {
            task.job: (flow.number, place) for flow in case.whole for place, task in enumerate(flow.tasks, start=1)
        }
        for own, (cluster, start, *_) in oracle.jobs.items():
            if start is None:
                continue
            found = explain(case.workload, schedule, own, alternatives=False)
            assert ((found.workflow, found.task) if own in tasks else None) == tasks.get(own)
            there = [place for place, job in enumerate(case.jobs) if oracle.jobs[job.job][0] == cluster]
            times = {place: oracle.jobs[case.jobs[place].job][1:3] for place in there}
            times = {place: one for place, one in times.items() if one[0] is not None}
            place = case.jobs.index(jobs[own])
            assert_queue(found, case.jobs, times, place)
            asked = [row for row in oracle.candidates if row[2] == own]
            assert [(one.cluster, one.start_us, one.finish_us, one.chosen) for one in found.offers] == [
                (row[3], row[5], row[6], row[9]) for row in asked
            ]
            assert [one.cluster for one in found.offers if one.chosen] == ([cluster] if asked else [])
            data = [row for row in oracle.arrivals if tasks.get(own) == (row[0], row[2])]
            assert [one.arrived_us for one in found.arrivals] == [row[6] for row in data]
            low = max([jobs[own].submit, *(row[6] for row in data)])
            slots = [row[2] for row in oracle.slides if row[0] == own]
            assert [one.start_us for one in found.slides] == [at for at, _ in groupby(slots)]
            booked = next((row for row in oracle.reservations if row[2] == own), None)
            assert (found.booking is None) == (booked is None)
            if booked:
                low = max(low, booked[12], booked[13])
                assert (found.booking.start_us, found.booking.latest_us) == (booked[8], booked[10])
            assert found.may_start_us == low <= start
            assert_counted(found, fits_of(case, oracle, jobs, own, low, start))
            seen.update(offers=bool(asked), booked=bool(booked), data=bool(data), fits=found.fitting_us > 0)
            seen.update(waits=start > low)
            assert str(found)
    assert all(seen[what] for what in ("offers", "data", "fits", "waits"))
    assert seen["booked"] or name == "submitted"


def test_a_run_without_its_workflows_says_what_it_needs():
    drawn = (seeded("grid-space", seed) for seed in range(20))
    case, task = next(
        (case, task.job)
        for case, oracle in drawn
        for flow in case.whole
        for task in flow.tasks
        if oracle.jobs[task.job][1] is not None and oracle.jobs[task.job][1] > task.submit
    )
    schedule = simulate(case.workload, case.policy)
    bare = case.workload.__class__(case.workload.jobs, case.workload.machine, {})
    found = explain(bare, schedule, task)
    assert (found.alternatives, found.lacking) == ([], ["tasks", "edges"])
    assert "that needs the tables tasks and edges of the workload (--log WORKLOAD)" in str(found)
    said = whole(explain(case.workload, schedule, task))
    assert "no later job had been submitted" in said
    assert ", and was chosen." in said
