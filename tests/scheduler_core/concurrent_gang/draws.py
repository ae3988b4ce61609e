"""Small workloads full of ties for Concurrent Gang, by what their jobs do, with parameters on their time scale."""

from typing import Any

from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters, drawn_numbers

TICK = 500
"""What run times, bursts and slices are multiples of, in microseconds."""

APPLICATIONS: dict[str, tuple[str, ...]] = {
    "io": ("compute", "io", "io"),
    "messages": ("messages", "messages", "io", "io"),
    "supersteps": ("supersteps", "supersteps", "io", "io"),
    "barriers": ("barriers", "barriers", "io", "io"),
    "irregular": ("irregular", "irregular", "io"),
    "programs": ("program", "program", "program", "io"),
    "mixed": ("compute", "io", "messages", "supersteps", "irregular", "program", "barriers"),
    "controllers": ("compute", "io", "io", "messages", "supersteps"),
}
"""What jobs do, by subject."""


def draw_case(choose: Chooser, large: bool, name: str) -> Case:
    """Draw an example of a subject."""
    processors = choose.one_of((6, 9, 16)) if large else choose.one_of((1, 2, 2, 3, 3, 4, 6))
    count = choose.integer(12, 30) if large else choose.integer(1, choose.one_of((2, 5, 8, 12)))
    values = draw_machine(choose) | draw_local(choose) | draw_front(choose, name) | draw_extent(choose)
    if values["classifier"] == "none" and values["fill"] == "intelligent":
        values["fill"] = "none"
    jobs = draw_jobs(choose, name, processors, count)
    if values["local"] != "none" and choose.one_of((True, False, False, False)):
        values |= {"gang": False, "fill": "none", "beta": "none"}
    return Case(jobs, processors, get_policy("concurrent_gang", **values))


