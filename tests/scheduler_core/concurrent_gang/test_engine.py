"""The engine: arrays grow without changing a schedule, idle time is skipped, and a run ends where it should."""

from typing import Any

import pytest

from scheduler_core import simulate
from scheduler_core.concurrent_gang import engine, layout
from scheduler_core.contracts import Schedule
from tests.scheduler_core.concurrent_gang.worlds import workload

WORDS = ("messages", "io", "supersteps", "messages", "irregular", "compute")
SIZES = (4, 2, 3, 2, 4, 1)


def run(policy: str = "cg_prio", **parameters: Any) -> Schedule:
    """Run jobs of all applications, every event of which is traced."""
    short: dict[str, Any] = {"slice_ms": 10.0, "trace_s": 2.0, "sums_s": 0.05, "fast_forward": False, **parameters}
    return simulate(workload(WORDS, SIZES, 4), policy, **short)


def test_rings_of_messages_and_tables_grow_without_changing_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    roomy = run()
    monkeypatch.setattr(engine, "MESSAGES_PER_TASK", 1)
    monkeypatch.setattr(layout, "ROOM", 2)
    narrow = run()
    assert narrow.digest == roomy.digest
    assert narrow.run["counters"] == roomy.run["counters"]
    assert roomy.tables["job_activity"]["messages"].sum() > 100
    assert roomy.tables["trace"].height > 1_000


def test_breaths_between_events_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run()
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(engine, "EVENTS_AT_ONCE", 7)
    broken = simulate(
        workload(WORDS, SIZES, 4),
        "cg_prio",
        slice_ms=10.0,
        trace_s=2.0,
        sums_s=0.05,
        fast_forward=False,
        progress=lambda submitted, total: told.append((submitted, total)),
    )
    assert broken.digest == whole.digest
    assert told[-1] == (len(WORDS), len(WORDS))


def test_hours_without_jobs_are_skipped_and_counted_as_slices() -> None:
    gap_s = 1_000_000.0
    jobs = workload(("io", "io"), (2, 2), 2, submit=[0.0, gap_s])
    schedule = simulate(jobs, "cg_prio", slice_ms=1.0, sums_s=100_000.0)
    first, second = schedule.jobs["finish_us"].to_list()
    assert first < 1_000_000
    assert second - gap_s * 1e6 < 1_000_000
    slices = schedule.run["counters"]["slices"]
    assert slices * 1_000 == schedule.tables["processor_activity"]["end_us"].max()
    assert slices > gap_s * 1_000


def test_run_without_jobs_ends_as_it_begins_and_with_until_when_it_says() -> None:
    nothing = simulate(workload((), (), 2), "cg_prio")
    assert nothing.run["counters"]["slices"] == 0
    assert nothing.tables["processor_activity"].height == 0
    empty = simulate(workload((), (), 2), "cg_prio", until_s=1.0, sums_s=0.4, slice_ms=150.0)
    assert empty.tables["processor_activity"]["end_us"].to_list() == [400_000] * 2 + [800_000] * 2 + [1_050_000] * 2
    assert empty.tables["processor_activity"]["empty_ns"].to_list() == [400_000_000] * 4 + [250_000_000] * 2


def test_jobs_that_a_run_ends_before_are_unfinished_and_those_too_large_rejected() -> None:
    jobs = workload(("compute",) * 4, (2, 2, 5, 2), 2, submit=[0.0, 0.0, 0.0, 5.0])
    schedule = simulate(jobs, "cg_gang", until_s=0.5, slice_ms=10.0)
    assert schedule.jobs["outcome"].to_list() == ["unfinished", "unfinished", "rejected", "unfinished"]
    assert schedule.jobs["start_us"].to_list() == [0, 0, None, None]
    assert schedule.jobs["finish_us"].to_list() == [None] * 4
    assert schedule.allocations["end_us"].to_list() == [500_000, 500_000]
    alone = simulate(jobs, "cg_gang", slice_ms=10.0)
    assert alone.jobs["outcome"].to_list() == ["finished", "finished", "rejected", "finished"]


@pytest.mark.parametrize(
    ("word", "imbalance"),
    [("compute", 0.0), ("io", 0.0), ("messages", 0.0), ("supersteps", 0.0), ("supersteps", 0.6), ("barriers", 0.0)],
)
def test_alone_on_its_processors_a_job_takes_its_run_time(word: str, imbalance: float) -> None:
    alone = workload((word,), (5,), 5, imbalance=[imbalance])
    schedule = simulate(alone, "cg_gang", switch_us=0.0, resume_owner=True)
    assert schedule.jobs["finish_us"].to_list() == [300_000]
    assert schedule.allocations["work_us"][0] <= 300_000
