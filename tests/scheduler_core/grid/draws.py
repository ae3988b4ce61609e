"""Small grids full of ties: clusters, local jobs and workflows of a few ticks."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from tests.oracles.grid.workload import Edge, Pair, Site, Workflow
from tests.oracles.job import Job
from tests.scheduler_core.examples import YES_NO, Chooser, drawn_numbers
from tests.scheduler_core.slices.subjects import SECOND, draw_times

MIXED = ("short", "medium", "medium", "long")


def draw_sites(choose: Chooser, large: bool) -> tuple[Site, ...]:
    """Draw clusters: some alike, some of other sizes and speeds."""
    count = choose.one_of((1, 2, 2, 3, 3, 4))
    equal = choose.one_of(YES_NO)
    sizes = (60, 64, 65) if large else (1, 2, 3, 4, 4, 6, 8)
    first = choose.one_of(sizes)
    speeds: Sequence[float] = choose.one_of(((1.0,), (1.0, 2.0), (1.0, 0.5, 1.3), (0.7, 3.0)))
    return tuple(Site(first if equal else choose.one_of(sizes), choose.one_of(speeds)) for _ in range(count))


def draw_edges(choose: Chooser, tasks: int) -> list[Edge]:
    """Draw which task waits for which: a chain, a fork that joins again, or anything with one root and one exit."""
    shape = choose.one_of(("chain", "fork", "any", "any"))
    if shape == "chain":
        return [(task, task + 1) for task in range(1, tasks)]
    if shape == "fork":
        return [(1, task) for task in range(2, tasks)] + [(task, tasks) for task in range(2, tasks)] or [(1, 2)][
            : tasks - 1
        ]
    edges: set[Edge] = set()
    for task in range(2, tasks + 1):
        for _ in range(choose.one_of((1, 1, 2, 3))):
            edges.add((choose.integer(1, task - 1), task))
    ends = {task for task in range(1, tasks) if task not in {one for one, _ in edges}}
    return sorted(edges | {(task, tasks) for task in ends})


def draw_transfers(choose: Chooser, edges: Sequence[Edge], sites: int, tick: int) -> dict[Edge, dict[Pair, int]]:
    """Draw how long the data of some edges are on their way between each two clusters, and within one."""
    pairs = list(itertools.product(range(sites), repeat=2))
    longest = choose.one_of((0, 1, 3, 8))
    some = choose.one_of(((False,), (True,), YES_NO))
    return {edge: {pair: choose.integer(0, longest) * tick for pair in pairs} for edge in edges if choose.one_of(some)}


def draw_length(choose: Chooser, tick: int, kinds: Sequence[str], exact: bool) -> tuple[int, int]:
    """Draw run time and estimate of a task."""
    runtime, estimate = draw_times(choose, tick, kinds)
    return (estimate, estimate) if exact else (runtime, estimate)


def draw_shapes(
    choose: Chooser, number: int, submit: int, sites: Sequence[Site], tick: int
) -> tuple[list[Job], dict[Edge, int]]:
    """Draw the tasks of a workflow, numbered anew later, and its edges."""
    widest = max(site.processors for site in sites)
    most = choose.one_of((widest, widest, max(1, widest // 2), choose.one_of((widest, widest, widest, widest + 1))))
    kinds = choose.one_of((MIXED, ("medium", "long"), ("medium",), ("short", "medium")))
    exact = choose.one_of((True, True, False))
    classed = choose.one_of((False, False, False, True))
    tasks = choose.one_of((1, 2, 3, 4, 5, 5, 6, 8))
    edges = draw_edges(choose, tasks)
    longest = choose.one_of((0, 1, 4, 10))
    jobs = []
    for _ in range(tasks):
        runtime, estimate = draw_length(choose, tick, kinds, exact)
        job_class = choose.one_of(("short", "medium", "long", None)) if classed else None
        jobs.append(Job(number, submit, runtime, estimate, choose.integer(1, most), job_class=job_class))
    return jobs, {edge: choose.integer(0, longest) * tick for edge in edges}


def draw_local(
    choose: Chooser, origin: int, processors: int, tick: int, counts: Sequence[int], hours: bool
) -> list[Job]:
    """Draw the jobs submitted to a cluster, numbered anew later; some are wider than the cluster."""
    kinds = choose.one_of((MIXED, MIXED, ("short",), ("medium", "long"), ("short", "long")))
    widest = choose.one_of((processors, processors, max(1, processors // 2), processors + 1))
    gap = choose.one_of((0, 1, 3, 3, 8, 20))
    classed = choose.one_of((False, False, True))
    now, jobs = origin, []
    for _ in range(choose.one_of(counts)):
        now += choose.one_of((0, choose.integer(0, gap), choose.integer(0, gap))) * tick
        runtime, estimate = draw_times(choose, tick, kinds)
        job_class = choose.one_of(("short", "medium", "long", None)) if classed else None
        size = choose.integer(1, widest)
        jobs.append(Job(0, now, runtime, estimate, size, job_class=job_class))
        now += choose.one_of((0,) * 9 + (130 * SECOND if hours else 0,))
    return jobs


def draw_grid(
    choose: Chooser, sites: Sequence[Site], tick: int, large: bool
) -> tuple[list[Job], dict[int, int], tuple[Workflow, ...], dict[int, tuple[int, ...]]]:
    """Draw local jobs and workflows: all jobs in the order of the workload, homes, workflows, run times by cluster."""
    origin = choose.one_of((0, 0, 0, 5, 40)) * SECOND
    counts = (8, 12) if large else (0, 0, 1, 2, 4, 6, 10)
    drawn = [
        (job, home, 0, 0)
        for home, site in enumerate(sites)
        for job in draw_local(choose, origin, site.processors, tick, counts, hours=not large)
    ]
    shapes = []
    now = origin
    gap = choose.one_of((0, 3, 10, 30))
    for number in range(1, choose.one_of((4, 5) if large else (0, 1, 1, 2, 3, 5)) + 1):
        now += choose.one_of((0, choose.integer(0, gap), choose.integer(0, gap))) * tick
        tasks, edges = draw_shapes(choose, number, now, sites, tick)
        shapes.append(edges)
        drawn += [(task, -1, number, place) for place, task in enumerate(tasks)]
    numbers = drawn_numbers(choose, len(drawn))
    numbered = [(replace(job, job=number), *more) for number, (job, *more) in zip(numbers, drawn, strict=True)]
    homes = {job.job: home for job, home, *_ in numbered if home >= 0}
    tasks_of = {
        number: tuple(job for job, _, flow, _ in numbered if flow == number) for number in range(1, len(shapes) + 1)
    }
    names = sorted(choose.integer(0, 3) + 5 * number for number in tasks_of)
    workflows = tuple(
        Workflow(name, tasks_of[number], edges, draw_transfers(choose, sorted(edges), len(sites), tick))
        for name, number, edges in zip(names, tasks_of, shapes, strict=True)
    )
    jobs = sorted((job for job, *_ in numbered), key=lambda job: job.position)
    return jobs, homes, workflows, draw_run_times(choose, jobs, len(sites))


def draw_run_times(choose: Chooser, jobs: Sequence[Job], sites: int) -> dict[int, tuple[int, ...]]:
    """Draw how long some jobs run on each cluster, where that is not a matter of its speed."""
    some = choose.one_of(((False,), (False,), YES_NO, (True,)))
    return {
        job.job: tuple(
            max(1, job.runtime * choose.one_of((1, 1, 2, 3)) // choose.one_of((1, 1, 2))) for _ in range(sites)
        )
        for job in jobs
        if choose.one_of(some)
    }