def draw_jobs(choose: Chooser, name: str, processors: int, count: int) -> list[Job]:
    """Draw jobs that come within a few slices."""
    gap = choose.one_of((0, 0, 2, 8))
    longest = choose.one_of((4, 20, 40, 80))
    spread = choose.one_of((("constant",), ("exponential",), ("constant", "exponential")))
    widest = choose.one_of((processors, max(1, processors // 2), processors + 1))
    jobs, now = [], 0
    for number in drawn_numbers(choose, count):
        now += TICK * choose.integer(0, gap)
        size = choose.integer(1, widest)
        runtime = TICK * choose.integer(1, longest) + choose.one_of((0, 0, 7))
        estimate = choose.one_of((runtime, runtime, runtime, runtime + 5, TICK * choose.integer(1, longest)))
        word = choose.one_of(APPLICATIONS[name])
        does = (
            draw_program(choose, size, number) if word == "program" else draw_application(choose, word, number, spread)
        )
        jobs.append(Job(number, now, runtime, estimate, size, does=does))
    return sorted(jobs, key=lambda job: job.position)


def draw_application(choose: Chooser, word: str, number: int, spreads: tuple[str, ...]) -> Does:
    """Draw what the tasks of a job do."""
    return Does(
        word,
        seed=100 * choose.integer(0, 3) + number,
        burst=0 if word == "compute" else TICK * choose.integer(1, 4),
        disk=TICK * choose.integer(1, 4) if word == "io" else 0,
        spread=choose.one_of(spreads),
        imbalance=choose.one_of((0.0, 0.0, 0.5, 0.999)) if word == "supersteps" else 0.0,
        most_tasks=choose.one_of((1, 4, 12)) if word == "irregular" else 0,
    )


def draw_program(choose: Chooser, size: int, number: int) -> Does:
    """Draw a program: statements of tasks in an order in which they can be executed, so that all tasks reach their ends."""
    programs: list[list[tuple[Any, ...]]] = [[("compute", TICK * choose.integer(1, 4))]] + [[] for _ in range(size - 1)]
    words = ("compute", "disk", "barrier", "message", "message", "receive") if size > 1 else ("compute", "disk")
    sent: list[tuple[int, int]] = []
    message = 0
    for _ in range(choose.integer(1, 8 * size)):
        word, task = choose.one_of(words), choose.integer(0, size - 1)
        if word in ("compute", "disk"):
            programs[task].append((word, TICK * choose.integer(1, 4) + choose.one_of((0, 0, 3))))
        elif word == "barrier":
            for program in programs:
                program.append(("barrier",))
        elif word == "message":
            message += 1
            receiver = (task + choose.integer(1, size - 1)) % size
            programs[task].append(("send", message))
            sent.append((receiver, message))
        elif sent:
            receiver, received = sent.pop(choose.integer(0, len(sent) - 1))
            programs[receiver].append(("receive", received))
    for receiver, received in sent:
        programs[receiver].append(("receive", received))
    for program in programs:
        if not program:
            program.append(("compute", TICK))
    return Does("program", seed=1000 + number, statements=tuple(map(tuple, programs)))


def draw_machine(choose: Chooser) -> Parameters:
    """Draw slices, switches and network."""
    return {
        "slice_ms": TICK / 1000 * choose.one_of((1, 3, 4, 10, 10, 20)),
        "switch_us": choose.one_of((0.0, 0.0, 100.0, 200.0, TICK / 2)),
        "latency_us": choose.one_of((0.0, 10.0, 100.0, 1000.0)),
        "overhead_us": choose.one_of((0.0, 8.75, 50.0, 250.0)),
    }


def draw_local(choose: Chooser) -> Parameters:
    """Draw classifier, local scheduler and spin control."""
    classifier = choose.one_of(("none", "counting", "bayes", "bayes"))
    locals_ = ("none", "round_robin") if classifier == "none" else ("priority", "priority", "priority", "round_robin")
    waits = ("spin", "spin_block") if classifier == "none" else ("spin", "spin_block", "controlled", "controlled")
    return {
        "classifier": classifier,
        "local": choose.one_of(locals_),
        "waiting": choose.one_of(waits),
        "priority": choose.one_of(("io_or_compute", "io_less_communication")),
        "alpha": choose.one_of((2.0, 1.0, 1.5, 7.3)),
        "beta": choose.one_of(("none", 0.3, 0.3, 0.5, 0.0)),
        "statements": choose.one_of((1, 2, 2, 4)),
        "least_membership": choose.one_of((0.000001, 0.000001, 0.01, 0.3)),
        "resume_owner": choose.one_of(YES_NO),
        "boost": choose.one_of(YES_NO),
        "spin_us": choose.one_of(("baseline", "baseline", 0.0, 30.0, 400.0)),
        "delta_switches": choose.one_of((4.0, 0.0, 1.5)),
        "balance": choose.one_of(YES_NO),
    }


def draw_front(choose: Chooser, name: str) -> Parameters:
    """Draw what places jobs."""
    values = {
        "tasks_per_processor": choose.one_of(("unlimited", "unlimited", "unlimited", 1, 2, 3)),
        "queue": choose.one_of(("skip", "skip", "fcfs")),
        "fill": choose.one_of(("none", "intelligent")),
    }
    if name == "controllers":
        values |= {
            "front": "dhc",
            "selective_disabling": choose.one_of(YES_NO),
            "fill": choose.one_of(("none", "alternative", "alternative", "intelligent")),
        }
    else:
        values |= {
            "packing": choose.one_of(("first_fit", "first_fit", "best_fit", "one_job")),
            "level": choose.one_of(("unlimited", "unlimited", 1, 2)),
            "free_on_task_end": choose.one_of(YES_NO),
        }
    return values


def draw_extent(choose: Chooser) -> Parameters:
    """Draw when the run ends, and what is kept of it."""
    return {
        "until_s": choose.one_of(("done", "done", "done", 0.001, TICK * choose.integer(2, 200) / 1_000_000)),
        "sums_s": choose.one_of((1000.0, 0.001, 0.0037, 0.02)),
        "trace_from_s": choose.one_of((0.0, 0.0, TICK * choose.integer(0, 50) / 1_000_000, 0.0123)),
        "trace_s": choose.one_of((10.0, 10.0, 0.0, 0.0031, TICK * choose.integer(1, 50) / 1_000_000)),
        "fast_forward": choose.one_of(YES_NO),
    }
