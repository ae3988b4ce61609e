"""What the local scheduler does on one or two processors, worked out by hand: slices of 100 ms, switches of 1 ms."""

from typing import Any

import pytest

from scheduler_core import simulate
from scheduler_core.contracts import Schedule
from tests.scheduler_core.concurrent_gang.worlds import programs_workload

READS = [[("compute", 2), ("disk", 5), ("compute", 2)]]
COMPUTES = [[("compute", 20)]]
SHORT = [[("compute", 6)]]
SLOW_FRIEND = [[("compute", 30), ("send", 1)], [("receive", 1), ("compute", 4)]]


def run(programs: list[Any], processors: int, policy: str, **parameters: Any) -> Schedule:
    """Run programs, all of which are submitted at once."""
    own: dict[str, Any] = {"slice_ms": 100.0, "switch_us": 1000.0, "latency_us": 1000.0, "overhead_us": 500.0}
    return simulate(programs_workload(programs, processors), policy, trace_s=0.5, **own | parameters)


def finishes(schedule: Schedule) -> list[float]:
    """Return when jobs ended, in milliseconds."""
    return [finish / 1000 for finish in schedule.jobs["finish_us"].to_list()]


def done(schedule: Schedule, processor: int = 0) -> list[tuple[str, int | None, float, str | None]]:
    """Return what a processor does one after the other: activity, job, length in ms, who chose the task."""
    rows = schedule.tables["trace"].filter(schedule.tables["trace"]["processor"] == processor)
    return [
        (activity, job, (end - begin) / 1e6, by)
        for begin, end, activity, job, by in rows.select("begin_ns", "end_ns", "activity", "job", "by").rows()
    ]


def test_while_the_owner_reads_another_job_runs_and_goes_on_with_it_when_priorities_are_equal() -> None:
    schedule = run([READS, COMPUTES], 1, "cg_prio")
    assert done(schedule)[:6] == [
        ("switch", 1, 1.0, "gang"),
        ("compute", 1, 2.0, "gang"),
        ("switch", 2, 1.0, "local"),
        ("compute", 2, 20.0, "local"),
        ("switch", 1, 1.0, "local"),
        ("compute", 1, 2.0, "local"),
    ]
    assert finishes(schedule) == [27.0, 24.0]


def test_owner_that_is_ready_again_gets_its_processor_back_where_it_is_resumed() -> None:
    schedule = run([READS, COMPUTES], 1, "cg_prio", resume_owner=True)
    assert [entry[:3] for entry in done(schedule)[3:6]] == [
        ("compute", 2, 4.0),
        ("switch", 1, 1.0),
        ("compute", 1, 2.0),
    ]
    assert finishes(schedule) == [11.0, 28.0]
    assert schedule.run["counters"]["preempted_local"] == 1


def test_without_local_scheduler_a_processor_waits_for_the_next_slice() -> None:
    schedule = run([READS, COMPUTES], 1, "cg_gang")
    assert done(schedule)[2] == ("blocked", None, 97.0, None)
    assert finishes(schedule) == [203.0, 121.0]


def test_round_robin_takes_the_task_dispatched_longest_ago() -> None:
    schedule = run([READS, SHORT, COMPUTES], 1, "cg_rr")
    # the third job was never dispatched when the second ended, the first was
    assert [entry[1] for entry in done(schedule) if entry[0] == "switch"] == [1, 2, 3, 1]
    assert finishes(schedule) == [34.0, 10.0, 31.0]


def test_task_that_reads_preempts_one_that_computes_once_it_is_known() -> None:
    reads = [[("compute", 1), ("disk", 4)] * 40]
    schedule = run([reads, [[("compute", 400)]]], 1, "cg_prio")
    # in the first slice the two have equal priorities, and neither is put aside; then I/O was seen
    trace = schedule.tables["trace"]
    begun = trace.filter(trace["activity"] == "switch")["begin_ns"]
    assert begun.filter(begun < 100_000_000).to_list() == [0, 2_000_000]
    assert schedule.run["counters"]["preempted_local"] > 10
    calm = run([reads, [[("compute", 400)]]], 1, "cg_prio", boost=False)
    assert calm.run["counters"]["preempted_local"] == 0


@pytest.mark.parametrize("waiting", ["spin", "controlled"])
def test_task_that_waits_keeps_its_processor_where_it_has_no_limit(waiting: str) -> None:
    # sent at 31.5 ms, arrived at 32.5 ms; nothing that is ready beside it is I/O-bound
    schedule = run([SLOW_FRIEND, COMPUTES * 2], 2, "cg_prio", waiting=waiting)
    assert [entry[:3] for entry in done(schedule, 1)][:5] == [
        ("switch", 1, 1.0),
        ("spin", 1, 31.5),
        ("receive", 1, 0.5),
        ("compute", 1, 4.0),
        ("switch", 2, 1.0),
    ]
    assert finishes(schedule) == [37.0, 58.0]


def test_task_that_waits_leaves_its_processor_at_its_limit_and_is_ready_as_the_message_arrives() -> None:
    schedule = run([SLOW_FRIEND, COMPUTES * 2], 2, "cg_prio", waiting="spin_block")
    assert done(schedule, 1)[:8] == [
        ("switch", 1, 1.0, "gang"),
        ("spin", 1, 4.0, "gang"),  # the baseline
        ("switch", 2, 1.0, "local"),
        ("compute", 2, 20.0, "local"),
        ("blocked", None, 6.5, None),
        ("switch", 1, 1.0, "local"),
        ("receive", 1, 0.5, "local"),
        ("compute", 1, 4.0, "local"),
    ]
    assert finishes(schedule) == [38.0, 52.5]
    assert schedule.run["counters"]["blocked"] == 1


def test_limit_is_kept_where_what_is_awaited_comes_at_that_instant() -> None:
    friend = [[("compute", 2.5), ("send", 1)], [("receive", 1), ("compute", 4)]]
    # sent at 1 + 2.5 + 0.5 ms, arrived at 5 ms: 4 ms after the receiver has begun to spin
    schedule = run([friend], 2, "cg_prio")
    assert [entry[:3] for entry in done(schedule, 1)][:4] == [
        ("switch", 1, 1.0),
        ("spin", 1, 4.0),
        ("receive", 1, 0.5),
        ("compute", 1, 4.0),
    ]
    assert schedule.run["counters"]["blocked"] == 0
