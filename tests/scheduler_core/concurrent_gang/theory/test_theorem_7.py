"""Theorem 7 as far as it is true: what a local scheduler that fills idle time can and cannot do to the length of a schedule."""

import random
import statistics

import pytest

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.profiles import seeds
from tests.scheduler_core.examples import Case

FRONT = "switch_us=0, slice_ms=10"


def last_finish(jobs: list[Job], processors: int, call: str) -> int:
    """Return when the last job finishes, in microseconds."""
    policy = get_policy(call)
    return int(simulate(Case(jobs, processors, policy).workload, policy).jobs["finish_us"].max())


def computing(generator: random.Random, processors: int) -> list[Job]:
    """Draw jobs that never block, all there at the beginning."""
    count = generator.randint(1, 12)
    runs = [(1000 * generator.randint(1, 60), generator.randint(1, processors)) for _ in range(count)]
    return [Job(n, 0, run, run, size, does=Does("compute", seed=n)) for n, (run, size) in enumerate(runs, start=1)]


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.parametrize("local", ["cg_prio", "cg_prio_84", "cg_rr", "cg_local", "gang_rt"])
def test_jobs_that_never_block_finish_no_later_than_under_gang_scheduling(seed: int, local: str) -> None:
    """The statement proved exactly: the same tasks on the same processors, each of which is never idle while it has one."""
    generator = random.Random(seed)
    processors = generator.randint(1, 6)
    jobs = computing(generator, processors)
    cap = "tasks_per_processor='unlimited'"
    assert last_finish(jobs, processors, f"{local}({FRONT}, {cap})") <= last_finish(
        jobs, processors, f"cg_gang({FRONT})"
    )


def test_filling_with_the_wrong_tasks_loses_to_gang_scheduling() -> None:
    """Not true of jobs that synchronise: a task that runs alone costs its job slices, as the thesis shows itself (Figure 6.9)."""
    program = (("compute", 2000), ("barrier",)) * 20
    does = Does("program", seed=1, statements=(program,) * 4)
    jobs = [
        Job(1, 0, 60_000, 60_000, 4, does=does),
        Job(2, 5, 60_000, 60_000, 4, does=Does("compute", seed=2)),
        Job(3, 5, 60_000, 60_000, 3, does=Does("compute", seed=3)),
    ]
    machine = f"{FRONT}, latency_us=500, overhead_us=0"
    finish = {
        call: simulate(Case(jobs, 4, get_policy(f"{call}({machine})")).workload, get_policy(f"{call}({machine})")).jobs[
            "finish_us"
        ][0]
        for call in ("cg_rr", "cg_gang", "cg_prio")
    }
    assert finish["cg_prio"] <= finish["cg_gang"] < finish["cg_rr"]


def quanta_of_an_iteration(tasks: int, load: int, generator: random.Random) -> int:
    """Count the quanta until all tasks of a job run in one: each processor chooses one of its tasks at random every time."""
    quanta = 1
    while any(generator.randrange(load) for _ in range(tasks)):
        quanta += 1
    return quanta


@pytest.mark.parametrize("tasks", [2, 3, 4, 5, 6])
def test_an_iteration_without_coordination_takes_load_to_the_power_of_tasks_less_one_times_as_long(tasks: int) -> None:
    """The result cited in section 7.2: under gang scheduling an iteration takes ``load`` quanta, here load ** tasks."""
    load, iterations = 2, 20_000
    generator = random.Random(tasks)
    quanta = [quanta_of_an_iteration(tasks, load, generator) for _ in range(iterations)]
    slower = statistics.fmean(quanta) / load
    error = statistics.stdev(quanta) / load / iterations**0.5
    assert slower == pytest.approx(load ** (tasks - 1), abs=4 * error)
    assert error < 0.02 * slower


def test_threads_that_block_and_run_back_to_back_never_take_longer_than_equation_7_1() -> None:
    """The thesis sums the longest of every round; on a processor without rounds the longest sum counts, which is never larger."""
    generator = random.Random(7)
    for _ in range(1000):
        rounds, processors = generator.randint(1, 6), generator.randint(1, 6)
        times = [[generator.randint(1, 100) for _ in range(processors)] for _ in range(rounds)]
        in_rounds = sum(max(each) for each in times)
        back_to_back = max(sum(each[processor] for each in times) for processor in range(processors))
        assert back_to_back <= in_rounds
        assert rounds > 1 or back_to_back == in_rounds
