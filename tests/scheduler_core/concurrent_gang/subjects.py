"""What is held against the oracle of Concurrent Gang, by what jobs do, and by what places them."""

import functools
from collections.abc import Callable
from typing import Any

from tests.oracles.concurrent_gang.tables import ConcurrentSchedule
from tests.scheduler_core.concurrent_gang.draws import APPLICATIONS, draw_case
from tests.scheduler_core.concurrent_gang.ways import WAYS
from tests.scheduler_core.examples import Case
from tests.scheduler_core.subjects import Subject

Shown = Callable[[Case, ConcurrentSchedule], bool]


def counted(name: str, case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether something was counted."""
    return found.counters[name] > 0


def outcome(word: str, case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a job came to such an end."""
    return any(became[3] == word for became in found.jobs.values())


def does(activity: str, case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a processor was at an activity in the window."""
    return any(row[3] == activity for row in found.trace)


def queues_at_disk(case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a request waited for another."""
    return any(issued < begin for *_, issued, begin, _ in found.trace_disks)


def waits_for_message(case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a message arrived before its receiver had come to it, and another after."""
    early = [row for row in found.trace_messages if row[6] is not None and row[6] - row[5] > 300_000]
    return 0 < len(early) < len(found.trace_messages)


def fills(case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a slice had more rows' jobs than one: owners beside those that the row names."""
    return case.policy.fill != "none" and found.counters["gang_runs"] > 0


def late_at_phase(case: Case, found: ConcurrentSchedule) -> bool:
    """Tell whether a worker came to the end of a phase that had ended."""
    return any(row[3] == row[4] for row in found.trace_barriers)


FEATURES: dict[str, Shown] = {
    **{
        name: functools.partial(counted, name)
        for name in ("local_runs", "preempted_local", "blocked", "requests", "messages", "barriers")
    },
    **{word: functools.partial(outcome, word) for word in ("finished", "killed", "unfinished", "rejected")},
    **{word: functools.partial(does, word) for word in ("spin", "switch", "blocked idle", "empty")},
    "blocked idle": functools.partial(does, "blocked"),
    "queues at a disk": queues_at_disk,
    "waits for a message": waits_for_message,
    "filled": fills,
    "late at the end of a phase": late_at_phase,
}
"""What examples may show, by name, and how to see it."""

ALWAYS = {"local_runs", "preempted_local", "requests", "finished", "unfinished", "rejected", "switch", "blocked idle"}
EXERCISED: dict[str, set[str]] = {
    "io": {"queues at a disk", "empty", "killed"},
    "messages": {"blocked", "messages", "spin", "waits for a message", "killed"},
    "supersteps": {"blocked", "messages", "barriers", "spin", "killed"},
    "barriers": {"blocked", "barriers", "spin", "killed"},
    "irregular": {"blocked", "barriers", "late at the end of a phase", "killed"},
    "programs": {"blocked", "messages", "barriers", "spin", "waits for a message"},
    "mixed": {"blocked", "messages", "barriers", "spin", "queues at a disk"},
    "controllers": {"blocked", "messages", "barriers", "filled"},
}
"""What the examples of each subject must have shown."""

LOCAL: dict[str, Any] = {
    "classifier": lambda word: "bayes" if word == "counting" else "counting",
    "local": lambda word: "round_robin" if word == "priority" else "none",
    "gang": lambda on: not on,
    "priority": lambda word: "io_less_communication" if word == "io_or_compute" else "io_or_compute",
    "alpha": lambda alpha: 3.0,
    "beta": lambda beta: 0.7,
    "least_membership": lambda least: 0.2,
    "resume_owner": lambda on: not on,
    "boost": lambda on: not on,
    "slice_ms": lambda slice_ms: 2 * slice_ms,
    "switch_us": lambda switch_us: switch_us + 50,
}
NETWORK: dict[str, Any] = {
    "statements": lambda count: 1 if count > 1 else 3,
    "waiting": lambda word: "spin_block" if word != "spin_block" else "spin",
    "spin_us": lambda limit: 200.0,
    "delta_switches": lambda delta: 0.0 if delta else 30.0,
    "latency_us": lambda latency: latency + 20,
    "overhead_us": lambda overhead: overhead + 20,
}
MATRIX: dict[str, Any] = {
    "packing": lambda word: "one_job" if word != "one_job" else "first_fit",
    "level": lambda level: 1,
    "tasks_per_processor": lambda cap: 2,
    "queue": lambda word: "fcfs" if word == "skip" else "skip",
    "free_on_task_end": lambda on: not on,
    "fill": lambda word: "none" if word != "none" else "intelligent",
}
OTHERS: dict[str, dict[str, Any]] = {
    "io": LOCAL | MATRIX | {"until_s": lambda until: "done", "sums_s": lambda period: 0.005},
    "messages": LOCAL | NETWORK,
    "supersteps": LOCAL | NETWORK,
    "barriers": LOCAL | NETWORK,
    "irregular": LOCAL | {"balance": lambda on: not on},
    "programs": LOCAL | NETWORK,
    "mixed": LOCAL | NETWORK | MATRIX | {"trace_from_s": lambda begin: begin + 0.0005, "trace_s": lambda length: 0.002},
    "controllers": {
        "selective_disabling": lambda on: not on,
        "fill": lambda word: "alternative" if word != "alternative" else "none",
        "tasks_per_processor": lambda cap: 2,
        "queue": lambda word: "fcfs" if word == "skip" else "skip",
    },
}
"""Parameters that must decide some schedule of a subject's examples, and what is tried instead."""


def subject(name: str) -> Subject:
    """Return what is drawn under a name."""
    shows = {feature: FEATURES[feature] for feature in sorted(ALWAYS | EXERCISED[name])}
    decides = {
        parameter: instead if callable(instead) else {parameter: instead} for parameter, instead in OTHERS[name].items()
    }
    return Subject(WAYS, functools.partial(draw_case, name=name), shows, decides, seeds=500, large_seeds=4)


SUBJECTS = {name: subject(name) for name in APPLICATIONS}
"""What jobs do, and controllers instead of the matrix, by name."""
